"""Terms, triples, rows and element graphs as text, for Spark's string columns.

The text is the kit's own: cheap to write and to read back, without tabs and line ends inside a
term, and equal exactly where the terms are equal, up to the case of language tags. In rows (what
answers are compared by) language tags are in lower case.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rsp_conformance.model.terms import (
    IRI,
    RDF_LANGSTRING,
    XSD_STRING,
    BlankNode,
    GraphName,
    Literal,
    Term,
    Triple,
)

BLANK = "_"
LITERAL = '"'
QUOTED = "{"
_TERMS = ("<", BLANK, LITERAL, QUOTED)


def encode_term(term: Term) -> str:
    """TERM as text: ``<iri``, ``_label``, ``"datatype"language"lexical`` or ``{[s, p, o]``."""
    if isinstance(term, IRI):
        return "<" + term.value
    if isinstance(term, BlankNode):
        return BLANK + term.label
    if isinstance(term, Literal):
        return _literal(term, term.language or "")
    return QUOTED + json.dumps([encode_term(part) for part in term])


@lru_cache(maxsize=65536)
def canonical_term(term: Term) -> str:
    """TERM as text that equal terms share: as ``encode_term``, language tags in lower case."""
    if isinstance(term, Literal):
        return _literal(term, (term.language or "").lower())
    if isinstance(term, Triple):
        return QUOTED + json.dumps([canonical_term(part) for part in term])
    return encode_term(term)


def _literal(term: Literal, language: str) -> str:
    datatype = "" if term.datatype in (XSD_STRING, RDF_LANGSTRING) else term.datatype
    return f'{LITERAL}{datatype}"{language}"{_escape(term.lexical)}'


@lru_cache(maxsize=65536)
def decode_term(text: str) -> Term:
    """The term that ``encode_term`` wrote."""
    first = text[0]
    if first == "<":
        return IRI(text[1:])
    if first == BLANK:
        return BlankNode(text[1:])
    if first == LITERAL:
        datatype, language, lexical = text[1:].split('"', 2)
        return Literal(_unescape(lexical), datatype or XSD_STRING, language or None)
    return _triple(*json.loads(text[1:]))


def encode_triple(triple: Triple) -> str:
    """TRIPLE as three terms parted by tabs."""
    return "\t".join([encode_term(part) for part in triple])


@lru_cache(maxsize=65536)
def decode_triple(text: str) -> Triple:
    """The triple that ``encode_triple`` wrote."""
    return _triple(*text.split("\t"))


def _triple(subject: str, predicate: str, object: str) -> Triple:
    return Triple(decode_term(subject), decode_term(predicate), decode_term(object))  # type: ignore[arg-type]


def encode_element(graph: Iterable[Triple], name: GraphName | None) -> str:
    """An element's name (or nothing) and triples, one a line."""
    first = "" if name is None else encode_term(name)
    return "\n".join([first, *[encode_triple(triple) for triple in graph]])


def decode_element(text: str) -> tuple[GraphName | None, tuple[Triple, ...]]:
    """Name and triples of what ``encode_element`` wrote."""
    first, *triples = text.split("\n")
    name = decode_term(first) if first else None
    assert name is None or isinstance(name, (IRI, BlankNode))
    return name, tuple([decode_triple(triple) for triple in triples])


def encode_row(variables: Sequence[str], row: Sequence[Term | None]) -> str:
    """A solution: its bound variables, sorted by name, each with its term, parted by tabs.

    The sign before a name keeps it apart from terms: a name may begin as blank nodes do.
    """
    return encode_rows(variables, [row])[0]


def encode_rows(variables: Sequence[str], rows: Iterable[Sequence[Term | None]]) -> list[str]:
    """Solutions as ``encode_row`` writes each of them."""
    columns = sorted((f"?{name}\t", place) for place, name in enumerate(variables))
    return [
        "\t".join(
            [
                name + canonical_term(term)
                for name, place in columns
                if (term := row[place]) is not None
            ]
        )
        for row in rows
    ]


def decode_row(text: str) -> dict[str, Term]:
    """The solution that ``encode_row`` wrote, without the number of a duplicate."""
    if not text:
        return {}
    parts = text.split("\t")
    return {name[1:]: decode_term(term) for name, term in zip(parts[::2], parts[1::2], strict=True)}


def decode_cells(text: str) -> tuple[Term | str, ...]:
    """The cells of an answer's row or triple; what is no term, as a variable's name, stays text."""
    return tuple([decode_term(cell) if cell[:1] in _TERMS else cell for cell in text.split("\t")])


def encode_answer_triple(triple: Triple) -> str:
    """A triple of a CONSTRUCT's answer, in the text that answers are compared by."""
    return "\t".join([canonical_term(part) for part in triple])


def _escape(text: str) -> str:
    if "\\" in text or "\n" in text or "\t" in text:
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    return text


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    parts = text.split("\\\\")
    return "\\".join([part.replace("\\n", "\n").replace("\\t", "\t") for part in parts])
