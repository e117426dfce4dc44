"""Cases of the suite are independent of each other, and a seed brings them back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from rsp_conformance.run.passes import Example, Passes

from rsp_conformance.run.properties import property_named
from rsp_conformance.run.selection import strategy_of
from rsp_conformance.strategies.independent import INDEPENDENT
from tools.coverage.counting import subject_of


def drawn(name: str, run_seed: str) -> Sequence[Example]:
    """The cases of a hundred tests of the property NAME."""
    property, subject = property_named(name), subject_of(None)
    strategy = strategy_of(property, subject)
    passes = Passes(property, strategy, title=name, run_seed=run_seed, examples=100, database=False)
    return passes.generate()


@pytest.mark.parametrize("name", ["anything", "optional", "aggregates"])
def test_of_a_hundred_cases_nearly_all_have_queries_of_their_own(name: str) -> None:
    cases = drawn(name, "7")
    assert len({case.query for case in cases}) >= 95
    assert cases == drawn(name, "7") != drawn(name, "8")


def test_what_is_found_is_shrunk() -> None:
    @seed(3)
    @settings(backend=INDEPENDENT, database=None, phases=[Phase.generate, Phase.shrink])
    @given(st.lists(st.integers(0, 1_000)))
    def small(numbers: list[int]) -> None:
        assert sum(numbers) < 1_000, numbers

    with pytest.raises(AssertionError, match=r"\[1000\]|\[0, 1000\]|\[1, 999\]"):
        small()
