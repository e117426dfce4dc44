"""The answers to one long stream, from those of its pieces.

Within a piece an evaluation follows the one before it there. The first evaluation of a z in a piece
follows the last one in the pieces before, which may lie far back, so Istream and Dstream answer it
here, where all pieces meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rsp_conformance.spark.plan.r2s import NOTHING, answered

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PIECES = "sort_array(collect_list(struct(piece, expected, answers, ends))) AS pieces"
_ENDS = """
transform(pieces[0].expected, (e, k) ->
  filter(transform(pieces, p -> p.ends[k]), x -> x IS NOT NULL))
"""


def _carried(z: str) -> str:
    return f"get(filter(carried, c -> c.z = {z}), 0).solutions"


_STEPS = f"""
transform(own, (x, i) -> named_struct('now', x.now,
  'before', IF(i = 0, coalesce({_carried("x.z")}, {NOTHING}), own[i - 1].last),
  'ties', cast(NULL AS array<int>)))
"""
_FIRSTS = f"transform(ends, own -> {answered(_STEPS)})"

_DUE = """
concat(flatten(transform(pieces, p -> p.expected[k].due)),
  filter(transform(ends[k], (x, i) -> named_struct('t', x.t, 's', x.s, 'stamp', x.stamp,
    'hash', firsts[k][i].hash, 'kept', firsts[k][i].kept)), d -> d.kept))
"""
_EXPECTED = f"""
transform(pieces[0].expected, (e, k) -> named_struct('z', e.z,
  'due', IF(size(ends[k]) = 0, {_DUE}, sort_array({_DUE})),
  'open', array_max(transform(pieces, p -> p.expected[k].open)),
  'refused', array_max(transform(pieces, p -> p.expected[k].refused)),
  'last', IF(size(ends[k]) = 0, {_carried("e.z")}, ends[k][size(ends[k]) - 1].last)))
"""
_ANSWERS = "concat(flatten(pieces.answers), flatten(firsts))"


def whole(answers: DataFrame) -> DataFrame:
    """The ANSWERS of pieces (``streaming.answers``), one row a case."""
    from pyspark.sql import functions as f

    counts = ("evaluations", "distinct")
    constant = ("operator", "sets", "form", "keep_empty")
    gathered = answers.groupBy("task").agg(
        f.expr(_PIECES),
        f.expr("min_by(carried, piece) AS carried"),
        *[f.expr(f"sum({name}) AS {name}") for name in counts],
        *[f.expr(f"first({name}) AS {name}") for name in constant],
    )
    return (
        gathered.selectExpr("*", f"{_ENDS} AS ends")
        .selectExpr("*", f"{_FIRSTS} AS firsts")
        .selectExpr(
            "task", "carried", *counts, f"{_EXPECTED} AS expected", f"{_ANSWERS} AS answers"
        )
    )
