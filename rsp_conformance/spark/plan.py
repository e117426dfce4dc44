"""The plan: from pieces of streams to Ans(Q_z), the same for every batch of cases.

Everything is keyed by (task, piece, t0 vector, instant, step within the instant). Spark SQL
expressions do the semantics (``windows``, ``reporting``, ``streaming``), one Arrow function
evaluates patterns over distinct contents (``evaluate``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rsp_conformance.spark import reporting, streaming, windows
from rsp_conformance.spark.evaluate import RELATION_SQL, evaluate
from rsp_conformance.spark.session import map_in_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

VECTORS = """
aggregate(starts, array(cast(array() AS array<bigint>)),
  (vectors, options) -> flatten(transform(vectors,
    v -> transform(options, o -> array_append(v, o)))))
"""
"""Z, the product of the T⁰ᵢ, the last window's t0 moving fastest."""

AFTER = "greatest(coalesce(least(a, array_min(t0)), a), after_piece)"
"""Q_z runs from the instant after this one (decision 1), and so does a piece."""

ASKED = "alive IS NULL OR array_contains(alive, z)"
"""Whether a vector of Z is asked at all."""

FROM_CASE = ("task", "piece", "operator", "sets", "form", "keep_empty", "answer_time")
RELATION_COLUMNS = ("variables", "rows", "open", "refused", "library")


@dataclass(frozen=True)
class Shape:
    """What a batch needs of the plan: parts that no task of it needs are left out.

    ``differences``: Istream or Dstream. ``pieces``: cases in several pieces. ``carried``: the
    solutions (``rows``) of the last evaluation before these of every ``z``, of a batch that
    continues one stream.
    """

    partitions: int
    differences: bool
    pieces: bool
    carried: DataFrame | None = None


def evaluations(pieces: DataFrame) -> DataFrame:
    """ET with contents: one row an evaluation (Definition 23), before anything is deduplicated.

    ``key`` stands for the question with the background at t and the contents of all windows.
    """
    version = "size(filter(background_changes, x -> x <= p.t))"
    runs = "transform(p.runs, w -> struct(w.lo, w.hi))"
    key = f"xxhash64(question, backgrounds[{version}], {windows.CONTENTS})"
    return (
        pieces.selectExpr("*", f"{windows.STEPS} AS steps")
        .selectExpr("*", f"posexplode({VECTORS}) AS (z, t0)")
        .where(ASKED)
        .selectExpr("*", f"{AFTER} AS after")
        .selectExpr("*", f"{reporting.CANDIDATES} AS candidates")
        .selectExpr("*", f"{reporting.TEST_POINTS} AS points")
        .selectExpr("*", _each("points", windows.OPENINGS, "openings", POINT))
        .selectExpr("*", _each("openings", windows.EDGES, "edges", POINT))
        .selectExpr("*", _each("edges", windows.RUNS, "runs", POINT))
        .selectExpr("*", _each("runs", reporting.STRATEGIES, "strategies", (*POINT, "runs")))
        .selectExpr("*", f"filter(strategies, p -> {reporting.REPORTED}) AS reported")
        .selectExpr(
            *FROM_CASE,
            "z",
            f"""inline(transform(reported, p -> named_struct('t', p.t, 's', p.s,
              'stamp', {streaming.STAMP}, 'version', {version}, 'runs', {runs}, 'key', {key})))""",
        )
    )


POINT = ("t", "s", "g", "t_before")


def _each(points: str, expression: str, name: str, kept: Sequence[str]) -> str:
    """An array like POINTS, its structs the fields KEPT with EXPRESSION as NAME."""
    fields = "".join(f"'{field}', p.{field}, " for field in kept)
    return f"transform({points}, p -> named_struct({fields}'{name}', {expression})) AS {name}"


def relations(evaluated: DataFrame, contents: DataFrame, shape: Shape) -> DataFrame:
    """R2R: the solutions of every distinct key of EVALUATED."""
    # The whole row is taken, so that both readers of the rows by key share one shuffle.
    distinct = (
        evaluated.groupBy("key")
        .agg({"evaluation": "first"})
        .withColumnRenamed("first(evaluation)", "at")
    )
    requests = (
        distinct.selectExpr(
            "at.task AS task",
            "at.piece AS piece",
            "struct(key, at.version AS version, at.runs AS runs) AS request",
        )
        .repartition(shape.partitions, "task", "piece")
        .groupBy("task", "piece")
        .agg({"request": "collect_list"})
        .withColumnRenamed("collect_list(request)", "requests")
    )
    asked = contents.join(requests, ["task", "piece"])
    return map_in_arrow(asked, evaluate, RELATION_SQL)


def answers(pieces: DataFrame, contents: DataFrame, shape: Shape) -> DataFrame:
    """Ans(Q_z) of every case and z: one row an evaluation, with its content."""
    evaluated = evaluations(pieces)
    if shape.differences:
        evaluated = streaming.with_previous(evaluated, pieces=shape.pieces)
    evaluated = evaluated.selectExpr("key", "struct(*) AS evaluation")
    evaluated = evaluated.repartition(shape.partitions, "key")
    found = relations(evaluated, contents, shape).repartition(shape.partitions, "key")
    answered = evaluated.join(found, "key").selectExpr("evaluation.*", *RELATION_COLUMNS)
    if shape.differences:
        before = found.selectExpr("key AS key_before", "rows AS rows_before")
        answered = answered.join(before, "key_before", "left")
    if shape.carried is not None:
        answered = streaming.continued(answered, shape.carried)
    return streaming.contents(answered, carry=shape.carried is not None)
