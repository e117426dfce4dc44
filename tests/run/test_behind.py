"""What is found behind a bug that has no name, and that it is said on what that depends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import read_options
from rsp_conformance.diagnosis import mutants, simulation
from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.run.behind import WAYS, Way
from rsp_conformance.run.events import CausesFound
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.trace import Expectation
from tests.builders.cases import S_NEARBY, nearby_query, window
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
def test_the_second_bug_shows_where_the_first_cannot(tmp_path: Path) -> None:
    found = causes_of(tmp_path, f"{BROAD},values-ignored", "windows", "values")
    named = [own for own in found if own.is_explained]
    assert [own.id for own in named] == ["values-ignored"]
    assert named[0].file
    others = [own for own in found if not own.is_explained]
    assert any(own.text.endswith("; only if an evaluation follows one with rows") for own in others)


@pytest.mark.usefixtures("nameless")
def test_nothing_is_named_behind_a_bug_that_is_alone(tmp_path: Path) -> None:
    found = causes_of(tmp_path, BROAD, "windows", "values")
    assert found and not any(own.is_explained for own in found)


OVERLAPPING = Case(nearby_query(window("w", 4, 2)), S_NEARBY, registered=0, until=12)
DIALS = Dials(t0=0)


def way(needs: str) -> Way:
    return next(own for own in WAYS if own.needs == needs)


def test_without_overlap_a_window_is_as_wide_as_its_slide() -> None:
    own = way("windows overlap")
    found = own.without(OVERLAPPING, DIALS)
    assert found is not None
    assert [(w.width, w.slide) for w in found.query.windows] == [(2, 2)]
    assert found.elements == OVERLAPPING.elements
    assert own.without(found, DIALS) is None


def test_without_gaps_something_arrives_at_each_instant_and_rows_stay_the_same() -> None:
    own = way("some instant has no arrival")
    found = own.without(OVERLAPPING, DIALS)
    assert found is not None
    assert {element.t for element in found.elements} == {*range(1, 13)}
    assert own.without(found, DIALS) is None
    (starts,) = rspql_queries(found, DIALS)
    due, before = (Expectation(case, DIALS).answer(starts) for case in (found, OVERLAPPING))
    assert [e for e in due if not is_empty(e.content)] == [
        e for e in before if not is_empty(e.content)
    ]


def test_without_company_each_instant_has_one_element() -> None:
    own = way("elements arrive together")
    found = own.without(OVERLAPPING, DIALS)
    assert found is not None
    assert [element.t for element in found.elements] == [2, 5, 7, 12]
    assert own.without(found, DIALS) is None


def test_without_more_evaluations_the_first_one_with_rows_is_the_last() -> None:
    own = way("an evaluation follows one with rows")
    found = own.without(OVERLAPPING, DIALS)
    assert found is not None
    (starts,) = rspql_queries(found, DIALS)
    rows = [e.t for e in Expectation(found, DIALS).answer(starts) if not is_empty(e.content)]
    assert rows == [found.until]
    assert own.without(found, DIALS) is None
