"""How the time for one stream grows with its length."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rsp_conformance.model.algebra import BGP, TriplePattern, Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Aggregate, Operation, Variable
from rsp_conformance.model.query import GroupKey, Projection, Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD_INTEGER, Literal, Triple
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.spark.long_judge import LongJudge
from rsp_conformance.spark.session import SparkHandle

EX = "http://ex.org/"
STREAM, WINDOW, NEAR = IRI(EX + "s"), IRI(EX + "w"), IRI(EX + "isNearby")
WIDTH, SLIDE = 100, 10
SIZES = (1_000, 10_000, 100_000)


@dataclass(frozen=True)
class Growth:
    """Seconds by number of elements, and what a tenfold stream costs against ten times as much."""

    seconds: dict[int, float]

    @property
    def ratio(self) -> float:
        """(T(1e5) − T(1e4)) / (10·(T(1e4) − T(1e3))): 1 is linear."""
        small, middle, large = (self.seconds[size] for size in SIZES)
        return (large - middle) / (10 * (middle - small))


def measure(spark: SparkHandle, repeat: int = 3) -> Growth:
    """One stream of 10³, 10⁴ and 10⁵ elements, one an instant, judged for all of Z."""
    seconds: dict[int, float] = {}
    judged(spark, SIZES[0])
    for size in SIZES:
        times = []
        for _ in range(repeat):
            started = time.perf_counter()
            judged(spark, size)
            times.append(time.perf_counter() - started)
        seconds[size] = min(times)
    return Growth(seconds)


def stream(size: int) -> list[StreamElement]:
    """A stream of SIZE elements, one an instant, no two windows of it alike."""
    return [
        StreamElement(STREAM, n, (Triple(IRI(f"{EX}p{n}"), NEAR, IRI(f"{EX}a{n % 7}")),))
        for n in range(size)
    ]


def judged(spark: SparkHandle, size: int) -> int:
    """How many evaluations it takes to judge an engine that is right for every member of Z.

    Every window has solutions, but none of them a due answer: so no member of Z drops out, and each
    is evaluated to the end. All comes in one chunk, so that the number of jobs is the same for
    every SIZE: what a job costs however small it is drops out of the ratio.
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
    judge = LongJudge(spark, Case(query, until=size + WIDTH), dials)
    standing = judge.finish(stream(size))
    assert len(standing.alive) == SLIDE, standing
    return standing.evaluations
