"""The plan: from pieces of streams to Ans(Q_z), the same for every batch of cases.

A row is a piece of one case, and stays one: S2R and report (``s2r``, ``report``) are Spark SQL over
the arrays of the row, one Arrow function evaluates patterns over the distinct contents that they
find (``worker.relations``), and R2S (``r2s``) is Spark SQL again. No row is sent to another task on
the way, and none is copied for each of its evaluations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rsp_conformance.spark.plan import report, s2r
from rsp_conformance.spark.plan.r2s import STAMP
from rsp_conformance.spark.session import map_in_arrow
from rsp_conformance.spark.worker.relations import RELATIONS_SQL, USED_UP, evaluate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PRODUCT = """
aggregate(starts, array(cast(array() AS array<bigint>)),
  (vectors, options) -> flatten(transform(vectors,
    v -> transform(options, o -> array_append(v, o)))))
"""
"""Z, the product of the T⁰ᵢ, the last window's t0 moving fastest."""

VECTORS = f"""
filter(transform({_PRODUCT}, (t0, z) -> struct(z, t0)),
  v -> alive IS NULL OR array_contains(alive, v.z))
"""
"""The members of Z that are asked about."""

AFTER = "greatest(coalesce(least(a, array_min(v.t0)), a), after_piece)"
"""Q_z runs from the instant after this one (decision 1), and so does a piece."""

VERSION = "size(filter(background_changes, x -> x <= p.t))"

EVALUATION = f"""
named_struct('t', p.t, 's', p.s, 'stamp', {STAMP}, 'version', {VERSION},
  'runs', transform(p.runs, w -> struct(w.lo, w.hi)))
"""

POINT = ("t", "s", "g", "t_before")
"""What stays of a test point in every step."""


def evaluations(pieces: DataFrame) -> DataFrame:
    """ET with contents, as ``vectors``: for every z the evaluations in their order.

    That is Definition 23. An evaluation has its instant ``t`` and its number ``s`` within it, the
    ``stamp`` of its answer, the ``version`` of the background, and of every window the run of
    elements that it holds (``runs``).
    """
    used_up = [*_S2R_ONLY, "steps"]
    return (
        pieces.selectExpr("*", f"{s2r.STEPS} AS steps", f"{VECTORS} AS vectors")
        .selectExpr(*_with(pieces, f"'after', {AFTER}"))
        .selectExpr(*_with(pieces, f"'candidates', {report.CANDIDATES}"))
        .selectExpr(*_with(pieces, f"'points', {report.TEST_POINTS}"))
        .selectExpr(*_with(pieces, _each(s2r.OPENINGS, "openings", POINT)))
        .selectExpr(*_with(pieces, _each(s2r.EDGES, "edges", POINT)))
        .selectExpr(*_with(pieces, _each(s2r.RUNS, "runs", POINT)))
        .selectExpr(*_with(pieces, _each(report.STRATEGIES, "strategies", (*POINT, "runs"))))
        .selectExpr(
            *_with(
                pieces,
                f"'evaluations', transform(filter(v.points, p -> {report.REPORTED}), "
                f"p -> {EVALUATION})",
            )
        )
        .drop(*used_up)
    )


_S2R_ONLY = (
    *("starts", "alpha", "beta", "closed_left", "closed_right", "active", "stepwise", "changes"),
    *("insertions", "on_content", "policy", "periodic", "by_content", "background_changes"),
    *("delay", "alive", "after_piece", "until", "places", "arrivals", "moments"),
)
"""Columns that nothing after S2R and report reads."""


def _with(pieces: DataFrame, field: str) -> list[str]:
    """The columns of PIECES, and the vectors with FIELD, of vector ``v``, as their only content."""
    vectors = f"transform(vectors, v -> named_struct('z', v.z, 't0', v.t0, {field})) AS vectors"
    return [*pieces.columns, "steps", vectors]


def _each(expression: str, name: str, kept: Sequence[str]) -> str:
    """The field ``points`` anew, of each the fields KEPT, with EXPRESSION as NAME."""
    fields = "".join(f"'{field}', p.{field}, " for field in kept)
    return f"'points', transform(v.points, p -> named_struct({fields}'{name}', {expression}))"


def relations(evaluated: DataFrame) -> DataFrame:
    """R2R: EVALUATED with the solutions of its evaluations (``worker.relations``)."""
    from pyspark.sql.types import StructType

    kept = [field for field in evaluated.schema.fields if field.name not in USED_UP]
    found = cast("StructType", StructType.fromDDL(RELATIONS_SQL))
    return map_in_arrow(evaluated, evaluate, StructType([*kept, *found.fields]))
