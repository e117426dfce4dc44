"""How the causes of a run are named, and said at the end of a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rsp_conformance.cli.check import trivial
from rsp_conformance.diagnosis import seam
from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.recount import behind
from rsp_conformance.explain.document import plain
from rsp_conformance.explain.render.listing import listing
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.verdict import finding_of, verdict_on
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.run.causes import closing, evidence_for, given_up, note
from rsp_conformance.run.events import EVENTS, CausesFound, Event, FindingConfirmed
from rsp_conformance.run.outcome import RunOutcome
from tests.builders.engines import ONE_START, Flawed, failures_of, right, run_of

NEWEST = Cause(
    "newest-only",
    Setting.of(mutants=["newest-only"]),
    properties=("windows", "gaps"),
    explains=412,
    open=3,
    passing=900,
    file="/x/crashes/a.json",
    elements=2,
    text="of several closed windows only the newest is answered",
)
OTHER = Cause(
    "bounds=[o,c)",
    Setting.of({"bounds": "[o,c)"}),
    alternatives=(Setting.of({"bounds": "[o,c]"}),),
    properties=("gaps",),
    explains=1,
    contradicts=2,
    passing=900,
    elements=1,
    text="It answers so.",
)
STRANGE = Cause("?-0a1b", properties=("gaps", "join"), elements=3, text="crashed: \x1b[2J …")
ALL = (NEWEST, OTHER, STRANGE)


def test_a_property_is_named_by_its_causes() -> None:
    assert note("windows", ALL) == "1 newest-only"
    assert note("gaps", ALL) == "1 newest-only, 2 bounds=[o,c), ?"
    assert note("join", ALL) == "unexplained"
    assert note("filter", ALL) == ""


def test_the_evidence_for_a_cause_is_a_sentence() -> None:
    said = evidence_for(replace(NEWEST, explains=2, open=1, asked=9))
    assert said.startswith("Shows in 3 of 9 wrong answers and explains 2 of them; would make none")
    said = evidence_for(replace(NEWEST, explains=8, open=1, asked=9, passing=0))
    assert said.endswith("explains 8 of them; there was no right answer to compare it with.")
    all_shown = replace(NEWEST, explains=9, open=0, asked=9)
    assert evidence_for(all_shown).startswith("Explains all 9 wrong answers in which it shows; ")
    said = evidence_for(replace(all_shown, asked=20))
    assert said.startswith("Explains 9 of 20 wrong answers, all those in which it shows; ")
    said = evidence_for(replace(all_shown, explains=1, asked=1))
    assert said.startswith("Explains the 1 wrong answer in which it shows; would make none")


def test_a_cause_keeps_the_number_under_which_it_was_told() -> None:
    assert note("gaps", ALL, ["?-0a1b", "bounds=[o,c)"]) == "2 newest-only, 1 bounds=[o,c), ?"
    assert note("windows", ALL, ["gone"]) == "2 newest-only"


def closed(name: str, causes: Sequence[Cause] = ALL, files: Sequence[str] = ()) -> list[str]:
    return [plain(line) for line in listing(closing(name, causes, files), 2000)]


def test_a_report_closes_with_what_all_cases_say() -> None:
    said = " ".join(closed("windows"))
    assert said.startswith("Cause 1 newest-only: Of several closed windows only the newest")
    assert "900" not in said  # counts stand once, at the end of the run
    assert said.endswith("Smallest case of this cause: /x/crashes/a.json")
    assert "Smallest" not in " ".join(closed("windows", files=("/x/crashes/a.json",)))
    assert closed("join")[0].endswith("No dial and no known bug explains it.")
    assert closed("filter") == []


def test_what_is_beside_the_case_that_is_shown_is_not_said_to_be_its_cause() -> None:
    hung = Cause("?-1c2d", properties=("join",), file="/x/crashes/b.json", text="timeout: …")
    own = replace(STRANGE, file="/x/crashes/c.json")
    files = ("/x/crashes/c.json", "/x/crashes/b.json")
    first, second = closed("join", (hung, own), files)
    assert first.startswith("Cause unknown: Crashed")
    assert second.startswith("Beside it, cause unknown: Timeout")


def test_what_was_told_of_and_given_up_is_said() -> None:
    told = ["?-0a1b", "newest-only", "answers-overtake", "bounds=[o,c)"]
    said = "Suspected on the way, and not borne out in the end: 2 answers-overtake."
    assert given_up([cause.id for cause in ALL], told) == said
    assert given_up(told, told) == ""


def test_a_run_that_failed_says_what_stands_behind_it(tmp_path: Path) -> None:
    events: list = []
    engine = Flawed(right, fault="bounds-end", **ONE_START)
    run = run_of(engine, tmp_path, emit=events.append)
    failures_of(run, "windows")
    run.finish()
    outcome = RunOutcome().take(EVENTS.read(Event, EVENTS.write(Event, event)) for event in events)
    assert [cause.properties for cause in outcome.causes] == [("windows",)]
    assert outcome.causes[0].is_explained and outcome.causes[0].contradicts == 0
    (cause,) = outcome.causes
    assert cause.together == read(Path(cause.file)).causes == (cause.id,)
    assert {type(event) for event in events} >= {CausesFound, FindingConfirmed}


def test_a_case_that_shows_two_causes_says_so(tmp_path: Path) -> None:
    both = ("bounds-end", "late-by-slide")
    run = run_of(Flawed(right, fault=",".join(both), **ONE_START), tmp_path)
    subject, diagnosis = run.subject, run.naming.diagnosis
    observation = subject.ask(Stimulus(trivial(subject.profile.base, subject.features)))
    finding = finding_of("windows", subject, observation, verdict_on(observation))
    assert finding is not None
    symptoms = [Symptom.of(finding, file="a.json")]
    causes = [Cause(name, Setting.of(mutants=[name])) for name in ("stale-join", *both)]
    ((file, together),) = behind(diagnosis, symptoms, (), [*causes, STRANGE]).items()
    assert (file, together) == ("a.json", both)
    assert behind(diagnosis, symptoms, (), causes[:2]) == {}
    said = "This case shows 2 causes: bounds-end, late-by-slide."
    own = replace(NEWEST, file="a.json", together=together)
    assert closed("windows", [own], ["a.json"])[0].endswith(said)
    assert said not in " ".join(closed("windows", [own]))
    alone = replace(own, together=("newest-only",))
    assert "This case" not in " ".join(closed("windows", [alone], ["a.json"]))


def test_a_mistake_in_naming_causes_takes_no_verdict_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    events: list = []
    run = run_of(Flawed(right, fault="bounds-end", **ONE_START), tmp_path, emit=events.append)
    failures_of(run, "windows")
    monkeypatch.setattr(seam, "find_causes", broken)
    run.finish()
    outcome = RunOutcome().take(events)
    assert outcome.unnamed == "ZeroDivisionError: a bug"
    assert outcome.finished["windows"].verdict == "failed"
