"""What a terminal shows of failures: in full once, then in a line; with colour, and without."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.recorded import finding_in
from rsp_conformance.model.setting import Setting
from rsp_conformance.plugin.failures import Failures, carried, failed_property, failure
from rsp_conformance.plugin.published import publish, step_summary
from rsp_conformance.plugin.results import Results
from rsp_conformance.run.events import EVENTS, CauseDiscovered, Event, PropertyFinished
from rsp_conformance.run.report import FailureText
from rsp_conformance.run.run_report import run_report
from rsp_conformance.run.unexplained import print_of
from tests.docs.markdown import ROOT
from tests.run import test_causes
from tests.run.test_causes import OTHER
from tests.run.test_run_report import STARTED, outcome

CRASHES = ROOT / "tools" / "engines" / "crashes"
"""Each round's text is TEXT, whatever its crash file holds; by that it is explained."""


def crash(name: str) -> str:
    return str(CRASHES / f"{name}.json")


NEWEST = replace(test_causes.NEWEST, file=crash("rsp-js-newest-only"))
WRONG = Cause(
    "wrong-instance",
    Setting.of(mutants=["wrong-instance"]),
    properties=("join", "long"),
    file=crash("rsp-rs-wrong-instance"),
    text="another window's instance is read",
)

TEXT = """Missing at t=4: {?x=:a}
missing answer · toy 1.0 · profile rsp-ql · property windows

Answers, compared from 0 on
  t=4     expected            {?x=:a}  <- first difference
  t=5     received            {?x=:a}

Why
  No other window start is allowed (t0=1), so the answer is wrong.

rsp-conformance replay .rsp/crashes/toy-windows.json"""


def terminal_of(*options: str, colour: bool = False) -> tuple[Any, io.StringIO]:
    """A terminal that pytest would write to under OPTIONS, and what it wrote."""
    config = pytest.Config.fromdictargs({}, ["-p", "no:subtests", *options])
    written = io.StringIO()
    terminal = pytest.TerminalReporter(config, written)
    terminal._tw.hasmarkup = colour
    terminal._tw.fullwidth = 80
    config.pluginmanager.unregister(name="terminalreporter")
    config.pluginmanager.register(terminal, "terminalreporter")
    return terminal, written


def report_of(name: str, *texts: FailureText, causes: tuple[Any, ...] = (), said: str = "") -> Any:
    """The report of a failed property, as it comes from the process that has run it."""
    shown = failed_property(texts) if texts else failure(said, place="rsp::test_x")
    report = pytest.TestReport(
        f"rsp::test_{name}", ("rsp", None, f"test_{name}"), {}, "failed", shown, "call"
    )
    events = [
        EVENTS.write(Event, CauseDiscovered(name, CAUSES.write(Cause, cause))) for cause in causes
    ]
    vars(report).update(rsp_failures=carried(texts), rsp_events=events)
    # All that xdist makes of it on its way.
    return pytest.TestReport._from_json(report._to_json())


def text_of_failure(
    name: str, file: str = "", same_as: str = "", shows: tuple[str, ...] = ()
) -> FailureText:
    """A failure with the crash file of a defect, which shows known causes, or has a group."""
    path = Path(file or crash(name))
    if path.exists():
        shows = shows or (print_of(finding_in(read(path))),)
    return FailureText("Missing at t=4: {?x=:a}", TEXT, (str(path),), same_as, shows)


def shown(
    *reports: Any,
    options: tuple[str, ...] = (),
    colour: bool = False,
    causes: tuple[Cause, ...] = (NEWEST, OTHER),
) -> tuple[str, str, list[str]]:
    """What is written as REPORTS come, then in FAILURES, and the list of failures."""
    terminal, written = terminal_of(*options, colour=colour)
    results = Results()
    failures = Failures(terminal.config, results)
    for report in reports:
        results.take([PropertyFinished(report.nodeid.removeprefix("rsp::test_"), "failed")])
        results.add(report)
        terminal.stats.setdefault("failed", []).append(report)
        failures.pytest_runtest_logreport(report)
    at_once = written.getvalue()
    results.causes = causes
    summary = failures.pytest_terminal_summary(terminal)
    next(summary)
    terminal.summary_failures()
    failures.unfold(terminal)
    at_the_end = written.getvalue().removeprefix(at_once)
    terminal.reportchars = "f"
    terminal.short_test_summary()
    lines = written.getvalue().splitlines()
    with pytest.raises(StopIteration):
        next(summary)
    assert terminal.stats.get("failed", []) == [*reports]
    return at_once, at_the_end, [line for line in lines if line.startswith("FAILED")]


FIRST = report_of("windows", text_of_failure("rsp-js-newest-only"), causes=(NEWEST,))
ALIKE = report_of("gaps", text_of_failure("rsp-rs-newest-only"), causes=(NEWEST,))
SAME = report_of("join", text_of_failure("rsp-js-newest-only", same_as="windows"))
BEFORE = report_of("filter", said="again: newest-only (7)")
EARLY = report_of("join", text_of_failure("rsp-js-wrong-instance"))
LATE = report_of("long", text_of_failure("rsp-rs-wrong-instance"))


@pytest.mark.parametrize("options", [(), ("-q",), ("--tb=short",), ("--tb=native",), ("-v",)])
def test_a_cause_is_shown_in_full_once(options: tuple[str, ...]) -> None:
    now, then, listed = shown(FIRST, ALIKE, SAME, BEFORE, options=options)
    assert now.count(TEXT) == 1
    assert now.count("____ Cause 1 newest-only (property windows) ____") == 1
    assert "\nCause 1 newest-only: Of several closed windows only the newest" in now
    assert len(listed) == 4
    if options != ("-v",):
        assert then == ""  # The table says the rest.
        return
    title, *lines = then.splitlines()[1 : 4 + 1]
    assert "rsp: 3 more properties" in title
    assert lines == [
        "gaps                  1 newest-only, 2 bounds=[o,c): Missing at t=4: {?x=:a}",
        "join                  as windows: Missing at t=4: {?x=:a}",
        "filter                again: newest-only (7)",
    ]
    assert listed[0] == "FAILED rsp::test_windows - Missing at t=4: {?x=:a}"


def test_what_nothing_explains_yet_waits_for_its_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    reports, causes = (FIRST, EARLY, LATE, BEFORE), (NEWEST, WRONG)
    now, then, _ = shown(*reports, causes=causes)
    assert now.count(TEXT) == 1 and "\nlong: " not in now
    # The smallest case of the cause, and not the first one that was found.
    assert then.count(TEXT) == 1 and then.count("_ Cause 2 wrong-instance (property long) _") == 1
    now, then, _ = shown(*reports, options=("-v",), causes=causes)
    file = "tools/engines/crashes/rsp-js-wrong-instance.json"
    assert f"\njoin: Missing at t=4: {{?x=:a}}\n  rsp-conformance replay {file}\n" in now
    assert now.count(TEXT) == 1 and "\nlong: Missing at " in now
    assert then.count(TEXT) == 1 and then.count("_ Cause 2 wrong-instance (property long) _") == 1
    assert "\nCause 2 wrong-instance: Another window's instance is read." in then
    assert "rsp: 2 more properties" in then
    assert "\njoin                  2 wrong-instance: Missing at t=4: {?x=:a}\n" in then


def test_causes_that_are_named_in_the_end_have_numbers_of_their_own() -> None:
    other = report_of("anything", text_of_failure("csparql-lost-at-start"))
    bounds = replace(OTHER, file=crash("csparql-lost-at-start"), properties=("anything",))
    wrong = replace(WRONG, file=crash("rsp-js-wrong-instance"), properties=("join",))
    _, then, _ = shown(FIRST, EARLY, other, causes=(NEWEST, bounds, wrong))
    assert (
        "_ Cause 2 bounds=[o,c) (property anything) _" in then
        and "\nCause 2 bounds=[o,c): " in then
    )
    assert (
        "_ Cause 3 wrong-instance (property join) _" in then
        and "\nCause 3 wrong-instance: " in then
    )


def test_what_another_process_has_found_explains_it() -> None:
    told = report_of("gaps", text_of_failure("rsp-rs-newest-only"), causes=(NEWEST, WRONG))
    names = {"join": "rsp-js-wrong-instance", "long": "rsp-rs-wrong-instance"}
    by_now = [
        report_of(name, text_of_failure(file, shows=("wrong-instance",)))
        for name, file in names.items()
    ]
    for early, late in (by_now, by_now[::-1]):
        reports, causes = (FIRST, told, early, late), (NEWEST, WRONG)
        now, then, _ = shown(*reports, options=("-v",), causes=causes)
        assert now.count(TEXT) == 2 and now.count("_ Cause 2 wrong-instance (") == 1
        assert TEXT not in then and "rsp: 2 more properties" in then


@pytest.mark.parametrize("causes", [(), (NEWEST,)])
def test_what_stays_unexplained_is_told_once(causes: tuple[Cause, ...]) -> None:
    """By its fingerprint, which the end of a run names, and one that was interrupted does not."""
    strange = [report_of(name, text_of_failure("cqels-not-error")) for name in ("exists", "minus")]
    other = report_of("anything", text_of_failure("csparql-lost-at-start"))
    gone = report_of("paths", text_of_failure("gone"))
    for options in ((), ("-v",)):
        now, then, _ = shown(FIRST, *strange, other, gone, options=options, causes=causes)
        assert now.count(TEXT) == 1 and then.count(TEXT) == 2
        for name in ("exists", "anything"):
            assert f"_ unexplained (property {name}) _" in then
    assert "rsp: 2 more properties" in then and "\npaths " in then
    # The first of all failures is shown at once, whatever is behind it.
    now, then, _ = shown(*strange, causes=causes)
    assert now.count(TEXT) == 1 and "_ property exists _" in now and TEXT not in then


def test_several_causes_of_one_property_have_a_block_each() -> None:
    texts = (text_of_failure("rsp-js-newest-only"), text_of_failure("rsp-rs-wrong-instance"))
    # What was shrunk to the same case again.
    second = report_of("gaps", *texts, texts[1], causes=(NEWEST, WRONG))
    title = "____ Cause 2 wrong-instance (property gaps) ____"
    now, then, _ = shown(second, options=("-v",))
    assert title in now and now.count(TEXT) == 2
    assert "FAILURES" not in then
    now, then, _ = shown(FIRST, second, options=("-v",))
    assert now.count(title) == 1 and "FAILURES" not in then
    now, then, _ = shown(second, causes=(NEWEST, WRONG))
    assert now.count(TEXT) == then.count(TEXT) == 1 and title in then


def test_so_many_cases_are_shown_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    reports, causes = (FIRST, EARLY, LATE), (NEWEST, WRONG)
    monkeypatch.setattr("rsp_conformance.plugin.failures.LINES", 70)
    assert shown(*reports, causes=causes)[1].count(TEXT) == 1
    monkeypatch.setattr("rsp_conformance.plugin.failures.LINES", 60)
    assert TEXT not in shown(*reports, causes=causes)[1]
    assert shown(*reports, causes=causes, options=("-v",))[1].count(TEXT) == 1


def test_many_properties_have_one_line_in_the_list_of_failures() -> None:
    many = [report_of(f"p{number}", text_of_failure("rsp-js-newest-only")) for number in range(11)]
    listed = shown(*many)[2]
    assert listed == ["FAILED rsp - 11 properties failed: see the table and the causes above"]
    assert len(shown(*many[1:])[2]) == 10 and len(shown(*many, options=("-v",))[2]) == 11


def test_lines_and_nothing_where_pytest_is_asked_for_them() -> None:
    now, then, listed = shown(FIRST, ALIKE, BEFORE, options=("--tb=line",))
    assert now == ""
    assert [line.partition("crashes/")[2] for line in then.splitlines()[1:3]] == [
        "rsp-js-newest-only.json:1: Missing at t=4: {?x=:a}",
        "rsp-rs-newest-only.json:1: Missing at t=4: {?x=:a}",
    ]
    assert then.splitlines()[3:] == ["rsp::test_x:1: again: newest-only (7)"]
    assert shown(FIRST, BEFORE, options=("--tb=no",))[:2] == ("", "")
    assert len(listed) == 3


def test_other_tests_and_longer_texts_keep_their_sections() -> None:
    theirs = pytest.TestReport("t.py::test_t", ("t.py", 1, "test_t"), {}, "failed", "boo", "call")
    lost = report_of("ask", said="the engine is lost\nits last words")
    now, then, _ = shown(theirs, FIRST, lost, BEFORE, options=("-v",))
    assert "boo" not in now and "its last words" not in now
    sections = [line.strip("_ ") for line in then.splitlines() if line.startswith("___")]
    assert sections == ["test_t", "test_ask", "rsp: 1 more property"]
    assert "\nboo\n" in then and "\nits last words\n" in then


def test_an_engines_words_control_no_terminal() -> None:
    crash = failure("the engine is lost", "said: \x1b[2J\nmore").reprcrash
    assert crash is not None and crash.message == r"said: \x1b[2J\x0amore"


def test_colour_is_the_terminals_alone() -> None:
    assert "\x1b" not in str(FIRST.longrepr) and "\x1b" not in "".join(shown(FIRST)[:2])
    now, _, _ = shown(FIRST, colour=True)
    assert "\x1b[31m\x1b[1mMissing at t=4: {?x=:a}\x1b[0m\n" in now
    assert "\x1b[1mAnswers, compared from 0 on\x1b[0m\n" in now
    difference = "  t=4     expected            {?x=:a}  <- first difference"
    assert f"\x1b[31m\x1b[1m{difference}\x1b[0m\n" in now
    assert "\x1b[33m  t=5     received            {?x=:a}\x1b[0m\n" in now


# --- A result that cannot be written is told of, place by place, and ends nothing -----------------


def test_each_place_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "summary.md"))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    assert step_summary() is None
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (tmp_path / "file").touch()
    options = SimpleNamespace(json=tmp_path / "no" / "run.json", report=tmp_path / "file")
    document = run_report(outcome(), STARTED, passed=False)
    said = list(publish(document, options, tmp_path))  # type: ignore[arg-type]
    names = [line.partition(" ")[0] for line in said]
    assert names == ["--rsp-json", "--rsp-report", "GITHUB_STEP_SUMMARY"]
    assert all(": " in line and "\n" not in line for line in said)
    # A second step of a job, and a second run, stand behind the first.
    (tmp_path / "no").mkdir()
    options.report = None
    assert not [*publish(document, options, tmp_path), *publish(document, options, tmp_path)]  # type: ignore[arg-type]
    assert (tmp_path / "no" / "summary.md").read_text("utf-8").count(
        "# RSP-QL conformance report: e 1.0\n"
    ) == 2
    assert (tmp_path / "no" / "run.json").is_file()
