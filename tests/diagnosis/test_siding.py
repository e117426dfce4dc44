"""Which parts of a setting are named, where many answers are wrong for several reasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rsp_conformance.diagnosis.cause import SUPPORTED, Cause
from rsp_conformance.diagnosis.clues import Clues
from rsp_conformance.diagnosis.evidence import Answered, Evidence, Symptom
from rsp_conformance.diagnosis.naming import find_causes
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.search import NOTHING, Search
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Literal, Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.protocol.registry import connect
from rsp_conformance.text.parse import parse_query
from tests.builders.engines import ONE_START, Flaw, Flawed, error, right, rows_lost
from tests.builders.terms import PREFIXES, iri

MUTANTS = ("newest-only", "union-dedup", "wrong-instance")
ONE, OTHER, BOTH = {MUTANTS[0]}, {MUTANTS[1]}, set(MUTANTS[:2])
QUERY = (
    f"{PREFIXES} SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
    "WHERE { WINDOW :w { ?x :p ?y } }"
)

ROWS = Observed(2, Rows(("x",), ((iri("a"),),)))

Says = Callable[[set[str]], bool | None]
"""Whether a setting of these parts predicts an answer; None if nobody can say."""


class Scripted(Predictions):
    """Predictions from a table of what each answer needs, all of them equally near.

    An answer that is not in the table is predicted as in a run.
    """

    def __init__(self, nearer: int = 0) -> None:
        super().__init__()
        self.says: dict[Stimulus, Says] = {}
        self._side = nearer

    def evidence(self, *answers: tuple[int, bool, Says]) -> Evidence:
        """NUMBER answers each, correct or not, that a setting predicts where it SAYS so."""
        answered = []
        for number, correct, says in answers:
            for _ in range(number):
                own = _observation(len(self.says) + 1)
                self.says[own.stimulus] = says
                answered.append(Answered(own, correct, "windows"))
        return Evidence.of((), answered)

    def agrees(
        self,
        setting: Setting,
        observation: Observation,
        among: frozenset[str] = frozenset(),
    ) -> bool | None:
        says = self.says.get(observation.stimulus)
        if says is None:
            return super().agrees(setting, observation, among)
        self.asked += 1
        return says({str(part) for part in setting.parts})

    def visible(self, observation: Observation) -> frozenset[str]:
        return frozenset(MUTANTS)

    def shown(
        self, setting: Setting, observation: Observation, among: frozenset[str] | None = None
    ) -> frozenset[str]:
        return frozenset(MUTANTS)

    mending = shown

    def nearer(self, one: Setting, other: Setting, observation: Observation) -> int:
        return self._side


def _observation(number: int) -> Observation:
    elements = [StreamElement(iri("s"), 1, (Triple(iri("a"), iri("p"), iri(f"o{number}")),))]
    case = Case(parse_query(QUERY), tuple(elements), until=8)
    return Observation(Stimulus(case), Dials(), QUERY, (ROWS,))


LOST = replace(_observation(0), observed=(), failure=EngineFailure("timeout", "no answer"))
"""A case without an answer."""


def has(*wanted: set[str]) -> Says:
    """Predicted by a setting that has all of one of the sets WANTED."""
    return lambda parts: any(own <= parts for own in wanted)


def named(evidence: Evidence, predictions: Scripted) -> set[str]:
    return {cause.id for cause in find_causes(evidence, predictions=predictions)}


@pytest.mark.parametrize("dial", ["answer_time=none", "time_tolerance=1"])
def test_two_mutants_are_named_before_a_dial_that_only_compares_less(dial: str) -> None:
    predictions = Scripted()
    evidence = predictions.evidence((8, False, has(BOTH, {dial})), (4, False, has(ONE)))
    assert named(evidence, predictions) == BOTH
    # Where nothing else explains what the engine answers, it is the cause.
    evidence = predictions.evidence((8, False, has({dial})), (4, False, has(ONE)))
    assert named(evidence, predictions) == {dial, *ONE}
    # But not a dial that forgives a few of many answers that stay wrong.
    evidence = predictions.evidence((3, False, has({dial})), (4, False, has()))
    assert named(evidence, predictions) == set()


def test_a_setting_that_too_few_answers_support_wins_when_more_have_come() -> None:
    predictions = Scripted()
    few, more = (predictions.evidence((1, False, has(ONE))) for _ in range(2))
    search = Search(Clues(few, predictions), predictions)
    assert search.improve(1_000) == NOTHING
    search.add("windows", [own.observation for own in more.answered], correct=False)
    assert search.improve(1_000) == Setting(mutants=(*ONE,))


@pytest.mark.parametrize("side", [-1, 0, 1])
def test_a_part_explains_half_of_what_it_bears_on_or_is_none(side: int) -> None:
    """Whichever way the others lean: what explains a third of them is not what is behind them."""
    for explained, left, expected in ((3, 5, set()), (5, 5, ONE)):
        predictions = Scripted(nearer=side)
        evidence = predictions.evidence(
            (explained, False, has(ONE)), (left, False, has()), (1, True, has(set()))
        )
        assert named(evidence, predictions) == expected


def test_a_part_that_no_right_answer_was_compared_with_has_to_leave_nothing() -> None:
    """An engine that says the same to every question is right nowhere, and has many such parts."""
    predictions = Scripted()
    evidence = predictions.evidence((9, False, has(ONE)), (6, False, has(OTHER)))
    assert named(evidence, predictions) == BOTH
    evidence = predictions.evidence((9, False, has(ONE)), (1, False, has()))
    assert named(evidence, predictions) == set()
    evidence = predictions.evidence((9, False, has(ONE)), (1, False, has()), (1, True, has(set())))
    assert named(evidence, predictions) == ONE
    # Right answers of which nobody can say what the part predicts are none.
    evidence = predictions.evidence((9, False, has(ONE)), (1, True, lambda _: None))
    assert named(evidence, predictions) == set()


def test_a_right_answer_that_the_engine_gives_in_some_runs_only_contradicts_nothing() -> None:
    predictions = Scripted()
    for is_of_this_case, expected in ((False, set()), (True, ONE)):
        evidence = predictions.evidence(
            (20, False, has(ONE)),
            (9, True, has(set())),
            (1, True, lambda parts: not ONE & parts),
        )
        own = evidence.answered[-1].observation if is_of_this_case else LOST
        unstable = Symptom("windows", "unstable", (own, LOST), LOST.failure)
        found = find_causes(replace(evidence, symptoms=(unstable,)), predictions=predictions)
        assert {cause.id for cause in found if cause.is_explained} == expected


@pytest.mark.parametrize(
    ("flaw", "expected"),
    [(rows_lost, ONE), (right, set()), (lambda request, _: error(request, "crashed"), set())],
    ids=["wrong", "right", "crashed"],
)
def test_what_contradicts_a_part_is_asked_again_of_an_unstable_engine(
    flaw: Flaw, expected: set[str]
) -> None:
    """Only a wrong answer excuses the right one; no answer says nothing."""
    own = _asked(right)
    predictions = Recorded(own)
    evidence = predictions.evidence((20, False, has(ONE)), (9, True, has(set())))
    predictions.says[own.stimulus] = lambda parts: not ONE & parts
    answered = (*evidence.answered, Answered(own, True, "windows"))
    unstable = Symptom("windows", "unstable", (LOST,), LOST.failure)
    found = find_causes(Evidence.of((unstable,), answered), _flawed(flaw), predictions=predictions)
    assert {cause.id for cause in found if cause.is_explained} == expected


class Recorded(Scripted):
    """The script holds for one answer to a case; other answers to it are predicted as in a run."""

    def __init__(self, own: Observation) -> None:
        super().__init__()
        self._own = own

    def agrees(
        self,
        setting: Setting,
        observation: Observation,
        among: frozenset[str] = frozenset(),
    ) -> bool | None:
        if observation.stimulus == self._own.stimulus and observation != self._own:
            return Predictions().agrees(setting, observation)
        return super().agrees(setting, observation, among)


def _flawed(flaw: Flaw) -> EngineUnderTest:
    return EngineUnderTest.meet(InProcessEngine(Flawed(flaw, **ONE_START)))


def _asked(flaw: Flaw) -> Observation:
    graph = (Triple(iri("a"), iri("p"), iri("b")),)
    case = Case(parse_query(QUERY), (StreamElement(iri("s"), 1, graph),), until=8)
    return _flawed(flaw).ask(Stimulus(case))


def test_right_answers_by_two_mutants_speak_against_neither() -> None:
    def cancels(parts: set[str]) -> bool:
        return parts >= BOTH or not BOTH & parts

    predictions = Scripted()
    evidence = predictions.evidence(
        (3, True, cancels),
        (60, True, lambda parts: True),
        (50, False, has(ONE)),
        (5, False, has(OTHER)),
    )
    assert named(evidence, predictions) == BOTH


@pytest.mark.parametrize(
    ("dials", "mutants", "forgives"),
    [
        ({"answer_time": "none"}, (), True),
        ({"time_tolerance": "2", "numbers": "value"}, (), True),
        ({"t0": "any"}, (), True),
        ({"t0": "3"}, (), False),
        ({"t0": "any", "bounds": "[o,c)"}, (), False),
        ({"t0": "any"}, ("newest-only",), False),
        ({}, (), False),
    ],
)
def test_which_settings_only_compare_less(
    dials: dict[str, str], mutants: tuple[str, ...], forgives: bool
) -> None:
    assert Setting.of(dials, mutants).forgives is forgives


def test_a_part_gives_way_to_its_rival_that_explains_more_beside_what_was_found_later() -> None:
    true, later, false = MUTANTS
    predictions = Scripted()
    evidence = predictions.evidence(
        # Without the other mutant the wrong part explains more of them.
        (9, False, lambda parts: false in parts or {true, later} <= parts),
        (5, False, has({true}, {false})),
        (4, False, has({later})),
        # Both mutants together are needed, and the wrong part spoils what they say.
        (6, False, lambda parts: {true, later} <= parts and false not in parts),
    )
    assert named(evidence, predictions) == {true, later}


def test_right_answers_to_fresh_cases_refute_a_name() -> None:
    """Those of the run, which nothing tells apart, would leave it beside the true one."""
    predictions = Scripted()
    evidence = predictions.evidence((3, False, has(ONE, OTHER)), (4, True, has(set())))
    (cause,) = find_causes(evidence, predictions=predictions)
    assert [cause.id, *map(str, cause.alternatives)] == [*ONE, *OTHER]
    # Cases of `windows` have no UNION: what the engine answers right there is wrong with ONE alone.
    subject = EngineUnderTest.meet(connect("reference", {"fault": MUTANTS[1]}))
    (cause,) = find_causes(evidence, subject, predictions=predictions)
    assert ({cause.id}, cause.alternatives) == (OTHER, ())
    assert (cause.explains, cause.contradicts, cause.right) == (3, 0, 4) and cause.passing > 4


@pytest.mark.parametrize("number", [SUPPORTED - 1, SUPPORTED])
@pytest.mark.parametrize("fault", [MUTANTS[0], "none"])
def test_a_part_that_explains_few_answers_must_explain_fresh_ones(number: int, fault: str) -> None:
    predictions = Scripted()
    evidence = predictions.evidence((number, False, has(ONE)), (9, True, has(set())))
    assert named(evidence, predictions) == ONE
    subject = EngineUnderTest.meet(connect("reference", {"fault": fault}))
    found = find_causes(evidence, subject, predictions=predictions)
    is_refuted = number < SUPPORTED and fault == "none"
    assert {cause.id for cause in found if cause.is_explained} == (set() if is_refuted else ONE)


@pytest.mark.parametrize("budget", [60, 120, 400])
def test_naming_keeps_to_the_budget_however_many_failures_were_made_small(budget: int) -> None:
    predictions = Scripted()
    evidence = predictions.evidence((150, False, has(ONE)), (20, True, has(set())))
    wrong = [own.observation for own in evidence.answered if own.correct is False]
    small = tuple(Symptom("windows", "wrong-answer", (own,)) for own in wrong)
    find_causes(replace(evidence, symptoms=small), budget=budget, predictions=predictions)
    assert 0 < predictions.asked <= 1.05 * budget


@pytest.mark.parametrize("budget", [1_000, 2_000])
def test_what_was_found_before_is_named_though_the_budget_ends_before_it_is_counted(
    budget: int,
) -> None:
    """It was not if a part that shows in one property was counted first."""
    predictions = Scripted()
    rare = ((60, False, has({name})) for name in MUTANTS[:2])
    often = (500, False, has({MUTANTS[2]}))
    evidence = predictions.evidence(*rare, (20, True, has(set())), often)
    answered = [
        replace(own, property_name=f"p{place % 25}") if place >= 140 else own
        for place, own in enumerate(evidence.answered)
    ]
    before = [
        Cause(name, Setting(mutants=(name,)), properties=("windows",), explains=9)
        for name in MUTANTS
    ]
    whole = replace(evidence, answered=tuple(answered))
    found = find_causes(whole, budget=budget, before=before, predictions=predictions)
    assert {cause.id for cause in found} == {*MUTANTS}
    assert all(cause.explains >= 9 and not cause.contradicts for cause in found)
    assert predictions.asked <= 1.05 * budget


def test_right_answers_in_which_a_part_shows_can_be_looked_at_first() -> None:
    """They may be behind those that are looked at in any case."""
    subject = EngineUnderTest.meet(connect("reference", {}))
    both = frozenset(Triple(iri("a"), iri("p"), Literal(own)) for own in "xy")

    def answered(separator: str, until: int, *times: int) -> Answered:
        text = f"SELECT (GROUP_CONCAT(?y; SEPARATOR = '{separator}') AS ?all) FROM NAMED WINDOW :w "
        query = f"{text} ON STREAM :s [RANGE 2 STEP 2] WHERE {{ WINDOW :w {{ ?x :p ?y }} }}"
        elements = tuple(StreamElement(iri("s"), t, both) for t in times)
        case = Case(parse_query(PREFIXES + query), elements, until=until)
        return Answered(subject.ask(Stimulus(case)), True, "aggregates")

    others = [answered("|", until, 1) for until in range(4, 12)]
    behind = [answered("", 20, 1, 4), answered("", 21, 1, 4)]
    search = Search(Clues(Evidence.of((), [*behind, *others]), Predictions()), Predictions())
    empty = {own.observation for own in behind}
    for budget, is_first in ((0, False), (100, True)):
        search.allow(budget)
        search.look_first(frozenset({"empty-separator-ignored"}), 1)
        assert (search.clues.right[0].observations[0] in empty) is is_first
    assert len(search.clues.right) == 10
