"""The recorded runs on real engines as a site of files, as `rsp-conformance matrix` writes it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rsp_conformance.diagnosis.cause import UNEXPLAINED
from rsp_conformance.diagnosis.known_file import fingerprint_of
from rsp_conformance.judge.crash_file import read
from rsp_conformance.pages.site import Speed, write_site
from rsp_conformance.run.events import (
    CausesFound,
    Event,
    FindingConfirmed,
    PropertyFinished,
    RunStarted,
)
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.run_report import REPORTS, RunReport, run_report
from tools.engines.counterexamples import unpack
from tools.engines.record import CRASHES, ROOT, Defect, Record, defects, kept_crashes, records
from tools.engines.semantics import kept

FOLDER = ROOT / "build" / "site" / "engines"
"""Where it is part of the pages' site (``make site``)."""


def write(folder: Path = FOLDER) -> Path:
    """Write the site of all records; its first page."""
    found, known = records(), [own for own in defects() if own.crash]
    speeds = [Speed(r.engine, r.version, r.start_up, r.cases_per_second) for r in found]
    with tempfile.TemporaryDirectory() as unpacked:
        runs = []
        for record in found:
            base = Path(unpacked) / record.engine
            base.mkdir(exist_ok=True)
            unpack(kept_crashes(record), base)
            for defect in known:
                if defect.engine == record.engine:
                    shutil.copy(CRASHES / defect.crash, base)
            runs.append((report(record), base))
        return write_site(runs, folder, kept(), speeds)


def report(record: Record) -> RunReport:
    """A record as the result of a run.

    A cause's case is the crash file of the defect that it is, or else its smallest one in the run.
    """
    started = RunStarted(
        record.engine, record.version, record.profile, record.judged_by, str(record.seed)
    )
    document = run_report(
        RunOutcome().take(_events(record)),
        started,
        passed=all(own.verdict != "failed" for own in record.properties.values()),
        began=record.started,
        duration=record.seconds,
        machine=record.machine,
        spec=record.engine,
    )
    found: RunReport = REPORTS.read(RunReport, document)
    return found


def _events(record: Record) -> Iterator[Event]:
    own = {one.name: one for one in defects() if one.engine == record.engine and one.crash}
    for name, shown in record.defects.items():
        if name in own:
            yield FindingConfirmed(
                property=shown.property,
                kind=shown.kind,
                elements=shown.elements,
                file=_file(own[name]),
                confirmed=f"replayed: {shown.status}",
                headline=own[name].what,
            )
    for name, found in record.properties.items():
        yield PropertyFinished(name, found.verdict, found.note, counts=found.counts)
    cases: dict[str, str] = {}
    for name, defect in own.items():
        for id in _ids(defect):
            cases.setdefault(id, name)
    yield CausesFound(tuple(_with_case(cause, own, cases, record) for cause in record.causes))


def _with_case(
    cause: Mapping[str, Any], own: Mapping[str, Defect], cases: Mapping[str, str], record: Record
) -> Mapping[str, Any]:
    """A cause of a record, with the crash file of the defect that it is, if it is one."""
    shown = record.defects.get(name := cases.get(cause["id"], ""))
    if shown is None:
        return cause
    return {**cause, "smallest": {"file": _file(own[name]), "elements": shown.elements}}


def _ids(defect: Defect) -> tuple[str, ...]:
    """The ids under which a run may name a defect: its mutants, and the group of its case."""
    return (*defect.causes, UNEXPLAINED + fingerprint_of(read(CRASHES / defect.crash)))


def _file(defect: Defect) -> str:
    return (CRASHES / defect.crash).relative_to(ROOT).as_posix()
