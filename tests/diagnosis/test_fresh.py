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
from rsp_conformance.model.case import Case
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Literal, Triple
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.protocol.registry import connect
from rsp_conformance.text.parse import parse_query
from tests.builders.engines import Flawed, error, in_turn, right, rows_lost
from tests.builders.terms import PREFIXES, iri
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


def test_cases_that_are_near_are_asked_first_with_an_element_left_out() -> None:
    """A mutant that hardly any drawn case shows: GROUP_CONCAT with an empty SEPARATOR."""
    text = (
        f"{PREFIXES} SELECT (GROUP_CONCAT(?y; SEPARATOR = '') AS ?all) "
        "FROM NAMED WINDOW :w ON STREAM :s [RANGE 9 STEP 9] WHERE { WINDOW :w { ?x :p ?y } }"
    )
    elements = tuple(
        StreamElement(iri("s"), t, frozenset({Triple(iri("a"), iri("p"), Literal(str(t)))}))
        for t in (1, 2, 3)
    )
    case = Case(parse_query(text), elements, until=9)
    ignored = Setting.of({}, ["empty-separator-ignored"])
    subject = EngineUnderTest.meet(connect("reference", {"fault": "empty-separator-ignored"}))
    asked = Fresh(subject, Predictions())
    assert asked.answers(ignored, PLAIN, [], 6) == []
    found = asked.answers(ignored, PLAIN, [], 6, [case])
    assert [len(own.stimulus.case.elements) for own in found] == [2, 2, 2]
    assert siding(found, ignored) == 3


def test_an_engine_is_asked_again_whether_it_is_unstable() -> None:
    stimulus = next(o.stimulus for o in answers("newest-only", NEWEST, PLAIN) if o.has_rows)
    steady = EngineUnderTest.meet(connect("reference", {}))
    assert len({*Fresh(steady, Predictions()).again(stimulus)}) == 1
    unstable = EngineUnderTest.meet(InProcessEngine(Flawed(in_turn(rows_lost, right))))
    assert len({*Fresh(unstable, Predictions()).again(stimulus)}) > 1
