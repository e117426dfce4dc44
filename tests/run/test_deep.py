"""A deep run: causes are set aside as they are found, and the search goes on behind them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rsp_conformance.run.events import CaseJudged, Event, FindingConfirmed, Working
from rsp_conformance.run.outcome import RunOutcome
from tests.builders.engines import ONE_START, Flawed, error, perform, right, run_of


def deep(
    folder: Path, engine: Flawed, *names: str, examples: int = 30
) -> tuple[RunOutcome, list[Event], list[str]]:
    """What a deep run of the properties with NAMES comes to, its events, and its reports."""
    events: list[Event] = []
    reports = []
    run = run_of(
        lambda: engine, folder, examples=examples, emit=events.append, deep=True, shrinking=2.0
    )
    for name in names:
        perform(run, name)
        if shown := run.ledger.shown(name):
            reports.append(run.naming.reporter.text(shown))
    run.finish()
    return RunOutcome().take(events), events, reports


def test_what_stands_behind_a_cause_is_found_in_the_same_property(tmp_path: Path) -> None:
    # Searches for what explains it would be long if each case had several starts.
    engine = Flawed(right, fault="istream-ignored,union-dedup", **ONE_START)
    outcome, events, (report,) = deep(tmp_path, engine, "union", examples=40)
    assert set(outcome.discovered) == {"istream-ignored", "union-dedup"}
    assert outcome.finished["union"].verdict == "failed"
    files = [Path(event.file).name for event in events if isinstance(event, FindingConfirmed)]
    assert len(files) == len(set(files)) > 1
    assert all((tmp_path / "crashes" / name).exists() for name in files)
    assert report.count("\nWhy\n") == 2


def test_a_later_property_fails_by_what_is_known_and_shrinks_nothing(tmp_path: Path) -> None:
    engine = Flawed(right, fault="bounds-start", **ONE_START)
    outcome, events, (report,) = deep(tmp_path, engine, "windows", "gaps")
    (cause,) = outcome.discovered
    assert report.count("\nWhy\n") == 1
    confirmed = [event for event in events if isinstance(event, FindingConfirmed)]
    assert [event.property for event in confirmed] == ["windows"]
    finished = outcome.finished["gaps"]
    assert (finished.verdict, finished.counts["known"]) == ("failed", 0)
    found = re.fullmatch(
        rf"wrong for causes that were found before: {cause} \((\d+)\)(; nearly all .*)?",
        finished.note,
    )
    assert found and 0 < int(found[1]) <= finished.counts["compared"]
    # Its drawn cases are judged, but for those that `windows` had too, and no other.
    judged = [event for event in events if isinstance(event, CaseJudged)]
    of_gaps = [event for event in judged if event.property == "gaps"]
    assert len(of_gaps) <= finished.counts["compared"] + finished.counts["vacuous"]
    doing = [event.doing for event in events if isinstance(event, Working)]
    assert doing.count("shrinking a counterexample") == 1


def test_failures_without_an_answer_are_set_aside_by_their_fingerprint(tmp_path: Path) -> None:
    def flaw(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        return error(request, "crashed") if len(request["elements"]) > 2 else reply

    engine = Flawed(flaw, fault="bounds-start", **ONE_START)
    outcome, events, _ = deep(tmp_path, engine, "windows", "gaps")
    crash, other = sorted(outcome.discovered)
    assert crash.startswith("?-") and other == "bounds-start"
    # Each once: what came in the first round is not shrunk again, nor in the next property.
    confirmed = [event for event in events if isinstance(event, FindingConfirmed)]
    assert [event.property for event in confirmed if event.kind == "crashed"] == ["windows"]
    later = outcome.finished["gaps"]
    assert later.verdict == "failed" and f"{crash} (" in later.note
    assert not [event for event in confirmed if event.property == "gaps"]


def test_a_green_property_is_not_asked_again(tmp_path: Path) -> None:
    engine = Flawed(right)
    outcome, _, _ = deep(tmp_path, engine, "windows")
    counts = outcome.finished["windows"].counts
    assert engine.asked == counts["compared"] + counts["vacuous"]
    assert outcome.passed() and not outcome.discovered
