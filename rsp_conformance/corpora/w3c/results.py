"""The results that tests expect: SPARQL's XML and JSON, DAWG's result sets in RDF, and graphs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rsp_conformance.corpora.w3c.layout import Document
from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.terms import IRI, RDF, BlankNode, Literal, Subject, Term, Triple

if TYPE_CHECKING:
    from pyoxigraph import RdfFormat


_CACHED = 512
_NO_LETTER = re.compile(r"[^A-Za-z0-9]")


@lru_cache(maxsize=_CACHED)
def read_triples(document: Document) -> tuple[Triple, ...]:
    """The triples of a file, in its order; relative IRIs are resolved against its own IRI.

    A blank node is one node throughout the file, and no node of another file.

    Raises:
        FileError: the file cannot be read or parsed.
    """
    import pyoxigraph

    text = read_text(document.path)
    try:
        found = list(pyoxigraph.parse(text, _format(document), base_iri=document.iri))
    except (SyntaxError, ValueError) as error:
        raise FileError(document.path, " ".join(str(error).split())) from None
    nodes: dict[str, BlankNode] = {}
    return tuple(
        Triple(
            term_of(quad.subject, document, nodes),  # type: ignore[arg-type]
            term_of(quad.predicate, document, nodes),  # type: ignore[arg-type]
            term_of(quad.object, document, nodes),
        )
        for quad in found
    )


def _format(document: Document) -> RdfFormat:
    import pyoxigraph

    known = {
        ".ttl": pyoxigraph.RdfFormat.TURTLE,
        ".nt": pyoxigraph.RdfFormat.N_TRIPLES,
        ".rdf": pyoxigraph.RdfFormat.RDF_XML,
    }
    suffix = document.path.suffix.lower()
    if suffix not in known:
        raise FileError(document.path, f"cannot tell its format: expected {' '.join(known)}")
    return known[suffix]


def term_of(term: object, document: Document, nodes: dict[str, BlankNode]) -> Term:
    """The parser's TERM as the model's, its lexical form as written.

    NODES are the blank nodes of DOCUMENT met so far; their labels here are those of the file,
    with its name.
    """
    import pyoxigraph

    match term:
        case pyoxigraph.NamedNode():
            return IRI(term.value)
        case pyoxigraph.BlankNode():
            label = f"{_NO_LETTER.sub('-', document.path.stem)}-{len(nodes)}"
            return nodes.setdefault(term.value, BlankNode(label))
        case pyoxigraph.Literal():
            return Literal(term.value, term.datatype.value, term.language)
    raise FileError(document.path, f"holds a term that SPARQL 1.1 does not have: {term}")


RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a test expects; ``ordered`` where ``rs:index`` says in which order the rows come.

    Without ``rs:index`` the order of rows is irrelevant for passing, also under ORDER BY (the
    suites' own rule).
    """

    content: Content
    ordered: bool = False


def read_expected(document: Document) -> Expected:
    """The expected result in a file; its suffix names the format.

    Raises:
        FileError: the file cannot be read, or is none of the formats.
    """
    if document.path.suffix.lower() in {".srx", ".srj"}:
        return Expected(_read_solutions(document))
    triples = read_triples(document)
    sets = [t.subject for t in triples if _is(t, RDF + "type", RS + "ResultSet")]
    if not sets:
        return Expected(Triples(frozenset(triples)))
    if len(sets) > 1:
        raise FileError(document.path, "holds more than one rs:ResultSet")
    return _ResultSet(document, triples).read(sets[0])


def _is(triple: Triple, predicate: str, object: str) -> bool:
    return triple.predicate.value == predicate and triple.object == IRI(object)


def _read_solutions(document: Document) -> Content:
    import pyoxigraph

    form = pyoxigraph.QueryResultsFormat
    kind = form.XML if document.path.suffix.lower() == ".srx" else form.JSON
    try:
        found = pyoxigraph.parse_query_results(read_text(document.path), kind)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return Truth(bool(found))
        solutions = list(found)
    except (SyntaxError, ValueError) as error:
        raise FileError(document.path, " ".join(str(error).split())) from None
    nodes: dict[str, BlankNode] = {}
    variables = tuple(variable.value for variable in found.variables)
    rows = tuple(
        tuple(
            None if solution[v] is None else term_of(solution[v], document, nodes)
            for v in variables
        )
        for solution in solutions
    )
    return Rows(variables, rows)


class _ResultSet:
    """A result set in DAWG's vocabulary (``rs:``)."""

    def __init__(self, document: Document, triples: Sequence[Triple]) -> None:
        self._document = document
        self._about: Mapping[Subject, dict[str, list[Term]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for triple in triples:
            self._about[triple.subject][triple.predicate.value].append(triple.object)

    def read(self, node: Subject) -> Expected:
        """The result set that NODE is."""
        about = self._about[node]
        if truth := about.get(RS + "boolean"):
            return Expected(Truth(self._text(truth[0]) in {"true", "1"}))
        variables = tuple(sorted(self._text(v) for v in about.get(RS + "resultVariable", ())))
        solutions = [self._node(s) for s in about.get(RS + "solution", ())]
        indices = [self._index(solution) for solution in solutions]
        ordered = bool(solutions) and all(index is not None for index in indices)
        if ordered:
            places = sorted(range(len(solutions)), key=lambda i: indices[i] or 0)
            solutions = [solutions[i] for i in places]
        rows = []
        for solution in solutions:
            binding = self._binding(solution)
            if unknown := binding.keys() - set(variables):
                raise FileError(
                    self._document.path, f"binds {min(unknown)}, which is no rs:resultVariable"
                )
            rows.append(tuple(binding.get(v) for v in variables))
        return Expected(Rows(variables, tuple(rows)), ordered)

    def _binding(self, solution: Subject) -> dict[str, Term]:
        found = {}
        for binding in map(self._node, self._about[solution].get(RS + "binding", ())):
            about = self._about[binding]
            names, values = about.get(RS + "variable", ()), about.get(RS + "value", ())
            if len(names) != 1 or len(values) != 1:
                raise FileError(self._document.path, "an rs:binding needs one name and one value")
            found[self._text(names[0])] = values[0]
        return found

    def _index(self, solution: Subject) -> int | None:
        indices = self._about[solution].get(RS + "index", ())
        if not indices:
            return None
        text = self._text(indices[0])
        if not text.isdecimal():
            raise FileError(self._document.path, f"the rs:index {text!r} is no number")
        return int(text)

    def _text(self, term: Term) -> str:
        if not isinstance(term, Literal):
            raise FileError(self._document.path, f"{term!r}, where a literal was expected")
        return term.lexical

    def _node(self, term: Term) -> Subject:
        if isinstance(term, Literal):
            raise FileError(self._document.path, f"{term!r}, where a node was expected")
        return term
