"""What a session shows: its header, the table property × verdict, the timings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from rsp_conformance import __version__
from rsp_conformance.causes.cause import Cause
from rsp_conformance.judge.crash_file import own_folder
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.plugin.options import PREFIX, Options, worker_input
from rsp_conformance.suite.causes import cause_lines, closing
from rsp_conformance.suite.causes import note as causes_of
from rsp_conformance.suite.events import PropertyFinished, from_json
from rsp_conformance.suite.outcome import BURN_IN, RunOutcome
from rsp_conformance.suite.properties import AGAINST, SUITE

WIDTH = 80
KIT_ERROR = "KIT ERROR"
WORDS = {"failed": "FAILED", "engine lost": "FAILED", "kit error": KIT_ERROR}
DISAGREEMENT = "rsp-conformance: internal error"


def header(options: Options, subject: EngineUnderTest, judged_by: str) -> list[str]:
    """Lines for the head of pytest's output."""
    hello = subject.hello
    turned = " ".join(f"{dial}={value}" for dial, value in options.dial.items())
    profile = subject.profile.name + (f" with {turned}" if turned else "")
    return [
        f"rsp-conformance {__version__}: {hello.engine} {hello.version}, profile {profile}",
        f"rsp-conformance: judged by {judged_by}",
        f"rsp-conformance: --rsp-seed={options.seed}",
        *(f"rsp-conformance: known: {cause.id} ({cause.reason})" for cause in options.known),
        *(f"rsp-conformance: {note}" for note in options.notes),
    ]


def user_properties(event: PropertyFinished) -> list[tuple[str, object]]:
    """A property's counts as pytest's user properties, which reach JUnit XML."""
    found = [(f"rsp_{name}", str(number)) for name, number in event.counts.items()]
    more = {"rsp_marked": " ".join(event.marks), "rsp_note": event.note}
    return [*found, *((name, text) for name, text in more.items() if text)]


def row(event: PropertyFinished, causes: Sequence[Cause] = ()) -> str:
    """What the table says of a property, at most WIDTH columns; of one that failed its CAUSES."""
    text = f"{event.property:<19} {WORDS.get(event.verdict, event.verdict):<10} "
    if event.verdict != "skipped" and event.counts:
        shown = ("compared", "unsupported", "vacuous")
        text += "{:>8} {:>6} {:>7}  ".format(*(event.counts[count] for count in shown))
    note = f"no feature {' and '.join(event.missing)}" if event.missing else event.note
    if event.verdict == "failed":
        note = causes_of(event.property, causes) or note
    text = (text + note).rstrip()
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


class Results(RunOutcome):
    """What came of a session's properties, wherever they ran, and how it is shown.

    ``unwritten`` is why the result was not written where it should have been.
    """

    unwritten = ""

    def add(self, report: pytest.TestReport) -> None:
        """Take note of what came with one phase of one test; what failed without a word is ours."""
        self.take(from_json(document) for document in getattr(report, "rsp_events", ()))
        name = report.nodeid.removeprefix(f"{PREFIX}test_")
        unexplained = report.when != "call" or name not in self.finished
        if report.failed and name != report.nodeid and unexplained:
            self.kit_error(name, str(report.longrepr))

    def close_reports(self, reports: Iterable[pytest.TestReport]) -> None:
        """Say at the end of each failed property's text what stands behind it."""
        for report in reports:
            name = report.nodeid.removeprefix(f"{PREFIX}test_")
            if name != report.nodeid and isinstance(report.longrepr, str):
                lines = closing(name, self.causes, WIDTH)
                report.longrepr = "\n".join([report.longrepr, *lines])

    def write(
        self,
        terminal: pytest.TerminalReporter,
        options: Options,
        subject: EngineUnderTest,
        judged_by: str,
    ) -> None:
        """The table property × verdict, at most 80 columns."""
        if not self.finished:
            return
        terminal.section(f"RSP conformance: {subject.hello.engine} {subject.hello.version}")
        terminal.write_line(
            f"{'property':<19} {'verdict':<10} {'compared':>8} {'unsup.':>6} {'vacuous':>7}"
        )
        for name in (*(property.name for property in SUITE + AGAINST), BURN_IN):
            if name in self.finished:
                terminal.write_line(row(self.finished[name], self.causes))
        if self.causes:
            terminal.write_line("")
            terminal.write_line("Causes of what failed, each with its smallest case")
            for line in cause_lines(self.causes, WIDTH):
                terminal.write_line(line)
            terminal.write_line("")
        if self.unnamed:
            terminal.write_line(f"{DISAGREEMENT}: no causes are named: {self.unnamed}")
        for name, text in self.disagreements.items():
            terminal.write_line(f"{PREFIX}test_{name}: {DISAGREEMENT}: {text}")
        if self.unwritten:
            terminal.write_line(f"Not written: {self.unwritten}")
        if self.lost:
            terminal.write_line(f"Not confirmed: {self.lost}")
        if self.vacuous:
            terminal.write_line("Nothing was compared: this run says nothing about the engine.")
        if self.not_judged:
            terminal.write_line(
                f"Not judged: {self.not_judged} cases, whose evaluation by the kit takes too long "
                "(--rsp-judging-limit)."
            )
        for mark in self.unmet(options.xfails):
            terminal.write_line(f"Expected, and did not come: {mark} ({mark.reason})")
        for id in self.gone:
            terminal.write_line(f"Known, and no longer shown: {id} (fixed: remove it)")
        terminal.write_line(f"Judged by {judged_by}.")
        terminal.write_line(f"The same cases again: --rsp-seed={options.seed}")

    def write_timings(self, config: pytest.Config, folder: Path) -> None:
        """Leave the split of the time in ``timings.json``, for ``make bench``."""
        if not self.finished or worker_input(config):
            return
        names = {"waiting for Spark": "spark"}
        split = {names.get(name, name): round(s, 3) for name, s in self.seconds.items()}
        own_folder(folder)
        (folder / "timings.json").write_text(json.dumps(split, indent=2) + "\n", "utf-8")
