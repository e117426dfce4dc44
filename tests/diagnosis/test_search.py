"""From the evidence of a run to the causes behind it, on `reference` with mutants."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import read_options
from rsp_conformance.diagnosis import clues, naming, search, simulation
from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.evidence import Answered, Evidence, Symptom
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.naming import find_causes
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.setting import Setting
from rsp_conformance.protocol.in_process import InProcessEngine
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.settings import SHRINKING
from tests.builders.engines import perform, run_of


class HeldToRspQl(ReferenceEngine):
    """`reference` as it is set, which says that its dials are those of RSP-QL."""

    def hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().hello(request), "profile": {"base": "rsp-ql"}}


def evidence_with(folder: Path, *names: str, **options: str) -> Evidence:
    """What a run of the properties NAMES sees of `reference` with OPTIONS, for all who ask."""
    return _evidence(folder.parent, names, tuple(options.items()))


@cache
def _evidence(
    folder: Path, names: tuple[str, ...], options: tuple[tuple[str, str], ...]
) -> Evidence:
    own = folder / "-".join((*names, *map("-".join, options))).replace("/", "-")
    return evidence_of(HeldToRspQl(read_options(dict(options))), own, *names)


def evidence_of(
    engine: ReferenceEngine,
    folder: Path,
    *names: str,
    examples: int = 15,
    seed: int = 7,
    shrinking: float = 0.0,
) -> Evidence:
    """What a run sees; shrinking takes long, and for most searches symptoms needn't be small."""
    run = run_of(engine, folder, examples=examples, seed=seed, shrinking=shrinking)
    # What is searched here is not searched on the way.
    known = run.naming.diagnosis.known
    run.naming.diagnosis.improve = lambda *_: known  # type: ignore[method-assign]
    perform(run, *names)
    symptoms = [
        Symptom.of(
            own.finding, file=own.file, focus=property_named(own.finding.property_name).focus
        )
        for own in run.ledger.shown()
    ]
    answered = [
        Answered(observation, correct, own.property_name)
        for own in run.ledger.records(why="")
        for observation, correct in own.judged
    ]
    return Evidence.of(symptoms, answered)


def test_a_run_without_failures_has_no_causes(tmp_path: Path) -> None:
    evidence = evidence_with(tmp_path, "windows", "join")
    assert evidence.answered
    assert not evidence.symptoms
    assert find_causes(evidence) == ()


@pytest.mark.parametrize(
    ("mutant", "names"),
    [
        ("newest-only", ("windows", "optional")),
        ("always-silent", ("windows", "ask")),
        ("always-empty", ("windows", "ask")),
        ("construct-silent", ("windows", "construct")),
        ("union-dedup", ("union", "law[UAss]")),
        ("filter-error-true", ("filter", "windows")),
    ],
)
def test_a_mutant_is_the_cause(tmp_path: Path, mutant: str, names: tuple[str, ...]) -> None:
    evidence = evidence_with(tmp_path, *names, fault=mutant)
    (cause,) = find_causes(evidence)
    assert cause.mutants == (mutant,)
    assert cause.properties
    assert not cause.contradicts
    assert cause.file.startswith(str(tmp_path.parent))


def test_an_engine_that_has_given_a_row_is_not_taken_for_mute(tmp_path: Path) -> None:
    """Of hundred wrong answers 98 were empty, and hardly a right one spoke against it."""
    mutants = ("newest-element-missing", "single-pattern-without-window")
    engine = HeldToRspQl(read_options({"fault": ",".join(mutants)}))
    # Of this seed some answer has rows; of others what is left may explain nothing.
    evidence = evidence_of(engine, tmp_path, "windows", examples=60, seed=3)
    assert evidence.has_rows
    before = [Cause("always-empty", Setting(mutants=("always-empty",)), explains=50)]
    found = find_causes(evidence, before=before)
    assert {cause.id for cause in found} == {*mutants}


def test_a_cause_behind_another_is_found_in_the_same_run(tmp_path: Path) -> None:
    evidence = evidence_with(
        tmp_path, "windows", "union", fault="empty-windows-skipped,union-dedup"
    )
    causes = find_causes(evidence)
    assert {cause.mutants for cause in causes} == {("empty-windows-skipped",), ("union-dedup",)}
    # What is known is not named again, and explains what it explains.
    (other,) = find_causes(evidence, known=Setting.of({}, ["empty-windows-skipped"]))
    assert other.mutants == ("union-dedup",)


def test_what_few_answers_show_is_found_behind_what_many_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So few answers are looked at first that none of them needs the rarer cause."""
    both = ("empty-windows-skipped", "union-dedup")
    evidence = evidence_with(tmp_path, "windows", "union", fault=",".join(both))
    evidence = replace(evidence, symptoms=())
    monkeypatch.setattr(search, "FIRST", 4)
    causes = find_causes(evidence)
    assert {cause.mutants for cause in causes} == {(name,) for name in both}
    assert not any(cause.open for cause in causes)


def test_a_property_that_fails_with_the_case_of_another_has_its_cause(tmp_path: Path) -> None:
    evidence = evidence_with(tmp_path, "windows", fault="newest-only")
    again = [replace(own, property_name="t0") for own in evidence.symptoms]
    evidence = replace(evidence, symptoms=(*evidence.symptoms, *again))
    (cause,) = find_causes(evidence)
    assert set(cause.properties) == {"windows", "t0"}


def test_right_answers_of_laws_count_among_those_of_the_run(tmp_path: Path) -> None:
    evidence = evidence_with(tmp_path, "union", "law[UAss]", fault="union-dedup")
    assert any(own.correct is None for own in evidence.answered)
    (cause,) = find_causes(evidence)
    judged = sum(own.correct is True for own in evidence.answered)
    assert judged < cause.passing <= cause.right


def test_where_only_what_was_shrunk_is_judged_that_is_counted(tmp_path: Path) -> None:
    """Of two engines the run judges nothing else."""
    engine = HeldToRspQl(read_options({"fault": "union-dedup"}))
    whole = evidence_of(engine, tmp_path, "union", examples=30, shrinking=SHRINKING)
    unjudged = tuple(replace(own, correct=None) for own in whole.answered)
    subject = EngineUnderTest.meet(InProcessEngine(lambda: engine))
    (cause,) = find_causes(replace(whole, answered=unjudged), subject)
    assert cause.id == "union-dedup" and cause.explains >= len(whole.symptoms)


def test_two_causes_are_found_that_each_alone_contradict_much(tmp_path: Path) -> None:
    """As in YASPER: each explains wrong answers, and spoils right ones without the other."""
    engine = ReferenceEngine(
        read_options({"profile": "yasper", "fault": "newest-only,read-at-arrival"})
    )
    evidence = evidence_of(engine, tmp_path, "windows", "gaps", examples=20)
    causes = find_causes(evidence)
    assert {cause.mutants for cause in causes} == {("newest-only",), ("read-at-arrival",)}


@pytest.mark.parametrize(("dial", "value"), [("bounds", "[o,c)"), ("r2s", "set")])
def test_a_dial_is_a_cause(tmp_path: Path, dial: str, value: str) -> None:
    options = {f"dial.{dial}": value}
    evidence = evidence_with(tmp_path, "windows", "istream", "duplicates", **options)
    cause, *_ = find_causes(evidence)
    assert {dial: value} in [dict(h.dials) for h in (cause.setting, *cause.alternatives)]


@pytest.mark.parametrize("others", [(), ("newest-only",)], ids=["alone", "beside another"])
def test_nothing_is_named_that_chance_imitates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: tuple[str, ...]
) -> None:
    """What comes by chance is right now and then under a dial, or with a mutant.

    The chance is the same each time: one run in seven spoils more than half of the answers that
    `newest-only` bears on, and then that isn't named either.
    """
    chance = random.Random(1)
    monkeypatch.setattr("random.SystemRandom", lambda: chance)
    mutant = ",".join((*others, "nondeterministic"))
    engine = HeldToRspQl(read_options({"fault": mutant}))
    evidence = evidence_of(engine, tmp_path, "windows", shrinking=SHRINKING)
    assert evidence.symptoms
    causes = find_causes(evidence)
    assert {str(cause.setting) for cause in causes if cause.is_explained} == {*others}


def test_a_cause_stays_where_another_bug_makes_up_for_it_in_a_right_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as answers are left that nothing predicts: that bug has no mutant."""
    options = {"profile": "rsp-js", "fault": "newest-only,wrong-instance"}
    engine = ReferenceEngine(read_options(options))
    evidence = evidence_of(engine, tmp_path, "windows", "join", seed=1)
    monkeypatch.delitem(MUTANTS, "wrong-instance")  # type: ignore[arg-type]
    simulation._visible.cache_clear()
    monkeypatch.setattr(naming, "CONTRADICTED", 10)  # Of few answers one is more.
    (cause,) = (own for own in find_causes(evidence) if own.is_explained)
    assert cause.id == "newest-only"
    assert 0 < cause.contradicts <= cause.explains / 10
    monkeypatch.setattr(naming, "CONTRADICTED", 10**6)
    assert not any(own.is_explained for own in find_causes(evidence))
    simulation._visible.cache_clear()


@pytest.mark.parametrize(("most", "stays"), [(10, True), (1_000, False)])
def test_a_cause_of_which_a_sample_says_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, stays: bool
) -> None:
    """In a long run only some answers are looked at again, and few show what is rare."""
    monkeypatch.setattr(clues, "MOST_SORTED", most)
    engine = HeldToRspQl(read_options({"fault": "union-dedup"}))
    evidence = evidence_of(engine, tmp_path, "union", shrinking=SHRINKING)
    rare = Cause("construct-silent", Setting(mutants=("construct-silent",)), file="a", explains=6)
    refuted = Cause("bounds-end", Setting(mutants=("bounds-end",)), file="b", explains=60)
    named = {cause.id for cause in find_causes(evidence, before=[rare, refuted])}
    assert named == {"union-dedup", *(["construct-silent"] if stays else [])}


def test_what_was_found_in_fewer_answers_goes_if_all_say_otherwise(tmp_path: Path) -> None:
    evidence = evidence_with(tmp_path, "windows", "optional", fault="newest-only")
    wrong = Setting.of({"bounds": "(o,c)"}, ["bounds-start"])
    before = [Cause(str(part), part, file="a", explains=40) for part in wrong.parts]
    (cause,) = find_causes(evidence, before=before)
    assert cause.mutants == ("newest-only",)


def test_a_part_that_was_suspected_is_taken_up_if_it_saves_bits(tmp_path: Path) -> None:
    both = ("empty-windows-skipped", "union-dedup")
    evidence = evidence_with(tmp_path, "windows", "union", fault=",".join(both))
    wrong, *true = (Setting(mutants=(name,)) for name in ("bounds-end", *both))

    def suspected(budget: int) -> tuple[Setting, int]:
        predictions = Predictions()
        found = search.Search(clues.Clues(evidence, predictions), predictions)
        before = predictions.asked
        found.suspect([wrong, *true], budget)
        return found.best, predictions.asked - before

    found, asked = suspected(10_000)
    assert {*found.parts} == {*true}
    found, few = suspected(asked // 20)
    assert found == Setting() and few <= asked // 20 + 1


def test_three_answers_of_an_unstable_engine_may_be_chance(tmp_path: Path) -> None:
    evidence = evidence_with(tmp_path, "union", fault="union-dedup")
    wrong = [own for own in evidence.answered if own.correct is False]
    answered = [own for own in evidence.answered if own.correct is not False] + wrong[:3]
    unstable = [replace(own, kind="unstable") for own in evidence.symptoms[:1]]
    stable = [replace(own, kind="wrong-answer") for own in evidence.symptoms[:1]]
    for symptoms, named in (
        ([], ["union-dedup"]),
        (unstable, []),
        ([*unstable, *(19 * stable)], ["union-dedup"]),
    ):
        causes = find_causes(Evidence.of(symptoms, answered))
        assert [cause.id for cause in causes if cause.is_explained] == named


def test_a_stable_case_shows_a_cause_before_an_unstable_one(tmp_path: Path) -> None:
    evidence = evidence_with(tmp_path, "windows", fault="newest-only")
    small = next(own for own in evidence.symptoms if own.is_judged)
    larger = next(
        Symptom(own.property_name, small.kind, (own.observation,))
        for own in evidence.answered
        if own.correct is False and own.observation.size > small.observations[0].size
    )
    small, larger = replace(small, file="small.json"), replace(larger, file="larger.json")
    whole = replace(evidence, symptoms=(small, larger))
    (cause,) = find_causes(whole)
    assert (cause.id, cause.file) == ("newest-only", "small.json")
    twice = replace(small, kind="unstable", file="twice.json")
    (cause, *_) = find_causes(replace(whole, symptoms=(small, larger, twice)))
    assert (cause.id, cause.file) == ("newest-only", "larger.json")


def test_shrunk_cases_take_turns_with_others(tmp_path: Path) -> None:
    """They are what nothing had explained: a search must not begin with them alone."""
    evidence = evidence_with(tmp_path, "union", fault="union-dedup")
    found = clues.Clues(evidence, Predictions())
    number = len(found.shrunk)
    assert 0 < number <= len(found.wrong) // 2
    firsts = [own.symptom is not None for own in found.wrong[: 2 * number]]
    assert firsts == number * [True, False]


def test_a_sample_of_clues_depends_on_no_order_of_arrival(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers hand in their records in another order each time."""
    evidence = evidence_with(tmp_path, "union", fault="union-dedup")
    again = [replace(own, property_name="t0") for own in evidence.symptoms]
    symptoms = [*evidence.symptoms, *again]
    whole = clues.Clues(Evidence(tuple(symptoms), evidence.answered), Predictions())
    most = len(whole.right) // 4
    monkeypatch.setattr(clues, "MOST_SORTED", most)

    def looked_at(symptoms: list[Symptom], answered: list[Answered]) -> list[object]:
        found = clues.Clues(Evidence(tuple(symptoms), tuple(answered)), Predictions())
        assert found.judged == most
        return [own.content for own in (*found.wrong, *found.right)]

    first = looked_at(symptoms, [*evidence.answered])
    for seed in range(5):
        chance = random.Random(seed)
        turned = chance.sample(evidence.answered, len(evidence.answered))
        assert looked_at(chance.sample(symptoms, len(symptoms)), turned) == first
    assert len(first) < len(whole.wrong) + len(whole.right)


def test_most_of_a_sample_stays_as_a_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = evidence_with(tmp_path, "windows", "optional", fault="newest-only").answered
    monkeypatch.setattr(clues, "MOST_SORTED", len(answered) // 4)
    earlier, later = (
        {own.content for own in (*found.wrong, *found.right)}
        for found in (
            clues.Clues(Evidence((), some), Predictions()) for some in (answered[3:], answered)
        )
    )
    assert len(earlier) >= len(answered) // 4 > 9
    assert len(earlier - later) <= 3


def test_half_of_what_a_part_bears_on_it_has_to_explain(tmp_path: Path) -> None:
    """Else it is the name of something else: an engine with it would err otherwise as well."""
    evidence = evidence_with(tmp_path, "union", "windows", fault="union-dedup")
    wrong = [own for own in evidence.answered if own.correct is False]
    silent = [replace(own, observation=replace(own.observation, observed=())) for own in wrong[2:]]
    right = [own for own in evidence.answered if own.correct is not False]
    (cause,) = (own for own in find_causes(Evidence.of([], [*wrong[:2], *right])))
    assert (cause.id, cause.explains) == ("union-dedup", 2)
    assert len(silent) > 2
    causes = find_causes(Evidence.of([], [*wrong[:2], *silent, *right]))
    assert "union-dedup" not in {own.id for own in causes}


@pytest.mark.parametrize("found_before", [False, True])
def test_a_budget_is_not_overrun(tmp_path: Path, *, found_before: bool) -> None:
    """Naming included, however many failures were made small: each is asked for its cause."""
    evidence = evidence_with(tmp_path, "union", "filter", fault="union-dedup,filter-error-true")
    wrong = [own for own in evidence.answered if own.correct is False]
    small = [Symptom("union", "wrong-answer", (own.observation,)) for own in wrong]
    evidence = replace(evidence, symptoms=(*evidence.symptoms, *small))
    names = ("union-dedup", "newest-only") if found_before else ()
    before = [Cause(name, Setting(mutants=(name,))) for name in names]
    whole = Predictions()
    find_causes(evidence, predictions=whole, before=before)
    for part in (8, 4, 2, 1):
        budget, predictions = whole.asked // part, Predictions()
        find_causes(evidence, budget=budget, predictions=predictions, before=before)
        assert predictions.asked <= budget * 1.05, (budget, part)


def test_what_explains_much_is_counted_beside_what_explains_nothing(tmp_path: Path) -> None:
    """A part that explains nothing is looked for in all answers, and comes first by its name."""
    evidence = evidence_with(tmp_path, "windows", "optional", fault="newest-only")

    def counted(most: int) -> tuple[list[str], int]:
        predictions = Predictions()
        sought = search.Search(clues.Clues(evidence, predictions), predictions)
        sought.best = Setting(mutants=("bounds-end", "newest-only"))
        before = predictions.asked
        found = naming._Naming(sought, before + most, None).causes()
        return [own.id for own in found], predictions.asked - before

    whole, asked = counted(10_000)
    assert whole == ["newest-only"]
    assert counted(asked // 2)[0] == ["newest-only"]
