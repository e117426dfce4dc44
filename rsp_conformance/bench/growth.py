"""How the time for one stream grows with its length."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from pyarrow import parquet

from rsp_conformance.model.algebra import BGP, TriplePattern, Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.spark.judge import SparkSemantics
from rsp_conformance.spark.stream import ELEMENT_SCHEMA, LongStream, element_table

EX = "http://ex.org/"
STREAM, WINDOW, NEAR = IRI(EX + "s"), IRI(EX + "w"), IRI(EX + "isNearby")
WIDTH, SLIDE = 100, 10
SIZES = (1_000, 10_000, 100_000)
PIECE = 10_000


@dataclass(frozen=True)
class Growth:
    """Seconds by number of elements, and what a tenfold stream costs against ten times as much."""

    seconds: dict[int, float]

    @property
    def ratio(self) -> float:
        """(T(1e5) − T(1e4)) / (10·(T(1e4) − T(1e3))): 1 is linear."""
        small, middle, large = (self.seconds[size] for size in SIZES)
        return (large - middle) / (10 * (middle - small))


def measure(semantics: SparkSemantics, repeat: int = 3) -> Growth:
    """All answers for all of Z of one stream of 10³, 10⁴ and 10⁵ elements, one an instant."""
    seconds: dict[int, float] = {}
    with tempfile.TemporaryDirectory(prefix="rsp-bench-") as folder:
        for size in SIZES:
            written = write_stream(Path(folder) / str(size), size)
            answer(semantics, written, size)
            times = []
            for _ in range(repeat if size < SIZES[-1] else 1):
                started = time.perf_counter()
                answer(semantics, written, size)
                times.append(time.perf_counter() - started)
            seconds[size] = min(times)
    return Growth(seconds)


def write_stream(folder: Path, size: int) -> Path:
    """A stream of SIZE elements as Parquet files, written piece by piece."""
    folder.mkdir()
    for start in range(0, size, PIECE):
        elements = (
            StreamElement(STREAM, n, (Triple(IRI(f"{EX}p{n % 997}"), NEAR, IRI(f"{EX}a{n % 7}")),))
            for n in range(start, min(size, start + PIECE))
        )
        table = element_table(elements, start).cast(ELEMENT_SCHEMA)
        parquet.write_table(table, folder / f"{start:09}.parquet")
    return folder


def answer(semantics: SparkSemantics, folder: Path, size: int) -> int:
    """How many answers the stream in FOLDER has over all of Z."""
    elements = semantics.spark.session.read.parquet(str(folder))
    pattern = BGP((TriplePattern(Variable("who"), NEAR, IRI(EX + "a3")),))
    query = Query(
        Window(WINDOW, pattern),
        operator=StreamOperator.RSTREAM,
        windows=(WindowDeclaration(WINDOW, STREAM, WIDTH, SLIDE),),
    )
    dials = Dials().with_dial("report", "WC & NC")
    case = Case(query, until=size + WIDTH)
    answered = semantics.stream_answers(LongStream(case, dials, elements))
    row = answered.selectExpr("count(*) AS answers", "max(hash) AS last").toArrow().to_pylist()[0]
    return int(row["answers"])
