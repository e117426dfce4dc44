"""Every run sets a cause aside once it is found: what it explains is neither shrunk nor argued.

A deep run does so too, and shrinks all that it does not explain.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.diagnosis import seam
from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.evidence import Evidence, Symptom
from rsp_conformance.diagnosis.fingerprint import WRONG_VALUE, fingerprint
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.recorded import finding_in
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.setting import Setting
from rsp_conformance.run import naming
from rsp_conformance.run.events import FindingConfirmed
from rsp_conformance.run.last import Last
from rsp_conformance.run.naming import SEARCHES
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.session import ENOUGH_WRONG
from rsp_conformance.run.worker import BLOCK
from rsp_conformance.run.xfails import Mark
from rsp_conformance.spec.correctness import judge
from tests.builders.engines import ONE_START, Flawed, error, perform, right, run_of


@pytest.fixture(autouse=True)
def time_for_causes(little_time_for_causes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as in a user's run."""
    monkeypatch.setattr(seam, "SEARCHING_BRIEFLY", 3_000)


def ran(
    folder: Path, engine: Flawed, *names: str, examples: int = 25, deep: bool = False, **how: Any
) -> tuple[RunOutcome, list[FindingConfirmed], list[str]]:
    """What a run of the properties with NAMES comes to, what it confirmed, and its reports."""
    how = {"deep": deep, "shrinking": 2.0 if deep else 5.0, **how}
    run = run_of(lambda: engine, folder, examples=examples, **how)
    reports = []
    for name in names:
        perform(run, name)
        if shown := run.ledger.shown(name):
            reports.append(run.naming.reporter.text(shown))
    run.finish()
    found = [event for event in run.ledger.events if isinstance(event, FindingConfirmed)]
    return RunOutcome().take(run.ledger.events), found, reports


in_each_mode = pytest.mark.parametrize("deep", [False, True], ids=["ordinary", "deep"])


@in_each_mode
def test_a_cause_is_shrunk_once_and_names_the_later_properties(tmp_path: Path, deep: bool) -> None:
    engine = Flawed(right, fault="bounds-start", **ONE_START)
    names = ("windows", "gaps", "long")
    outcome, confirmed, (report,) = ran(tmp_path, engine, *names, deep=deep)
    # One kind of wrong answer, though the defect shows in several.
    assert [event.property for event in confirmed] == ["windows"]
    assert report.count("\nWhy  ") == 1
    said = r"wrong for causes that were found before: bounds-start \((\d+)\)(; nearly all .*)?"
    for name in ("gaps", "long"):
        finished = outcome.finished[name]
        assert (finished.verdict, finished.counts["known"]) == ("failed", 0)
        found = re.fullmatch(said, finished.note)
        assert found and 0 < int(found[1]) <= finished.counts["compared"]
    (cause,) = outcome.causes
    assert cause.id == "bounds-start" == next(iter(outcome.discovered))
    assert set(cause.properties) == {*names}
    assert cause.file == confirmed[0].file != ""


@in_each_mode
def test_what_nothing_explains_is_named_with_its_kind_in_later_properties(
    tmp_path: Path, deep: bool
) -> None:
    """By its fingerprint, and what explains the rest beside it."""

    def crashing(request: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
        return error(request, "crashed") if len(request["elements"]) > 2 - (not deep) else reply

    fault = {"fault": "bounds-start", **ONE_START} if deep else {}
    outcome, confirmed, _ = ran(
        tmp_path, Flawed(crashing, **fault), "windows", "gaps", examples=30, deep=deep
    )
    # Each once: what came in the first round is not shrunk again, nor in the next property.
    crashed = [event.property for event in confirmed if event.kind == "crashed"]
    assert crashed == ["windows"] and {event.property for event in confirmed} == {"windows"}
    later = outcome.finished["gaps"]
    assert later.verdict == "failed"
    if deep:
        crash, other = sorted(outcome.discovered)
        assert crash.startswith("?-") and other == "bounds-start"
        assert f"{crash} (" in later.note
    else:
        before = "wrong for causes that were found before: "
        said = rf"{before}crashed \?-[0-9a-f]{{8}} \(\d+\)(; nearly all .*)?"
        assert re.fullmatch(said, later.note)
    (group,) = (own for own in outcome.causes if "crashed" in own.text)
    assert group.properties == ("windows", "gaps")


@in_each_mode
def test_what_stands_behind_a_cause_is_shrunk_in_the_same_property(
    tmp_path: Path, deep: bool
) -> None:
    # Searches for what explains it would be long if each case had several starts.
    engine = Flawed(right, fault="istream-ignored,union-dedup", **ONE_START)
    # On a busy machine 5 s by the clock have ended before the second cause was small.
    outcome, confirmed, (report,) = ran(tmp_path, engine, "union", deep=deep, shrinking=20.0)
    assert set(outcome.discovered) == {"istream-ignored", "union-dedup"}
    assert outcome.finished["union"].verdict == "failed"
    assert {event.property for event in confirmed} == {"union"}
    files = [Path(event.file).name for event in confirmed]
    assert len(files) == len({*files}) > 1 and (deep or len(files) == 2)
    assert all((tmp_path / "crashes" / name).exists() for name in files)
    assert report.count("\nWhy  ") == 2


def test_a_green_property_is_not_asked_again(tmp_path: Path) -> None:
    engine = Flawed(right)
    outcome, *_ = ran(tmp_path, engine, "windows", deep=True)
    counts = outcome.finished["windows"].counts
    assert engine.asked == counts["compared"] + counts["vacuous"]
    assert outcome.passed() and not outcome.discovered


def test_an_expected_failure_is_met_also_where_a_cause_explains_it(tmp_path: Path) -> None:
    mark = Mark("gaps", reason="not today")
    engine = Flawed(right, fault="bounds-start", **ONE_START)
    outcome, *_ = ran(tmp_path, engine, "windows", "gaps", marks=(mark,))
    assert outcome.finished["windows"].verdict == "failed"
    assert outcome.finished["gaps"].verdict == "xfailed"
    assert not outcome.unmet([mark])


def test_a_property_is_not_asked_on_where_nearly_all_fails_for_a_cause(tmp_path: Path) -> None:
    def asked(deep: bool) -> tuple[int, str]:
        engine = Flawed(right, fault="late-by-slide", **ONE_START)
        outcome, *_ = ran(tmp_path, engine, "windows", "gaps", examples=40, deep=deep)
        finished = outcome.finished["gaps"]
        return finished.counts["unasked"], finished.verdict

    assert asked(deep=False)[0] > 0
    assert asked(deep=True) == (0, "failed")


def test_a_search_begins_with_what_the_one_before_was_not_sure_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = Cause("bounds-end", Setting(mutants=("bounds-end",)))
    begun: list[tuple[Cause, ...]] = []

    def unsure(*_: object, before: tuple[Cause, ...], **__: object) -> tuple[Cause, ...]:
        begun.append(before)
        return (doubtful,)

    monkeypatch.setattr(seam, "find_causes", unsure)
    ran(tmp_path, Flawed(right, fault="bounds-start", **ONE_START), "windows", "gaps", "long")
    assert begun[:2] == [(), (doubtful,)]


def test_a_search_in_vain_is_not_repeated_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[tuple[int, int]] = []

    def in_vain(evidence: Evidence, *_: object, **__: object) -> tuple[Cause, ...]:
        searched.append((len(evidence.symptoms), len(evidence.answered)))
        return ()

    monkeypatch.setattr(seam, "find_causes", in_vain)
    # Looking behind what has no name searches in any case.
    monkeypatch.setattr(Last, "look_behind", lambda *_: False)
    names = ("windows", "gaps", "long", "t0", "silence")
    _, confirmed, _ = ran(tmp_path, Flawed(right, fault="bounds-start", **ONE_START), *names)
    shown = len(confirmed)
    *on_the_way, at_the_end = searched
    assert on_the_way[0][0] == 1 and at_the_end[0] == shown
    for (one, answers), (other, more) in pairwise(on_the_way):
        assert 2 * one <= other or 1.5 * answers <= more


def spoilt(request: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
    """Every literal that a query computes is another one."""
    for answer in reply.get("answers", ()):
        for row in answer.get("solutions", ()):
            for name, cell in row.items():
                if name.startswith("value") and cell["type"] == "literal":
                    row[name] = {"type": "literal", "value": "spoilt"}
    return reply


def test_a_wrong_value_is_shown_once_for_each_operator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seam, "SEARCHING_BRIEFLY", 100)
    _, confirmed, _ = ran(tmp_path, Flawed(spoilt, **ONE_START), "windows", "gaps")
    prints = [fingerprint(Symptom.of(finding_in(read(Path(own.file))))) for own in confirmed]
    values = [own for own in prints if own.kind == WRONG_VALUE]
    assert len(values) == len({*values}) > 2


def test_an_engine_that_fails_everywhere_is_asked_until_that_is_plain(tmp_path: Path) -> None:
    def nothing(request: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
        return {**reply, "answers": []}

    def counts(deep: bool) -> Mapping[str, int]:
        engine = Flawed(nothing, **ONE_START)
        outcome, *_ = ran(tmp_path, engine, "windows", examples=100, deep=deep)
        assert outcome.finished["windows"].verdict == "failed"
        return outcome.finished["windows"].counts

    assert ENOUGH_WRONG <= counts(deep=False)["compared"] < ENOUGH_WRONG + BLOCK
    assert counts(deep=True)["unasked"] == 0


def test_a_run_with_many_unexplained_failures_shows_few_more_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(naming, "MANY_UNEXPLAINED", 2)
    names = ("windows", "gaps", "join", "filter", "union", "minus", "distinct", "exists")

    def later(request: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
        """Each answer stamped by what its query looks like, as no setting does."""
        moved = 1 + len(request["query"]) % 7
        answers = reply.get("answers", ())
        return {**reply, "answers": [{**own, "t": own["t"] + moved} for own in answers]}

    outcome, confirmed, _ = ran(tmp_path, Flawed(later, **ONE_START), *names, examples=20)
    assert {own.kind for own in confirmed}.isdisjoint({"crashed", "unstable"})
    assert 2 <= len(confirmed) <= 2 + SEARCHES + 2
    assert all(outcome.finished[name].verdict == "failed" for name in names)


@pytest.mark.parametrize("fault", ["newest-only", "late-by-slide"])
def test_the_case_of_a_cause_has_an_element_and_rows(tmp_path: Path, fault: str) -> None:
    """A case without any shows such a defect too: two empty answers, at two instants."""
    outcome, *_ = ran(tmp_path, Flawed(right, fault=fault), "windows", examples=40)
    assert [cause.id for cause in outcome.causes] == [fault]
    shown = read(Path(outcome.causes[0].file))
    (stimulus,) = shown.stimuli
    assert stimulus.case.elements
    verdict = judge(stimulus.case, shown.dials(stimulus), shown.cases[0].observed)
    assert verdict.divergence is not None
    answers = (verdict.divergence.expected, verdict.divergence.observed)
    assert any(answer is not None and not is_empty(answer.content) for answer in answers)
