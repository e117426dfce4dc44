"""The results of properties, or of the tests of a case suite, as a report in EARL."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rsp_conformance.files.earl import OUTCOMES, EarlAssertion, earl_report, project_iri
from rsp_conformance.files.files import write_whole
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.test_suite.entry import SuiteEntry


def write_earl(
    path: Path, finished: Iterable[PropertyFinished], hello: Hello, tests: Iterable[SuiteEntry] = ()
) -> None:
    """Write a report, whole or not at all.

    Args:
        path: its file.
        finished: the results of properties.
        hello: the hello of the engine.
        tests: those among them that are tests of a suite of cases.

    Raises:
        OSError: the file can't be written.
    """
    subject, entries = project_iri("engine", hello.engine), {own.name: own for own in tests}
    said = {subject: {"dc:title": f"{hello.engine} {hello.version}"}}
    found = (_assertion(subject, own, entries.get(own.property)) for own in finished)
    write_whole(path, earl_report(said, found, "rsp-conformance"))


def _assertion(subject: str, own: PropertyFinished, entry: SuiteEntry | None) -> EarlAssertion:
    test = project_iri("property", own.property) if entry is None else entry.iri
    title = own.property if entry is None else entry.title
    return EarlAssertion(subject, test, title, OUTCOMES[own.outcome], own.reason or own.note)
