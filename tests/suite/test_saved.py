"""A failure that an earlier run has saved comes first, and is counted like any other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.database import InMemoryExampleDatabase

from rsp_conformance.judge.failures import ConformanceFailure
from rsp_conformance.suite.properties import property_named
from tests.builders.engines import Flawed, right, run_of


def test_a_failure_that_was_saved_is_counted(tmp_path: Path) -> None:
    """A run in which a law fails before anything else was compared has compared that trial."""
    settings.register_profile("saved", settings.default, database=InMemoryExampleDatabase())
    settings.load_profile("saved")
    name, counts = "law[JUDistR]", []
    for _ in range(2):
        run = run_of(lambda: Flawed(right, fault="union-dedup"), tmp_path, examples=40)
        with pytest.raises((ConformanceFailure, BaseExceptionGroup)):
            run.run(property_named(name))
        counts.append(run.context.tallies[name].counts())
    first, again = counts
    assert first["compared"] >= again["compared"] >= 1
    assert sum(again.values()) == sum(first.values()) + 1
