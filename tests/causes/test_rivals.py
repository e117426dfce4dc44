"""Hypotheses that explain a run equally well, told apart by cases drawn for it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rsp_conformance.causes.evidence import Evidence
from rsp_conformance.causes.prediction import Predictions
from rsp_conformance.causes.rivals import Rivals
from rsp_conformance.causes.search import find_causes
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.setting import Setting
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.protocol.registry import connect
from tests.builders.engines import Flawed, error
from tests.causes.test_search import evidence_with

PLAIN = Setting()
NEWEST, LATE, START = (
    Setting.of({}, [name]) for name in ("newest-only", "late-by-slide", "bounds-start")
)


def rivals(mutant: str, seconds: float = 60.0) -> Rivals:
    subject = EngineUnderTest.meet(connect("reference", {"fault": mutant}))
    return Rivals(subject, Predictions(), time.process_time() + seconds)


@pytest.mark.parametrize("mutant", ["newest-only", "late-by-slide"])
def test_the_loser_is_dropped(mutant: str) -> None:
    assert rivals(mutant).left(PLAIN, [NEWEST, LATE])[0] == [Setting.of({}, [mutant])]


def test_those_that_no_case_tells_apart_stay() -> None:
    dial = Setting.of({"bounds": "[o,c]"})
    assert rivals("bounds-start", 10.0).left(PLAIN, [START, dial])[0] == [START, dial]


def test_a_hypothesis_that_fresh_cases_contradict_is_dropped_though_it_has_no_rival() -> None:
    assert rivals("none").left(PLAIN, [NEWEST])[0] == []


def test_cases_are_drawn_where_what_a_rival_explains_has_come_from() -> None:
    """Strings with quotation marks and carets are those of one property's cases."""
    cut = Setting.of({}, ["strings-cut"])
    assert rivals("none", 20.0).left(PLAIN, [cut], ["terms"])[0] == []
    assert rivals("strings-cut", 20.0).left(PLAIN, [cut], ["terms"])[0] == [cut]


def test_an_engine_that_does_not_answer_is_soon_left_alone() -> None:
    engine = Flawed(lambda request, _: error(request, "crashed"))
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    asker = Rivals(subject, Predictions(), time.process_time() + 60.0)
    assert asker.left(PLAIN, [NEWEST, LATE])[0] == [NEWEST, LATE]
    assert engine.asked == 2


def test_without_time_all_stay() -> None:
    assert rivals("newest-only", seconds=0.0).left(PLAIN, [NEWEST, LATE])[0] == [NEWEST, LATE]


def test_the_search_asks_the_engine_where_it_can(tmp_path: Path) -> None:
    evidence = evidence_with(tmp_path, "windows", fault="newest-only")
    subject = EngineUnderTest.meet(connect("reference", {"fault": "newest-only"}))
    (cause,) = find_causes(evidence, subject)
    assert cause.mutants == ("newest-only",)


def test_what_one_answer_shows_is_asked_for_again(tmp_path: Path) -> None:
    """One answer may be explained by chance; the engine says more, and is believed."""
    evidence = evidence_with(tmp_path, "windows", fault="newest-only")
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
