"""``replay``: is the failure in a crash file still there?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rsp_conformance.cli.tables import BAD_INPUT, CORRECT, WIDTH, WRONG
from rsp_conformance.explain.render.report import report
from rsp_conformance.judge.crash_file import CrashFile, read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.replay import ERROR, FAILED, FIXED, replay
from rsp_conformance.metamorphic.replay import replay_trial
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.protocol import registry
from rsp_conformance.protocol.requests import hello_request
from rsp_conformance.suite.reference_opinion import reading_of

STATUS = {FIXED: CORRECT, FAILED: WRONG, ERROR: BAD_INPUT}


def show_replay(
    path: Path, engine: str | None, engine_options: Sequence[str], time_limit: float
) -> int:
    """Run a crash file's case once more; the exit status.

    The first word on standard output is FIXED, FAILED or ERROR; with FAILED comes the argument,
    with ERROR a line on standard error that says why nothing could be judged.
    """
    try:
        with reading(""):
            crash = read(path)
            _check(path, crash)
        spec, options = chosen(crash, engine, registry.parse_options(engine_options))
        with registry.connect(spec, options, time_limit) as connected:
            subject = EngineUnderTest.meet(connected, crash.profile)
            with reading(str(path)):
                again = replay_trial if len(crash.cases) > 1 else replay
                found = again(crash, subject)
    except BaseException:
        # Whatever it is, the caller of the program reads the word, and then the line.
        print(ERROR)
        raise
    if found.status == ERROR:
        print(ERROR)
        raise BadInput(f"{path}: {found.message}")
    if found.finding is None:
        print(f"{found.status}: {crash.property_name} on {spec}")
    else:
        print(f"{found.status}: {crash.property_name} on {spec}\n")
        finding = replace(found.finding, reading=reading_of(found.finding))
        print(report(finding, width=WIDTH))
    return STATUS[found.status]


def show_request(path: Path) -> int:
    """Print what the driver was asked: its hello and the case, or cases, one JSON object a line."""
    with reading(""):
        crash = read(path)
    if not crash.requests:
        raise BadInput(f"{path}: holds no request; replay it without --request")
    for message in (hello_request(), *crash.requests):
        print(json.dumps(message, separators=(",", ":")))
    return CORRECT


def chosen(
    crash: CrashFile, engine: str | None, options: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """The engine to run and its options: the file's own, unless another engine is named.

    Options that are given are set on top of the file's, for the same engine.
    """
    if engine is None or engine == crash.engine:
        return crash.engine, {**crash.options, **options}
    return engine, dict(options)


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
