"""``replay``: is the failure in a crash file still there?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from rsp_conformance.cli.options import EngineSettings, TimeLimit, option
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG
from rsp_conformance.explain.render.report import report
from rsp_conformance.judge.crash_file import CrashFile, read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.replay import ERROR, FAILED, FIXED
from rsp_conformance.judge.replay import replay as replay_case
from rsp_conformance.metamorphic.replay import replay_trial
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.protocol import registry
from rsp_conformance.protocol.requests import hello_request
from rsp_conformance.suite.reference_opinion import reading_of


def replay(
    crash_file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A crash file, as failures write into .rsp/crashes."),
    ],
    engine: Annotated[str | None, option("ENGINE", "Another engine than the file names.")] = None,
    *,
    engine_option: EngineSettings,
    time_limit: TimeLimit = 30.0,
    request: Annotated[
        bool,
        typer.Option(
            "--request", help="Run nothing: print the requests, to be piped into the driver."
        ),
    ] = False,
) -> int:
    """Run a crash file again: FIXED, FAILED or ERROR.

    Exit status: 0 FIXED, 1 FAILED, 2 ERROR.
    """
    if request:
        return _show_request(crash_file)
    try:
        with reading(""):
            crash = read(crash_file)
            _check(crash_file, crash)
        # Options that are given are set on top of the file's, for the same engine.
        options = registry.parse_options(engine_option)
        if engine is None or engine == crash.engine:
            options = {**crash.options, **options}
        spec = engine or crash.engine
        with registry.connect(spec, options, time_limit) as connected:
            subject = EngineUnderTest.meet(connected, crash.profile)
            with reading(str(crash_file)):
                again = replay_trial if len(crash.cases) > 1 else replay_case
                found = again(crash, subject)
    except BaseException:
        # Whatever it is, the caller of the program reads the word, and then the line.
        print(ERROR)
        raise
    if found.status == ERROR:
        print(ERROR)
        raise BadInput(f"{crash_file}: {found.message}")
    print(f"{found.status}: {crash.property_name} on {spec}")
    if found.finding is not None:
        finding = replace(found.finding, reading=reading_of(found.finding))
        print(f"\n{report(finding, width=WIDTH)}")
    return {FIXED: CORRECT, FAILED: WRONG}[found.status]


def _show_request(path: Path) -> int:
    """Print what the driver was asked: its hello and the case, or cases, one JSON object a line."""
    with reading(""):
        crash = read(path)
    if not crash.requests:
        raise BadInput(f"{path}: holds no request; replay it without --request")
    for message in (hello_request(), *crash.requests):
        print(json.dumps(message, separators=(",", ":")))
    return CORRECT


def _check(path: Path, crash: CrashFile) -> None:
    """Refuse a file whose values have other types than a case has: it was edited by hand."""
    for case in (asked.case for asked in crash.cases):
        iris = (*case.streams, *(e.stream for e in case.elements), case.stamp.predicate)
        for iri in (*iris, case.stamp.datatype):
            if not isinstance(iri.value, str):
                raise BadInput(f"{path}: damaged: expected an IRI, found {iri.value!r}")
        ends = [end for entry in case.background for end in (entry.since, entry.until)]
        for number in (case.registered, case.until, *(e.t for e in case.elements), *ends):
            if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
                raise BadInput(f"{path}: damaged: expected a whole number, found {number!r}")
