"""Reads manifests: RDF files that list tests, or further manifests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rsp_conformance.corpora.w3c.layout import Checkout, Document
from rsp_conformance.corpora.w3c.tests import GROUPS, KINDS, TYPES, UPDATE, Kind, SuiteTest
from rsp_conformance.files.files import FileError, read_text

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"


def read_tests(checkout: Checkout) -> tuple[SuiteTest, ...]:
    """Every test of CHECKOUT in the order of its manifests, each once.

    Raises:
        FileError: a manifest cannot be read, lists no tests, or names a file that is not there.
    """
    found: dict[str, SuiteTest] = {}
    waiting = list(reversed(checkout.manifests))
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        manifest = _Manifest(checkout, path)
        manifest.check()
        waiting.extend(reversed(manifest.included()))
        for test in manifest.tests():
            found.setdefault(test.iri, test)
    if not found:
        raise FileError(checkout.manifests[0], "lists no tests")
    return tuple(found.values())


class _Manifest:
    """One manifest file."""

    def __init__(self, checkout: Checkout, path: Path) -> None:
        self._checkout = checkout
        self._path = path
        self._graph = _parsed(path, checkout.document(path).iri)

    def check(self) -> None:
        """Refuse a file that is no manifest: its tests would be missed without a word."""
        if not self._objects(MF + "include") and not self._objects(MF + "entries"):
            raise FileError(self._path, "no manifest: it has neither mf:include nor mf:entries")

    def included(self) -> list[Path]:
        """The manifests that this one includes."""
        return [
            self._file(node, "includes").path
            for listed in self._objects(MF + "include")
            for node in self._list(listed)
        ]

    def tests(self) -> Iterator[SuiteTest]:
        """The tests that this one lists."""
        for listed in self._objects(MF + "entries"):
            for node in self._list(listed):
                yield self._test(node)

    def _test(self, node: Node) -> SuiteTest:
        from rdflib import RDF, URIRef

        if not isinstance(node, URIRef):
            raise FileError(self._path, "lists a test that has no IRI")
        suite = self._checkout.suite(self._path)
        name = str(self._value(node, MF + "name") or node)
        kind_iri = self._value(node, str(RDF.type))
        if kind_iri is None:
            raise FileError(self._path, f"lists <{node}>, and does not say what it is")
        kind_name = str(kind_iri).removeprefix(MF)
        kind = KINDS.get(kind_name)
        if kind is None:
            why = TYPES.get(kind_name, f"{kind_name}, a kind of tests that the kit does not know")
            return SuiteTest(str(node), name, suite, None, why)
        group = suite.rpartition("/")[2]
        if kind is Kind.EVALUATION and group in GROUPS:
            return SuiteTest(str(node), name, suite, kind, GROUPS[group])
        action = self._value(node, MF + "action")
        if action is None:
            raise FileError(self._path, f"<{node}> has no mf:action")
        query = self._value(action, QT + "query") or action
        if str(query).endswith(".ru"):
            # Some syntax tests of updates have the types of syntax tests of queries.
            return SuiteTest(str(node), name, suite, None, UPDATE)
        result = self._value(node, MF + "result")
        if kind is Kind.EVALUATION and result is None:
            raise FileError(self._path, f"<{node}> has no mf:result")
        return SuiteTest(
            str(node),
            name,
            suite,
            kind,
            query=self._file(query, f"in <{node}>, names"),
            data=self._files(node, action, QT + "data"),
            graphs=self._files(node, action, QT + "graphData"),
            result=None if result is None else self._file(result, f"in <{node}>, names"),
            lax=self._value(node, MF + "resultCardinality") == URIRef(MF + "LaxCardinality"),
        )

    def _files(self, test: Node, action: Node, property: str) -> tuple[Document, ...]:
        from rdflib import URIRef

        nodes = self._graph.objects(action, URIRef(property))
        return tuple(self._file(node, f"in <{test}>, names") for node in sorted(nodes, key=str))

    def _file(self, node: Node, does: str) -> Document:
        document = self._checkout.find(str(node))
        if document is None:
            local = str(node).removeprefix(self._checkout.base)
            raise FileError(self._path, f"{does} {local}, and there is no such file in the folder")
        return document

    def _value(self, subject: Node, property: str) -> Node | None:
        from rdflib import URIRef

        return self._graph.value(subject, URIRef(property), any=True)

    def _objects(self, property: str) -> list[Node]:
        """What any node has as PROPERTY: some manifests are blank nodes, and no file has two."""
        from rdflib import URIRef

        return list(self._graph.objects(None, URIRef(property)))

    def _list(self, node: Node) -> list[Node]:
        from rdflib.collection import Collection

        try:
            return list(Collection(self._graph, node))
        except (KeyError, ValueError) as error:
            raise FileError(self._path, f"a list has no end ({error})") from None


def _parsed(path: Path, iri: str) -> Graph:
    from rdflib import Graph
    from rdflib.exceptions import ParserError
    from rdflib.plugins.parsers.notation3 import BadSyntax

    text = read_text(path)
    try:
        return Graph().parse(data=text, format="turtle", publicID=iri)
    except BadSyntax as error:
        # The rest of rdflib's message is a piece of the file as Python writes bytes.
        said = re.search(r"Bad syntax \((.*)\) at \^ in", error.message, re.DOTALL)
        why = said[1] if said else error.message
        raise FileError(path, f"no Turtle ({why})", error.lines + 1) from None
    except (ParserError, ValueError) as error:
        raise FileError(path, f"no Turtle ({error})") from None
