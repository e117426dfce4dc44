"""What a session shows: its header, the table property × verdict, the timings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rsp_conformance import __version__
from rsp_conformance.judge.crash_file import own_folder
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.plugin.arguments import PREFIX, Arguments
from rsp_conformance.suite.burnin_property import BURN_IN
from rsp_conformance.suite.properties import SUITE
from rsp_conformance.suite.tally import Tally

if TYPE_CHECKING:
    from rsp_conformance.suite.xfails import Mark

COUNTS = ("compared", "unsupported", "vacuous", "unasked", "disputed")
NOTE, MARKED, DISPUTE = "rsp_note", "rsp_marked", "rsp_dispute"
WIDTH = 80
UNDECLARED = "the engine does not declare the feature "
SKIPPED = "skipped"
DISAGREEMENT = "rsp-conformance: internal error"


def header(given: Arguments, subject: EngineUnderTest, judged_by: str) -> list[str]:
    """Lines for the head of pytest's output."""
    hello = subject.hello
    turned = " ".join(f"{dial}={value}" for dial, value in given.dials.items())
    profile = subject.profile.name + (f" with {turned}" if turned else "")
    return [
        f"rsp-conformance {__version__}: {hello.engine} {hello.version}, profile {profile}",
        f"rsp-conformance: judged by {judged_by}",
        f"rsp-conformance: --rsp-seed={given.seed}",
    ]


def measures(tally: Tally, marks: Sequence[Mark]) -> list[tuple[str, object]]:
    """A property's counts, as pytest's user properties (they reach reports and JUnit XML)."""
    found: list[tuple[str, object]] = [
        (f"rsp_{name}", str(getattr(tally, name))) for name in COUNTS
    ]
    if marks:
        found.append((MARKED, " ".join(str(mark) for mark in marks)))
    if tally.cut:
        found.append((NOTE, tally.cut))
    if tally.disputes:
        found.append((DISPUTE, tally.disputes[0]))
    return found


@dataclass(slots=True)
class Row:
    """What the table says of one property."""

    verdict: str = ""
    note: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    def line(self, name: str) -> str:
        """The row as text, at most WIDTH columns."""
        text = f"{name:<19} {self.verdict:<10} "
        if self.verdict != SKIPPED and self.counts:
            shown = ("compared", "unsupported", "vacuous")
            numbers = (self.counts.get(count, 0) for count in shown)
            text += "{:>8} {:>6} {:>7}  ".format(*numbers)
        text = (text + self.note).rstrip()
        return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


@dataclass(slots=True)
class Results:
    """The verdicts of a session, gathered from reports."""

    rows: dict[str, Row] = field(default_factory=dict)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    marked: set[str] = field(default_factory=set)
    disagreements: dict[str, str] = field(default_factory=dict)
    disputes: dict[str, str] = field(default_factory=dict)
    written: bool = False

    def add(self, report: pytest.TestReport) -> None:
        """Take note of one phase of one property."""
        if not report.nodeid.startswith(f"{PREFIX}test_"):
            return
        row = self.rows.setdefault(report.nodeid.removeprefix(f"{PREFIX}test_"), Row())
        notes = [str(value) for name, value in report.user_properties if name == NOTE]
        if report.when == "call":
            row.counts = {
                name.removeprefix("rsp_"): int(str(value))
                for name, value in report.user_properties
                if name.removeprefix("rsp_") in COUNTS
            }
            row.note = "; ".join(notes)
            for name, value in report.user_properties:
                if name == DISPUTE:
                    self.disputes[report.nodeid.removeprefix(f"{PREFIX}test_")] = str(value)
            self.marked.update(
                mark
                for name, value in report.user_properties
                if name == MARKED
                for mark in str(value).split()
            )
        if hasattr(report, "wasxfail"):
            row.verdict, row.note = "xfailed", report.wasxfail
        elif report.skipped:
            row.verdict = "not tested" if report.when == "call" else SKIPPED
            if report.when != "call":
                reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
                row.note = str(reason).removeprefix("Skipped: ").replace(UNDECLARED, "no feature ")
        elif report.failed:
            said = str(report.longrepr)
            kit = report.when != "call" or said.startswith(DISAGREEMENT)
            row.verdict = "KIT ERROR" if kit else "FAILED"
            row.note = row.note or _first_line(said)
        elif report.when == "call":
            row.verdict = "passed"

    def vacuous(self) -> bool:
        """Whether the suite ran and no property compared a single case."""
        return bool(self.rows) and not any(r.counts.get("compared") for r in self.rows.values())

    def unmet(self, marks: Sequence[Mark]) -> list[Mark]:
        """Those of MARKS whose property ran, and which expected nothing that came."""
        ran = {name for name, row in self.rows.items() if row.counts}
        return [m for m in marks if m.property_name in ran and str(m) not in self.marked]

    def take_over(self, output: Mapping[str, Any]) -> None:
        """Add what a worker measured, and what Spark said at its end."""
        self.add_seconds(output.get("rsp_seconds", {}))
        for name, text in output.get("rsp_disagreements", {}).items():
            self.disagreements[name] = text
            row = self.rows.setdefault(name, Row())
            row.verdict, row.note = "KIT ERROR", _first_line(text)

    def add_seconds(self, seconds: Mapping[str, float]) -> None:
        """Add a process's timings."""
        for phase, spent in seconds.items():
            self.seconds[phase] += spent

    def write(
        self,
        terminal: pytest.TerminalReporter,
        given: Arguments,
        subject: EngineUnderTest,
        judged_by: str,
    ) -> None:
        """The table property × verdict, at most 80 columns."""
        if not self.rows:
            return
        terminal.section(f"RSP conformance: {subject.hello.engine} {subject.hello.version}")
        terminal.write_line(
            f"{'property':<19} {'verdict':<10} {'compared':>8} {'unsup.':>6} {'vacuous':>7}"
        )
        for name in (*(property.name for property in SUITE), BURN_IN):
            row = self.rows.get(name)
            if row is not None:
                terminal.write_line(row.line(name))
        for name, text in self.disagreements.items():
            terminal.write_line(f"{PREFIX}test_{name}: {DISAGREEMENT}: {text}")
        for name, text in self.disputes.items():
            number = self.rows[name].counts.get("disputed", 0)
            cases = "1 case was" if number == 1 else f"{number} cases were"
            terminal.write_line(f"{PREFIX}test_{name}: {cases} not judged. {text}")
        if self.vacuous():
            terminal.write_line("Nothing was compared: this run says nothing about the engine.")
        for mark in self.unmet(given.marks):
            terminal.write_line(f"Expected, and did not come: {mark} ({mark.reason})")
        terminal.write_line(f"Judged by {judged_by}.")
        terminal.write_line(f"The same cases again: --rsp-seed={given.seed}")

    def write_timings(self, config: pytest.Config, folder: Path) -> None:
        """Leave the split of the time in ``timings.json``, for ``make bench``."""
        if self.written or not self.rows or hasattr(config, "workerinput"):
            return
        self.written = True
        names = {"waiting for Spark": "spark"}
        split = {names.get(name, name): round(s, 3) for name, s in self.seconds.items()}
        own_folder(folder)
        (folder / "timings.json").write_text(json.dumps(split, indent=2) + "\n", "utf-8")


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
