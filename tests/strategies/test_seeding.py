"""What a seed draws does not depend on which modules a process has loaded."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

from rsp_conformance.model.case import Case
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.trials import by_seed
from rsp_conformance.strategies import seeding
from rsp_conformance.strategies.seeding import same_everywhere
from tools.coverage.counting import subject_of

FOREIGN = tuple(range(10_000, 1_000_000, 7_919))
"""Constants of a module of a user's."""


def numbers() -> list[int]:
    """Two hundred numbers of one seed."""
    drawn: list[int] = []

    @seed(1)
    @settings(phases=[Phase.generate], max_examples=200, database=None)
    @given(st.integers(0, 1_000_000))
    def collect(number: int) -> None:
        drawn.append(number)

    collect()
    return drawn


def load(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import a module of these constants as a user's repository would."""
    (folder / f"{name}.py").write_text(f"LIMITS = {FOREIGN}\n")
    monkeypatch.syspath_prepend(folder)
    importlib.import_module(name)


def test_a_seed_draws_the_same_whatever_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with same_everywhere():
        before = numbers()
    load("limits_of_an_engine", tmp_path, monkeypatch)
    with same_everywhere():
        assert numbers() == before
    # This is what it is for: Hypothesis itself does draw them (the tests here run without).
    monkeypatch.setattr(providers, "_get_local_constants", seeding.COLLECT)
    providers.CONSTANTS_CACHE.cache.clear()
    assert {*FOREIGN} & {*numbers()} and not {*FOREIGN} & {*before}
    providers.CONSTANTS_CACHE.cache.clear()


def test_hypothesis_is_as_before_behind_it() -> None:
    collect = providers._get_local_constants
    with pytest.raises(OSError, match="left"), same_everywhere():
        assert providers._get_local_constants is not collect
        raise OSError("left")
    assert providers._get_local_constants is collect


# --- Cases of a property are independent of each other, and a seed brings them back ---------------


def drawn(name: str, seed: str) -> list[Case]:
    """The first hundred cases of the property NAME."""
    found = by_seed(property_named(name), subject_of(None), seed, range(100))
    return [own.trial.variants[0].case for own in found]


@pytest.mark.parametrize("name", ["anything", "optional", "aggregates"])
def test_of_a_hundred_cases_nearly_all_have_queries_of_their_own(name: str) -> None:
    cases = drawn(name, "7")
    assert len({case.query for case in cases}) >= 95
    assert cases == drawn(name, "7") != drawn(name, "8")
