"""Spark says of the laws what the specification says, in one batch."""

from __future__ import annotations

import pytest

from rsp_conformance.laws import BAGS, SETS
from rsp_conformance.spark.batch.judge import SparkSemantics
from tools.mutation.laws.instances import ROWS, instances
from tools.mutation.laws.measuring import Case, by_spark, by_specification

pytestmark = pytest.mark.spark


def test_the_table_of_laws(semantics: SparkSemantics) -> None:
    cases = [
        Case(row, solutions, pair)
        for row in ROWS
        for solutions in (SETS, BAGS)
        for pair in instances(row, solutions, 2 if row.claimed(solutions) else 60)
    ]
    cells, expected = by_spark(cases, semantics), by_specification(cases)
    assert {key: (c.cases, c.with_rows, c.different) for key, c in cells.items()} == {
        key: (c.cases, c.with_rows, c.different) for key, c in expected.items()
    }
    for row in ROWS:
        for solutions in (SETS, BAGS):
            assert cells[row.title, solutions].holds is row.claimed(solutions), row.title
