"""The comparison of Definition 26 in Spark: due against given answers, for every z.

Answers are compared in *segments*: a whole case, or, where a stream comes in pieces and instants
are compared, the answers stamped within a piece. Where the texts of all required answers agree,
nothing more is asked; else the answers of the segment go to an Arrow function that pairs them off
up to blank nodes, numeric values, ties and tolerances.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from rsp_conformance.spark.align import Due, Given, Outcome, align
from rsp_conformance.spark.equality import Reading, equal
from rsp_conformance.spark.session import map_in_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SEGMENT = """
CASE WHEN pieces = 1 THEN 0
     WHEN answer_time = 'arrival' THEN least(pieces - 1, cast((stamp - origin - 1) div span AS int))
     ELSE piece END
"""
"""The segment of an evaluation: the piece in which its stamp lies."""

DUE = "sort_array(collect_list(IF(kept, struct(t, s, stamp, hash), NULL)))"
CONTENTS = "collect_set(IF(kept, struct(hash, variables, answer, ties), NULL))"

_REQUIRED_DUE = "filter(v.due, d -> d.t >= t_s)"
_DUE_TEXT = f"""
xxhash64(transform({_REQUIRED_DUE}, d -> struct(IF(timed, cast(d.stamp AS string), ''), d.hash)))
"""
_GIVEN_TEXT = """
xxhash64(transform(filter(given, x -> x.required), x ->
  struct(IF(timed, x.stamp, ''), xxhash64(array_sort(x.answer)))))
"""

_OUTCOME = pa.struct(
    [
        ("z", pa.int32()),
        ("right", pa.bool_()),
        ("agreed", pa.int32()),
        ("t", pa.int64()),
        ("kind", pa.string()),
    ]
)
_FLAG = pa.struct([("z", pa.int32()), ("open", pa.string()), ("refused", pa.string())])
COMPARED = pa.schema(
    [
        ("task", pa.int32()),
        ("segment", pa.int32()),
        ("outcomes", pa.list_(_OUTCOME)),
        ("flags", pa.list_(_FLAG)),
        ("evaluations", pa.int64()),
    ]
)
COMPARED_SQL = (
    "task int, segment int, "
    "outcomes array<struct<z: int, right: boolean, agreed: int, t: bigint, kind: string>>, "
    "flags array<struct<z: int, open: string, refused: string>>, evaluations bigint"
)


def by_vector(answered: DataFrame, partitions: int) -> DataFrame:
    """ANSWERED gathered by task, segment and z: what is due in order, and the contents."""
    from pyspark.sql import functions as f

    return (
        answered.withColumn("segment", f.expr(SEGMENT))
        .repartition(partitions, "task", "segment")
        .groupBy("task", "segment", "z")
        .agg(
            f.expr(DUE).alias("due"),
            f.expr(CONTENTS).alias("contents"),
            f.expr("max(open)").alias("open"),
            f.expr("max(refused)").alias("refused"),
            f.expr("count(*)").alias("evaluations"),
        )
    )


def compared(vectors: DataFrame, given: DataFrame) -> DataFrame:
    """How every z of every segment of VECTORS fares against GIVEN."""
    from pyspark.sql import functions as f

    gathered = vectors.groupBy("task", "segment").agg(
        f.expr("collect_list(struct(z, due, contents, open, refused))").alias("expected"),
        f.expr("sum(evaluations)").alias("evaluations"),
    )
    joined = given.join(gathered, ["task", "segment"], "left")
    equal_text = f"textual AND {_DUE_TEXT} = given_text"
    unsettled = (
        joined.selectExpr("*", f"{_GIVEN_TEXT} AS given_text")
        .selectExpr("*", f"transform(filter(expected, v -> {equal_text}), v -> v.z) AS equal")
        .selectExpr(
            *given.columns,
            "coalesce(evaluations, 0) AS evaluations",
            "coalesce(equal, array()) AS equal",
            "coalesce(transform(expected, v -> v.z), array()) AS present",
            "IF(whole AND size(equal) > 0, array(), "
            "filter(expected, v -> NOT array_contains(equal, v.z))) AS unsettled",
            "filter(transform(expected, v -> struct(v.z, v.open, v.refused)), "
            "v -> v.open IS NOT NULL OR v.refused IS NOT NULL) AS flags",
        )
    )
    return map_in_arrow(unsettled, compare, COMPARED_SQL)


def compare(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pair off what the texts did not settle."""
    for batch in batches:
        rows = [_segment(row) for row in batch.to_pylist()]
        yield pa.RecordBatch.from_pylist(rows, schema=COMPARED)


def _segment(row: dict[str, Any]) -> dict[str, Any]:
    outcomes = [{"z": z, "right": True, "agreed": 0, "t": None, "kind": None} for z in row["equal"]]
    if not (row["whole"] and outcomes):
        given = [
            Given(
                None if g["stamp"] is None else Fraction(g["stamp"]),
                g["required"],
                g["late"],
                place,
                g["early"],
            )
            for place, g in enumerate(row["given"])
        ]
        silent: dict[str, Any] = {"due": [], "contents": []}
        expected = {v["z"]: v for v in row["unsettled"] or ()}
        settled = set(row["equal"])
        nothing: dict[str, Any] | None = None
        for z in range(row["vectors"]):
            if z in settled:
                continue
            if z in expected:
                outcomes.append(_outcome(z, expected[z], given, row))
            else:
                nothing = nothing or _outcome(z, silent, given, row)
                outcomes.append({**nothing, "z": z})
    return {
        "task": row["task"],
        "segment": row["segment"],
        "outcomes": outcomes,
        "flags": row["flags"] or [],
        "evaluations": row["evaluations"],
    }


def _outcome(
    z: int, expected: dict[str, Any], given: list[Given], row: dict[str, Any]
) -> dict[str, Any]:
    contents = {content["hash"]: content for content in expected["contents"]}
    known: dict[tuple[int, int], bool] = {}
    reading = Reading.of(row["numbers"])

    def same(content: int, place: int) -> bool:
        if (content, place) not in known:
            due = contents[content]
            ties = due["ties"] if due["ties"] and due["ties"][0] >= 0 else None
            known[content, place] = equal(
                due["answer"], row["given"][place]["answer"], ties, reading
            )
        return known[content, place]

    t_s = row["t_s"]
    due = [
        Due(d["t"], d["stamp"], d["t"] >= t_s, d["hash"])
        for d in expected["due"]
        if row["timed"] or d["t"] >= t_s
    ]
    found: Outcome = align(due, given, same, row["tolerance"] if row["timed"] else None)
    return {
        "z": z,
        "right": found.right,
        "agreed": found.agreed,
        "t": found.t,
        "kind": None if found.kind is None else found.kind.value,
    }
