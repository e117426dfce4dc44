"""Quoted triples in patterns and in expressions (RDF-star 6.4; SPARQL 1.2).

The store has an IRI for each quoted triple (``terms``). A pattern ``<< ?s :p ?o >> :q ?x`` becomes
``?t :q ?x`` with ?t a quoted triple, ?s and ?o its subject and object, and :p its predicate. Each
such pattern is a group of its own, so that what its parts share with other patterns is a join.
Custom functions take terms as the store keeps them; None is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any, NamedTuple, cast

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
from rsp_conformance.model.algebra import (
    Extend,
    Filter,
    Pattern,
    PatternTerm,
    TriplePattern,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
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


FUNCTIONS = {
    "TRIPLE": IRI(TRIPLE),
    "SUBJECT": IRI(SUBJECT),
    "PREDICATE": IRI(PREDICATE),
    "OBJECT": IRI(OBJECT),
    "ISTRIPLE": IRI(IS_TRIPLE),
}
"""SPARQL's functions on quoted triples, each with the custom function that takes its place."""

_PARTS = tuple(FUNCTIONS[name] for name in ("SUBJECT", "PREDICATE", "OBJECT"))
_MAY_BE_QUOTED = frozenset({"TRIPLE", "SUBJECT", "OBJECT", "IF", "COALESCE"})


class Unquoted(NamedTuple):
    """A triple pattern without quoted ones; what its solutions bind besides, and what must hold."""

    triple: TriplePattern
    binds: tuple[tuple[Variable, Expression], ...] = ()
    tests: tuple[Expression, ...] = ()

    def over(self, found: Pattern) -> Pattern:
        """The solutions of the whole pattern, FOUND being those of ``triple``."""
        for variable, expression in self.binds:
            found = Extend(found, variable, expression)
        if not self.tests:
            return found
        return Filter(reduce(lambda a, b: Operation("&&", (a, b)), self.tests), found)


def unquote(
    triple: TriplePattern,
    fresh: Callable[[], Variable],
    stored: Callable[[PatternTerm], PatternTerm],
) -> Unquoted:
    """TRIPLE with a fresh variable for each quoted pattern that has variables.

    STORED gives a term that is not quoted as the store keeps it, a variable for a blank node.
    """
    quoted: list[tuple[Variable, TriplePattern]] = []

    def plain(part: PatternTerm) -> PatternTerm:
        if not isinstance(part, TriplePattern):
            return stored(part)
        if (known := ground(part)) is not None:
            return IRI(iri_of(known))
        node = fresh()
        quoted.append((node, part))
        return node

    outside = TriplePattern(plain(triple.subject), triple.predicate, plain(triple.object))
    places = outside.subject, outside.predicate, outside.object
    bound = {part for part in places if isinstance(part, Variable)}
    binds: list[tuple[Variable, Expression]] = []
    tests: list[Expression] = []
    # Patterns within patterns are appended while the list is gone through.
    for node, pattern in quoted:
        tests.append(FunctionCall(FUNCTIONS["ISTRIPLE"], (node,)))
        parts = pattern.subject, pattern.predicate, pattern.object
        for function, part in zip(_PARTS, parts, strict=True):
            if not isinstance(part, (IRI, BlankNode, Literal, Variable, TriplePattern)):
                raise Unsupported("property paths in quoted triples")
            found = FunctionCall(function, (node,))
            term = plain(part)
            if isinstance(term, Variable) and term not in bound:
                bound.add(term)
                binds.append((term, found))
            else:
                # No blank node is left, and those have the only type that no expression has.
                tests.append(Operation("SAMETERM", (found, cast(Expression, term))))
    return Unquoted(outside, tuple(binds), tuple(tests))


def ground(pattern: TriplePattern) -> Triple | None:
    """The quoted triple that PATTERN writes, None where it has variables or blank nodes."""
    parts: list[Term] = []
    for part in (pattern.subject, pattern.predicate, pattern.object):
        term = ground(part) if isinstance(part, TriplePattern) else part
        if not isinstance(term, (IRI, Literal, Triple)):
            return None
        parts.append(term)
    subject, predicate, value = parts
    if isinstance(subject, Literal) or not isinstance(predicate, IRI):
        return None
    return Triple(subject, predicate, value)


def may_be_quoted(expression: Expression) -> bool:
    """Whether EXPRESSION may yield a quoted triple."""
    match expression:
        case Variable() | TriplePattern():
            return True
        case Operation(name, _):
            return name in _MAY_BE_QUOTED
        case Aggregate(name, _):
            return name in {"MIN", "MAX", "SAMPLE"}
        case _:
            return False


def as_call(pattern: TriplePattern) -> Operation:
    """``<< s p o >>`` in an expression as ``TRIPLE(s, p, o)``, which it means (RDF-star 6.4.3)."""
    parts: list[Expression] = []
    for part in (pattern.subject, pattern.predicate, pattern.object):
        if not isinstance(part, (Variable, IRI, Literal, TriplePattern)):
            raise Unsupported("blank nodes and property paths in quoted triples of expressions")
        parts.append(part)
    return Operation("TRIPLE", tuple(parts))


def equals(a: Expression, b: Expression, otherwise: Expression) -> Expression:
    """``a = b`` for terms as the store keeps them, OTHERWISE where one of them is no IRI."""
    iris = Operation("&&", (Operation("ISIRI", (a,)), Operation("ISIRI", (b,))))
    return Operation("IF", (iris, FunctionCall(IRI(EQUAL), (a, b)), otherwise))
