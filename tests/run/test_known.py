"""Known causes in a run: what they explain accuses nobody, and the search goes on behind it."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.diagnosis import seam
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses
from rsp_conformance.diagnosis.known_file import fingerprint_of, read_known
from rsp_conformance.diagnosis.simulation import differ
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.recorded import finding_in
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.setting import Setting
from rsp_conformance.run.events import (
    CaseJudged,
    Event,
    FindingConfirmed,
    KnownCausesSeen,
    PropertyFinished,
)
from rsp_conformance.run.outcome import RunOutcome
from tests.builders.engines import (
    ONE_START,
    Flawed,
    error,
    failures_of,
    in_turn,
    perform,
    right,
    rows_doubled,
    rows_lost,
    run_of,
)

LONG = 3_000
"""Predictions for a search that finds something."""


def mutant(*names: str) -> KnownCause:
    return KnownCause(Setting.of(mutants=names), "why")


def dial(**dials: str) -> KnownCause:
    return KnownCause(Setting.of(dials), "why")


def mutated(*mutants: str, **options: str) -> Flawed:
    return Flawed(right, fault=",".join(mutants), **options)


def ran(
    folder: Path,
    engine: Flawed,
    name: str,
    *known: KnownCause,
    examples: int = 25,
    shrinking: float = 0.0,
) -> tuple[RunOutcome, list[Event]]:
    """What a run of the property NAME comes to; its failures stand in the events."""
    events: list[Event] = []
    how: dict[str, Any] = {"examples": examples, "known": known, "shrinking": shrinking}
    run = run_of(lambda: engine, folder, emit=events.append, **how)
    perform(run, name)
    run.finish()
    return RunOutcome().take(events), events


def test_what_a_known_mutant_explains_is_counted_apart(tmp_path: Path) -> None:
    cause = mutant("istream-ignored")
    outcome, events = ran(tmp_path, mutated("istream-ignored"), "istream", cause)
    finished = outcome.finished["istream"]
    counts = finished.counts
    known = counts["known"]
    assert known > 0 and known + counts["compared"] >= 20, counts
    assert (finished.verdict, finished.note) == ("xfailed", f"{known} known: istream-ignored")
    outcomes = Counter(event.outcome for event in events if isinstance(event, CaseJudged))
    assert outcomes[Outcome.WRONG] == known
    assert outcome.passed(strict=True)
    assert (outcome.shown, outcome.gone) == ({"istream-ignored"}, [])
    assert not (tmp_path / "crashes").exists()


def test_a_known_dial_explains_as_a_mutant_does(tmp_path: Path) -> None:
    outcome, _ = ran(tmp_path, mutated("bounds-end", **ONE_START), "windows", dial(bounds="(o,c)"))
    assert outcome.finished["windows"].verdict == "xfailed"
    assert outcome.shown == {"bounds=(o,c)"} and outcome.passed()


def test_the_search_goes_on_for_what_else_is_wrong(tmp_path: Path) -> None:
    """What stands behind is found under the known cause too: it is wrong with it and without."""
    engine = mutated("istream-ignored", "filter-error-true")
    known = mutant("istream-ignored")
    outcome, _ = ran(tmp_path, engine, "filter", known, examples=15)
    assert outcome.finished["filter"].verdict == "failed"
    assert not outcome.passed()
    (file, *_) = (tmp_path / "crashes").iterdir()
    assert "FILTER" in read(file).cases[0].query_text


@pytest.mark.parametrize("cause", ["late-by-slide", "istream-ignored"])
def test_a_report_says_which_known_cause_shows_in_its_case_as_well(
    tmp_path: Path, cause: str
) -> None:
    """What it argues may be what that does: one shows always, one never."""
    engine, known = mutated(cause, "union-dedup", **ONE_START), Setting.of(mutants=[cause])
    run = run_of(lambda: engine, tmp_path, known=[mutant(cause)])
    for failure in failures_of(run, "union"):
        found = failure.finding
        shows = differ(known, Setting(), found.case, found.dials)
        assert (shows, found.known) == (
            (True, (cause,)) if cause == "late-by-slide" else (False, ())
        )
        said = f"This case also shows the known cause {cause}."
        assert (said in run.naming.reporter.text([failure]).split("\n")) is shows


def test_causes_explain_together_and_one_by_one(tmp_path: Path) -> None:
    """Cases in which both take part, one of them, and none."""
    turn = itertools.count()
    sets = (("bounds-end", "union-dedup"), ("bounds-end",))
    engines = [mutated(*own, **ONE_START) for own in sets]
    sometimes = Flawed(lambda request, _: engines[next(turn) % 2].run(request), **ONE_START)
    known = mutant("bounds-end"), mutant("union-dedup")
    outcome, _ = ran(tmp_path, sometimes, "union", *known, examples=40)
    assert outcome.finished["union"].verdict == "xfailed"
    assert outcome.shown == {"bounds-end", "union-dedup"}


def test_what_is_shrunk_to_known_causes_is_shrunk_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is shrunk it is only asked briefly what known causes explain."""
    brief: list[bool] = []
    explain = KnownCauses.explain

    def blind(self: KnownCauses, own: Observation, *, briefly: bool = False) -> Any:
        brief.append(briefly)
        smaller = briefly and self._explained and len(self.causes) == 1
        return None if smaller else explain(self, own, briefly=briefly)

    monkeypatch.setattr(KnownCauses, "explain", blind)
    engine = mutated("bounds-end", "union-dedup", **ONE_START)
    known = mutant("bounds-end")
    outcome, events = ran(tmp_path, engine, "union", known, examples=40, shrinking=20.0)
    assert {*brief} == {False, True}
    (path,) = {event.file for event in events if isinstance(event, FindingConfirmed)}
    monkeypatch.undo()
    finding = finding_in(read(Path(path)))
    assert not KnownCauses([known]).explain_all(Symptom.of(finding).observations)
    assert outcome.finished["union"].verdict == "failed"


def test_a_law_is_known_where_each_of_its_answers_is_right_or_known(tmp_path: Path) -> None:
    name, engine = "law[JUDistR]", mutated("union-dedup")
    outcome, _ = ran(tmp_path, engine, name, mutant("union-dedup"))
    finished = outcome.finished[name]
    assert (finished.verdict, finished.counts["known"] > 0) == ("xfailed", True)
    outcome, _ = ran(tmp_path, engine, name, mutant("istream-ignored"))
    assert outcome.finished[name].verdict == "failed"


def test_repeat_is_known_where_a_known_cause_shows_in_every_second_run(tmp_path: Path) -> None:
    # An answer that is right by the labels of elements alone needs no cause.
    one = {"t0": "0", "dial.t0": "0", "dial.blank_nodes": "case"}
    wrong = mutated("bounds-end", **one)
    every_second = in_turn(lambda request, _: wrong.run(request), right, over_again=True)
    engine = Flawed(every_second, **one)
    outcome, _ = ran(tmp_path, engine, "repeat")
    assert "unstable" in outcome.finished["repeat"].note
    outcome, _ = ran(tmp_path, engine, "repeat", mutant("bounds-end"))
    assert outcome.finished["repeat"].verdict == "xfailed", outcome.finished["repeat"]


def test_a_cause_explains_no_engine_that_gives_no_answer(tmp_path: Path) -> None:
    engine = Flawed(lambda request, _: error(request, "crashed"))
    outcome, _ = ran(tmp_path, engine, "windows", mutant("bounds-end"))
    assert outcome.finished["windows"].note.split(";")[0] == "crashed"


def test_what_is_known_by_its_fingerprint_is_known_in_the_events_too(tmp_path: Path) -> None:
    engine = Flawed(lambda request, _: error(request, "crashed"))
    _, events = ran(tmp_path, engine, "windows")
    (file,) = {event.file for event in events if isinstance(event, FindingConfirmed)}
    known = KnownCause(fingerprint=fingerprint_of(read(Path(file))), reason="why")
    outcome, events = ran(tmp_path, engine, "windows", known)
    judged = [event for event in events if isinstance(event, CaseJudged)]
    assert {(event.outcome, event.kind) for event in judged} == {(Outcome.FAILED, "crashed")}
    assert outcome.finished["windows"].counts["known"] == len(judged) >= 20


def test_a_known_cause_that_is_gone_fails_a_strict_run(tmp_path: Path) -> None:
    outcome, _ = ran(tmp_path, Flawed(right, **ONE_START), "windows", mutant("bounds-end"))
    assert outcome.finished["windows"].verdict == "passed"
    assert outcome.gone == ["bounds-end"]
    assert outcome.passed() and not outcome.passed(strict=True)


def test_a_cause_whose_cases_were_not_asked_is_not_gone(tmp_path: Path) -> None:
    outcome, _ = ran(tmp_path, Flawed(right), "windows", mutant("construct-silent"))
    assert (outcome.gone, outcome.shown) == ([], set())
    assert outcome.passed(strict=True)


def test_what_makes_no_right_answer_wrong_is_never_gone(tmp_path: Path) -> None:
    forgiving = dial(answer_time="none"), dial(time_tolerance="2"), dial(bounds="(o,c]")
    known = *forgiving, KnownCause(fingerprint="0123abcd", reason="why")
    outcome, _ = ran(tmp_path, Flawed(right, **ONE_START), "windows", *known)
    assert outcome.finished["windows"].verdict == "passed"
    assert (outcome.gone, outcome.shown) == ([], set())
    assert outcome.passed(strict=True)


def test_what_shows_in_one_worker_is_not_gone_in_another() -> None:
    ended = PropertyFinished("windows", "passed", counts={"compared": 20})
    seen = [KnownCausesSeen((), ("a", "b")), KnownCausesSeen(("a",), ())]
    outcome = RunOutcome().take([ended, *seen])
    assert outcome.gone == ["b"]


@pytest.mark.parametrize("compared", [0, 5])
def test_a_run_in_which_all_is_known_has_passed(compared: int) -> None:
    counts = {"compared": compared, "known": 20}
    assert RunOutcome().take([PropertyFinished("windows", "xfailed", counts=counts)]).passed()


def crashes_of(
    folder: Path, engine: Flawed, name: str, *known: KnownCause
) -> tuple[KnownCause, ...]:
    """The causes that the crash files of a run of ENGINE name, beside those that are KNOWN."""
    _, events = ran(folder, engine, name, *known, shrinking=1.0)
    files = [Path(own.file).resolve() for own in events if isinstance(own, FindingConfirmed)]
    entries = [f'[[known]]\ncrash = "{file}"\nreason = "why"\n' for file in files]
    (folder / "known.toml").write_text("\n".join(entries), "utf-8")
    return (*known, *read_known(folder / "known.toml"))


def test_a_crash_file_is_known_by_the_cause_that_explains_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not by its fingerprint, which another cause may have as well."""
    monkeypatch.setattr(seam, "SEARCHING_BRIEFLY", LONG)
    own, other = "newest-only", "silent-after-three"
    known = crashes_of(tmp_path / "before", mutated(own), "windows")
    outcome, _ = ran(tmp_path / "same", mutated(own), "windows", *known)
    same = outcome.finished["windows"]
    assert (same.verdict, same.counts["known"] > 10) == ("xfailed", True)
    assert outcome.shown == {own}
    for number, mutants in enumerate(([other], [own, other])):
        outcome, _ = ran(tmp_path / f"{number}", mutated(*mutants), "windows", *known, examples=40)
        assert outcome.finished["windows"].verdict == "failed"
        assert set(outcome.discovered) == {other}


def test_a_fingerprint_that_nothing_explains_covers_what_departs_like_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What departs otherwise is shrunk all the same, and none counts as right."""
    monkeypatch.setattr(seam, "find_causes", lambda *_, **__: ())

    def doubled(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        return rows_doubled(request, reply) if len(request["elements"]) > 3 else reply

    def lost(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        few = len(request["elements"]) <= 3
        return rows_lost(request, reply) if few else doubled(request, reply)

    # It shows in several kinds of wrong answers, and a run shrinks one of what nothing explains.
    known: tuple[KnownCause, ...] = ()
    for run in ("first", "second", "third"):
        known = crashes_of(tmp_path / run, Flawed(doubled, **ONE_START), "gaps", *known)
    assert len(known) >= 2
    outcome, _ = ran(tmp_path / "same", Flawed(doubled, **ONE_START), "gaps", *known, shrinking=1.0)
    same = outcome.finished["gaps"]
    assert (same.verdict, same.counts["known"] >= 10) == ("xfailed", True), same
    assert outcome.shown == {own.id for own in known} and not outcome.discovered
    outcome, _ = ran(tmp_path / "both", Flawed(lost, **ONE_START), "gaps", *known, shrinking=1.0)
    assert outcome.finished["gaps"].verdict == "failed"
