"""Where a folder holds W3C's SPARQL test suites, and which tests its manifests list.

A checkout of ``w3c/rdf-tests`` is public at https://w3c.github.io/rdf-tests/: the manifests' IRIs
are relative to that place, and so are those of queries and results. Nothing is read from there:
whatever the manifests name lies in the folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from rsp_conformance.corpora.w3c.documents import Described, Document
from rsp_conformance.corpora.w3c.tests import GROUPS, KINDS, TYPES, UPDATE, SuiteTest, W3CKind
from rsp_conformance.files.files import FileError
from rsp_conformance.model.terms import IRI, RDF, Term

MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
PUBLIC = "https://w3c.github.io/rdf-tests/"
SUITES = ("sparql10", "sparql11")
MANIFEST = "manifest.ttl"
ALL = "manifest-all.ttl"
"""What lists also the groups that are not for every implementation, where there is one."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """The folder ``root``, which is public at ``base``, and the manifests to begin with."""

    root: Path
    base: str
    manifests: tuple[Path, ...]

    def document(self, path: Path) -> Document:
        """A file below the root."""
        return Document(path, self.base + quote(path.relative_to(self.root).as_posix()))

    def find(self, iri: str) -> Document | None:
        """The file that IRI names; None if the folder does not have it."""
        local = iri.removeprefix(self.base)
        if local == iri:
            return None
        path = (self.root / unquote(local)).resolve()
        if not path.is_relative_to(self.root) or not path.is_file():
            return None
        return Document(path, iri)

    def suite(self, manifest: Path) -> str:
        """The name of the suite that MANIFEST lists: its folder, such as ``sparql11/bind``."""
        return manifest.parent.relative_to(self.root).as_posix()


def find_checkout(folder: Path) -> Checkout:
    """The suites of FOLDER.

    FOLDER is a checkout of w3c/rdf-tests, its folder ``sparql``, or any folder below that has a
    manifest of its own.

    Raises:
        FileError: there is no such folder, or nothing of the kind in it.
    """
    if not os.path.isdir(folder):
        said = "no folder" if os.path.exists(folder) else "there is no such folder"
        raise FileError(folder, f"{said}: give a checkout of w3c/rdf-tests")
    root = folder.resolve()
    for top in (root / "sparql", root):
        found = tuple(m for name in SUITES for m in _manifests(top / name))
        if found:
            return Checkout(top, f"{PUBLIC}sparql/", found)
    found = _manifests(root)
    if not found:
        raise FileError(
            folder,
            "holds neither sparql/sparql10, sparql/sparql11 nor a manifest.ttl: "
            "give a checkout of w3c/rdf-tests, or a folder of it that has a manifest",
        )
    suite = next((f for f in (root, *root.parents) if f.name in SUITES), root)
    return Checkout(suite.parent, f"{PUBLIC}sparql/", found)


def _manifests(folder: Path) -> tuple[Path, ...]:
    return tuple(path for name in (MANIFEST, ALL) if (path := folder / name).is_file())


def read_tests(checkout: Checkout) -> tuple[SuiteTest, ...]:
    """Every test of CHECKOUT in the order of its manifests, each once.

    Raises:
        FileError: a manifest cannot be read, lists no tests, or names a file that is not there.
    """
    found: dict[str, SuiteTest] = {}
    waiting = [checkout.document(path) for path in reversed(checkout.manifests)]
    seen: set[Document] = set()
    while waiting:
        document = waiting.pop()
        if document in seen:
            continue
        seen.add(document)
        manifest = _Manifest(checkout, document)
        waiting.extend(reversed(manifest.included))
        for test in manifest.tests:
            found.setdefault(test.iri, test)
    if not found:
        raise FileError(checkout.manifests[0], "lists no tests")
    return tuple(found.values())


class _Manifest:
    """One manifest: the manifests that it includes, and the tests that it lists."""

    def __init__(self, checkout: Checkout, document: Document) -> None:
        self._checkout = checkout
        self._path = document.path
        self._suite = checkout.suite(document.path)
        self._said = said = Described(document)
        if not {MF + "include", MF + "entries"} & {t.predicate.value for t in said.triples}:
            # Its tests would be missed without a word.
            raise FileError(self._path, "no manifest: it has neither mf:include nor mf:entries")
        self.included = [self._file(node, "includes") for node in said.members(MF + "include")]
        self.tests = [self._test(node) for node in said.members(MF + "entries")]

    def _test(self, node: Term) -> SuiteTest:
        said = self._said
        if not isinstance(node, IRI):
            raise FileError(self._path, "lists a test that has no IRI")
        iri, named = node.value, said.value(node, MF + "name")
        name = iri if named is None else _text(named)
        type_iri = said.value(node, RDF + "type")
        if type_iri is None:
            raise FileError(self._path, f"lists <{iri}>, and does not say what it is")
        type_name = _text(type_iri).removeprefix(MF)
        kind = KINDS.get(type_name)
        if kind is None:
            why = TYPES.get(type_name, f"{type_name}, a kind of tests that the kit does not know")
            return SuiteTest(iri, name, self._suite, None, why)
        group = self._suite.rpartition("/")[2]
        if kind is W3CKind.EVALUATION and group in GROUPS:
            return SuiteTest(iri, name, self._suite, kind, GROUPS[group])
        action, result = said.value(node, MF + "action"), said.value(node, MF + "result")
        if action is None:
            raise FileError(self._path, f"<{iri}> has no mf:action")
        query = said.value(action, QT + "query") or action
        if _text(query).endswith(".ru"):
            # Some syntax tests of updates have the types of syntax tests of queries.
            return SuiteTest(iri, name, self._suite, None, UPDATE)
        if kind is W3CKind.EVALUATION and result is None:
            raise FileError(self._path, f"<{iri}> has no mf:result")
        where = f"in <{iri}>, names"
        data, graphs = (
            tuple(self._file(file, where) for file in sorted(said.objects(action, own), key=_text))
            for own in (QT + "data", QT + "graphData")
        )
        cardinality = said.value(node, MF + "resultCardinality")
        return SuiteTest(
            iri,
            name,
            self._suite,
            kind,
            query=self._file(query, where),
            data=data,
            graphs=graphs,
            result=None if result is None else self._file(result, where),
            lax=cardinality == IRI(MF + "LaxCardinality"),
        )

    def _file(self, node: Term, does: str) -> Document:
        document = self._checkout.find(_text(node))
        if document is None:
            local = _text(node).removeprefix(self._checkout.base)
            raise FileError(self._path, f"{does} {local}, and there is no such file in the folder")
        return document


def _text(term: Term) -> str:
    return term.value if isinstance(term, IRI) else getattr(term, "lexical", repr(term))
