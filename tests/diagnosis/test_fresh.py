"""Settings that explain a run equally well, told apart by cases drawn for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rsp_conformance.diagnosis.evidence import Evidence
from rsp_conformance.diagnosis.fresh import MOST_FAILED, Fresh
from rsp_conformance.diagnosis.naming import find_causes
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.protocol.registry import connect
from tests.builders.engines import Flawed, error
from tests.diagnosis.test_search import evidence_with

PLAIN = Setting()
NEWEST, LATE, START = (
    Setting.of({}, [name]) for name in ("newest-only", "late-by-slide", "bounds-start")
)


def answers(
    mutant: str, one: Setting, other: Setting, properties: Sequence[str] = (), budget: int = 4_000
) -> list[Observation]:
    subject = EngineUnderTest.meet(connect("reference", {"fault": mutant}))
    return Fresh(subject, Predictions()).answers(one, other, properties, budget)


def siding(found: Sequence[Observation], setting: Setting) -> int:
    return sum(bool(Predictions().agrees(setting, own)) for own in found)


@pytest.mark.parametrize("mutant", ["newest-only", "late-by-slide"])
def test_cases_are_asked_on_which_two_settings_differ(mutant: str) -> None:
    true, false = sorted((NEWEST, LATE), key=lambda own: mutant not in own.mutants)
    found = answers(mutant, true, false)
    assert found
    assert siding(found, true) == len(found)
    assert siding(found, false) < len(found)


def test_nothing_is_asked_that_no_case_tells_apart_or_beyond_the_budget() -> None:
    assert not answers("bounds-start", START, Setting.of({"bounds": "[o,c]"}), budget=200)
    assert answers("newest-only", NEWEST, LATE, budget=0) == []


def test_cases_are_drawn_where_what_a_setting_explains_has_come_from() -> None:
    """Strings with quotation marks and carets are those of one property's cases."""
    cut = Setting.of({}, ["strings-cut"])
    for mutant, expected in (("none", PLAIN), ("strings-cut", cut)):
        found = answers(mutant, PLAIN, cut, ["terms"])
        assert siding(found, expected) == len(found) > 0


def test_an_engine_that_does_not_answer_is_soon_left_alone() -> None:
    engine = Flawed(lambda request, _: error(request, "crashed"))
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    assert Fresh(subject, Predictions()).answers(NEWEST, LATE, [], 4_000) == []
    assert engine.asked == MOST_FAILED


def test_the_search_asks_the_engine_where_it_can_and_again_what_one_answer_shows(
    tmp_path: Path,
) -> None:
    evidence = evidence_with(tmp_path, "windows", fault="newest-only")
    subject = EngineUnderTest.meet(connect("reference", {"fault": "newest-only"}))
    (cause,) = find_causes(evidence, subject)
    assert cause.mutants == ("newest-only",)
    # One answer may be explained by chance; the engine says more, and is believed.
    wrong = [own for own in evidence.answered if own.correct is False]
    rest = [own for own in evidence.answered if own.correct is not False]
    one = Evidence.of((), [next(own for own in wrong if own.observation.speaks), *rest])
    assert find_causes(one) == ()
    subject = EngineUnderTest.meet(connect("reference", {"fault": "newest-only"}))
    (cause,) = find_causes(one, subject)
    assert cause.mutants == ("newest-only",)
    assert (cause.explains, cause.asked, cause.properties) == (1, 1, ("windows",))
    right = EngineUnderTest.meet(connect("reference", {}))
    assert find_causes(one, right) == ()
