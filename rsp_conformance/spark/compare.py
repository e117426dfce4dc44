"""The comparison of Definition 26 in Spark: due against given answers, for every z.

Where the texts of all required answers agree, nothing more is asked; else the answers go to an
Arrow function that pairs them off up to blank nodes, numeric values, ties and tolerances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from rsp_conformance.compare.rows import Row, same_rows
from rsp_conformance.model.dials import Numbers, Tolerance
from rsp_conformance.spark.align import Due, Given, Outcome, align
from rsp_conformance.spark.codec import decode_cells
from rsp_conformance.spark.evaluate import ROW, ROWS_SQL
from rsp_conformance.spark.session import map_in_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

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
_LAST = pa.struct([("z", pa.int32()), ("rows", pa.list_(ROW))])
COMPARED = pa.schema(
    [
        ("task", pa.int32()),
        ("outcomes", pa.list_(_OUTCOME)),
        ("flags", pa.list_(_FLAG)),
        ("lasts", pa.list_(_LAST)),
        ("evaluations", pa.int64()),
        ("by_library", pa.int64()),
    ]
)
COMPARED_SQL = (
    "task int, "
    "outcomes array<struct<z: int, right: boolean, agreed: int, t: bigint, kind: string>>, "
    "flags array<struct<z: int, open: string, refused: string>>, "
    f"lasts array<struct<z: int, rows: {ROWS_SQL}>>, evaluations bigint, by_library bigint"
)
"""How a task fares.

``outcomes``: of every z that was looked at (see ``every`` in ``given``), with the number of due
answers that agreed. ``flags``: why the answers of a z are open, or not to be had. ``lasts``: the
solutions of the last evaluation of each z, where they are carried on. ``evaluations`` counts those
of all z, ``by_library`` those of which a library evaluated the patterns.
"""


def by_vector(answered: DataFrame, partitions: int) -> DataFrame:
    """ANSWERED gathered by task and z: what is due in order, and the contents."""
    from pyspark.sql import functions as f

    solved = "solved" if "solved" in answered.columns else f"cast(NULL AS {ROWS_SQL})"
    return (
        answered.repartition(partitions, "task")
        .groupBy("task", "z")
        .agg(
            f.expr(DUE).alias("due"),
            f.expr(CONTENTS).alias("contents"),
            f.expr("max(open)").alias("open"),
            f.expr("max(refused)").alias("refused"),
            f.expr("count(*)").alias("evaluations"),
            f.expr("count_if(library)").alias("by_library"),
            f.expr(f"max_by({solved}, struct(t, s))").alias("last"),
        )
    )


def compared(vectors: DataFrame, given: DataFrame) -> DataFrame:
    """How the z of every task of VECTORS fare against GIVEN."""
    from pyspark.sql import functions as f

    gathered = vectors.groupBy("task").agg(
        f.expr("collect_list(struct(z, due, contents, open, refused, last))").alias("expected"),
        f.expr("sum(evaluations)").alias("evaluations"),
        f.expr("sum(by_library)").alias("by_library"),
    )
    joined = given.join(gathered, ["task"], "left")
    equal_text = f"textual AND {_DUE_TEXT} = given_text"
    unsettled = (
        joined.selectExpr("*", f"{_GIVEN_TEXT} AS given_text")
        .selectExpr("*", f"filter(expected, v -> {equal_text}) AS agreeing")
        .selectExpr(
            *given.columns,
            "coalesce(evaluations, 0) AS evaluations",
            "coalesce(by_library, 0) AS by_library",
            "coalesce(transform(agreeing, v -> struct(v.z, size(v.due) AS due)), array()) AS equal",
            "filter(expected, v -> NOT exists(agreeing, e -> e.z = v.z) "
            "AND (every OR size(agreeing) = 0)) AS unsettled",
            "filter(transform(expected, v -> struct(v.z, v.open, v.refused)), "
            "v -> v.open IS NOT NULL OR v.refused IS NOT NULL) AS flags",
            "filter(transform(expected, v -> struct(v.z, v.last AS rows)), "
            "v -> v.rows IS NOT NULL) AS lasts",
        )
        .selectExpr(
            *given.columns,
            "evaluations",
            "by_library",
            "equal",
            "transform(unsettled, v -> struct(v.z, v.due, v.contents)) AS unsettled",
            "flags",
            "lasts",
        )
    )
    return map_in_arrow(unsettled, compare, COMPARED_SQL)


def compare(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pair off what the texts did not settle."""
    for batch in batches:
        rows = [fares(row) for row in batch.to_pylist()]
        yield pa.RecordBatch.from_pylist(rows, schema=COMPARED)


def fares(row: dict[str, Any]) -> dict[str, Any]:
    """The row of COMPARED for a task whose ``unsettled`` z are still to be paired off."""
    equal = {vector["z"]: vector["due"] for vector in row["equal"]}
    outcomes = [
        {"z": z, "right": True, "agreed": due, "t": None, "kind": None} for z, due in equal.items()
    ]
    if row["every"] or not outcomes:
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
        nothing: dict[str, Any] | None = None
        for z in row["asked"]:
            if z in equal:
                continue
            if z in expected:
                outcomes.append(_outcome(z, expected[z], given, row))
            else:
                nothing = nothing or _outcome(z, silent, given, row)
                outcomes.append({**nothing, "z": z})
    return {
        "task": row["task"],
        "outcomes": outcomes,
        "flags": row["flags"] or [],
        "lasts": row["lasts"] or [],
        "evaluations": row["evaluations"],
        "by_library": row["by_library"],
    }


def _outcome(
    z: int, expected: dict[str, Any], given: list[Given], row: dict[str, Any]
) -> dict[str, Any]:
    contents = {content["hash"]: content for content in expected["contents"]}
    known: dict[tuple[int, int], bool] = {}
    numbers = _numbers(row["numbers"])

    def same(content: int, place: int) -> bool:
        if (content, place) not in known:
            due = contents[content]
            ties = due["ties"] if due["ties"] and due["ties"][0] >= 0 else None
            known[content, place] = equal(
                due["answer"], row["given"][place]["answer"], ties, numbers
            )
        return known[content, place]

    def unordered(content: int, place: int) -> bool:
        return equal(contents[content]["answer"], row["given"][place]["answer"], None, numbers)

    t_s = row["t_s"]
    due = [
        Due(d["t"], d["stamp"], d["t"] >= t_s, d["hash"])
        for d in expected["due"]
        if row["timed"] or d["t"] >= t_s
    ]
    found: Outcome = align(due, given, same, row["tolerance"] if row["timed"] else None, unordered)
    return {
        "z": z,
        "right": found.right,
        "agreed": found.agreed,
        "t": found.t,
        "kind": None if found.kind is None else found.kind.value,
    }


def _numbers(text: str) -> Numbers:
    """The dial ``numbers`` from its name, or from a fraction, the tolerance."""
    if text == "term":
        return "term"
    return "value" if text == "value" else Tolerance(Fraction(text), text)


def equal(
    expected: Sequence[str], observed: Sequence[str], ties: Sequence[int] | None, numbers: Numbers
) -> bool:
    """Whether EXPECTED and OBSERVED, rows or triples as texts of the codec, are one answer.

    TIES numbers the groups of rows of EXPECTED that may come in any order; None is one group.
    """
    if len(expected) != len(observed):
        return False
    if ties is None:
        if Counter(expected) == Counter(observed):
            return True
        return same_rows(_rows(expected), _rows(observed), numbers)
    return same_rows(
        [(tie, *row) for tie, row in zip(ties, _rows(expected), strict=True)],
        [(tie, *row) for tie, row in zip(ties, _rows(observed), strict=True)],
        numbers,
    )


def _rows(texts: Sequence[str]) -> list[Row]:
    return [decode_cells(text) for text in texts]
