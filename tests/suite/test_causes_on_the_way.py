"""Every run sets a cause aside once it is found: what it explains is neither shrunk nor argued."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.causes.cause import CAUSES, Cause
from rsp_conformance.causes.evidence import Evidence
from rsp_conformance.causes.known import KnownCause
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.suite import findings, passes
from rsp_conformance.suite.asking import Budget
from rsp_conformance.suite.events import CauseSetAside, Event, FindingConfirmed, Working
from rsp_conformance.suite.exchange import Exchange
from rsp_conformance.suite.memory import Memory
from rsp_conformance.suite.outcome import RunOutcome
from rsp_conformance.suite.properties import property_named
from rsp_conformance.suite.report import failures_in
from rsp_conformance.suite.xfails import Mark
from tests.builders.engines import Flawed, error, failures_of, right, run_of


@pytest.fixture(autouse=True)
def time_for_causes(little_time_for_causes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough, however slow the machine."""
    monkeypatch.setattr(findings, "SEARCHING_BRIEFLY", 60.0)


def ran(
    folder: Path, engine: Flawed, *names: str, marks: tuple[Mark, ...] = (), thorough: bool = False
) -> tuple[RunOutcome, list[FindingConfirmed]]:
    """What a run of the properties with NAMES comes to, and what it confirmed."""
    events: list[Event] = []
    run = run_of(lambda: engine, folder, examples=40, emit=events.append, marks=marks)
    run.context.asking.budget = Budget(shrinking=5.0, thorough=thorough)
    for name in names:
        try:
            run.run(property_named(name))
        except Exception as failed:
            assert failures_in(failed), failed
    run.finish()
    found = [event for event in events if isinstance(event, FindingConfirmed)]
    return RunOutcome().take(events), found


def test_a_cause_is_shrunk_once_and_names_the_later_properties(tmp_path: Path) -> None:
    engine = Flawed(right, fault="bounds-start", t0="first")
    outcome, confirmed = ran(tmp_path, engine, "windows", "gaps", "long")
    # One kind of wrong answer, though the defect shows in several.
    assert [event.property for event in confirmed] == ["windows"]
    for name in ("gaps", "long"):
        finished = outcome.finished[name]
        assert finished.verdict == "failed"
        assert finished.note.startswith("wrong for causes that were found before: bounds-start (")
    (cause,) = outcome.causes
    assert cause.id == "bounds-start" == next(iter(outcome.discovered))
    assert set(cause.properties) == {"windows", "gaps", "long"}
    assert cause.file == confirmed[0].file != ""


def test_what_nothing_explains_is_named_with_its_kind_in_later_properties(tmp_path: Path) -> None:
    def crashing(request: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
        return error(request, "crashed") if len(request["elements"]) > 1 else reply

    outcome, confirmed = ran(tmp_path, Flawed(crashing), "windows", "gaps")
    assert {event.property for event in confirmed} == {"windows"}
    said = (
        r"wrong for causes that were found before: crashed \?-[0-9a-f]{8} \(\d+\)(; nearly all .*)?"
    )
    assert re.fullmatch(said, outcome.finished["gaps"].note)


def test_a_failure_whose_case_comes_again_in_a_later_round_is_told_of_once(tmp_path: Path) -> None:
    told: list[Event] = []
    engine = Flawed(right, fault="bounds-start", t0="first")
    run = run_of(lambda: engine, tmp_path, emit=told.append)
    found = failures_of(run, "windows")
    run._findings.confirm("windows", found, 2)
    files = [own.file for own in told if isinstance(own, FindingConfirmed)]
    assert len(files) == len({*files}) == len(found)


def test_what_a_worker_has_set_aside_the_others_do_not_shrink(tmp_path: Path) -> None:
    told: list[Event] = []
    folder = tmp_path / "workers"
    folder.mkdir()
    for number, name in enumerate(("windows", "gaps")):
        engine = Flawed(right, fault="bounds-start", t0="first")
        exchange = Exchange(folder, f"gw{number}")
        run = run_of(
            lambda engine=engine: engine,
            tmp_path,
            examples=40,
            emit=told.append,
            exchange=exchange,
        )
        with nullcontext() if number else pytest.raises(Exception):
            run.run(property_named(name))
        assert not [*exchange.news()]
    assert [own.property for own in told if isinstance(own, FindingConfirmed)] == ["windows"]
    found = [own for own in told if isinstance(own, CauseSetAside)]
    assert [own.cause["id"] for own in found] == ["bounds-start"]
    note = RunOutcome().take(told).finished["gaps"].note
    assert note.startswith("wrong for causes that were found before: bounds-start (")
    (again,) = Exchange(folder, "gw2").news()
    assert CAUSES.write(Cause, again) == found[0].cause


def test_what_another_worker_finds_meanwhile_is_not_shrunk_on(tmp_path: Path) -> None:
    told: list[Event] = []
    cause = Cause("bounds-start", Setting(mutants=("bounds-start",)))

    def emit(event: Event) -> None:
        told.append(event)
        if event == Working("windows", "shrinking a counterexample"):
            Exchange(tmp_path, f"gw{len(told)}").leave(cause)

    run = run_of(
        lambda: Flawed(right, fault="bounds-start", t0="first"),
        tmp_path / "crashes",
        examples=40,
        emit=emit,
        exchange=Exchange(tmp_path, "gw0"),
    )
    finished = run.run(property_named("windows"))
    assert [own for own in told if isinstance(own, Working)].count(
        Working("windows", "shrinking a counterexample")
    ) == 1
    assert not [own for own in told if isinstance(own, FindingConfirmed)]
    assert finished.verdict == "failed"
    assert finished.note.startswith("wrong for causes that were found before: bounds-start (")
    assert [*(tmp_path / "crashes").rglob("*.json")] == []


def test_what_a_worker_took_for_a_mute_engine_is_none_once_it_gives_a_row(tmp_path: Path) -> None:
    Exchange(tmp_path, "gw1").leave(Cause("always-empty", Setting(mutants=("always-empty",))))
    told: list[Event] = []
    run = run_of(
        lambda: Flawed(right, fault="bounds-start", t0="first"),
        tmp_path / "crashes",
        examples=40,
        emit=told.append,
        exchange=Exchange(tmp_path, "gw0"),
    )
    assert failures_of(run, "windows")
    assert [cause.id for cause in run.context.known.causes] == ["bounds-start"]
    assert [own.property for own in told if isinstance(own, FindingConfirmed)] == ["windows"]


def test_properties_that_were_only_asked_ahead_are_not_named(tmp_path: Path) -> None:
    """A run that stops after a cause has asked for properties that it does not come to."""
    events: list[Event] = []
    engine = Flawed(right, fault="bounds-start,union-dedup", t0="first")
    run = run_of(lambda: engine, tmp_path, examples=40, emit=events.append)
    for ahead in ("gaps", "union"):
        run._run_of(property_named(ahead)).prime(1)
    assert any(own.fails for own in run.context.memory.everything())
    with pytest.raises(Exception) as failed:
        run.run(property_named("windows"))
    assert failures_in(failed.value)
    run.finish()
    (cause,) = RunOutcome().take(events).causes
    assert (cause.id, cause.properties) == ("bounds-start", ("windows",))


def test_what_stands_behind_a_cause_is_shrunk_in_the_same_property(tmp_path: Path) -> None:
    engine = Flawed(right, fault="istream-ignored,union-dedup", t0="first")
    outcome, confirmed = ran(tmp_path, engine, "union")
    assert {event.property for event in confirmed} == {"union"} and len(confirmed) == 2
    assert set(outcome.discovered) == {"istream-ignored", "union-dedup"}


def test_an_expected_failure_is_met_also_where_a_cause_explains_it(tmp_path: Path) -> None:
    mark = Mark("gaps", reason="not today")
    engine = Flawed(right, fault="bounds-start", t0="first")
    outcome, _ = ran(tmp_path, engine, "windows", "gaps", marks=(mark,))
    assert outcome.finished["windows"].verdict == "failed"
    assert outcome.finished["gaps"].verdict == "xfailed"
    assert not outcome.unmet([mark])


def test_a_property_is_not_asked_on_where_nearly_all_fails_for_a_cause(tmp_path: Path) -> None:
    def asked(thorough: bool) -> tuple[int, str]:
        engine = Flawed(right, fault="late-by-slide", t0="first")
        outcome, _ = ran(tmp_path, engine, "windows", "gaps", thorough=thorough)
        finished = outcome.finished["gaps"]
        return finished.counts["unasked"], finished.verdict

    assert asked(thorough=False)[0] > 0
    assert asked(thorough=True) == (0, "failed")


def test_no_more_is_drawn_where_nearly_all_fails_for_a_cause(tmp_path: Path) -> None:
    engine = Flawed(right, fault="late-by-slide", t0="first")
    run = run_of(lambda: engine, tmp_path, examples=100)
    assert failures_of(run, "windows")
    run.run(property_named("gaps"))
    work, tally = run._run_of(property_named("gaps")).work, run.context.tallies["gaps"]
    drawn = [case for case in work.drawn or () if work.is_test(case)]
    assert len(drawn) % passes.SOME == 0 and len(drawn) < 100
    assert tally.compared + tally.unasked == 100 and tally.cut.startswith("nearly all")
    assert len(run._run_of(property_named("windows")).work.drawn or ()) >= 100


@pytest.mark.parametrize(
    ("name", "thorough", "parts"),
    [("windows", False, 3), ("windows", True, 1), ("law[UComm]", False, 1)],
)
def test_what_is_drawn_is_asked_in_parts_only_where_that_may_be_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, thorough: bool, parts: int
) -> None:
    """And nothing twice: what was left out, as it took too long, is left out."""
    given: list[set[Stimulus]] = []
    prime = Memory.prime

    def seen(memory: Memory, name: str, stimuli: Iterable[Stimulus], **how: Any) -> None:
        given.append({*stimuli})
        prime(memory, name, [], **how)

    monkeypatch.setattr(Memory, "prime", seen)
    run = run_of(lambda: Flawed(right), tmp_path, examples=60)
    run.context.asking.budget = Budget(thorough=thorough)
    run.context.known.add(KnownCause(Setting.of(mutants=["union-dedup"]), found=True))
    own = run._run_of(property_named(name))
    own.prime(1)
    assert [bool(part) for part in given] == [True] * parts
    assert sum(map(len, given)) == len(set[Stimulus]().union(*given))
    assert {*own.work.stimuli(own.work.drawn or ())} == set[Stimulus]().union(*given)


ONE_START = {"dial.t0": "0"}
"""So that cases shrink soon."""


def test_a_search_begins_with_what_the_one_before_was_not_sure_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = Cause("bounds-end", Setting(mutants=("bounds-end",)))
    begun: list[tuple[Cause, ...]] = []

    def unsure(*_: object, before: tuple[Cause, ...], **__: object) -> tuple[Cause, ...]:
        begun.append(before)
        return (doubtful,)

    monkeypatch.setattr(findings, "find_causes", unsure)
    ran(tmp_path, Flawed(right, fault="bounds-start", **ONE_START), "windows", "gaps", "long")
    assert begun[:2] == [(), (doubtful,)]


def test_a_search_in_vain_is_not_repeated_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[int] = []

    def in_vain(evidence: Evidence, *_: object, **__: object) -> tuple[Cause, ...]:
        searched.append(len(evidence.symptoms))
        return ()

    monkeypatch.setattr(findings, "find_causes", in_vain)
    names = ("windows", "gaps", "long", "t0", "silence")
    _, confirmed = ran(tmp_path, Flawed(right, fault="bounds-start", **ONE_START), *names)
    shown = len(confirmed)
    assert searched[0] == 1 and len(searched) < len(names) <= shown
    assert all(2 * one <= other for one, other in pairwise(searched))
