"""Every run sets a cause aside once it is found: what it explains is neither shrunk nor argued."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.evidence import Evidence
from rsp_conformance.judge.crash_file import read
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.setting import Setting
from rsp_conformance.run import diagnosis
from rsp_conformance.run.events import Event, FindingConfirmed
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.xfails import Mark
from rsp_conformance.spec.correctness import judge
from tests.builders.engines import ONE_START, Flawed, error, perform, right, run_of


@pytest.fixture(autouse=True)
def time_for_causes(little_time_for_causes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as in a user's run."""
    monkeypatch.setattr(diagnosis, "SEARCHING_BRIEFLY", 3_000)


def ran(
    folder: Path,
    engine: Flawed,
    *names: str,
    examples: int = 25,
    marks: tuple[Mark, ...] = (),
    thorough: bool = False,
) -> tuple[RunOutcome, list[FindingConfirmed]]:
    """What a run of the properties with NAMES comes to, and what it confirmed."""
    events: list[Event] = []
    how: dict[str, Any] = {"marks": marks, "deep": thorough, "shrinking": 5.0}
    run = run_of(lambda: engine, folder, examples=examples, emit=events.append, **how)
    perform(run, *names)
    run.finish()
    found = [event for event in events if isinstance(event, FindingConfirmed)]
    return RunOutcome().take(events), found


def test_a_cause_is_shrunk_once_and_names_the_later_properties(tmp_path: Path) -> None:
    engine = Flawed(right, fault="bounds-start", **ONE_START)
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


def test_what_stands_behind_a_cause_is_shrunk_in_the_same_property(tmp_path: Path) -> None:
    engine = Flawed(right, fault="istream-ignored,union-dedup", **ONE_START)
    outcome, confirmed = ran(tmp_path, engine, "union")
    assert {event.property for event in confirmed} == {"union"} and len(confirmed) == 2
    assert set(outcome.discovered) == {"istream-ignored", "union-dedup"}


def test_an_expected_failure_is_met_also_where_a_cause_explains_it(tmp_path: Path) -> None:
    mark = Mark("gaps", reason="not today")
    engine = Flawed(right, fault="bounds-start", **ONE_START)
    outcome, _ = ran(tmp_path, engine, "windows", "gaps", marks=(mark,))
    assert outcome.finished["windows"].verdict == "failed"
    assert outcome.finished["gaps"].verdict == "xfailed"
    assert not outcome.unmet([mark])


def test_a_property_is_not_asked_on_where_nearly_all_fails_for_a_cause(tmp_path: Path) -> None:
    def asked(thorough: bool) -> tuple[int, str]:
        engine = Flawed(right, fault="late-by-slide", **ONE_START)
        outcome, _ = ran(tmp_path, engine, "windows", "gaps", examples=40, thorough=thorough)
        finished = outcome.finished["gaps"]
        return finished.counts["unasked"], finished.verdict

    assert asked(thorough=False)[0] > 0
    assert asked(thorough=True) == (0, "failed")


def test_a_search_begins_with_what_the_one_before_was_not_sure_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = Cause("bounds-end", Setting(mutants=("bounds-end",)))
    begun: list[tuple[Cause, ...]] = []

    def unsure(*_: object, before: tuple[Cause, ...], **__: object) -> tuple[Cause, ...]:
        begun.append(before)
        return (doubtful,)

    monkeypatch.setattr(diagnosis, "find_causes", unsure)
    ran(tmp_path, Flawed(right, fault="bounds-start", **ONE_START), "windows", "gaps", "long")
    assert begun[:2] == [(), (doubtful,)]


def test_a_search_in_vain_is_not_repeated_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[tuple[int, int]] = []

    def in_vain(evidence: Evidence, *_: object, **__: object) -> tuple[Cause, ...]:
        if evidence.symptoms:  # Else it looks behind what has no name, in the end.
            searched.append((len(evidence.symptoms), len(evidence.answered)))
        return ()

    monkeypatch.setattr(diagnosis, "find_causes", in_vain)
    names = ("windows", "gaps", "long", "t0", "silence")
    _, confirmed = ran(tmp_path, Flawed(right, fault="bounds-start", **ONE_START), *names)
    shown = len(confirmed)
    *on_the_way, at_the_end = searched
    assert on_the_way[0][0] == 1 and at_the_end[0] == shown
    for (one, answers), (other, more) in pairwise(on_the_way):
        assert 2 * one <= other or 1.5 * answers <= more


@pytest.mark.parametrize("fault", ["newest-only", "late-by-slide"])
def test_the_case_of_a_cause_has_an_element_and_rows(tmp_path: Path, fault: str) -> None:
    """A case without any shows such a defect too: two empty answers, at two instants."""
    outcome, _ = ran(tmp_path, Flawed(right, fault=fault), "windows", examples=40)
    assert [cause.id for cause in outcome.causes] == [fault]
    shown = read(Path(outcome.causes[0].file))
    (stimulus,) = shown.stimuli
    assert stimulus.case.elements
    verdict = judge(stimulus.case, shown.dials(stimulus), shown.cases[0].observed)
    assert verdict.divergence is not None
    answers = (verdict.divergence.expected, verdict.divergence.observed)
    assert any(answer is not None and not is_empty(answer.content) for answer in answers)
