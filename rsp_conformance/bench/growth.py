"""How the time for one stream grows with its length."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from rsp_conformance.model.algebra import BGP, TriplePattern, Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.spark.long_judge import LongJudge
from rsp_conformance.spark.session import SparkHandle

EX = "http://ex.org/"
STREAM, WINDOW, NEAR = IRI(EX + "s"), IRI(EX + "w"), IRI(EX + "isNearby")
WIDTH, SLIDE = 100, 10
SIZES = (1_000, 10_000, 100_000)
CHUNK = 10_000


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
    for size in SIZES:
        judged(spark, size)
        times = []
        for _ in range(repeat if size < SIZES[-1] else 1):
            started = time.perf_counter()
            judged(spark, size)
            times.append(time.perf_counter() - started)
        seconds[size] = min(times)
    return Growth(seconds)


def chunks(size: int) -> Iterator[list[StreamElement]]:
    """A stream of SIZE elements in chunks."""
    for start in range(0, size, CHUNK):
        yield [
            StreamElement(STREAM, n, (Triple(IRI(f"{EX}p{n % 997}"), NEAR, IRI(f"{EX}a{n % 7}")),))
            for n in range(start, min(size, start + CHUNK))
        ]


def judged(spark: SparkHandle, size: int) -> int:
    """How many evaluations it takes to judge an engine that is right for every member of Z.

    Nothing is ever to be answered, so no member of Z drops out, and each is evaluated to the end.
    """
    pattern = BGP((TriplePattern(Variable("who"), NEAR, IRI(EX + "nowhere")),))
    query = Query(
        Window(WINDOW, pattern),
        operator=StreamOperator.RSTREAM,
        windows=(WindowDeclaration(WINDOW, STREAM, WIDTH, SLIDE),),
    )
    dials = Dials().with_dials({"report": "WC & NC", "empty_answers": "no"})
    judge = LongJudge(spark, Case(query, until=size + WIDTH), dials)
    for elements in chunks(size):
        judge.take(elements, (), elements[-1].t)
    standing = judge.finish()
    assert len(standing.alive) == SLIDE, standing
    return standing.evaluations
