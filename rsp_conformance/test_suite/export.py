"""A suite written to a folder: manifests, cases, and the files beside them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rsp_conformance.files.cases import CASES
from rsp_conformance.files.files import write_whole
from rsp_conformance.limits import limited
from rsp_conformance.model.answers import Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput, Unsupported
from rsp_conformance.model.usage import case_features
from rsp_conformance.model.walk import within
from rsp_conformance.spec.starts import t_s
from rsp_conformance.test_suite.case_files import written
from rsp_conformance.test_suite.entry import LegalAnswer, SuiteCase, SuiteEntry
from rsp_conformance.test_suite.legal import legal_answers
from rsp_conformance.test_suite.manifest import (
    MANIFEST,
    TWIN,
    manifest_json,
    manifest_turtle,
    packaged_suite,
    read_suite,
)
from rsp_conformance.test_suite.packed import PACKED, write_packed

PAGE = "coverage.md"
"""The page that says what the packaged suite covers."""
BESIDE = ("README.md", "vocabulary.ttl", "runner.mjs")
"""What is the same in every suite: how to read one, its vocabulary, and a runner."""


def suite_case(case: Case, dials: Dials, name: str, title: str, source: str = "") -> SuiteCase:
    """Make a test of a case under dials, not knowing yet which dials its answers depend on.

    Args:
        case: the case.
        dials: the dials.
        name: the test's name.
        title: its title.
        source: where it comes from.

    Raises:
        Unsupported: there is no test: SPARQL leaves its answer open, nothing is due whatever the
            start, or the files cannot say it.
        LimitExceeded: it takes too much.
        ValueError: as ``legal_answers``.
    """
    with limited():
        case = CASES.read(Case, CASES.write(Case, case), "case")
        case = replace(case, query=case.query.in_instants(dials.unit))
        legal = legal_answers(case, dials)
        if dials.numbers == "term" and any(map(_computes, legal)):
            # Digits and form of a computed number are open, and files say nothing of it.
            dials = replace(dials, numbers="value")
        features = tuple(sorted(case_features(case)))
        entry = SuiteCase(
            name, title, case, dials, t_s(case, dials), legal, features=features, source=source
        )
        written(SuiteEntry((entry,)))
    if not any(e.compared for answer in legal for e in answer):
        raise Unsupported("a case in which nothing is due")
    return entry


def _computes(answer: LegalAnswer) -> bool:
    """Return whether an answer has a computed number of open digits or form."""
    contents = [e.evaluation.content for e in answer]
    return any(
        not isinstance(content, Truth) and not content.computed.isdisjoint(within(content))
        for content in contents
    )


def export_suite(
    folder: Path, label: str, tests: Sequence[SuiteEntry], more: Mapping[str, str] | None = None
) -> None:
    """Write tests as a suite.

    An earlier suite's cases are replaced. The manifest comes last: a folder without one is no
    suite.

    Args:
        folder: the suite's folder.
        label: the suite's label.
        tests: the tests.
        more: further files beside the manifest, by name.

    Raises:
        BadInput: the folder holds something else than a suite; it is left alone.
        OSError: a file cannot be written.
    """
    check_folder(folder)
    beside = {name: (packaged_suite() / name).read_text("utf-8") for name in BESIDE}
    files: dict[str, str] = {}
    said = []
    for entry in tests:
        files_of, texts = written(entry)
        said.append(files_of)
        files |= texts
    for manifest in (MANIFEST, TWIN):
        (folder / manifest).unlink(missing_ok=True)
    shutil.rmtree(folder / "cases", ignore_errors=True)
    files |= beside | dict(more or {})
    files |= {MANIFEST: manifest_turtle(label, said), TWIN: manifest_json(label, said)}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, text)


def check_folder(folder: Path) -> None:
    """Check that a suite can be written into a folder.

    Raises:
        BadInput: it is no folder, or holds something else than a suite.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder}: not a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / TWIN).exists():
        raise BadInput(f"{folder}: holds something else than a suite; name a new folder")


def copy_suite(folder: Path) -> None:
    """Write the suite that is part of the package into a folder, as ``export_suite`` does.

    Args:
        folder: the folder.

    Raises:
        BadInput: the folder holds something else than a suite.
        OSError: the folder cannot be written.
    """
    check_folder(folder)
    suite = read_suite(packaged_suite())
    page = (packaged_suite() / PAGE).read_text("utf-8")
    export_suite(folder, suite.label, suite.tests, {PAGE: page})


def pack_suite(folder: Path, label: str, tests: Sequence[SuiteEntry], page: str) -> None:
    """Write a suite into a folder as the package holds it: one file, and the page beside it.

    Args:
        folder: the folder; it is made if it does not exist.
        label: what the suite is called.
        tests: its tests.
        page: what they cover, in Markdown.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_packed(folder / PACKED, label, tests)
    write_whole(folder / PAGE, page)
