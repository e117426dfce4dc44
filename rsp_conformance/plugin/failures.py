"""Failures on pytest's terminal: each cause in full once, and all else in a line.

**What is sought.** A cause fails many properties. A reader wants each cause in full once, early,
and not more lines than can be scrolled over.

**How.** The first failure of a run is shown in full when its report comes, in the process that has
the terminal. All others wait: at the end the causes are known, and pytest's section FAILURES has
the smallest case of each in full, as many as there is room for (`LINES`). The table behind it has a
row for every property. With ``-v`` there is room for all: the first failure of each known cause is
shown when it comes, a failure without a cause yet has a line, and FAILURES has a line for any other
property.

**What it guarantees.** No case is shown in full twice, and no failure is dropped: a report that
can't be told in a line stays as pytest shows it. What goes along with a report is pytest's own
(`failure`), so other plugins, JUnit's XML and pytest-xdist treat it as they treat any report.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import asdict
from math import inf
from typing import Any

import pytest
from _pytest._code.code import (
    ReprEntryNative,
    ReprExceptionInfo,
    ReprFileLocation,
    ReprTraceback,
)
from _pytest._io import TerminalWriter

from rsp_conformance.diagnosis.cause import CAUSES, Cause, is_named
from rsp_conformance.explain.document import Column, Row, Table, plain
from rsp_conformance.explain.render.layout import counted, wrap
from rsp_conformance.explain.render.listing import listing
from rsp_conformance.judge.crash_file import replay_line
from rsp_conformance.model.errors import printable
from rsp_conformance.pages.document import NAMELESS
from rsp_conformance.plugin.colours import BAD, STRONG, TYPED, write_report
from rsp_conformance.plugin.options import PREFIX
from rsp_conformance.plugin.results import AROUND, LINES, MOST_WIDTH, Results
from rsp_conformance.run.causes import behind, closing, labels
from rsp_conformance.run.events import EVENTS, CauseDiscovered, Event
from rsp_conformance.run.report import WIDTH, FailureReport, FailureText, first_line

NAME = 19
"""The columns of a property's name; some are longer."""
LEAST_WIDTH = 60
"""The columns that a report needs."""
MOST_LISTED = 10
"""If more properties failed, pytest's list of failures only says how many."""


def failure(text: str, message: str = "", place: str = "rsp") -> ReprExceptionInfo:
    """A text as pytest shows a failure.

    Args:
        text: the text.
        message: the message for lists of failures; else the first line of the text.
        place: a file, or a test's id.
    """
    crash = ReprFileLocation(place, 1, printable(message or first_line(text)))
    entries = [ReprEntryNative([f"{text}\n"])] if text else []
    return ReprExceptionInfo(ReprTraceback(entries, None, "native"), crash)


def failed_property(texts: Sequence[FailureText]) -> ReprExceptionInfo:
    """The failures of a property as pytest shows a failure.

    Its place is the first crash file, its message the first headline.
    """
    text = "\n\n".join(own.text for own in texts)
    return failure(text, texts[0].headline, os.path.relpath(texts[0].files[0]))


def carried(texts: Sequence[FailureText]) -> list[dict[str, object]]:
    """The failures of a property as data that travels with a report."""
    return [asdict(own) for own in texts]


class Failures:
    """Shows the failures of a session on its terminal.

    Args:
        config: pytest's configuration.
        results: the results of the session so far.
        engine: the engine as commands name it; empty if they need not.
    """

    def __init__(self, config: pytest.Config, results: Results, engine: str = "") -> None:
        self._config = config
        self._results = results
        self._engine = engine
        self._causes: set[str] = set()
        self._properties: set[str] = set()
        self._files: set[str] = set()
        self._waiting: list[tuple[str, FailureText]] = []
        self._folded: list[pytest.TestReport] | None = None

    def fit(self, reporter: FailureReport) -> None:
        """Fit the length and the width of a reporter's texts to the terminal."""
        terminal = self._terminal()
        reporter.brief = self._config.option.tbstyle == "short"
        if terminal is not None and terminal.isatty():
            with uncaptured(self._config):
                reporter.width = max(LEAST_WIDTH, min(WIDTH, terminal._tw.fullwidth))

    # --- as they come ----------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Show the failures of a report that none before it has shown."""
        terminal, option = self._terminal(), self._config.option
        given = getattr(report, "rsp_failures", None)
        if not given or terminal is None or option.tbstyle in ("no", "line") or option.usepdb:
            return
        name = report.nodeid.removeprefix(f"{PREFIX}test_")
        events = (EVENTS.read(Event, own) for own in getattr(report, "rsp_events", ()))
        told = [CAUSES.read(Cause, e.cause) for e in events if isinstance(e, CauseDiscovered)]
        texts = [FailureText(**own) for own in given]
        # What has a name makes the better first impression.
        for own in sorted(texts, key=lambda own: not any(map(is_named, own.shows))):
            if own.same_as or own.files[0] in self._files:
                continue
            if self._files and not self._is_verbose:
                self._waiting.append((name, own))
                continue
            causes = self._behind(own, told)
            if causes and self._causes.issuperset(cause.id for cause in causes):
                continue
            begin_line(terminal)
            if causes or not self._files:
                title = self._shown(name, own, causes)
                terminal._tw.sep("_", title, **BAD)
                text = self._text(name, own, causes)
                self._results.written += text.lines
                text.toterminal(terminal._tw)
            else:
                self._waiting.append((name, own))
                self._mention(terminal._tw, name, own)
            if not terminal.showfspath:
                # Else pytest itself begins with an empty line when it goes on.
                terminal._tw.line()

    def _behind(self, own: FailureText, told: Sequence[Cause] = ()) -> list[Cause]:
        """The known causes of a failure: those whose smallest case it is, or that explain it.

        Causes that its process has told come before those found of the same cause elsewhere.
        """
        found = self._results.discovered
        causes = [cause for cause in (*told, *found.values()) if cause.file in own.files]
        causes = causes or [found[id] for id in own.shows if id in found]
        return [*{cause.id: cause for cause in reversed(causes)}.values()]

    def _shown(self, name: str, own: FailureText, causes: Sequence[Cause]) -> str:
        """The title of a failure that is shown in full from now on."""
        self._properties.add(name)
        self._files.update(own.files)
        self._causes.update(cause.id for cause in causes)
        if not causes:
            self._causes.update(own.shows)
        called = ", ".join(dict.fromkeys(labels(causes, self._results.told).values()))
        if not called and self._folded is None:
            return f"property {name}"  # Its cause may be found yet.
        called = called or NAMELESS
        explained = any(cause.is_explained for cause in causes)
        return f"{'Cause ' if explained else ''}{called} (property {name})"

    def _text(self, name: str, own: FailureText, causes: Sequence[Cause]) -> _Text:
        """A failure in full, with its causes."""
        terminal = self._terminal()
        width = min(WIDTH, terminal._tw.fullwidth if terminal else WIDTH)
        after = closing(name, causes, own.files, self._results.told)
        return _Text(own.text, [plain(line) for line in listing(after, width)])

    def _mention(self, writer: TerminalWriter, name: str, own: FailureText) -> None:
        """Write the headline of a failure that waits, and the command that shows it."""
        for line in wrap(f"{name}: {own.headline}", min(WIDTH, writer.fullwidth), rest="  "):
            writer.line(line, **BAD)
        writer.line(f"  {replay_line(own.files[0], self._engine)}", **TYPED)

    def _terminal(self) -> pytest.TerminalReporter | None:
        """The terminal reporter; None in a worker of xdist."""
        plugin = self._config.pluginmanager.get_plugin("terminalreporter")
        return plugin if isinstance(plugin, pytest.TerminalReporter) else None

    # --- at the end ------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, object, object]:
        """Replace the reports in pytest's section FAILURES by those that are left to show."""
        failed = terminalreporter.stats.get("failed", [])
        self._folded = [*failed]
        failed[:] = self._listed(self._folded, min(terminalreporter._tw.fullwidth, MOST_WIDTH))
        try:
            return (yield)
        finally:
            if self._folded:
                failed[:] = self._folded
            self._folded = None

    @property
    def reports(self) -> Sequence[pytest.TestReport]:
        """The failed reports, while FAILURES has others in their place."""
        return self._folded or ()

    def unfold(self, terminal: pytest.TerminalReporter) -> None:
        """Give the reports back for pytest's own list of failures.

        If many properties failed, the list has one line for all of them: the table has the rest.
        """
        reports = self._folded or []
        ours = [report for report in reports if report.nodeid.startswith(PREFIX)]
        if len(ours) > MOST_LISTED and not self._is_verbose:
            said = failure(f"{len(ours)} properties failed: see the table and the causes above")
            summed = pytest.TestReport("rsp", ("rsp", None, "rsp"), {}, "failed", said, "call")
            reports = [*(report for report in reports if report not in ours), summed]
        if reports:
            terminal.stats["failed"][:] = reports

    def _listed(
        self, reports: Sequence[pytest.TestReport], width: int
    ) -> Iterator[pytest.TestReport]:
        """The reports as the section shows them; those of ours that fit a line share one, last."""
        if self._config.option.tbstyle == "line":
            yield from map(_without_text, reports)
            return
        yield from self._awaited()
        rest: dict[str, str] = {}
        for report in reports:
            name = report.nodeid.removeprefix(f"{PREFIX}test_")
            if name in self._properties:
                continue
            said = self._line(name, report) if name != report.nodeid else None
            if said is None:
                yield report
            else:
                rest[name] = said
        if rest and self._is_verbose:
            table = Table((Column("", least=NAME), Column("")), tuple(map(Row, rest.items())))
            lines = map(plain, listing([table], width))
            noun = "more property" if self._properties else "property"
            place = ("rsp", None, f"rsp: {counted(len(rest), noun)}")
            yield pytest.TestReport("rsp", place, {}, "failed", "\n".join(lines), "call")

    @property
    def _is_verbose(self) -> bool:
        terminal = self._terminal()
        return terminal is None or terminal.verbosity > 0

    def _room(self) -> float:
        """The number of lines that are left for failures that wait."""
        terminal = self._terminal()
        if terminal is None or self._is_verbose:
            return inf
        width = terminal._tw.fullwidth
        causes = len(self._results.cause_lines(width, LINES))
        rows = sum(event.verdict != "skipped" for event in self._results.finished.values())
        return LINES - AROUND - self._results.written - causes - rows

    def _awaited(self) -> Iterator[pytest.TestReport]:
        """The failures that wait and are the smallest case of a cause that was not shown."""
        named, room = self._results.causes, self._room()
        for name, own, causes in (*self._smallest(named), *self._of_no_cause(named)):
            if self._causes.issuperset([cause.id for cause in causes] or own.shows):
                continue
            text: Any = self._text(name, own, causes)
            room -= text.lines
            if own.files[0] not in self._files and room >= 0:
                self._results.written += text.lines
                place = ("rsp", None, self._shown(name, own, causes))
                yield pytest.TestReport("rsp", place, {}, "failed", text, "call")

    def _smallest(self, named: Sequence[Cause]) -> Iterator[tuple[str, FailureText, list[Cause]]]:
        """The failures that wait and are the smallest case of a cause, with it."""
        for cause in named:
            texts = [(name, own) for name, own in self._waiting if cause.file in own.files]
            if texts:
                name, own = min(texts, key=lambda found: found[1].files.index(cause.file))
                yield name, own, [cause]

    def _of_no_cause(
        self, named: Sequence[Cause]
    ) -> Iterator[tuple[str, FailureText, list[Cause]]]:
        """The failures that wait and have no cause, as in a run that ended before it named any."""
        for name, own in self._waiting:
            if not behind(name, named) and not self._behind(own):
                yield name, own, []

    def _line(self, name: str, report: pytest.TestReport) -> str | None:
        """A line for a property whose failure is not shown; None if a line can't tell it."""
        given = getattr(report, "rsp_failures", None)
        if not isinstance(report.longrepr, ReprExceptionInfo) or report.longrepr.reprcrash is None:
            return None
        message = report.longrepr.reprcrash.message
        if not given:
            return message if str(report.longrepr).strip() == message else None
        causes = [cause for cause in behind(name, self._results.causes) if cause.is_explained]
        called = [*labels(causes, self._results.told).values()]
        called = called or [f"as {own['same_as']}" for own in given if own["same_as"]][:1]
        return ": ".join([", ".join(called), message]) if called else message


class _Text:
    """A report with lines after it, for pytest to write."""

    def __init__(self, text: str, after: Sequence[str]) -> None:
        self._text = text
        self._after = after

    @property
    def lines(self) -> int:
        """The number of lines that it takes, with a title."""
        return self._text.count("\n") + len(self._after) + 3

    def toterminal(self, writer: TerminalWriter) -> None:
        """Write it, in colour if the terminal has colours."""
        write_report(writer, self._text)
        for line in self._after:
            writer.line(line, **STRONG)


def begin_line(terminal: pytest.TerminalReporter) -> None:
    """End the line of pytest's that the terminal has begun, if it has."""
    terminal.ensure_newline()
    if terminal._tw.width_of_current_line:
        terminal._tw.line()


def _without_text(report: pytest.TestReport) -> pytest.TestReport:
    """A report of ours as ``--tb=line`` shows it: its place and its headline."""
    found = report.longrepr
    if not report.nodeid.startswith(PREFIX) or not isinstance(found, ReprExceptionInfo):
        return report
    bare = copy(report)
    bare.longrepr = ReprExceptionInfo(ReprTraceback([], None, "native"), found.reprcrash)
    return bare


def uncaptured(config: pytest.Config) -> AbstractContextManager[None]:
    """Suspend the capture of output, which would take ours while a test runs.

    With the capture a terminal has 80 columns, without it its own.
    """
    capture = config.pluginmanager.get_plugin("capturemanager")
    found: AbstractContextManager[None] = (
        capture.global_and_fixture_disabled() if capture is not None else nullcontext()
    )
    return found
