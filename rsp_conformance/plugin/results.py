"""The display of a session: its header, the result at its end, the timings."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import settings

from rsp_conformance import __version__
from rsp_conformance.explain.document import Document, Line, Prose, Span
from rsp_conformance.explain.render.layout import glued
from rsp_conformance.explain.render.listing import listing
from rsp_conformance.files.files import from_here, write_whole
from rsp_conformance.judge.crash_file import replay_line
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import own_folder
from rsp_conformance.model.dials import write_dial
from rsp_conformance.model.errors import printable
from rsp_conformance.pages.document import CAUSES, PROPERTIES, run_document
from rsp_conformance.pages.summary import why_skipped
from rsp_conformance.plugin.colours import write_lines
from rsp_conformance.plugin.options import PREFIX, Options, is_controller, worker_input
from rsp_conformance.run.causes import behind
from rsp_conformance.run.events import EVENTS, Event, PropertyFinished, RunStarted
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.run_report import REPORTS, RunReport, run_report

MOST_WIDTH = 100
"""The columns of text that is read in lines."""
LINES = 120
"""The lines that a run writes on a terminal without -v, or a few more: they can be scrolled over.
"""
PYTEST = 20
"""The number of them that pytest writes by itself: ten before its first dot, six of dots beside
progress, and four at the end (counted on a run of rsp-js in two processes)."""
AROUND = PYTEST + 4
"""The same with those around the table and the causes, before these are known."""
LEAST = 10
"""The number of them that are left for the properties, however many causes there are: their
verdicts take two or three lines each, and the reasons of skipped ones as many."""
STATISTICS = f"hypothesis-statistics-{PREFIX}"
"""The names that Hypothesis gives to its statistics of our tests in JUnit's XML begin with this."""


def header(options: Options, subject: EngineUnderTest, judged_by: str) -> list[str]:
    """The lines for the head of pytest's output."""
    hello = subject.hello
    profile = subject.profile.title
    return [
        f"rsp-conformance {__version__}: {hello.engine} {hello.version}, profile {profile}",
        f"rsp-conformance: judged by {judged_by}",
        f"rsp-conformance: --rsp-seed={options.seed}",
        *(f"rsp-conformance: known: {cause.id} ({cause.reason})" for cause in options.known),
        *(f"rsp-conformance: {note}" for note in options.notes),
    ]


def turned(options: Options) -> dict[str, str]:
    """The dials that the options turn from the profile, as they are written."""
    return {dial: write_dial(value) for dial, value in options.dial.items()}


class Results(RunOutcome):
    """The results of a session's properties, wherever they ran, and their display.

    Attributes:
        prefix: stands before the names of properties in the ids of tests.
        unwritten: why the result was not written where it should have been.
        written: how many lines of failures the terminal has shown.
        report: the result, once the run is over.
    """

    prefix = f"{PREFIX}test_"
    unwritten = ""
    written = 0
    report: RunReport | None = None

    def add(self, report: pytest.TestReport) -> None:
        """Take the events of a report; a failure without any is a bug of the kit."""
        self.take(EVENTS.read(Event, document) for document in getattr(report, "rsp_events", ()))
        name = report.nodeid.removeprefix(self.prefix)
        unexplained = report.when != "call" or name not in self.finished
        if report.failed and name != report.nodeid and unexplained:
            self.kit_error(name, str(report.longrepr))

    def user_properties(self, event: PropertyFinished) -> list[tuple[str, object]]:
        """A property's counts as pytest's user properties, which reach JUnit XML."""
        found = [(f"rsp_{name}", str(number)) for name, number in event.counts.items()]
        more = {"rsp_marked": " ".join(event.marks), "rsp_note": event.note}
        return [*found, *((name, text) for name, text in more.items() if text)]

    def has_enough(self, most: int | None) -> bool:
        """Whether as many causes were found as the run is to stop after, if it is to."""
        return most is not None and len(self.discovered) >= most

    def complete_junit(self, path: Path, run: Mapping[str, str]) -> None:
        """Add the kinds, causes and crash files of each failed property to JUnit's XML.

        The causes are known when the last property has ended, and pytest takes each test's
        properties as it ends. Texts that Hypothesis has added to our tests in base64 are left out.

        Args:
            path: the file, which pytest has written.
            run: the properties of the whole run.
        """
        tree = ElementTree.parse(path)
        for suite in tree.iterfind("testsuite"):
            properties = suite.find("properties")
            if properties is None:
                suite.insert(0, properties := ElementTree.Element("properties"))
            for one in properties.findall("property"):
                if one.get("name", "").startswith(STATISTICS):
                    properties.remove(one)
            for key, value in run.items():
                ElementTree.SubElement(properties, "property", name=key, value=printable(value))
        for case in tree.iter("testcase"):
            name = case.get("name", "").removeprefix("test_")
            event, found = self.finished.get(name), case.find("properties")
            if event is None or found is None or case.get("classname", "").split(".")[-1] != "rsp":
                continue
            own = [finding for finding in self.findings if finding.property == name]
            more = [("rsp_kind", kind) for kind in dict.fromkeys(one.kind for one in own)]
            more += [("rsp_cause", cause.id) for cause in behind(name, self.causes)]
            # One that shrank nothing, for its causes were found before, has their smallest cases.
            files = [one.file for one in own] or [one.file for one in behind(name, self.causes)]
            more += [("rsp_crash", str(from_here(Path(f)))) for f in dict.fromkeys(files) if f]
            for key, value in more:
                ElementTree.SubElement(found, "property", name=key, value=printable(value))
        text = ElementTree.tostring(tree.getroot(), "unicode")
        write_whole(path, f'<?xml version="1.0" encoding="utf-8"?>{text}')

    def fold_skips(self, reports: Sequence[pytest.TestReport]) -> None:
        """Let pytest's list of skipped tests give one reason for all properties together."""
        ours = [report for report in reports if report.nodeid.startswith(PREFIX)]
        names = {report.nodeid: report.nodeid.removeprefix(f"{PREFIX}test_") for report in ours}
        events = {id: self.finished[name] for id, name in names.items() if name in self.finished}
        events = {id: event for id, event in events.items() if event.verdict == "skipped"}
        together = why_skipped(events.values())
        for report in ours:
            if isinstance(report.longrepr, tuple):
                said = together if report.nodeid in events else report.longrepr[2]
                # Of no line of a file, which pytest knows too, and its types do not.
                vars(report)["longrepr"] = ("rsp", None, said)

    def document(self) -> Document:
        """The result as all faces show it."""
        if self.report is None:
            started = self.started or RunStarted("", "", "", "", "")
            self.report = REPORTS.read(RunReport, run_report(self, started, passed=False))
        return run_document(self.report)

    def cause_lines(self, width: int, most: int | None) -> list[Line]:
        """The causes as the terminal shows them, without blank lines around them.

        Args:
            width: columns of the terminal.
            most: how many lines are enough, if lines are few; None to write everything.
        """
        chapter = self.document().chapter(CAUSES)
        return [] if chapter is None else listing([chapter], min(width, MOST_WIDTH), most)

    def write(
        self,
        terminal: pytest.TerminalReporter,
        options: Options,
        subject: EngineUnderTest,
        judged_by: str,
    ) -> None:
        """Write the properties, the causes, and the remarks on the whole run."""
        if not self.finished and self.started is None:
            return
        terminal.ensure_newline()
        terminal.section(f"RSP conformance: {subject.hello.engine} {subject.hello.version}")
        if not self.finished:
            terminal.write_line("The run ended before its first property: nothing is known yet.")
            return
        width, document = terminal._tw.fullwidth, self.document()
        brief = terminal.verbosity <= 0
        notes = (own for own in document.blocks if isinstance(own, Prose) and own.tone == "note")
        remarks = Prose((*self._remarks(options), *self._next(terminal, options, judged_by)))
        blocks = [Prose((document.below,)), *notes, remarks]
        end = listing(blocks, min(width, MOST_WIDTH))
        # Our title is a line, and so are those around the causes.
        room = LINES - PYTEST - self.written - len(end) - 3
        causes = self.cause_lines(width, room - LEAST if brief else None)
        properties = document.chapter(PROPERTIES)
        assert properties is not None
        left = room - len(causes) if brief else None
        write_lines(terminal, listing(properties.blocks, width, left))
        if causes:
            write_lines(terminal, ["", *causes, ""])
        write_lines(terminal, end)

    def _remarks(self, options: Options) -> Iterator[Line]:
        """What went wrong with the run itself, and what was expected and did not come."""
        if self.unwritten:
            yield f"Not written: {self.unwritten}"
        unmet = self.unmet(options.xfails)
        for mark in unmet:
            yield f"Expected, and did not come: {mark} ({mark.reason})"
        if options.xfails_strict and (unmet or self.gone):
            # It is why the run has not passed, and nothing else says so.
            yield (Span("--rsp-xfails-strict fails the run for it.", tone="bad"),)

    def _next(
        self, terminal: pytest.TerminalReporter, options: Options, judged_by: str
    ) -> Iterator[str]:
        """What to do next, and what is needed to get the same again."""
        if is_controller(terminal.config) and self.has_enough(options.stop_after):
            # Of a run in one process pytest says so.
            yield f"--rsp-stop-after {options.stop_after}: causes found, and nothing more asked."
        file = next((own.file for own in self.causes if own.file), "")
        if file and terminal.verbosity <= 0:
            replay = replay_line(file, options.engine)
            first = f"Next: {replay} runs the first of these cases again"
            page = "" if options.report is not None else ", --rsp-report DIR writes a page"
            yield f"{first}; -v shows every case in full{page}."
            if options.known_write is None:
                write = "another run with --rsp-known-write=known.toml"
                if options.json is not None:
                    result = shlex.quote(str(from_here(options.json)))
                    write = glued(f"rsp-conformance results {result} --known-write known.toml")
                yield (
                    f"To make later runs fail for new bugs only, list these bugs with {write}, "
                    "then run with --rsp-known=known.toml."
                )
        yield f"Judged by {judged_by}."
        said = f"The same cases again: --rsp-seed={options.seed}"
        if self.findings and settings().database is not None:
            said += ". What failed is saved, and comes first (not with --hypothesis-profile=ci)."
        yield said

    def last(self) -> Iterator[str]:
        """The remarks of a run in which no property has ended, so that there is no table."""
        if self.unwritten and not self.finished:
            yield f"Not written: {self.unwritten}"

    def lose_crash_files(self, error: OSError) -> None:
        """Note that a crash file could not be written; what was found is shown all the same."""
        self.unwritten = f"crash files: {error.strerror}"

    def write_timings(self, config: pytest.Config, folder: Path) -> None:
        """Leave the split of the time in ``timings.json``, for ``make bench``."""
        if not self.finished or worker_input(config):
            return
        names = {"waiting for Spark": "spark"}
        split = {names.get(name, name): round(s, 3) for name, s in self.seconds.items()}
        with suppress(OSError):  # A full disk: the run does without.
            own_folder(folder)
            (folder / "timings.json").write_text(json.dumps(split, indent=2) + "\n", "utf-8")
