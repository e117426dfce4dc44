"""What is found behind a bug that has no name, and that it is said on what that depends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import read_options
from rsp_conformance.diagnosis import mutants, simulation
from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.judge.crash_file import read
from rsp_conformance.run.events import CausesFound
from tests.builders.engines import perform, run_of

BROAD = "earlier-rows-stay"


@pytest.fixture
def nameless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The broad bug has no mutant that a cause may name."""
    assert isinstance(mutants.MUTANTS, dict)
    monkeypatch.delitem(mutants.MUTANTS, BROAD)
    simulation._visible.cache_clear()
    yield
    simulation._visible.cache_clear()


def causes_of(folder: Path, faults: str, *names: str) -> list[Cause]:
    engine = ReferenceEngine(read_options({"fault": faults}))
    run = run_of(engine, folder, examples=25, seed=6)
    perform(run, *names)
    run.finish()
    found = [event for event in run.ledger.events if isinstance(event, CausesFound)][-1]
    assert not found.said
    return [CAUSES.read(Cause, own) for own in found.causes]


@pytest.mark.usefixtures("nameless")
def test_the_second_and_the_third_bug_show_where_the_first_cannot(tmp_path: Path) -> None:
    behind = {"values-ignored", "optional-as-join"}
    found = causes_of(tmp_path, ",".join([BROAD, *behind]), "windows", "values", "optional")
    named = [own for own in found if own.is_explained]
    assert {own.id for own in named} == behind
    assert all(own.file for own in named)
    depends = [own for own in found if own.dependence.only_if]
    assert any(
        own.dependence.only_if == ("an evaluation follows one with rows",) for own in depends
    )
    assert any(own.set_apart for own in depends)
    assert not any(own.set_apart for own in named)
    assert all(own.text.endswith(f"; {own.dependence}") for own in depends)
    assert all(read(Path(own.file)).dependence == own.dependence for own in depends)


@pytest.mark.usefixtures("nameless")
def test_nothing_is_named_behind_a_bug_that_is_alone(tmp_path: Path) -> None:
    found = causes_of(tmp_path, BROAD, "windows", "values")
    assert found and not any(own.is_explained for own in found)
