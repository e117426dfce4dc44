"""What a run says of itself: the events of a property, and their way through JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from rsp_conformance.judge.crash_file import read
from rsp_conformance.run.events import (
    EVENTS,
    MOMENTARY,
    CaseJudged,
    CauseDiscovered,
    Event,
    FindingConfirmed,
    PropertyFinished,
    PropertyStarted,
    RunFinished,
    RunStarted,
    Working,
)
from rsp_conformance.run.properties import property_named
from tests.builders.engines import Flawed, error, failures_of, perform, right, run_of


def crashing(request: dict[str, Any], reply: dict[str, Any]) -> Any:
    return error(request, "crashed") if len(request["elements"]) >= 2 else reply


def unsupporting(request: dict[str, Any], _: dict[str, Any]) -> Any:
    return error(request, "unsupported")


def test_a_property_that_passes(tmp_path: Path) -> None:
    events: list[Event] = []
    run = run_of(lambda: Flawed(right), tmp_path, emit=events.append)
    finished = perform(run, "windows")
    run.finish()
    profile = run.subject.profile.name
    started = events[0]
    assert isinstance(started, RunStarted)
    assert (started.engine, started.profile, started.seed) == ("flawed", profile, "7")
    assert events[1] == PropertyStarted("windows")
    assert (finished.verdict, finished.note, finished.reason) == ("passed", "", "")
    judged = [event for event in events if isinstance(event, CaseJudged)]
    assert {(event.property, event.kind) for event in judged} == {("windows", "")}
    assert len(judged) == finished.counts["compared"] + finished.counts["vacuous"]
    doing = [event.doing for event in events if isinstance(event, Working)]
    assert doing[:2] == ["generating cases", "asking"]
    assert events[-2] == finished
    assert isinstance(events[-1], RunFinished)
    assert set(events[-1].seconds) == {"generation", "engine", "comparison"}


def test_a_finding_is_confirmed_before_its_property_ends(tmp_path: Path) -> None:
    events: list[Event] = []
    run = run_of(lambda: Flawed(crashing), tmp_path, emit=events.append)
    (failure,) = failures_of(run, "windows")
    *_, confirmed, found, finished = (e for e in events if not isinstance(e, MOMENTARY))
    assert isinstance(confirmed, FindingConfirmed) and isinstance(finished, PropertyFinished)
    assert isinstance(found, CauseDiscovered) and found.cause["smallest"]["file"] == confirmed.file
    assert (confirmed.kind, confirmed.elements, confirmed.same_as) == ("crashed", 2, "")
    assert confirmed.confirmed == failure.confirmed != ""
    assert read(Path(confirmed.file)).cases[0].case == failure.finding.case
    assert (finished.verdict, finished.note) == ("failed", "crashed")
    kinds = {event.kind for event in events if isinstance(event, CaseJudged)}
    assert kinds == {"", "crashed"}


def test_a_property_that_an_engine_does_not_support_at_all_is_skipped(tmp_path: Path) -> None:
    run = run_of(lambda: Flawed(unsupporting), tmp_path)
    finished = perform(run, "windows")
    assert finished.verdict == "skipped"
    assert finished.note == finished.reason == "the engine supports no case: this unsupported"
    assert finished.counts["unsupported"] >= 20


def test_what_the_profile_does_not_do_is_skipped(tmp_path: Path) -> None:
    events: list[Event] = []
    run = run_of(lambda: Flawed(right), tmp_path, emit=events.append)
    assert run.skip(property_named("windows")) is None
    skipped = run.skip(property_named("report_periodic"))
    assert skipped is not None and skipped == events[-1]
    assert (skipped.verdict, dict(skipped.counts)) == ("skipped", {})
    assert "report policy does not use P" in skipped.reason
    assert skipped.missing == ()


def test_what_an_engine_does_not_declare_is_named_as_data(tmp_path: Path) -> None:
    run = run_of(lambda: Flawed(right), tmp_path)
    subject = run.subject
    subject.hello = replace(subject.hello, features=frozenset({"select"}))
    skipped = run.skip(property_named("optional"))
    assert skipped is not None and skipped.missing == ("optional",)
    assert skipped.reason == "the engine does not declare the feature optional"
    assert EVENTS.read(Event, json.loads(json.dumps(EVENTS.write(Event, skipped)))) == skipped


def test_events_travel_as_json(tmp_path: Path) -> None:
    events: list[Event] = []
    run = run_of(lambda: Flawed(crashing), tmp_path, emit=events.append)
    assert failures_of(run, "windows")
    run.finish()
    assert len({type(event) for event in events}) == 9
    for event in events:
        document = json.loads(json.dumps(EVENTS.write(Event, event)))
        assert document["event"] == type(event).__name__
        assert EVENTS.read(Event, document) == event
