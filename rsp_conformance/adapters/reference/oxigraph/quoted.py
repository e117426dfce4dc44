"""Quoted triples in patterns and in expressions (RDF-star 6.4; SPARQL 1.2).

The store has an IRI for each quoted triple (``terms``). A pattern ``<< ?s :p ?o >> :q ?x`` becomes
``?t :q ?x`` with ?t a quoted triple, ?s and ?o its subject and object, and :p its predicate. Each
such pattern is a group of its own, so that what its parts share with other patterns is a join.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import NamedTuple, cast

from rsp_conformance.adapters.reference.oxigraph import functions
from rsp_conformance.adapters.reference.oxigraph.terms import iri_of
from rsp_conformance.model.algebra import (
    Extend,
    Filter,
    Pattern,
    PatternTerm,
    TriplePattern,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Aggregate, Expression, Operation, Variable
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple

_PARTS = functions.subject, functions.predicate, functions.object_
_MAY_BE_QUOTED = frozenset({"TRIPLE", "SUBJECT", "OBJECT", "IF", "COALESCE"})


class Unquoted(NamedTuple):
    """A triple pattern without quoted ones; what its solutions bind besides, and what must hold."""

    triple: TriplePattern
    binds: tuple[tuple[Variable, Expression], ...] = ()
    tests: tuple[Expression, ...] = ()

    def over(self, found: Pattern) -> Pattern:
        """Return the solutions of the whole pattern, `found` being those of ``triple``."""
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
    """Replace each quoted pattern that has variables by a fresh variable.

    Args:
        triple: the triple pattern.
        fresh: makes a new variable.
        stored: gives a term that is not quoted as the store keeps it, a variable for a blank node.

    Raises:
        Unsupported: a quoted pattern contains a property path.
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
        tests.append(functions.is_triple(node))
        parts = pattern.subject, pattern.predicate, pattern.object
        for function, part in zip(_PARTS, parts, strict=True):
            if not isinstance(part, (IRI, BlankNode, Literal, Variable, TriplePattern)):
                raise Unsupported("property paths in quoted triples")
            found = function(node)
            term = plain(part)
            if isinstance(term, Variable) and term not in bound:
                bound.add(term)
                binds.append((term, found))
            else:
                # No blank node is left, and those have the only type that no expression has.
                tests.append(Operation("SAMETERM", (found, cast(Expression, term))))
    return Unquoted(outside, tuple(binds), tuple(tests))


def ground(pattern: TriplePattern) -> Triple | None:
    """Return the quoted triple of a pattern; None if it has variables or blank nodes."""
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
    """Return whether `expression` may yield a quoted triple."""
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
    """``<< s p o >>`` in an expression as ``TRIPLE(s, p, o)``, which it means (RDF-star 6.4.3).

    Raises:
        Unsupported: the pattern contains a blank node or a property path.
    """
    parts: list[Expression] = []
    for part in (pattern.subject, pattern.predicate, pattern.object):
        if not isinstance(part, (Variable, IRI, Literal, TriplePattern)):
            raise Unsupported("blank nodes and property paths in quoted triples of expressions")
        parts.append(part)
    return Operation("TRIPLE", tuple(parts))
