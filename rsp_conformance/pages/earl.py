"""The results of properties, or of the tests of a case suite, as a report in EARL."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rsp_conformance.files.earl import OUTCOMES, EarlAssertion, earl_report, project_iri
from rsp_conformance.files.files import write_whole
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.test_suite.entry import SuiteEntry


def write_earl(
    path: Path,
    finished: Iterable[PropertyFinished],
    engine: tuple[str, str],
    tests: Iterable[SuiteEntry] = (),
) -> None:
    """Write a report, whole or not at all.

    Args:
        path: its file.
        finished: the results of properties.
        engine: the engine's name and version.
        tests: those among them that are tests of a suite of cases.

    Raises:
        OSError: the file can't be written.
    """
    subject, entries = project_iri("engine", engine[0]), {own.name: own for own in tests}
    said = {subject: {"dc:title": " ".join(engine)}}
    found = (_assertion(subject, own, entries.get(own.property)) for own in finished)
    write_whole(path, earl_report(said, found, "rsp-conformance"))


def _assertion(subject: str, own: PropertyFinished, entry: SuiteEntry | None) -> EarlAssertion:
    test = project_iri("property", own.property) if entry is None else entry.iri
    title = own.property if entry is None else entry.title
    return EarlAssertion(subject, test, title, OUTCOMES[own.outcome], own.reason or own.note)
