"""Quoted triples in a store that has none as subjects.

pyoxigraph knows RDF 1.2, where a triple term is an object and never a subject. Here a quoted
triple is an IRI that spells it out, wherever it stands and however deep: two such IRIs are the same
exactly where the triples are, so that joins, DISTINCT and grouping need not know of them. Patterns
and expressions that look inside call the functions below; what means something else for IRIs than
for quoted triples asks them first (``translate``).
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import (
    IRI,
    BlankNode,
    Literal,
    Term,
    Triple,
)

QUOTED = "urn:x-rsp:quoted:"
"""What the IRI of every quoted triple begins with, and no other IRI may."""


@lru_cache(maxsize=65536)
def iri_of(triple: Triple) -> str:
    """The IRI that stands for TRIPLE, the same for equal triples and for no others."""
    text = json.dumps(_spelt(triple), separators=(",", ":"), ensure_ascii=False)
    return QUOTED + quote(text, safe="")


@lru_cache(maxsize=65536)
def triple_of(iri: str) -> Triple:
    """The triple that ``iri_of`` spelt out."""
    triple = _read(json.loads(unquote(iri.removeprefix(QUOTED))))
    assert isinstance(triple, Triple)
    return triple


def is_quoted(iri: str) -> bool:
    """Whether IRI stands for a quoted triple."""
    return iri.startswith(QUOTED)


def refuse_reserved(text: str) -> None:
    """Raise Unsupported where TEXT, an IRI or a document, has an IRI of that kind of its own."""
    if QUOTED in text:
        raise Unsupported(f"IRIs that begin with {QUOTED}, which stand for quoted triples here")


def _spelt(term: Term) -> Any:
    """TERM as JSON; language tags in lower case, because RDF does not tell their case apart."""
    match term:
        case IRI():
            return "<" + term.value
        case BlankNode():
            return "_" + term.label
        case Literal():
            return ['"', term.lexical, term.datatype, (term.language or "").lower()]
        case Triple():
            return [_spelt(part) for part in term]


def _read(spelt: Any) -> Any:
    if isinstance(spelt, str):
        return IRI(spelt[1:]) if spelt[0] == "<" else BlankNode(spelt[1:])
    if len(spelt) == 4:
        _, lexical, datatype, language = spelt
        return Literal(lexical, datatype, language or None)
    return Triple(*map(_read, spelt))
