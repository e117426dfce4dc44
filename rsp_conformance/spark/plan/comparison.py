"""The comparison of Definition 26 in Spark: due against given answers, for every z.

Where the texts of all required answers agree, nothing more is asked; else the answers go to an
Arrow function that pairs them off (``worker.comparison``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rsp_conformance.spark.session import map_in_arrow
from rsp_conformance.spark.worker.comparison import COMPARED_SQL, compare
from rsp_conformance.spark.worker.relations import SOLUTIONS_SQL

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NO_INSTANT = -(2**62)
"""Stands for ``at`` where there is none."""

_REQUIRED_DUE = "filter(v.due, d -> d.t >= t_s)"
_DUE_TEXT = f"""
xxhash64(size({_REQUIRED_DUE}), transform({_REQUIRED_DUE}, d -> d.hash),
  IF(timed, transform({_REQUIRED_DUE}, d -> d.stamp), NULL))
"""
_REQUIRED_GIVEN = "filter(given, x -> x.required)"
_GIVEN_TEXT = f"""
xxhash64(size({_REQUIRED_GIVEN}),
  transform({_REQUIRED_GIVEN}, x -> xxhash64(sort_array(x.answer))),
  IF(timed, transform({_REQUIRED_GIVEN}, x -> coalesce(x.at, {NO_INSTANT})), NULL))
"""
_AGREEING = f"""
filter(transform(expected, v -> named_struct('z', v.z, 'due', size(v.due),
  'agrees', textual AND {_DUE_TEXT} = given_text)), v -> v.agrees)
"""
_SETTLED = "size(agreeing) > 0 AND (NOT every OR size(agreeing) = size(asked))"


def compared(answered: DataFrame) -> DataFrame:
    """How the z of every task of ANSWERED fare against what its column ``given`` holds."""
    last = "v.last" if "carried" in answered.columns else f"cast(NULL AS {SOLUTIONS_SQL})"
    unsettled = (
        answered.selectExpr("*", f"{_GIVEN_TEXT} AS given_text")
        .selectExpr("*", f"{_AGREEING} AS agreeing")
        .selectExpr(
            *("task", "t_s", "every", "timed", "tolerance", "numbers"),
            *("evaluations", "distinct", "asked"),
            "transform(agreeing, v -> struct(v.z, v.due)) AS equal",
            f"IF({_SETTLED}, NULL, given) AS given",
            f"IF({_SETTLED}, NULL, answers) AS contents",
            f"""IF({_SETTLED}, NULL, filter(expected, v -> NOT array_contains(agreeing.z, v.z)))
              AS unsettled""",
            "filter(transform(expected, v -> struct(v.z, v.open, v.refused)), "
            "v -> v.open IS NOT NULL OR v.refused IS NOT NULL) AS flags",
            f"filter(transform(expected, v -> named_struct('z', v.z, 'solutions', {last})), "
            "v -> v.solutions IS NOT NULL) AS lasts",
        )
        .selectExpr(
            *("task", "t_s", "every", "timed", "tolerance", "numbers"),
            *("evaluations", "distinct", "asked", "equal", "given", "contents"),
            "transform(unsettled, v -> struct(v.z, v.due)) AS unsettled",
            "flags",
            "lasts",
        )
    )
    return map_in_arrow(unsettled, compare, COMPARED_SQL)
