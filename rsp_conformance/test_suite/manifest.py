"""Manifests of suites: Turtle after W3C's way, and the same as JSON, by which they are read.

The package's own suite has none: it is one file (``test_suite.packed``).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Final

from rsp_conformance.files.codec import Check
from rsp_conformance.files.files import FileError, missing
from rsp_conformance.model.terms import Literal
from rsp_conformance.test_suite.case_files import (
    MANIFESTS,
    VOCABULARY,
    CaseFiles,
    folder_of,
    read_case,
    read_file,
)
from rsp_conformance.test_suite.entry import TEST, SuiteEntry
from rsp_conformance.test_suite.packed import PACKED, read_packed
from rsp_conformance.text.ntriples import write_term

PACKAGED: Final = "@suite"
"""What stands for the folder of the suite that is part of the package."""
MANIFEST, TWIN = "manifest.ttl", "manifest.json"
_PREFIXES: Final = {
    "mf": "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "dct": "http://purl.org/dc/terms/",
    "rspt": VOCABULARY,
}


@dataclass(frozen=True, slots=True)
class ManifestJson:
    """A manifest: what the suite is called, and its tests in order."""

    label: str
    tests: Annotated[
        tuple[CaseFiles, ...], Check(len, "an array of at least one test", {"minItems": 1})
    ]


@dataclass(frozen=True, slots=True)
class CaseSuite:
    """A suite of cases.

    Attributes:
        path: its folder, or its one file.
        label: what it is called.
        tests: its tests, in the manifest's order.
    """

    path: Path
    label: str
    tests: tuple[SuiteEntry, ...]

    def files_of(self, name: str) -> str:
        """Return where the files of the test called `name` are, for a reader."""
        if self.path.name == PACKED:
            return f"DIR/{folder_of(name)}, after `rsp-conformance export DIR`"
        return str(self.path / folder_of(name))


def packaged_suite() -> Path:
    """The folder of the suite that is part of the package."""
    return Path(str(resources.files("rsp_conformance") / "examples" / "suite"))


def read_suite(folder: Path) -> CaseSuite:
    """Return the suite in a folder: by its JSON manifest, or from its one file.

    Args:
        folder: the folder; ``@suite`` stands for the suite that is part of the package.

    Raises:
        FileError: the folder holds no suite; the error names the file and the place.
    """
    folder = packaged_suite() if str(folder) == PACKAGED else folder
    if not os.path.isdir(folder):
        raise missing(folder, "folder")
    path = folder / PACKED
    if os.path.isfile(path):
        label, tests = read_packed(path)
        _check_names(path, [entry.name for entry in tests])
        return CaseSuite(path, label, tests)
    path = folder / TWIN
    manifest: ManifestJson = read_file(path, lambda value: MANIFESTS.read(ManifestJson, value))
    _check_names(path, [said.name for said in manifest.tests])
    tests = tuple(read_case(folder, said) for said in manifest.tests)
    return CaseSuite(folder, manifest.label, tests)


def _check_names(path: Path, names: Sequence[str]) -> None:
    """Raise FileError if two tests have one name."""
    if twice := next((name for name, times in Counter(names).items() if times > 1), None):
        raise FileError(path, f"two tests are called {twice!r}")


def manifest_json(label: str, tests: Sequence[CaseFiles]) -> str:
    """Return the manifest of tests as JSON."""
    document = MANIFESTS.write(ManifestJson, ManifestJson(label, tuple(tests)))
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def manifest_turtle(label: str, tests: Sequence[CaseFiles]) -> str:
    """Return the manifest of tests in Turtle."""
    lines = [f"@prefix {name}: <{iri}> ." for name, iri in _PREFIXES.items()]
    lines += ["", "<> a mf:Manifest ;", f"  rdfs:label {_text(label)} ;", "  mf:entries ("]
    lines += [*(f"    <{TEST}{one.name}>" for one in tests), "  ) ."]
    for one in tests:
        lines += ["", *_test_lines(one)]
    return "\n".join(lines) + "\n"


def _test_lines(one: CaseFiles) -> Iterator[str]:
    yield f"<{TEST}{one.name}> a rspt:ContinuousQueryTest ;"
    yield f"  mf:name {_text(one.name)} ; rdfs:comment {_text(one.title)} ;"
    if one.source:
        yield f"  dct:source {_text(one.source)} ;"
    if one.features:
        yield f"  rspt:feature {', '.join(map(_text, one.features))} ;"
    yield "  mf:action ["
    yield f"    rspt:query <{one.query}> ;"
    yield f"    rspt:elements <{one.jsonl}> ; rspt:elementGraphs <{one.trig}> ;"
    if one.streams:
        yield f"    rspt:streams ( {' '.join(map(write_term, one.streams))} ) ;"
    for file in one.background:
        ends = [("from", file.since), ("until", file.until)]
        said = "".join(f" ; rspt:{name} {at}" for name, at in ends if at is not None)
        yield f"    rspt:background [ rspt:data <{file.path}>{said} ] ;"
    if one.stamp is not None:
        predicate, datatype = write_term(one.stamp.predicate), write_term(one.stamp.datatype)
        yield f"    rspt:stamp [ rspt:predicate {predicate} ; rspt:datatype {datatype} ] ;"
    yield f"    rspt:registered {one.registered} ; rspt:until {one.until}"
    yield "  ] ;"
    yield f"  mf:result <{one.result}> ."


def _text(text: str) -> str:
    return write_term(Literal(text))
