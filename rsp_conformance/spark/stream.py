"""One long stream, in pieces that no step has to hold together.

The elements are a DataFrame from anywhere: Parquet files, Arrow tables, another job. They are cut
by time into pieces that overlap by as much as a window looks back, so an element becomes at most
two rows, whatever |Z| and however many windows hold it. From there on the plan is that of a batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.spark.codec import encode_element
from rsp_conformance.spark.encode import (
    CASE_FIELDS,
    CONTENT_FIELDS,
    PIECE_FIELDS,
    Batch,
    Described,
    table,
)
from rsp_conformance.spark.question import pickled
from rsp_conformance.spark.session import SparkHandle

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ELEMENT_SCHEMA = pa.schema(
    [("n", pa.int64()), ("stream", pa.string()), ("t", pa.int64()), ("element", pa.string())]
)
"""A stream's elements: arrival number over all streams, stream IRI, instant, what it says."""

PIECES_A_PARTITION = 200
"""More partitions for more pieces, so that what a core holds at once stays small."""

LOOK_AHEAD = 2
"""A piece spans this many times what a window can look back."""


def element_table(elements: Iterable[StreamElement], start: int = 0) -> pa.Table:
    """ELEMENTS as rows of ELEMENT_SCHEMA, numbered from START."""
    rows = [
        {"n": n, "stream": e.stream.value, "t": e.t, "element": encode_element(e.graph, e.name)}
        for n, e in enumerate(elements, start)
    ]
    return pa.Table.from_pylist(rows, schema=ELEMENT_SCHEMA)


@dataclass(frozen=True)
class LongStream:
    """A case whose elements are a DataFrame of ELEMENT_SCHEMA.

    ``case`` has none itself. ``first`` gives each stream's first instant, for dials that start
    windows there; ``span`` the instants of a piece, None for what the windows suggest.
    """

    case: Case
    dials: Dials
    elements: DataFrame
    first: Mapping[IRI, int] | None = None
    span: int | None = None
    t0: tuple[int | None, ...] | None = None


@dataclass(frozen=True)
class Cut:
    """A stream cut into ``pieces``, as frames for the plan."""

    described: Described
    pieces: DataFrame
    contents: DataFrame
    count: int
    partitions: int


def cut(stream: LongStream, spark: SparkHandle) -> Cut:
    """STREAM in pieces. Unsupported and ValueError as for a task of a batch."""
    from pyspark.sql import functions as f

    case = stream.case
    described = Batch().describe(0, case, stream.dials, stream.first or {}, stream.t0)
    windows = described.windows
    known = [t0 for options in described.starts for t0 in options if t0 is not None]
    origin = min([case.registered, *known])
    # What the test point before the piece's first one sees, at the farthest.
    reach = max((w.width + w.slide + 2 for w in windows), default=1)
    span = max(stream.span or LOOK_AHEAD * reach, reach)
    count = max(1, -(-(case.until - origin) // span))
    partitions = spark.partitions * max(1, -(-count // (spark.partitions * PIECES_A_PARTITION)))
    one = {**described.columns, "origin": origin, "span": span, "pieces": count}
    described = replace(described, columns=one)
    case_frame = spark.session.createDataFrame(table([one], CASE_FIELDS))
    streams = "array(" + ", ".join(f"'{_quoted(w.stream.value)}'" for w in windows) + ")"
    if not windows:
        streams = "cast(array() AS array<string>)"
    home = f"greatest(0, floor((t - {origin} - 1) / {span}))"
    cut_up = (
        stream.elements.where(f"t <= {case.until}")
        .selectExpr("*", f"cast({home} AS int) AS home")
        .selectExpr(
            "n",
            "stream",
            "t",
            "element",
            "IF(startswith(element, '\\n'), xxhash64(element), xxhash64(element, t)) AS hash",
            f"""explode(IF(home + 1 < {count} AND t > {origin} + (home + 1) * {span} - {reach},
                array(home, home + 1), array(home))) AS piece""",
        )
        .repartition(partitions, "piece")
        .groupBy("piece")
        .agg(f.expr("sort_array(collect_list(struct(n, stream, t, hash, element)))").alias("held"))
    )
    every = (
        spark.session.range(count)
        .selectExpr("cast(id AS int) AS piece")
        .repartition(partitions, "piece")
    )
    laid = (
        every.join(cut_up, "piece", "left")
        .selectExpr("piece", f"{streams} AS streams", "coalesce(held, array()) AS held")
        .selectExpr("*", "filter(held, x -> array_contains(streams, x.stream)) AS read")
        .selectExpr("*", "transform(streams, s -> filter(read, x -> x.stream = s)) AS own")
    )
    stepwise, arrival = described.report.stepwise, stream.dials.answer_time == "arrival"
    rows = laid.selectExpr(
        "piece",
        f"IF(piece = 0, NULL, {origin} + cast(piece AS bigint) * {span}) AS after_piece",
        f"least({case.until}, {origin} + (cast(piece AS bigint) + 1) * {span}) AS until",
        "transform(own, o -> transform(o, x -> x.t)) AS times",
        "transform(own, o -> transform(o, x -> x.hash)) AS hashes",
        "transform(streams, s -> filter("
        "transform(read, (x, i) -> IF(x.stream = s, cast(i AS bigint), NULL)), "
        "i -> i IS NOT NULL)) AS places"
        if stepwise
        else "transform(streams, s -> cast(array() AS array<bigint>)) AS places",
        ("transform(read, x -> x.t)" if stepwise else "cast(array() AS array<bigint>)")
        + " AS arrivals",
        (
            "array_distinct(transform(held, x -> x.t))"
            if arrival
            else "cast(array() AS array<bigint>)"
        )
        + " AS moments",
    )
    rows = (
        _next_moments(rows)
        if arrival
        else rows.selectExpr("*", "cast(NULL AS bigint) AS next_moment")
    )
    names = [name for name, _ in CASE_FIELDS + PIECE_FIELDS]
    pieces = rows.crossJoin(f.broadcast(case_frame)).select(*names)
    question = f.lit(pickled(described.question)).alias("question_bytes")
    contents = laid.select(
        f.lit(0).alias("task"),
        "piece",
        question,
        f.expr("transform(own, o -> transform(o, x -> x.t)) AS element_times"),
        f.expr("transform(own, o -> transform(o, x -> x.element)) AS elements"),
    ).select(*[name for name, _ in CONTENT_FIELDS])
    return Cut(described, pieces, contents, count, partitions)


def _next_moments(rows: DataFrame) -> DataFrame:
    """ROWS with the first arrival after each piece: one number a piece, looked at together."""
    moments = rows.selectExpr(
        "piece",
        "array_min(filter(moments, x -> x > coalesce(after_piece, x - 1))) AS first_moment",
    )
    later = moments.selectExpr(
        "piece",
        "min(first_moment) OVER (ORDER BY piece ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)"
        " AS next_moment",
    )
    return rows.join(later, "piece")


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")
