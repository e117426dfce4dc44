"""Custom functions on quoted triples, for the queries of ``translate`` (RDF-star 6.4; SPARQL 1.2).

All take terms as the store keeps them; None is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph.terms import (
    CALLS,
    StoredTerm,
    from_model,
    iri_of,
    is_quoted,
    operand,
    to_model,
    triple_of,
)
from rsp_conformance.model.terms import (
    IRI,
    XSD_BOOLEAN,
    BlankNode,
    Literal,
    Term,
    Triple,
)

TRIPLE = CALLS + "triple"
SUBJECT = CALLS + "subject"
PREDICATE = CALLS + "predicate"
OBJECT = CALLS + "object"
IS_TRIPLE = CALLS + "is-triple"

UNQUOTED = CALLS + "unquoted"
"""The term, and an error for a quoted triple, which is no IRI for STR and its like."""

EQUATED = CALLS + "equated"
"""What ``=`` and ORDER BY take: the value of a literal of SPARQL's operators, else the term."""

EQUAL = CALLS + "equal"
"""Two IRIs or quoted triples compared by ``=``; the parts of quoted triples are, too."""

TRUE, FALSE = (ox.Literal(text, datatype=ox.NamedNode(XSD_BOOLEAN)) for text in ("true", "false"))


def quoted_iri(term: StoredTerm) -> str | None:
    """The IRI that the store has for a quoted triple, None for any other term."""
    return term.value if isinstance(term, ox.NamedNode) and is_quoted(term.value) else None


def _triple(subject: StoredTerm, predicate: StoredTerm, value: StoredTerm) -> StoredTerm | None:
    s, p = to_model(subject), to_model(predicate)
    if isinstance(s, Literal) or not isinstance(p, IRI):
        return None
    return ox.NamedNode(iri_of(Triple(s, p, to_model(value))))


def _part(name: str) -> Callable[[StoredTerm], StoredTerm | None]:
    @lru_cache(maxsize=65536)
    def part_of(iri: str) -> StoredTerm:
        return from_model(getattr(triple_of(iri), name))

    def part(term: StoredTerm) -> StoredTerm | None:
        iri = quoted_iri(term)
        return None if iri is None else part_of(iri)

    return part


def _is_triple(term: StoredTerm) -> StoredTerm:
    return FALSE if quoted_iri(term) is None else TRUE


def unquoted(term: StoredTerm) -> StoredTerm | None:
    """TERM, None for a quoted triple."""
    return None if quoted_iri(term) is not None else term


def _equal(a: StoredTerm, b: StoredTerm) -> StoredTerm | None:
    if a == b and quoted_iri(a) is None:
        return TRUE
    found = equal(to_model(a), to_model(b))
    return None if found is None else TRUE if found else FALSE


def equal(a: Term, b: Term) -> bool | None:
    """``a = b`` (SPARQL 1.1, 17.3), of quoted triples part by part; None is an error.

    A difference outweighs an error, as it does for ``&&``.
    """
    match a, b:
        case Triple(), Triple():
            parts = [equal(x, y) for x, y in zip(a, b, strict=True)]
            return False if False in parts else None if None in parts else True
        case Literal(), Literal():
            return _equal_literals(a, b)
        case ((IRI() | BlankNode() | Literal() | Triple()), _):
            return a == b


@lru_cache(maxsize=4096)
def _equal_literals(a: Literal, b: Literal) -> bool | None:
    """The library says."""
    left, right = operand(from_model(a)), operand(from_model(b))
    results: Any = ox.Store().query(f"SELECT ({left} = {right} AS ?equal) {{}}")
    (solution,) = results
    verdict = solution[0]
    return None if verdict is None else bool(verdict.value == "true")


QUOTED_FUNCTIONS: dict[ox.NamedNode, Callable[..., Any]] = {
    ox.NamedNode(TRIPLE): _triple,
    ox.NamedNode(SUBJECT): _part("subject"),
    ox.NamedNode(PREDICATE): _part("predicate"),
    ox.NamedNode(OBJECT): _part("object"),
    ox.NamedNode(IS_TRIPLE): _is_triple,
    ox.NamedNode(UNQUOTED): unquoted,
    ox.NamedNode(EQUATED): operand,
    ox.NamedNode(EQUAL): _equal,
}
