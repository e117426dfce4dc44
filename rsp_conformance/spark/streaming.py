"""R2S and the timestamps of answers in Spark (RSP-QL Definitions 20 to 22; SEMANTICS 4 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rsp_conformance.spark.evaluate import ROWS_SQL

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STAMP = """
IF(answer_time = 'arrival',
   least(case_until,
         coalesce(array_min(filter(moments, x -> x >= p.t + delay)), case_until)),
   p.t)
"""
"""The timestamp of the evaluation at t: the instant, or the arrival that triggers it."""

_NOTHING = f"cast(array() AS {ROWS_SQL})"

STREAMED = """
CASE operator
  WHEN 'I' THEN array_except(now, before)
  WHEN 'D' THEN array_except(before, now)
  WHEN 'R' THEN now
  ELSE rows
END
"""
"""What the operator lets through.

Of a solution's occurrences the second and later ones are numbered, so a difference of these sets
is a difference of bags (CQL); without the numbered ones it is one of sets (dial ``r2s``).
"""

ANSWER = """
CASE form
  WHEN 'SELECT' THEN transform(streamed, x -> substring_index(x.r, '\\n', 1))
  WHEN 'ASK' THEN array(IF(size(streamed) > 0, 'true', 'false'))
  ELSE array_distinct(flatten(transform(streamed, x -> x.c)))
END
"""
"""The query form: rows, a truth value or triples, as text."""


def _without_duplicates(rows: str) -> str:
    return f"IF(sets, filter({rows}, x -> instr(x.r, '\\n') = 0), {rows})"


def with_previous(evaluated: DataFrame, *, pieces: bool) -> DataFrame:
    """EVALUATED with ``key_before``, the key of the evaluation before in ET; NULL for the first.

    Within a piece by looking back. Where cases have several ``pieces``, the first evaluation of a
    piece takes the last one of the pieces before, so that no step holds a whole stream.
    """
    back = "lag(key) OVER (PARTITION BY task, piece, z ORDER BY t, s)"
    if not pieces:
        return evaluated.selectExpr("*", f"{back} AS key_before")
    last = evaluated.selectExpr("task", "piece", "z", "struct(t, s, key) AS last")
    carried = (
        last.groupBy("task", "piece", "z")
        .agg({"last": "max"})
        .withColumnRenamed("max(last)", "last")
        .selectExpr(
            "task",
            "piece",
            "z",
            "lag(last.key) OVER (PARTITION BY task, z ORDER BY piece) AS key_carried",
        )
    )
    return (
        evaluated.selectExpr("*", f"{back} AS key_in_piece")
        .join(carried, ["task", "piece", "z"])
        .selectExpr("*", "coalesce(key_in_piece, key_carried) AS key_before")
        .drop("key_in_piece", "key_carried")
    )


def continued(answered: DataFrame, carried: DataFrame) -> DataFrame:
    """ANSWERED, the first evaluation of each z following the one whose ``rows`` CARRIED holds."""
    from pyspark.sql import functions as f

    last = carried.selectExpr("z", "rows AS rows_carried")
    kept = [name for name in answered.columns if name != "rows_before"]
    return answered.join(f.broadcast(last), "z", "left").selectExpr(
        *kept, "IF(key_before IS NULL, rows_carried, rows_before) AS rows_before"
    )


def contents(answered: DataFrame, *, carry: bool = False) -> DataFrame:
    """ANSWERED with the ``answer`` of every evaluation, its ``hash``, and whether it is ``kept``.

    ``rows`` are the solutions, ``rows_before`` (if there) those of the evaluation before. Empty
    answers are dropped where the profile drops them, at the very end (decision 16). With CARRY the
    solutions stay, as ``solved``, for the evaluation that follows the last one.
    """
    before = "rows_before" if "rows_before" in answered.columns else "NULL"
    kept = [name for name in answered.columns if name not in ("rows", "rows_before", "key_before")]
    if carry:
        answered, kept = answered.selectExpr("*", "rows AS solved"), [*kept, "solved"]
    return (
        answered.selectExpr(*kept, "rows", f"coalesce({before}, {_NOTHING}) AS before_rows")
        .selectExpr(
            *kept,
            "rows",
            f"{_without_duplicates('rows')} AS now",
            f"{_without_duplicates('before_rows')} AS before",
        )
        .selectExpr(*kept, f"{STREAMED} AS streamed")
        .selectExpr(*kept, f"{ANSWER} AS answer", "transform(streamed, x -> x.g) AS ties")
        .selectExpr(
            "*",
            "xxhash64(array_sort(answer)) AS hash",
            "keep_empty OR size(answer) > 0 AS kept",
        )
    )
