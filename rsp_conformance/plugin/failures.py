"""Failures on pytest's terminal: each in full as soon as it comes, then in a line.

A cause fails many properties. The first of them is shown in full when its report comes, in the
process that has the terminal; of any other one pytest's section FAILURES has a line. What goes
along with a report is pytest's own (`failure`), so that other plugins, JUnit's XML and pytest-xdist
do with it what they always do.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from copy import copy
from dataclasses import asdict

import pytest
from _pytest._code.code import (
    ReprEntryNative,
    ReprExceptionInfo,
    ReprFileLocation,
    ReprTraceback,
)

from rsp_conformance.causes.cause import Cause, cause_from_json
from rsp_conformance.explain.render.layout import counted, wrap
from rsp_conformance.model.errors import printable
from rsp_conformance.plugin.colours import write_report
from rsp_conformance.plugin.options import PREFIX
from rsp_conformance.plugin.results import MOST_WIDTH, NAME, Results
from rsp_conformance.suite.causes import behind, closing, labels
from rsp_conformance.suite.events import CauseSetAside, from_json
from rsp_conformance.suite.report import WIDTH, FailureReport, Round, first_line

LEAST_WIDTH = 60
"""The columns that a report needs."""


def failure(text: str, message: str = "", place: str = "rsp") -> ReprExceptionInfo:
    """TEXT as pytest shows what failed, with MESSAGE (else its first line) for lists of failures.

    PLACE is a file, or what else says where it is.
    """
    crash = ReprFileLocation(place, 1, printable(message or first_line(text)))
    entries = [ReprEntryNative([f"{text}\n"])] if text else []
    return ReprExceptionInfo(ReprTraceback(entries, None, "native"), crash)


def failed_property(rounds: Sequence[Round]) -> ReprExceptionInfo:
    """The ROUNDS of a property; its place is the case of the first, its message what is wrong."""
    text = "\n\n".join(own.text for own in rounds)
    return failure(text, rounds[0].headline, os.path.relpath(rounds[0].files[0]))


def carried(rounds: Sequence[Round]) -> list[dict[str, object]]:
    """ROUNDS as data that travels with a report."""
    return [asdict(own) for own in rounds]


class Failures:
    """Shows the failures of a session on its terminal; RESULTS are what is known by then."""

    def __init__(self, config: pytest.Config, results: Results) -> None:
        self._config = config
        self._results = results
        self._causes: set[str] = set()
        self._properties: set[str] = set()
        self._folded: list[pytest.TestReport] | None = None

    def fit(self, reporter: FailureReport) -> None:
        """Have the texts of REPORTER as long and as wide as they are to be shown."""
        terminal = self._terminal()
        reporter.brief = self._config.option.tbstyle == "short"
        if terminal is not None and terminal.isatty():
            reporter.width = max(LEAST_WIDTH, min(WIDTH, terminal._tw.fullwidth))

    # --- as they come ----------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Show what REPORT has found that no one before it has."""
        terminal, option = self._terminal(), self._config.option
        given = getattr(report, "rsp_rounds", None)
        if not given or terminal is None or option.tbstyle in ("no", "line") or option.usepdb:
            return
        name = report.nodeid.removeprefix(f"{PREFIX}test_")
        rounds = [Round(**own) for own in given]
        for own in rounds:
            causes = self._behind(report, name, own, alone=len(rounds) == 1)
            if own.same_as or (causes and self._causes.issuperset(c.id for c in causes)):
                continue
            self._causes.update(cause.id for cause in causes)
            self._properties.add(name)
            self._show(terminal, name, own, causes)

    def _behind(
        self, report: pytest.TestReport, name: str, own: Round, *, alone: bool
    ) -> list[Cause]:
        """The causes of a round: those of its cases, or of a property's only round.

        What this process has found goes before what was found of the same cause elsewhere.
        """
        events = map(from_json, getattr(report, "rsp_events", ()))
        told = [cause_from_json(e.cause) for e in events if isinstance(e, CauseSetAside)]
        found = [c for c in (*told, *self._results.discovered.values()) if c.is_explained]
        causes = [cause for cause in found if cause.file in own.files]
        causes = causes or [cause for cause in behind(name, found) if alone]
        return [*{cause.id: cause for cause in reversed(causes)}.values()]

    def _show(
        self, terminal: pytest.TerminalReporter, name: str, own: Round, causes: Sequence[Cause]
    ) -> None:
        """Write a round in full, on lines of its own between pytest's."""
        writer, called = terminal._tw, labels(causes, self._results.discovered)
        begin_line(terminal)
        title = ": ".join([", ".join(called.values()), name]) if called else name
        writer.sep("_", title, red=True, bold=True)
        write_report(writer, own.text)
        width = min(WIDTH, writer.fullwidth)
        for line in closing(name, causes, width, own.files, self._results.discovered):
            writer.line(line, bold=True)
        if not terminal.showfspath:
            # Else pytest itself begins with an empty line when it goes on.
            writer.line()

    def _terminal(self) -> pytest.TerminalReporter | None:
        """Where pytest writes; nothing in a worker of xdist."""
        plugin = self._config.pluginmanager.get_plugin("terminalreporter")
        return plugin if isinstance(plugin, pytest.TerminalReporter) else None

    # --- at the end ------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, object, object]:
        """Have the section FAILURES say in a line what was shown, or is as before."""
        failed = terminalreporter.stats.get("failed", [])
        self._folded = [*failed]
        failed[:] = self._listed(self._folded, min(terminalreporter._tw.fullwidth, MOST_WIDTH))
        try:
            return (yield)
        finally:
            self.unfold(terminalreporter)

    def unfold(self, terminal: pytest.TerminalReporter) -> None:
        """Give back the reports, for the list of failures and their number."""
        if self._folded:
            terminal.stats["failed"][:] = self._folded
        self._folded = None

    def _listed(
        self, reports: Sequence[pytest.TestReport], width: int
    ) -> Iterator[pytest.TestReport]:
        """REPORTS as the section shows them: lines of ours together, behind all others."""
        if self._config.option.tbstyle == "line":
            yield from map(_without_text, reports)
            return
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
        if rest:
            column = max(NAME, *map(len, rest)) + 1
            lines = [
                line
                for name, said in rest.items()
                for line in wrap(said, width, first=f"{name:<{column}}", rest=" " * column)
            ]
            noun = "more property" if self._properties else "property"
            place = ("rsp", None, f"rsp: {counted(len(rest), noun)}")
            yield pytest.TestReport("rsp", place, {}, "failed", "\n".join(lines), "call")

    def _line(self, name: str, report: pytest.TestReport) -> str | None:
        """What a line can say of a property whose failure is not shown; None where it cannot."""
        given = getattr(report, "rsp_rounds", None)
        if not isinstance(report.longrepr, ReprExceptionInfo) or report.longrepr.reprcrash is None:
            return None
        message = report.longrepr.reprcrash.message
        if not given:
            return message if str(report.longrepr).strip() == message else None
        causes = [cause for cause in behind(name, self._results.causes) if cause.is_explained]
        called = [*labels(causes, self._results.discovered).values()]
        called = called or [f"as {own['same_as']}" for own in given if own["same_as"]][:1]
        return ": ".join([", ".join(called), message]) if called else message


def begin_line(terminal: pytest.TerminalReporter) -> None:
    """End the line of pytest's that stands there, so that the next begins at its beginning."""
    terminal.ensure_newline()
    if terminal._tw.width_of_current_line:
        terminal._tw.line()


def _without_text(report: pytest.TestReport) -> pytest.TestReport:
    """REPORT as ``--tb=line`` shows it, where it is ours: where it is, and what is wrong."""
    found = report.longrepr
    if not report.nodeid.startswith(PREFIX) or not isinstance(found, ReprExceptionInfo):
        return report
    bare = copy(report)
    bare.longrepr = ReprExceptionInfo(ReprTraceback([], None, "native"), found.reprcrash)
    return bare
