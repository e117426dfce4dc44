"""What settings predict, held against `reference` with the mutants that they name."""

from __future__ import annotations

from functools import cache

import pytest

from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.reference import ReferenceFailed, reference_answers
from rsp_conformance.diagnosis.simulation import differ, visible
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol.registry import connect
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.strategies import cases
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query
from tests.builders.drawing import draw_many

PAIRS = [
    ("newest-only", "union-dedup"),
    ("bounds-end", "filter-error-true"),
    ("t0-drift", "wrong-instance"),
    ("first-triple-only", "strings-escaped-twice"),
    ("late-by-slide", "wrong-instance"),
]


def subject(*mutants: str) -> EngineUnderTest:
    """`reference` with MUTANTS."""
    return EngineUnderTest.meet(connect("reference", {"fault": ",".join(mutants) or "none"}))


@cache
def drawn(number: int, start: int = 1) -> list[Case]:
    """NUMBER cases of each of several foci."""
    plain = subject()
    foci = ("windows", "join", "union", "filter", "multi-window", "any")
    return [
        case
        for focus in foci
        for case in draw_many(
            cases(plain.features, plain.profile, focus=focus), number, start=start
        )
    ]


@pytest.mark.parametrize("mutants", [(), *PAIRS], ids=" ".join)
def test_an_engine_with_mutants_is_predicted_by_them_on_every_case(
    mutants: tuple[str, ...],
) -> None:
    engine, predictions = subject(*mutants), Predictions()
    wrong = []
    for case in drawn(8):
        observation = engine.ask(Stimulus(case))
        agrees = predictions.agrees(Setting.of({}, mutants), observation)
        if agrees is False:
            wrong.append(case)
    assert not wrong, wrong[0]


@pytest.mark.parametrize("base", [(), ("newest-only",), *PAIRS], ids=" ".join)
def test_a_mutant_that_is_tried_and_not_shown_changes_no_answer(base: tuple[str, ...]) -> None:
    plain, predictions, had = subject(), Predictions(), Setting.of({}, base)
    hidden = 0
    for case in drawn(3):
        observation = plain.ask(Stimulus(case))
        shown = predictions.shown(had, observation)
        for name in predictions.visible(observation) - shown - {*base}:
            hidden += 1
            assert not differ(had | Setting.of({}, [name]), had, case, observation.dials), name
    assert hidden


@pytest.mark.parametrize("unit", [1, 1000])
def test_the_reference_is_handed_the_query_that_its_text_would_say(unit: int) -> None:
    for case in drawn(10):
        read = parse_query(print_query(case.query, duration="instants", unit=unit))
        handed = case.query.in_instants(unit)
        assert (handed, handed.prefixes, handed.base) == (read, read.prefixes, read.base)


def test_the_order_in_which_mutants_are_listed_does_not_matter() -> None:
    one, other = subject("newest-only", "wrong-instance"), subject("wrong-instance", "newest-only")
    for case in drawn(3):
        assert one.ask(Stimulus(case)).observed == other.ask(Stimulus(case)).observed


def test_another_mutant_is_contradicted() -> None:
    engine, predictions = subject("newest-only"), Predictions()
    asked = [engine.ask(Stimulus(case)) for case in drawn(8)]
    said = [predictions.agrees(Setting.of({}, ["bounds-end"]), o) for o in asked]
    assert said.count(False) > 5


@pytest.mark.parametrize("beside", ["", "newest-only", "t0-drift", "stale-join"])
@pytest.mark.parametrize("profile", ["rsp-ql", "yasper"])
def test_a_case_that_uses_none_of_a_mutants_features_is_answered_as_without_it(
    profile: str, beside: str
) -> None:
    """`Mutant.may_show` is what keeps the search quick; BESIDE makes new things due."""
    dials = bundled_profile(profile).base
    for case in drawn(3, start=5):
        starts = next(iter(rspql_queries(case, dials)))
        hidden = set(MUTANTS) - visible(case)
        right = answered(case, dials, starts, *beside.split())
        for name in sorted(hidden - {beside}):
            assert answered(case, dials, starts, *beside.split(), name) == right, name


def answered(case: Case, dials: Dials, starts: tuple[int | None, ...], *names: str) -> object:
    try:
        return reference_answers(case, dials, starts, mutants=names)
    except (Unsupported, ReferenceFailed, SyntaxError) as error:
        return str(error)


def test_settings_differ_where_their_answers_do() -> None:
    dials = bundled_profile("rsp-ql").base
    one, other = Setting.of({}, ["newest-only"]), Setting.of({"bounds": "[o,c)"})
    asked = drawn(4)
    assert any(differ(one, other, case, dials) for case in asked)
    assert not any(differ(one, one, case, dials) for case in asked)
    # Two names for one thing.
    mutant = Setting.of({}, ["bounds-start"])
    equal = [value for value in ("[o,c]", "[o,c)", "(o,c)") if same(mutant, value, asked, dials)]
    assert len(equal) == 1


def same(mutant: Setting, bounds: str, asked: list[Case], dials: Dials) -> bool:
    turned = Setting.of({"bounds": bounds})
    return not any(differ(mutant, turned, case, dials) for case in asked)
