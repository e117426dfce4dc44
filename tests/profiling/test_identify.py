"""What an engine's semantics is, found by experiments: dials, shapes, defects."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from rsp_conformance.causes.mutants import MUTANTS
from rsp_conformance.causes.reference import ReferenceFailed, reference_answers
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import DIALS, T0_NAMES, Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.features import WHOLE, with_implied
from rsp_conformance.model.profiles import Override, Profile, bundled_profile
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.usage import case_features
from rsp_conformance.profiling.evidence import OPEN_COST, Candidate, Evidence
from rsp_conformance.profiling.experiments import QueryForm, designed, experiments
from rsp_conformance.profiling.findings import ByShape, DialFinding, findings
from rsp_conformance.profiling.fit import Fit
from rsp_conformance.profiling.identify import FAIR, Identification, parts
from rsp_conformance.profiling.rivals import (
    NEEDED,
    SETTLED,
    VALUES,
    decided,
    matters,
)
from rsp_conformance.protocol import registry
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.strategies import some_cases
from tools.mutation.profiles import identified, missed, recovery
from tools.mutation.profiles.__main__ import SAMPLED

ALL = with_implied(frozenset(WHOLE))
EVERYTHING = QueryForm(operators=("RSTREAM", "ISTREAM", "DSTREAM"))


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
    found = designed(EVERYTHING, ALL, frozenset())
    for dial in ("bounds", "window", "report", "empty_answers", "r2s", "empty_group"):
        # CC asks for content by itself where insertions alone count, and WC | CC is not judged.
        for value in VALUES[dial][:4] if dial == "report" else VALUES[dial]:
            rival = held.with_dials({dial: value})
            if rival.base != held.base:
                told = (parts(Candidate(held), Candidate(rival), case) for case in found)
                assert any(told), (dial, value)


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
    turned = Candidate(plain).with_dial_of(yasper, "r2s").profile
    assert turned.base.r2s == "membership"
    assert turned.overrides == yasper.overrides
    assert turned.base.bounds == plain.base.bounds
    assert Candidate(turned).with_dial_of(plain, "r2s").profile == plain


@pytest.mark.parametrize("profile", ["rsp-rs", "yasper", "cqels"])
def test_what_an_engine_with_a_defect_answers_can_be_said_under_any_profile(profile: str) -> None:
    dials = bundled_profile(profile).base.with_dials({"windows_in": "named"})
    found = [c for c in designed(QueryForm(), ALL, frozenset()) if len(c.query.windows) > 1]
    for case in found:
        starts = next(iter(rspql_queries(case, dials)))
        for mutant in MUTANTS:
            try:
                reference_answers(case, dials, starts, mutants=[mutant])
            except (Unsupported, ReferenceFailed):
                continue


@cache
def cqels_2() -> Identification:
    """What is found of CQELS 2 in a second, beginning with plain RSP-QL."""
    return identified("cqels-2", start="rsp-ql", max_time=1)


def test_a_profile_is_found_again_whatever_the_search_begins_with() -> None:
    """From plain RSP-QL, of which six dials differ; the whole table: tools.mutation.profiles."""
    found = cqels_2()
    assert not missed(found)
    kept = recovery(found, [], 1.0)
    assert not kept.named and 0 < kept.explained == kept.answers
    base = found.setting.profile.base
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
    assert told["content_change"].note.startswith("of no consequence")
    assert told["stream_operators"].value == "none"


def asked(**options: str) -> tuple[Profile, Evidence]:
    """What `reference` answers to the designed cases, and its profile."""
    evidence = Evidence()
    with registry.connect("reference", options) as engine:
        subject = EngineUnderTest.meet(engine)
        found = designed(EVERYTHING, subject.features, frozenset())
        evidence.add(subject.ask_many(Stimulus(case) for case in found))
    return subject.profile, evidence


@pytest.mark.parametrize(
    # LIMIT stands in few of the cases that tell dials apart; the second one shows in silence alone.
    ("mutant", "focus"),
    [("limit-ignored", "order"), ("second-window-overwrites", "same-stream-windows")],
)
def test_cases_are_asked_that_show_a_defect_which_few_have_shown(mutant: str, focus: str) -> None:
    profile, evidence = asked(profile="rsp-ql", fault=mutant)
    with registry.connect("reference", {"profile": "rsp-ql", "fault": mutant}) as engine:
        subject = EngineUnderTest.meet(engine)
        cases = some_cases(subject.features, profile, focus, 20, seed=0)
        evidence.add(subject.ask_many(Stimulus(case) for case in cases))
    suspects = {one.mutants: one for one in Fit(evidence, profile).suspects(Candidate(profile))}
    fresh = some_cases(subject.features, profile, focus, 40, seed=1)
    assert any(parts(Candidate(profile), suspects[(mutant,)], case) for case in fresh)
    assert not any(parts(Candidate(profile), Candidate(profile), case) for case in fresh)


def test_what_no_dial_explains_is_a_known_defect() -> None:
    profile, evidence = asked(profile="yasper", fault="newest-only")
    plain = Candidate(profile)
    found = Fit(evidence, profile).with_parts(plain)
    assert found.mutants == ("newest-only",)
    assert len(evidence.explained(found)) == len(evidence.answered)
    ours, theirs = evidence.told(found, plain)
    assert ours
    assert not theirs
    assert evidence.clearly(found, plain)
    assert not evidence.clearly(plain, found)
    assert not evidence.clearly(found, found)


def test_dials_are_found_beside_a_defect_that_spoils_most_answers() -> None:
    profile, evidence = asked(profile="yasper", fault="newest-only")
    plain = Candidate(profile)
    assert evidence.share(plain) < FAIR
    others = [Candidate(bundled_profile(name)) for name in ("rsp-ql", "rsp-rs", "cqels-2")]
    best, *_ = Fit(evidence, profile).beside_a_mutant([*others, plain])
    assert best == replace(plain, mutants=("newest-only",))
    assert evidence.share(best) == 1


def test_answers_without_instants_have_to_explain_much_more() -> None:
    """They forgive what defects bring about."""
    profile, evidence = asked(profile="rsp-rs")
    exact = Candidate(profile)
    lenient = exact.turned("answer_time", "none")
    assert lenient.open_ends == 1
    assert evidence.share(lenient) == evidence.share(exact) == 1
    assert evidence.score(exact) - evidence.score(lenient) == OPEN_COST


def test_what_explains_little_or_was_cut_short_contradicts_nothing() -> None:
    found = cqels_2()
    found = replace(found, declared=bundled_profile("rsp-ql"))
    assert "t0" in {own.dial for own in missed(found)}
    # Explains nine of ten.
    most = replace(found, setting=found.setting.turned("empty_group", "row"))
    assert FAIR < most.evidence.share(most.setting) < 1
    assert not missed(most) and missed(replace(most, complete=True))
    little = replace(found.setting, mutants=("always-silent",))
    assert not missed(replace(found, setting=little, complete=True))


def test_an_override_costs_as_much_as_two_defects_and_is_said() -> None:
    by_shape = Override(frozenset({"select"}), (("tick", "tuple"),))
    assert Candidate(bundled_profile("rsp-ql")).with_overrides([by_shape]).parts == 2
    assert bundled_profile("yasper").overrides
    assert Candidate(bundled_profile("yasper")).parts == 0  # That of an engine that has it.
    said = DialFinding("tick", "time", "time", True, (ByShape("select", "tuple"),))
    assert said.whole == "time, and tuple with select"
