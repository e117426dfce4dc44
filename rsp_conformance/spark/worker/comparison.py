"""Answers whose texts do not settle the comparison, paired off in one Arrow function.

That is up to blank nodes, numeric values, ties and tolerances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pyarrow as pa

from rsp_conformance.compare.rows import Row, same_rows
from rsp_conformance.model.dials import Numbers, Tolerance
from rsp_conformance.spark.codec import decode_cells
from rsp_conformance.spark.worker.alignment import Alignment, DueAnswer, ObservedAnswer, align
from rsp_conformance.spark.worker.relations import SOLUTIONS, SOLUTIONS_SQL

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
_LAST = pa.struct([("z", pa.int32()), ("solutions", SOLUTIONS)])
COMPARED = pa.schema(
    [
        ("task", pa.int32()),
        ("outcomes", pa.list_(_OUTCOME)),
        ("flags", pa.list_(_FLAG)),
        ("lasts", pa.list_(_LAST)),
        ("evaluations", pa.int64()),
        ("distinct", pa.int64()),
    ]
)
COMPARED_SQL = (
    "task int, "
    "outcomes array<struct<z: int, right: boolean, agreed: int, t: bigint, kind: string>>, "
    "flags array<struct<z: int, open: string, refused: string>>, "
    f"lasts array<struct<z: int, solutions: {SOLUTIONS_SQL}>>, "
    "evaluations bigint, distinct bigint"
)
"""How a task fares.

``outcomes``: of every z that was looked at (see ``every`` in ``given``), with the number of due
answers that agreed. ``flags``: why the answers of a z are open, or not to be had. ``lasts``: the
solutions of the last evaluation of each z, where they are carried on. ``evaluations`` counts those
of all z, ``distinct`` the contents that they see in a piece.
"""


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
    if row["unsettled"] is not None:
        contents = {content["hash"]: content for content in row["contents"]}
        given = [
            ObservedAnswer(
                None if g["stamp"] is None else Fraction(g["stamp"]),
                g["required"],
                g["late"],
                place,
                g["early"],
            )
            for place, g in enumerate(row["given"])
        ]
        due = {v["z"]: v["due"] for v in row["unsettled"]}
        outcomes += [
            _outcome(z, due.get(z, ()), contents, given, row)
            for z in row["asked"]
            if z not in equal
        ]
    kept = ("task", "flags", "lasts", "evaluations", "distinct")
    return {"outcomes": outcomes, **{name: row[name] for name in kept}}


def _outcome(
    z: int,
    expected: Sequence[dict[str, Any]],
    contents: Mapping[int, dict[str, Any]],
    given: list[ObservedAnswer],
    row: dict[str, Any],
) -> dict[str, Any]:
    known: dict[tuple[int, int], bool] = {}
    numbers = _numbers(row["numbers"])

    def same(content: int, place: int) -> bool:
        if (content, place) not in known:
            due = contents[content]
            known[content, place] = equal(
                due["answer"], row["given"][place]["answer"], due["ties"], numbers
            )
        return known[content, place]

    def unordered(content: int, place: int) -> bool:
        return equal(contents[content]["answer"], row["given"][place]["answer"], None, numbers)

    t_s = row["t_s"]
    due = [
        DueAnswer(d["t"], d["stamp"], d["t"] >= t_s, d["hash"])
        for d in expected
        if row["timed"] or d["t"] >= t_s
    ]
    found: Alignment = align(
        due, given, same, row["tolerance"] if row["timed"] else None, unordered
    )
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
