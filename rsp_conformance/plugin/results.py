"""What a session shows: its header, the table property × verdict, the timings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance import __version__
from rsp_conformance.judgement.crashfile import own_folder
from rsp_conformance.judgement.subject import Subject
from rsp_conformance.plugin.arguments import PREFIX, Arguments
from rsp_conformance.suite.context import Context
from rsp_conformance.suite.properties import PROPERTIES, Property

CASES, JUDGED, UNSUPPORTED = "rsp_cases", "rsp_judged", "rsp_unsupported"


def header(given: Arguments, subject: Subject, judged_by: str) -> list[str]:
    """Two lines for the head of pytest's output."""
    hello = subject.hello
    turned = " ".join(f"{dial}={value}" for dial, value in given.dials.items())
    profile = subject.profile.name + (f" with {turned}" if turned else "")
    return [
        f"rsp-conformance {__version__}: {hello.engine} {hello.version}, profile {profile}",
        f"rsp-conformance: judged by {judged_by}; --rsp-seed={given.seed}",
    ]


def measures(context: Context, property: Property) -> list[tuple[str, object]]:
    """A property's counts, as pytest's user properties (they reach reports and JUnit XML)."""
    tally = context.tally(property.name)
    return [
        (CASES, str(tally.cases)),
        (JUDGED, str(tally.judged)),
        (UNSUPPORTED, str(tally.unsupported)),
    ]


@dataclass(slots=True)
class Row:
    """What the table says of one property."""

    verdict: str = ""
    note: str = ""
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Results:
    """The verdicts of a session, gathered from reports."""

    rows: dict[str, Row] = field(default_factory=dict)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    written: bool = False

    def add(self, report: pytest.TestReport) -> None:
        """Take note of one phase of one property."""
        if not report.nodeid.startswith(f"{PREFIX}test_"):
            return
        row = self.rows.setdefault(report.nodeid.removeprefix(f"{PREFIX}test_"), Row())
        if report.skipped:
            row.verdict = "not applicable"
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
            row.note = str(reason).removeprefix("Skipped: ")
        elif report.failed:
            row.verdict = "FAILED" if report.when == "call" else "ERROR"
            row.note = _first_line(str(report.longrepr))
        elif report.when == "call":
            row.verdict = "passed"
        if report.when == "call":
            row.counts = {
                name: int(str(value))
                for name, value in report.user_properties
                if name in {CASES, JUDGED, UNSUPPORTED}
            }

    def vacuous(self) -> bool:
        """Whether no property of the suite judged a single case."""
        ran = [row for row in self.rows.values() if row.verdict in {"passed", "FAILED"}]
        return bool(self.rows) and not any(row.counts.get(JUDGED) for row in ran)

    def take_over(self, output: Mapping[str, Any]) -> None:
        """Add what a worker measured."""
        self.add_seconds(output.get("rsp_seconds", {}))

    def add_seconds(self, seconds: Mapping[str, float]) -> None:
        """Add a process's timings."""
        for phase, spent in seconds.items():
            self.seconds[phase] += spent

    def write(
        self,
        terminal: pytest.TerminalReporter,
        given: Arguments,
        subject: Subject | None,
        judged_by: str,
    ) -> None:
        """The table property × verdict, at most 80 columns."""
        if not self.rows or subject is None:
            return
        terminal.section(f"RSP conformance: {subject.hello.engine} {subject.hello.version}")
        terminal.write_line(f"{'property':<20} {'verdict':<14} {'judged':>7}  note")
        for property in PROPERTIES:
            row = self.rows.get(property.name)
            if row is None:
                continue
            judged = str(row.counts.get(JUDGED, "")) if row.verdict != "not applicable" else ""
            note = row.note
            if not note and row.counts.get(UNSUPPORTED):
                note = f"{row.counts[UNSUPPORTED]} cases unsupported by the engine"
            line = f"{property.name:<20} {row.verdict:<14} {judged:>7}  {note}"
            terminal.write_line(line if len(line) <= 80 else line[:79] + "…")
        if self.vacuous():
            terminal.write_line("Nothing was judged: this run says nothing about the engine.")
        terminal.write_line(f"Judged by {judged_by}. Again with --rsp-seed={given.seed}")

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
