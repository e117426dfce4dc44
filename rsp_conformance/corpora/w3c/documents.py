"""Files of a suite, and what RDF ones say, by subject and predicate."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rsp_conformance.files.files import FileError
from rsp_conformance.files.rdf_files import read_quads
from rsp_conformance.model.terms import IRI, RDF, Literal, Subject, Term, Triple

_CACHED = 512


@dataclass(frozen=True, slots=True)
class Document:
    """A file of a suite, and the IRI by which manifests and queries name it."""

    path: Path
    iri: str


@lru_cache(maxsize=_CACHED)
def read_triples(document: Document) -> tuple[Triple, ...]:
    """The triples of a file, in its order; relative IRIs are resolved against its own IRI.

    A blank node is one node throughout the file, and no node of another file.

    Raises:
        FileError: the file cannot be read or parsed.
    """
    scope = re.sub(r"[^A-Za-z0-9]", "-", document.path.stem)
    return tuple(t for t, _ in read_quads(document.path, document.iri, f"{scope}-"))


class Described:
    """What a file says of nodes. Errors name the file."""

    def __init__(self, document: Document) -> None:
        self.path = document.path
        self.triples = read_triples(document)
        self._about: dict[tuple[Term, str], list[Term]] = defaultdict(list)
        for triple in self.triples:
            self._about[triple.subject, triple.predicate.value].append(triple.object)

    def objects(self, node: Term, predicate: str) -> list[Term]:
        """What the file says of NODE by PREDICATE."""
        return self._about.get((node, predicate), [])

    def value(self, node: Term, predicate: str) -> Term | None:
        """The first of what the file says of NODE by PREDICATE."""
        return next(iter(self.objects(node, predicate)), None)

    def subjects(self, type: str) -> list[Subject]:
        """The nodes of a type."""
        wanted = IRI(RDF + "type"), IRI(type)
        return [t.subject for t in self.triples if (t.predicate, t.object) == wanted]

    def members(self, predicate: str) -> list[Term]:
        """The members of every list that any node has as PREDICATE.

        Some manifests are blank nodes, and no file has two.
        """
        lists = [t.object for t in self.triples if t.predicate.value == predicate]
        return [member for node in lists for member in self._members(node)]

    def _members(self, node: Term) -> list[Term]:
        found: list[Term] = []
        seen: set[Term] = set()
        while node != IRI(RDF + "nil"):
            first, rest = self.value(node, RDF + "first"), self.value(node, RDF + "rest")
            if first is None or rest is None or node in seen:
                raise FileError(self.path, "a list has no end")
            seen.add(node)
            found.append(first)
            node = rest
        return found

    def text(self, term: Term) -> str:
        """The lexical form of a literal."""
        if not isinstance(term, Literal):
            raise FileError(self.path, f"{term!r}, where a literal was expected")
        return term.lexical
