"""How the time for one stream grows with its length, by the reference model and by Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import log

from scipy.stats import theilslopes

from rsp_conformance.model.algebra import BGP, TriplePattern, Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Aggregate, Operation, Variable
from rsp_conformance.model.query import GroupKey, Projection, Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD_INTEGER, Literal, Triple
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.long_judge import LongJudge
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.trace import Expectation
from tools.bench.processors import Spent, spent
from tools.progress import report

EX = "http://ex.org/"
STREAM, WINDOW, NEAR = IRI(EX + "s"), IRI(EX + "w"), IRI(EX + "isNearby")
WIDTH, SLIDE = 100, 10
SIZES = (3_000, 6_000, 12_000, 25_000, 50_000, 100_000)
IN_TURN = 3
"""The smaller sizes are measured so often, and the least counts; the two largest once."""


@dataclass(frozen=True)
class Growth:
    """What a stream takes, by its number of elements."""

    spent: Mapping[int, Spent]

    @property
    def slope(self) -> float:
        """By which power of the number of elements processor time grows."""
        return slope({size: one.work for size, one in self.spent.items()})


def slope(work: Mapping[int, float]) -> float:
    """By which power of the number of elements the WORK on it grows; 1 is linear.

    The median of the slopes between any two sizes, both on a logarithmic scale (Theil, *A
    rank-invariant method of linear and polynomial regression analysis*, 1950): one measurement that
    other work has disturbed does not decide it.
    """
    seconds = [log(each) for each in work.values()]
    return float(theilslopes(seconds, [log(size) for size in work]).slope)


def by_spark(spark: SparkHandle) -> Growth:
    """One stream of every size, one element per instant, judged on Spark for all of Z."""
    judged(spark, SIZES[0])
    return _measured(partial(judged, spark), "Spark")


def by_specification() -> Growth:
    """The same streams by the reference model, its answers for all of Z."""
    return _measured(answered, "the reference model")


def _measured(do: Callable[[int], object], who: str) -> Growth:
    least: dict[int, Spent] = {}
    for size in SIZES:
        report(f"a stream of {size:,} elements by {who}")
        times = IN_TURN if size < SIZES[-2] else 1
        taken = [spent(partial(do, size)) for _ in range(times)]
        least[size] = min(taken, key=lambda one: one.work)
    return Growth(least)


def stream(size: int) -> list[StreamElement]:
    """A stream of SIZE elements, one an instant, no two windows of it alike."""
    return [
        StreamElement(STREAM, n, (Triple(IRI(f"{EX}p{n}"), NEAR, IRI(f"{EX}a{n % 7}")),))
        for n in range(size)
    ]


def case_of(size: int) -> tuple[Case, Dials]:
    """A case of SIZE elements, without them.

    Every window has solutions, but none of them a due answer: so whoever judges silence evaluates
    every member of Z to the end.
    """
    who = Variable("who")
    crowded = Operation(">", (Aggregate("COUNT", who), Literal("100", XSD_INTEGER)))
    query = Query(
        Window(WINDOW, BGP((TriplePattern(who, NEAR, IRI(EX + "a3")),))),
        operator=StreamOperator.RSTREAM,
        projection=(Projection(who),),
        group_by=(GroupKey(who),),
        having=(crowded,),
        windows=(WindowDeclaration(WINDOW, STREAM, WIDTH, SLIDE),),
    )
    dials = Dials().with_dials({"report": "WC & NC", "empty_answers": "no"})
    return Case(query, until=size + WIDTH), dials


def judged(spark: SparkHandle, size: int) -> int:
    """How many evaluations it takes on Spark.

    All comes in one chunk, so that the number of jobs is the same for every SIZE.
    """
    standing = LongJudge(spark, *case_of(size)).finish(stream(size))
    assert len(standing.alive) == SLIDE, standing
    return standing.evaluations


def answered(size: int) -> None:
    """The reference model's answers for every member of Z: none is due."""
    case, dials = case_of(size)
    case = replace(case, elements=tuple(stream(size)))
    expectation = Expectation(case, dials)
    for vector in rspql_queries(case, dials):
        assert not expectation.answer(vector)
