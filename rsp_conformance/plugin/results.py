"""The display of a session: its header, the table property × verdict, the timings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import settings
from rich.cells import cell_len

from rsp_conformance import __version__
from rsp_conformance.explain.render.layout import counted, cut, listed, wrap
from rsp_conformance.files.files import from_here, write_whole
from rsp_conformance.judge.crash_file import replay_line, short
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import own_folder
from rsp_conformance.model.dials import write_dial
from rsp_conformance.model.errors import printable
from rsp_conformance.plugin.colours import VERDICTS, cause_markup
from rsp_conformance.plugin.options import PREFIX, Options, is_controller, worker_input
from rsp_conformance.run.asking import HUNG, did
from rsp_conformance.run.causes import AGAINST as OF_TWO
from rsp_conformance.run.causes import behind, cause_lines, given_up
from rsp_conformance.run.causes import note as causes_of
from rsp_conformance.run.events import AS_BEFORE, EVENTS, Event, PropertyFinished
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.properties import in_order

WIDTH = 80
"""The columns of the table if the terminal does not say how many there are."""
NAME = 19
"""The columns of a property's name; some are longer."""
NOTE = 16
"""The columns that a note on a property has at least, such as ``1 newest-only``."""
MOST_LACKING = 12
"""The most features that are named as missing in an engine."""
MOST_REASONS = 2
"""The most other reasons that are named why properties were skipped."""
MOST_WIDTH = 100
"""The columns of text that is read in lines."""
LINES = 120
"""The lines that a run writes on a terminal without -v, or a few more: they can be scrolled over.
"""
AROUND = 24
"""The number of these around the table and the causes, and by pytest itself."""
FEWEST_ALIKE = 3
"""From so many properties on, those that failed for the same causes share a line."""
UNKNOWN = "unexplained"
"""The text for unexplained causes begins with this."""
KIT_ERROR = "KIT ERROR"
WORDS = {"failed": "FAILED", "engine lost": "FAILED", "kit error": KIT_ERROR}
STATISTICS = f"hypothesis-statistics-{PREFIX}"
"""The names that Hypothesis gives to its statistics of our tests in JUnit's XML begin with this."""
DISAGREEMENT = "rsp-conformance: internal error"


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


def head(*, known: bool = False, name: int = NAME, width: int = WIDTH) -> str:
    """The head of the table.

    Args:
        known: whether there is a column of known cases.
        name: columns of a property's name.
        width: columns of the table.
    """
    columns = f"{'property':<{name}} {'verdict':<10} {'compared':>8} " + ("known " if known else "")
    rest = f"{'unsup.':>6} {'vacuous':>7}"
    return columns + rest if has_room(columns + rest, width) else columns.rstrip()


def has_room(columns: str, width: int) -> bool:
    """Whether a note has room behind some columns; if not, the least telling ones go."""
    return len(columns) + NOTE <= width


def row(
    event: PropertyFinished,
    causes: str = "",
    *,
    known: bool = False,
    name: int = NAME,
    width: int = WIDTH,
) -> str:
    """The row of a property in the table.

    Args:
        event: the end of the property.
        causes: the causes of its failures.
        known: as for ``head``.
        name: as for ``head``.
        width: the most columns.
    """
    text = f"{event.property:<{name}} {verdict(event):<10} "
    if event.verdict != "skipped" and event.counts:
        counts = event.counts
        text += f"{counts['compared']:>8} " + (f"{counts['known']:>5} " if known else "")
        rest = f"{counts['unsupported']:>6} {counts['vacuous']:>7}  "
        text += rest if has_room(text + rest, width + 2) else " "
    said = event.note.removeprefix(f"{event.counts.get('known', 0)} known: " if known else "")
    note = _no_feature(event) or said
    if event.verdict == "failed":
        note = _fitting(causes, width - cell_len(text)) or briefly(note)
    return cut((text + note).rstrip(), width)


def _fitting(causes: str, room: int) -> str:
    """Causes with their names if these fit, such as ``1 newest-only, ?``, else their numbers."""
    if cell_len(causes) <= room:
        return causes
    return ", ".join(own.partition(" ")[0] for own in causes.split(", "))


def briefly(note: str) -> str:
    """A note on a property, short enough that a list shows the names of causes in it."""
    return note.replace(AS_BEFORE, "as before", 1)


def verdict(event: PropertyFinished) -> str:
    """The verdict as the table writes it."""
    return WORDS.get(event.verdict, event.verdict)


def _no_feature(event: PropertyFinished) -> str:
    return f"no feature {' and '.join(event.missing)}" if event.missing else ""


def skipped(events: Sequence[PropertyFinished]) -> str:
    """Say why properties were skipped, the most frequent reasons, as a phrase."""
    features = _counted((name for event in events for name in event.missing), MOST_LACKING)
    others = [event.reason for event in events if not event.missing]
    lacking = [f"no feature {features}"] if features else []
    if len(set(others)) > MOST_REASONS:
        return "; ".join([*lacking, f"{len(others)} for other reasons, which -v shows"])
    return "; ".join([*lacking, *filter(None, [_counted(others, MOST_REASONS)])])


def _counted(reasons: Iterable[str], most: int) -> str:
    """The most frequent reasons, each with how often it comes, as a phrase."""
    found = Counter(reasons).most_common()
    said = [f"{reason} ({number})" if number > 1 else reason for reason, number in found]
    return listed(said, limit=most)


@dataclass(frozen=True, slots=True)
class _Folded:
    """Properties that share a line, with its text."""

    events: Sequence[PropertyFinished]
    text: str


def _names(events: Sequence[PropertyFinished]) -> str:
    return ", ".join(event.property for event in events)


class Results(RunOutcome):
    """The results of a session's properties, wherever they ran, and their display.

    Attributes:
        prefix: stands before the names of properties in the ids of tests.
        unwritten: why the result was not written where it should have been.
        written: how many lines of failures the terminal has shown.
    """

    prefix = f"{PREFIX}test_"
    unwritten = ""
    written = 0

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
        together = skipped([*events.values()])
        for report in ours:
            if isinstance(report.longrepr, tuple):
                said = together if report.nodeid in events else report.longrepr[2]
                # Of no line of a file, which pytest knows too, and its types do not.
                vars(report)["longrepr"] = ("rsp", None, said)

    def write(
        self,
        terminal: pytest.TerminalReporter,
        options: Options,
        subject: EngineUnderTest,
        judged_by: str,
    ) -> None:
        """Write the table property × verdict, the causes, and the remarks on the whole run."""
        if not self.finished:
            return
        width = terminal._tw.fullwidth
        terminal.ensure_newline()
        terminal.section(f"RSP conformance: {subject.hello.engine} {subject.hello.version}")
        brief = terminal.verbosity <= 0
        causes = [*self.cause_lines(width, options.engine, brief=brief)]
        room = LINES - AROUND - self.written - len(causes) if brief else None
        self._write_table(terminal, width, room, known=bool(options.known))
        if self.causes:
            terminal.write_line("")
            terminal.write_line("Causes of what failed, each with its smallest case", bold=True)
            for line in causes:
                terminal.write_line(line, **cause_markup(line))
            terminal.write_line("")
        for text in (*self._said(), *self._agreement_lines(width)):
            terminal.write_line(text)
        # In a strict run they are why it has not passed, and nothing else says so.
        red = {"red": True, "bold": True} if options.xfails_strict else {}
        strict = ": --rsp-xfails-strict fails the run" if options.xfails_strict else ""
        for mark in self.unmet(options.xfails):
            said = f"Expected, and did not come: {mark} ({mark.reason}){strict}"
            terminal.write_line(said, **red)
        files = {cause.id: from_here(Path(cause.file)) for cause in options.known}
        for id in self.gone:
            said = f"Known, and no longer shown: {id} (fixed: remove it from {files[id]}){strict}"
            terminal.write_line(said, **red)
        if is_controller(terminal.config) and self.has_enough(options.stop_after):
            # Of a run in one process pytest says so.
            said = f"--rsp-stop-after {options.stop_after}: causes found, and nothing more asked."
            terminal.write_line(said)
        if (file := next((own.file for own in self.causes if own.file), "")) and brief:
            replay = replay_line(short(file), options.engine)
            said = f"Next: {replay}; every case in full: -v; as a page: --rsp-report DIR."
            for line in wrap(said, min(width, MOST_WIDTH), rest="  "):
                terminal.write_line(line)
        terminal.write_line(f"Judged by {judged_by}.")
        for line in wrap(self._again(options.seed), min(width, MOST_WIDTH), rest="  "):
            terminal.write_line(line)

    def cause_lines(self, width: int, engine: str, *, brief: bool) -> Iterator[str]:
        """The causes as the terminal shows them."""
        columns = min(width, MOST_WIDTH)
        return cause_lines(self.causes, columns, self.told, engine, brief=brief)

    def last(self) -> Iterator[str]:
        """The remarks of a run in which no property has ended, so that there is no table."""
        if self.unwritten and not self.finished:
            yield f"Not written: {self.unwritten}"

    def _again(self, seed: str) -> str:
        """How to get the cases of this run again."""
        said = f"The same cases again: --rsp-seed={seed}"
        if self.findings and settings().database is not None:
            said += ". What failed is saved, and comes first (not with --hypothesis-profile=ci)."
        return said

    def _write_table(
        self, terminal: pytest.TerminalReporter, width: int, most: int | None, *, known: bool
    ) -> None:
        """Write a row for each property; skipped ones, and others if there are many, share rows.

        Args:
            terminal: where it is written.
            width: columns of a line.
            most: how many lines it may have; None for a row of each property.
            known: whether a run may have cases of known causes.
        """
        events = [self.finished[name] for name in in_order(self.finished)]
        column = max(NAME, *(len(event.property) for event in events))
        folded = [] if most is None else [*self._folded(events, most - 1)]
        gone = {event.property for own in folded for event in own.events}
        if len(gone) < len(events):
            terminal.write_line(head(known=known, name=column, width=width), bold=True)
        for event in events:
            if event.property not in gone:
                text = row(event, self._causes_of(event), known=known, name=column, width=width)
                name, _, after = text.partition(f" {(word := verdict(event))}")
                shown = terminal._tw.markup(word, **VERDICTS.get(word, {}))
                terminal.write_line(f"{name} {shown}{after}")
        for own in folded:
            for line in wrap(own.text, width, rest="  "):
                terminal.write_line(line)

    def _causes_of(self, event: PropertyFinished) -> str:
        """The causes of a property's failures, for its row."""
        causes = causes_of(event.property, self.causes, self.told)
        if causes.startswith(UNKNOWN) and event.note.startswith(AS_BEFORE):
            return ""  # What is unexplained has a kind, which the note says.
        return causes

    def _folded(self, events: Sequence[PropertyFinished], most: int) -> Iterator[_Folded]:
        """Yield groups of properties that share a line, until there are few enough lines.

        Skipped properties always share one. If there is no room for the others, those that passed
        are next, then those that failed for the same causes or were not tested, the largest groups
        first.
        """
        skips = [event for event in events if event.verdict == "skipped"]
        if skips:
            number = counted(len(skips), "property")
            yield _Folded(skips, f"{number} skipped: {skipped(skips)}")
        rows = len(events) - len(skips)
        passed = [event for event in events if event.verdict == "passed"]
        if rows > most and len(passed) > 1:
            rows -= len(passed) - 2
            yield _Folded(passed, f"{len(passed)} properties passed: {_names(passed)}")
        alike: dict[str, list[PropertyFinished]] = {}
        for event in events:
            if event.verdict in ("failed", "not tested"):
                why = self._causes_of(event) or briefly(event.note).partition(" (")[0]
                alike.setdefault(f"{event.verdict} ({why})", []).append(event)
        for said, own in sorted(alike.items(), key=lambda item: -len(item[1])):
            if rows <= most or len(own) < FEWEST_ALIKE:
                break
            rows -= len(own) - 1 - len(_names(own)) // WIDTH
            yield _Folded(own, f"{len(own)} properties {said}: {_names(own)}")

    def _said(self) -> Iterator[str]:
        """The things that went wrong with the run itself, or keep it from saying more."""
        if self.causes and (said := given_up([own.id for own in self.causes], self.told)):
            yield said
        if self.unnamed:
            yield f"{DISAGREEMENT}: no causes are named: {self.unnamed}"
        if self.too_few_predictions:
            yield (
                f"Naming causes stopped after {self.too_few_predictions:,} predictions, its share "
                "of this run: there may be more causes. A longer run looks for more."
            )
        for name, text in self.disagreements.items():
            yield f"{PREFIX}test_{name}: {DISAGREEMENT}: {text}"
        if self.unwritten:
            yield f"Not written: {self.unwritten}"
        if self.lost:
            yield f"Not confirmed: {self.lost}"
        if self.vacuous:
            yield "Nothing was compared: this run says nothing about the engine."
        if lost := {name: Counter(own.losses) for name, own in self.finished.items() if own.lost}:
            kinds, names = sum(lost.values(), Counter[str]()), listed([*lost])
            yield f"The engine, or its driver, {did(kinds)}, in {names}."
            shrunk = ", and where it hung nothing else is shrunk" if kinds[HUNG] else ""
            yield f"There less is asked{shrunk}."
        if unasked := [n for e in self.finished.values() if (n := e.counts.get("unasked", 0))]:
            places = counted(len(unasked), "property")
            yield f"{counted(sum(unasked), 'case')} of {places} not asked: where nearly all fails"
            yield "for what is known, the engine hangs, or the time is up."
        if self.not_judged:
            yield (
                f"Not judged: {self.not_judged} cases, whose evaluation by the kit takes too long "
                "(--rsp-judging-limit)."
            )

    def _agreement_lines(self, width: int) -> Iterator[str]:
        """The conditions that cases of two engines met, and those that they missed."""
        ended = [e for e in self.finished.values() if e.property.startswith(OF_TWO)]
        for said, counts in (
            ("Compared", sum((Counter(event.grounds) for event in ended), Counter())),
            ("Not compared", sum((Counter(event.excuses) for event in ended), Counter())),
        ):
            if counts:
                yield f"{said}, by the conditions of docs/compare.md:"
            for reason, number in counts.most_common():
                yield from wrap(reason, width, first=f"{number:>7} ")

    def write_timings(self, config: pytest.Config, folder: Path) -> None:
        """Leave the split of the time in ``timings.json``, for ``make bench``."""
        if not self.finished or worker_input(config):
            return
        names = {"waiting for Spark": "spark"}
        split = {names.get(name, name): round(s, 3) for name, s in self.seconds.items()}
        own_folder(folder)
        (folder / "timings.json").write_text(json.dumps(split, indent=2) + "\n", "utf-8")
