"""What an engine's semantics is, found by experiments: dials, shapes, bugs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rsp_conformance.diagnosis.clues import Clues
from rsp_conformance.diagnosis.mattering import decided
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.price import known_by_shape, price
from rsp_conformance.diagnosis.profile import identify
from rsp_conformance.diagnosis.profile.experiments import QueryForm, designed, experiments
from rsp_conformance.diagnosis.profile.findings import (
    ByShape,
    DialFinding,
    RivalValue,
    conclusion,
    findings,
    spellings,
)
from rsp_conformance.diagnosis.profile.identify import FAIR, Identification, tells_apart
from rsp_conformance.diagnosis.profile.values import NEEDED, SETTLED, VALUES, matters
from rsp_conformance.diagnosis.reference import ReferenceFailed, reference_answers
from rsp_conformance.diagnosis.search import Search
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import DIALS, T0_NAMES, Dials, forgives
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.features import WHOLE, with_implied
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.usage import case_features
from rsp_conformance.protocol import registry
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.strategies import some_cases
from tools.mutation.profiles import identified, missed, recovery
from tools.mutation.profiles.__main__ import SAMPLED

ALL = with_implied(frozenset(WHOLE))
EVERYTHING = QueryForm(operators=("RSTREAM", "ISTREAM", "DSTREAM"))


def declared_as(profile: Profile) -> Identification:
    """An identification that has found a profile, which it began with, and has asked nothing."""
    with registry.connect("reference", {}) as engine:
        subject = EngineUnderTest.meet(engine, profile)
    return Identification(subject, profile, profile, profile, EVERYTHING)


def test_every_dial_is_tried_or_says_why_not() -> None:
    assert {*VALUES, *SETTLED} == {*DIALS}
    for dial, values in VALUES.items():
        assert len({Dials().with_dial(dial, value) for value in values}) == len(values) > 1
    assert NEEDED.keys() <= VALUES.keys()
    assert {*T0_NAMES} <= {*VALUES["t0"]}
    assert {*SAMPLED} <= MUTANTS.keys()


def test_the_designed_cases_keep_to_what_an_engine_does() -> None:
    assert len(designed(EVERYTHING, ALL, frozenset())) > len(experiments())
    few = with_implied(frozenset({"select"}))
    for form in (QueryForm(), QueryForm(merged=True), QueryForm(every=True)):
        found = designed(form, few, frozenset())
        assert found
        assert all(case_features(case) <= few for case in found)
        assert all((case.query.computed_every is not None) == form.every for case in found)
    assert all(
        {window.slide for window in case.query.windows} == {1}
        for case in designed(QueryForm(), few, frozenset({"without-steps"}))
    )


@pytest.mark.parametrize("profile", ["yasper", "cqels", "c-sparql"])
def test_the_designed_cases_tell_a_profile_from_each_single_dial_that_matters(
    profile: str,
) -> None:
    """As far as cases can: an engine of the profile would answer one wrongly under the rival."""
    held = bundled_profile(profile).with_dials({"windows_in": "named", "stream_operators": "RID"})
    engine, found = declared_as(held), designed(EVERYTHING, ALL, frozenset())
    dials = ("bounds", "window", "report", "empty_answers", "r2s", "empty_group")
    for dial in (*dials, "count_slide", "n0", "now"):
        # CC asks for content by itself where insertions alone count, and WC | CC is not judged.
        for value in VALUES[dial][:4] if dial == "report" else VALUES[dial]:
            if value != held.base.text(dial) and not forgives(dial, value):
                rival = Setting.of({dial: value})
                assert any(tells_apart(engine, rival, case) for case in found), (dial, value)


def test_what_cannot_matter_for_a_case_is_left_out() -> None:
    case = next(iter(designed(QueryForm(), ALL, frozenset())))
    dials = Dials()
    for dial, value in (("r2s", "set"), ("content_change", "any"), ("trigger", ">=")):
        assert decided(dials.with_dial(dial, value), case) == decided(dials, case)
        assert not matters(dial, case, dials)
    assert matters("bounds", case, dials)
    assert matters("content_change", case, dials.with_dial("report", "CC"))


def test_a_dial_is_taken_from_a_profile_with_what_it_is_by_shape() -> None:
    yasper, plain = bundled_profile("yasper"), bundled_profile("rsp-ql")
    found = replace(declared_as(plain), declared=yasper)
    turned = found.as_declared(["r2s"])
    assert str(turned) == "r2s=membership + r2s=set with istream"
    assert found.profile(turned).base.r2s == "membership"
    assert found.profile(turned).overrides == yasper.overrides
    assert found.profile(turned).base.bounds == plain.base.bounds
    back = replace(declared_as(yasper), declared=plain)
    assert str(back.as_declared(["r2s"])) == f"r2s={plain.base.r2s}"
    assert replace(found, setting=turned, declared=plain).as_declared(["r2s"]) == Setting()


@pytest.mark.parametrize("profile", ["rsp-rs", "yasper", "cqels"])
def test_what_an_engine_with_a_mutant_answers_can_be_said_under_any_profile(profile: str) -> None:
    dials = bundled_profile(profile).base.with_dials({"windows_in": "named"})
    found = [c for c in designed(QueryForm(), ALL, frozenset()) if len(c.query.windows) > 1]
    said = Counter[str]()
    for case in found:
        starts = next(iter(rspql_queries(case, dials)))
        for mutant in MUTANTS:
            try:
                reference_answers(case, dials, starts, mutants=[mutant])
                said["answered"] += 1
            except (Unsupported, ReferenceFailed):
                said["refused"] += 1
    assert said["answered"] > said["refused"]


@pytest.fixture(scope="module")
def cqels_2() -> Iterator[Identification]:
    """What is found of CQELS 2, beginning with plain RSP-QL, by few random cases."""
    with pytest.MonkeyPatch.context() as patch:
        # What holds of windows by count and NOW alone takes a few cases of these to be found.
        foci = ("windows", "count-windows", "now-window", "join", "aggregates")
        foci += ("values-literals", "any")
        few = {"RANDOM": 3, "FINALISTS": 2, "FOCI": foci}
        for name, value in few.items():
            patch.setattr(identify, name, value)
        yield identified("cqels-2", start="rsp-ql")


def test_a_profile_is_found_again_whatever_the_search_begins_with(cqels_2: Identification) -> None:
    """From plain RSP-QL, of which six dials differ; the whole table: tools.mutation.profiles."""
    found = cqels_2
    assert not missed(found)
    assert recovery(found, [], 1.0).recovered
    assert [dict(own) for own in spellings(found)] == []
    base = found.profile().base
    assert base.t0 == "first-aligned-open"
    assert (base.window_content, base.empty_answers) == ("bag", False)
    assert (base.answer_time, base.trigger, base.empty_group) == ("arrival", ">", "none")
    told = {one.dial: one for one in findings(found)}
    assert {rival.value for rival in told["bounds"].rivals if rival.told} == {
        *("[o,c)", "[o,c]", "(o,c)")
    }
    shown = told["bounds"].evidence
    assert "\N{NO-BREAK SPACE}" not in "".join(shown)
    answered = shown.index("It answered")
    otherwise = next(n for n, line in enumerate(shown) if line.startswith("Under "))
    assert shown[answered + 1 : otherwise] != shown[otherwise + 1 :]
    # It has one where something is reported by CC, as windows by count are.
    simple = replace(found, setting=Setting(found.setting.dials))
    (change,) = [one for one in findings(simple) if one.dial == "content_change"]
    assert change.note.startswith("of no consequence") and not told["content_change"].note
    assert told["stream_operators"].value == "none"


def asked(focus: str = "", **options: str) -> Identification:
    """What `reference` answers to the designed cases and some of a focus, and its profile."""
    with registry.connect("reference", options) as engine:
        subject = EngineUnderTest.meet(engine)
        profile = subject.profile
        found = declared_as(profile)
        cases = [*designed(EVERYTHING, subject.features, frozenset())]
        if focus:
            cases += some_cases(subject.features, profile, focus, 20, seed=0)
        found.add(subject.ask_many(Stimulus(case) for case in cases))
    return found


def searched(found: Identification, *begin: Setting) -> Search:
    """The search over the answers, ended; begun from the best of some settings, if there are."""
    search = Search(Clues.to_explain([found.answered], found.predictions), found.predictions)
    search.allow(100_000)
    if begin:
        search.best = search.starts(begin, len(begin))[0]
    search.improve(100_000)
    assert not search.is_over
    found.setting = search.best
    return search


def test_a_value_beside_which_another_one_is_declared_is_always_said() -> None:
    same = DialFinding("t0", "any", "any", contradicted=False)
    untried = DialFinding("report", "WC", "WC & NC", contradicted=False)
    other = replace(untried, rivals=(RivalValue("WC & NC", told=0, against=0),))
    told = replace(other, rivals=(RivalValue("WC & NC", told=2, against=1),))
    nothing = "The answers contradict nothing that the engine declares"
    assert conclusion([same], complete=True) == f"{nothing}."
    assert conclusion([same], complete=False) == f"{nothing}, as far as was asked."
    assert conclusion([same, other], complete=True) == (
        "No answer supports what was found against what is declared: report is WC, not WC & NC."
    )
    assert conclusion([same, told], complete=True) == (
        "Some answers suggest another value than the declared one, but not enough: "
        "report is WC, not WC & NC."
    )
    assert conclusion([same, untried], complete=True) == (
        "The declared value was not tried: report is WC, not WC & NC."
    )
    wrong = replace(told, contradicted=True)
    assert conclusion([wrong, other], complete=True) == (
        "The answers contradict the engine's declaration: report is WC, not WC & NC."
    )


def test_what_is_declared_is_compared_by_shape_too_and_if_no_search_tries_it() -> None:
    """Of an engine that the setting does not explain wholly, so that it contradicts nothing."""
    begun = asked(profile="cqels-2")
    found = replace(begun, setting=Setting.of({"empty_group": "row"}))
    assert found.judged > len(found.explained()) and not found.contradicts
    by_shape = "WC & NC, and CC with count-windows, and CC with now-window"

    def said(found: Identification, dial: str) -> tuple[DialFinding, str]:
        (own,) = [one for one in findings(found) if one.dial == dial]
        return own, conclusion([own], complete=True)

    for dial, declared, value in (
        ("report", "WC & NC", by_shape),
        ("report", "P(7)", by_shape),
        ("t0", "7", "first-aligned-open"),
    ):
        other = found.start.with_dials({dial: declared})
        own, text = said(replace(found, declared=other), dial)
        assert own.rival and own.rival.told and not own.contradicted
        assert text.startswith("Some answers suggest another value than the declared one")
        assert text.endswith(f": {dial} is {value}, not {declared}.")
    turned = replace(begun, setting=Setting.of({"report": "WC & NC"}))
    own, text = said(turned, "report")
    assert own.rival and own.rival.against and not own.rival.told
    assert text == (
        "No answer supports what was found against what is declared: "
        f"report is WC & NC, not {by_shape}."
    )
    same = Setting(by_shape=(("bounds", begun.start.base.bounds, "istream"),))
    own, text = said(replace(begun, setting=same), "bounds")
    assert (own.whole, own.rival) == (own.declared, None)
    assert text == "The answers contradict nothing that the engine declares."


@pytest.mark.parametrize(
    # LIMIT stands in few of the cases that tell dials apart; the second one shows in silence alone.
    ("mutant", "focus"),
    [("limit-ignored", "order"), ("second-window-overwrites", "same-stream-windows")],
)
def test_cases_are_asked_that_show_a_mutant_which_few_have_shown(mutant: str, focus: str) -> None:
    found = asked(focus, profile="rsp-ql", fault=mutant)
    search = searched(found)
    bug = Setting(mutants=(mutant,))
    assert bug in {search.best, *(own for _, own in search.uncertain)}
    found.setting = Setting()
    fresh = some_cases(found.subject.features, found.start, focus, 40, seed=1)
    assert any(tells_apart(found, bug, case) for case in fresh)
    assert not any(tells_apart(found, Setting(), case) for case in fresh)


def test_what_no_dial_explains_is_a_mutant() -> None:
    """Though it spoils most answers, the dials are found beside it."""
    found = asked(profile="yasper", fault="newest-only")
    assert len(found.explained()) < FAIR * len(found.answered)
    others = (bundled_profile(name).base for name in ("rsp-ql", "rsp-rs", "cqels-2"))
    turned = ({d: own.text(d) for d in VALUES} for own in others)
    searched(found, Setting(), *map(Setting.of, turned))
    assert found.setting == Setting(mutants=("newest-only",))
    assert len(found.explained()) == len(found.answered)
    ours, theirs = found.told(Setting())
    assert ours and not theirs
    assert found.clearly(Setting()) and not found.clearly(found.setting)
    assert not replace(found, setting=Setting()).clearly(found.setting)


def test_answers_without_instants_have_to_explain_much_more() -> None:
    """They forgive what bugs bring about."""
    found = asked(profile="rsp-rs")
    search = Search(Clues.to_explain([found.answered], found.predictions), found.predictions)
    search.allow(100_000)
    lenient = Setting.of({"answer_time": "none"})
    assert len(found.explained(lenient)) == len(found.explained()) == len(found.answered)
    assert search.total(lenient) > search.total(Setting()) + 10 * price(lenient)


def test_what_explains_little_or_was_cut_short_contradicts_nothing(
    cqels_2: Identification,
) -> None:
    found = replace(cqels_2, declared=bundled_profile("rsp-ql"))
    assert "t0" in {own.dial for own in missed(found)}
    # Explains nine of ten.
    most = replace(found, setting=found.setting | Setting.of({"empty_group": "row"}))
    assert FAIR < len(most.explained()) / len(most.answered) < 1
    assert missed(most) and not missed(replace(most, complete=False))
    little = replace(found, setting=found.setting | Setting(mutants=("always-silent",)))
    assert not missed(little)


def test_an_override_costs_more_than_a_mutant_unless_an_engine_has_it_and_is_said() -> None:
    by_shape = Setting(by_shape=(("tick", "tuple", "select"),))
    mutant, dial = Setting(mutants=("newest-only",)), Setting.of({"tick": "tuple"})
    assert price(by_shape) > 1.5 * price(mutant)
    assert 2 * price(dial, is_held_to=False) < price(mutant) < price(dial)
    known = known_by_shape()
    assert known and all(price(Setting(by_shape=(own,))) < price(mutant) for own in known)
    said = DialFinding("tick", "time", "time", True, (ByShape("select", "tuple"),))
    assert said.whole == "time, and tuple with select"


def test_a_search_that_is_cut_short_keeps_to_its_budget_and_is_not_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"RANDOM": 1, "FOCI": ("windows",), "coarse": lambda *_, **__: ()}.items():
        monkeypatch.setattr(identify, name, value)
    with registry.connect("reference", {"profile": "yasper"}) as engine:
        subject = EngineUnderTest.meet(engine, bundled_profile("rsp-ql"))
        for budget in (100, 400):
            found = identify.identify(subject, subject.profile, budget=budget)
            assert found.predictions.asked <= budget * 1.05
            assert not found.complete
