"""``matrix``: run the properties on several engines, and compare engine × property × cause."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

import rsp_conformance as rsp
from rsp_conformance.api import ConnectedEngine
from rsp_conformance.cli import completion
from rsp_conformance.cli.options import ENGINE, Format, FormatOption, TimeLimit, option, repeatable
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, show_apart, show_json, show_table
from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.explain.document import Items, Prose
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import own_folder
from rsp_conformance.model.errors import BadInput, note, reading
from rsp_conformance.pages.site import write_site
from rsp_conformance.protocol import EngineError, registry
from rsp_conformance.results import SuiteResult
from rsp_conformance.run.events import Event, PropertyFinished, PropertyStarted, RunStarted
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.properties import SUITE, property_named
from rsp_conformance.run.run_report import REPORTS, RunReport, make_folder, run_report, this_machine

SHORT: Mapping[str, str] = {
    "passed": "ok",
    "failed": "FAILED",
    "kit error": "KIT ERROR",
    "engine lost": "LOST",
    "not tested": "-",
    "skipped": "",
}
"""The text of a cell without a cause, by the property's verdict."""


@dataclass(frozen=True, slots=True)
class Row:
    """An engine with the result of its run.

    Attributes:
        name: the engine's name in the table.
        version: the version in its hello.
        profile: the name of its profile.
        result: the result of the properties.
        spec: the engine as the user names it.
        began: when its run began.
        seconds: how long that took, on the clock.
    """

    name: str
    version: str
    profile: str
    result: SuiteResult
    spec: str
    began: datetime
    seconds: float

    def cell(self, property: str) -> str:
        """Return the numbers of the causes behind a property's failures, or its verdict."""
        numbers = [
            str(number)
            for number, cause in enumerate(self.result.causes, 1)
            if property in cause.properties
        ]
        if numbers:
            return " ".join(numbers)
        ended = {event.property: event.verdict for event in self.result.properties}
        verdict = ended.get(property, "skipped")
        return SHORT.get(verdict, verdict)

    def report(self) -> RunReport:
        """Return the result as a run report."""
        events = self.result.events
        unknown = RunStarted(self.name, self.version, self.profile, "", "")
        started = next((own for own in events if isinstance(own, RunStarted)), unknown)
        document = run_report(
            RunOutcome().take(events),
            started,
            passed=self.result.passed,
            began=self.began.isoformat(timespec="seconds"),
            duration=self.seconds,
            machine=this_machine(),
            spec=self.spec,
        )
        found: RunReport = REPORTS.read(RunReport, document)
        return found

    def document(self) -> RowJson:
        """Return the engine with its properties and causes, as `--format json` shows it."""
        return RowJson(
            self.name,
            self.version,
            self.profile,
            self.result.passed,
            {event.property: event.verdict for event in self.result.properties},
            self.result.causes,
        )


@dataclass(frozen=True, slots=True)
class RowJson:
    """An engine with its result."""

    engine: str
    version: str
    profile: str
    passed: bool
    properties: Mapping[str, str]
    """The verdict of each property."""
    causes: tuple[Cause, ...]


def matrix(
    engine: Annotated[
        list[str], repeatable("NAME", f"{ENGINE} Repeatable.", autocompletion=completion.engines)
    ],
    *,
    engine_option: Annotated[
        list[str], repeatable("NAME:K=V", "Set an option of the engine NAME. Repeatable.")
    ],
    property: Annotated[
        list[str],
        repeatable(
            "NAME",
            "Run only this property, such as windows. Repeatable.",
            autocompletion=completion.properties,
        ),
    ],
    examples: Annotated[int, option("N", "Cases per property.", min=1)] = 100,
    seed: Annotated[int, option("N", "The same seed draws the same cases.", min=0)] = 0,
    max_time: Annotated[
        float | None,
        option("SECONDS", "Time limit of each engine's run, to draw cases and to ask.", min=0.1),
    ] = None,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Keep looking for further bugs hidden by the ones already found."
        ),
    ] = False,
    dir: Annotated[Path, option("DIR", "Write crash files to DIR/crashes.")] = Path(".rsp"),
    time_limit: TimeLimit = registry.TIME_LIMIT,
    report: Annotated[
        Path | None,
        option(
            "DIR",
            "Write a site there, which opens offline: the matrix, what goes wrong in how many "
            "engines, and a page per engine with its counterexamples.",
        ),
    ] = None,
    format: FormatOption = Format.table,
) -> int:
    """Run the properties on several engines and compare them.

    A cell has the numbers of the causes behind a failure; the list below the table describes them.
    Each engine is checked against its own profile. Exit status: 0 all passed, 1 not all passed, 2
    bad input.

    Examples:
        rsp-conformance matrix --engine reference --engine rsp-js --examples 20
        rsp-conformance matrix --engine rsp-js --property windows --property join
        rsp-conformance matrix --engine reference --engine rsp-js --report site
    """
    settings = _settings(engine_option, engine)
    for one in property:
        with reading("--property"):
            property_named(one)
    if dir.exists() and not dir.is_dir():
        raise BadInput(f"--dir {dir}: not a folder")
    try:
        own_folder(dir)
    except OSError as error:
        raise BadInput(f"--dir {dir}: {error.strerror}") from None
    if report is not None:
        with reading("--report"):
            make_folder(report)
    rows: list[Row] = []
    tested = len(property) or len(SUITE)
    with ExitStack() as engines, progress("starting") as doing:

        def listen(event: Event) -> None:
            happened.append(event)
            if isinstance(event, PropertyStarted):
                ended = sum(isinstance(own, PropertyFinished) for own in happened)
                before = len(rows) * tested
                doing(f"{name}: {event.property}", before + ended, len(engine) * tested)

        connections = {}
        for name in engine:
            # All engines say hello before the first one is asked for minutes.
            with reading(f"--engine {name}"), registry.named_by("--engine", name):
                connected = registry.connect(name, settings[name], time_limit)
                under_test = EngineUnderTest.meet(engines.enter_context(connected))
            connections[name] = ConnectedEngine(under_test)
        for name, connection in connections.items():
            happened: list[Event] = []
            began, since = datetime.now(UTC), time.monotonic()
            try:
                rsp.run_suite(
                    connection,
                    properties=property,
                    examples=examples,
                    seed=seed,
                    folder=dir,
                    listen=listen,
                    deep=deep,
                    max_seconds=max_time,
                )
            except EngineError as error:
                # Its result up to here is shown, and the other engines have their turn.
                note(f"--engine {name}: {error.line}")
            hello, profile = connection.under_test.hello, connection.profile.name
            result = SuiteResult(tuple(happened))
            seconds = time.monotonic() - since
            rows.append(Row(hello.engine, hello.version, profile, result, name, began, seconds))
    if format is Format.json:
        show_json([CAUSES.write(RowJson, row.document()) for row in rows])
    else:
        _show(rows)
    if report is not None:
        with reading("--report"):
            page = write_site([(row.report(), Path()) for row in rows], report)
        print(f"As a site: {page}", file=sys.stderr if format is Format.json else sys.stdout)
    return CORRECT if all(row.result.passed for row in rows) else WRONG


def _settings(written: Sequence[str], engines: Sequence[str]) -> dict[str, dict[str, str]]:
    """Read the options of each engine.

    Args:
        written: the values of ``--engine-option``.
        engines: the engines' names.

    Raises:
        BadInput: there is no engine, an engine is named twice, or an option cannot be read.
    """
    if not engines:
        raise BadInput("--engine: name the engines; rsp-conformance engines lists them")
    if twice := sorted({name for name in engines if engines.count(name) > 1}):
        raise BadInput(f"--engine {twice[0]}: named twice")
    found: dict[str, list[str]] = {name: [] for name in engines}
    for text in written:
        # An engine's name may hold colons and equal signs, as stdio:COMMAND does.
        name = next((e for e in engines if text.startswith(f"{e}:")), None)
        if name is None or "=" not in text.removeprefix(f"{name}:"):
            raise BadInput(f"--engine-option {text!r}: write NAME:K=V, of an engine named here")
        found[name].append(text.removeprefix(f"{name}:"))
    with reading("--engine-option"):
        return {name: registry.parse_options(settings) for name, settings in found.items()}


def _show(rows: Sequence[Row]) -> None:
    names = [p.name for p in SUITE if any(row.cell(p.name) for row in rows)]
    show_table(
        ["property", *(row.name for row in rows)],
        [[name, *(row.cell(name) for row in rows)] for name in names],
    )
    print()
    show_apart(map(_causes, rows), width=WIDTH)


def _causes(row: Row) -> tuple[Prose, Items]:
    causes = row.result.causes
    head = f"{row.name} {row.version}, profile {row.profile}: {_summary(causes)}"
    items = (f"{number} {cause.id}: {cause.text}" for number, cause in enumerate(causes, 1))
    return Prose((head,)), Items(tuple(items))


def _summary(causes: Sequence[Cause]) -> str:
    explained = sum(len(cause.setting) > 0 for cause in causes)
    if not causes:
        return "no failure"
    rest = len(causes) - explained
    unexplained = f", {counted(rest, 'unexplained failure')}" if rest else ""
    return f"{counted(explained, 'cause')}{unexplained}"
