r"""N-Triples and N-Quads, with quoted triples ``<< s p o >>`` and RDF 1.2's ``<<( s p o )>>``.

Strict: a line is one statement or a comment, IRIs are absolute, escapes are those of the standard
(RDF 1.1 N-Triples; for quoted triples the RDF-star report and RDF 1.2 N-Triples).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NoReturn

from rsp_conformance.model.iris import is_absolute
from rsp_conformance.model.terms import IRI, XSD_STRING, BlankNode, GraphName, Literal, Term, Triple
from rsp_conformance.text.escapes import NOT_IN_IRI, escape, escape_iri, unescape

_CODE = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_IRI = rf'<(?:[^\x00-\x20<>"{{}}|^`\\]|{_CODE})*>'
LETTER = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff_"
)
"""SPARQL's PN_CHARS_U, to be used in a class of characters."""
_INNER = rf"{LETTER}0-9\-\u00b7\u0300-\u036f\u203f-\u2040"
_NODE = rf"_:[{LETTER}0-9](?:[{_INNER}.]*[{_INNER}])?"
_LITERAL = (
    rf'"(?:[^"\\\n\r]|\\[tbnrf"\'\\]|{_CODE})*"'
    rf"(?:@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*(?![-a-zA-Z0-9])|\^\^{_IRI})?"
)
_TERM = re.compile(rf"({_IRI}|{_NODE}|{_LITERAL})[ \t]*")
_SPACE = re.compile(r"[ \t]*")
_EMPTY = re.compile(r"[ \t]*(?:#.*)?")
_QUOTES = (("<<(", ")>>"), ("<<", ">>"))

MOST_NESTED = 64
"""How deep quoted triples may be nested: as deep as the parts of a query (`parse.DEEPEST`), far
beyond any real data, and within the depth of Python's calls."""

Quad = tuple[Triple, GraphName | None]


class NTriplesError(ValueError):
    """A line that is not a statement. ``line`` counts from 1, ``problem`` says what is wrong."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem

    def __reduce__(self) -> tuple[type[NTriplesError], tuple[int, str]]:
        return NTriplesError, (self.line, self.problem)


def parse_ntriples(text: str) -> list[Triple]:
    """Return the triples of a text, in order and with repetitions.

    Raises:
        NTriplesError: a line is not a triple.
    """
    triples = []
    for number, (triple, graph) in _statements(text):
        if graph is not None:
            raise NTriplesError(number, f"a triple has no fourth term, found {write_term(graph)}")
        triples.append(triple)
    return triples


def parse_nquads(text: str) -> list[Quad]:
    """Return the triples of a text with their graphs, None for the default graph.

    Raises:
        NTriplesError: a line is not a quad.
    """
    return [quad for _, quad in _statements(text)]


def _statements(text: str) -> Iterator[tuple[int, Quad]]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if _EMPTY.fullmatch(line):
            continue
        try:
            yield number, _Reader(line).statement()
        except ValueError as error:
            raise NTriplesError(number, str(error)) from None


@lru_cache(maxsize=65536)
def _term(text: str) -> IRI | BlankNode | Literal:
    """Return the term of a text whose form `_TERM` has checked."""
    if text[0] == "<":
        return IRI(_iri(text))
    if text[0] == "_":
        return BlankNode(text[2:])
    end = text.rindex('"') if text[-1] != ">" else text.rindex('"^^<')
    lexical = unescape(text[1:end])
    rest = text[end + 1 :]
    if rest.startswith("@"):
        return Literal(lexical, language=rest[1:])
    return Literal(lexical, _iri(rest[2:]) if rest else XSD_STRING)


def _iri(text: str) -> str:
    value = unescape(text[1:-1])
    if not is_absolute(value):
        raise ValueError(f"the IRI {text} is not absolute")
    if "\\" in text and (bad := NOT_IN_IRI.search(value)):
        raise ValueError(f"the IRI {text} holds {bad[0]!r}, which no IRI can hold")
    return value


class _Reader:
    """Reads one line term by term; ``at`` is the place of the next character, spaces skipped."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0
        self.depth = 0
        self.takes("")

    def statement(self) -> Quad:
        """Read the whole line."""
        triple = self.triple()
        graph: GraphName | None = None
        if not self.takes("."):
            graph = self.term("'.'", (IRI, BlankNode), "an IRI or a blank node as the graph")
            if not self.takes("."):
                self.fail("'.'")
        if not _EMPTY.fullmatch(self.line, self.at):
            self.fail("the end of the line")
        return triple, graph

    def triple(self) -> Triple:
        """Read subject, predicate and object."""
        subject = self.term(
            "a subject",
            (IRI, BlankNode, Triple),
            "an IRI, a blank node or a quoted triple as the subject",
        )
        predicate = self.term("a predicate", (IRI,), "an IRI as the predicate")
        return Triple(subject, predicate, self.term("an object"))

    def term(self, wanted: str, kinds: tuple[type, ...] = (), says: str = "") -> Any:
        """Read one term; a quoted triple contains others.

        Args:
            wanted: names the term in the message if it is missing.
            kinds: the classes that the term may have; none for any.
            says: names the term in the message if it is of no such class.

        Raises:
            ValueError: the term is missing, of another kind, or nested too deep.
        """
        start = self.at
        match = _TERM.match(self.line, start)
        if match is not None:
            term: Term = _term(match[1])
            self.at = match.end()
        else:
            closing = next((end for begin, end in _QUOTES if self.takes(begin)), None)
            if closing is None:
                self.fail(wanted)
            self.depth += 1
            if self.depth > MOST_NESTED:
                raise ValueError(f"quoted triples are nested more than {MOST_NESTED} deep")
            term = self.triple()
            self.depth -= 1
            if not self.takes(closing):
                self.fail(f"'{closing}'")
        if kinds and not isinstance(term, kinds):
            self.at = start
            self.fail(says)
        return term

    def takes(self, text: str) -> bool:
        """Return whether `text` comes next; if so, skip it and the spaces after it."""
        if not self.line.startswith(text, self.at):
            return False
        space = _SPACE.match(self.line, self.at + len(text))
        self.at = space.end() if space else self.at
        return True

    def fail(self, wanted: str) -> NoReturn:
        """Refuse the line at this place.

        Raises:
            ValueError: always; the message says what was expected, and what was found.
        """
        rest = self.line[self.at :]
        shown = (
            f"'{rest if len(rest) <= 40 else rest[:39] + '…'}'" if rest else "the end of the line"
        )
        raise ValueError(f"expected {wanted} at column {self.at + 1}, found {shown}")


def parse_term(text: str) -> Term:
    """Return the one term of a text.

    Raises:
        ValueError: the text is not one term.
    """
    reader = _Reader(text)
    term: Term = reader.term("a term")
    if reader.at != len(text):
        reader.fail("the end")
    return term


def write_term(term: Term, *, triple_terms: bool = False) -> str:
    """Return a term as N-Triples; ``triple_terms`` writes quoted triples as in RDF 1.2."""
    if isinstance(term, IRI):
        return f"<{escape_iri(term.value)}>"
    if isinstance(term, Literal):
        text = f'"{escape(term.lexical)}"'
        if term.language:
            return f"{text}@{term.language}"
        return text if term.datatype == XSD_STRING else f"{text}^^<{escape_iri(term.datatype)}>"
    if isinstance(term, BlankNode):
        return f"_:{term.label}"
    inside = " ".join(write_term(part, triple_terms=triple_terms) for part in term)
    return f"<<( {inside} )>>" if triple_terms else f"<< {inside} >>"


def write_triple(triple: Triple, *, triple_terms: bool = False) -> str:
    """Return a triple as one line of N-Triples, without the line's end."""
    return " ".join(write_term(part, triple_terms=triple_terms) for part in triple) + " ."


def write_ntriples(triples: Iterable[Triple], *, triple_terms: bool = False) -> str:
    """Return triples as N-Triples, in order."""
    return "".join(write_triple(triple, triple_terms=triple_terms) + "\n" for triple in triples)


def write_nquads(quads: Iterable[Quad], *, triple_terms: bool = False) -> str:
    """Return triples with their graphs as N-Quads, in order."""
    lines = []
    for triple, graph in quads:
        parts = [*triple] if graph is None else [*triple, graph]
        lines.append(" ".join(write_term(p, triple_terms=triple_terms) for p in parts) + " .\n")
    return "".join(lines)
