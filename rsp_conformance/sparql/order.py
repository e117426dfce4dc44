"""ORDER BY: the order of terms, and what it leaves tied (SPARQL 1.1, 15.1; decision 17).

Unbound comes before blank nodes, then come IRIs (by code points) and literals. Literals are ordered
by ``<`` if it compares them: numbers, strings, booleans and dateTimes, each among themselves. If it
does not compare all literals of a column, the order of the column is not defined.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.comparison import less
from rsp_conformance.sparql.datetimes import DateTime
from rsp_conformance.sparql.values import NUMERIC, value_of


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rank of every term of a column; ``mixed`` are the ranks that several terms share.

    By 15.1 the next comparator orders two solutions only if they have the same term here. So
    solutions with different terms of the same rank are tied, whatever the next comparator says.
    """

    ranks: dict[Term | None, int]
    mixed: frozenset[int]


def ranking(terms: Iterable[Term | None]) -> Ranking | None:
    """The ranks of the terms of a column; None if SPARQL does not define an order on them.

    There is no order if ``<`` does not compare some of the literals (such as NaN and another
    number), or if there are quoted triples and other terms.
    """
    distinct = dict.fromkeys(terms)
    blank = [t for t in distinct if isinstance(t, BlankNode)]
    iris = sorted((t for t in distinct if isinstance(t, IRI)), key=lambda iri: iri.value)
    literals = [t for t in distinct if isinstance(t, Literal)]
    triples = [t for t in distinct if isinstance(t, Triple)]
    if triples and len(triples) < len(distinct):
        return None
    classes: list[list[Term | None]] = [[None], [*blank]]
    classes.extend([iri] for iri in iris)
    ordered = _literal_classes(literals)
    if ordered is None:
        return None
    classes += ordered
    classes.append([*triples])
    ranks = {term: rank for rank, members in enumerate(classes) for term in members}
    mixed = frozenset(rank for rank, members in enumerate(classes) if len(members) > 1)
    return Ranking(ranks, mixed)


def _literal_classes(literals: list[Literal]) -> list[list[Term | None]] | None:
    """The literals in ascending classes of equals; None if ``<`` does not order them."""
    if len(literals) < 2:
        return [[literal] for literal in literals]
    values = [value_of(literal) for literal in literals]
    kinds = {type(value) for value in values}
    if not kinds <= NUMERIC and (len(kinds) > 1 or None in values):
        return None
    if any(isinstance(value, float) and math.isnan(value) for value in values):
        return None
    order = sorted(range(len(literals)), key=lambda i: _key(values[i]))
    classes: list[list[Term | None]] = []
    first = last = literals[order[0]]
    for index in order:
        literal = literals[index]
        before = less(last, literal)
        if before is None:
            return None
        if before or not classes:
            classes.append([])
            first = literal
        elif less(first, literal):
            return None  # equal to its neighbour, but greater than a literal equal to the neighbour
        classes[-1].append(literal)
        last = literal
    return classes


def _key(value: Any) -> Any:
    """A sort key: exact for numbers; ``<`` rounds on promotion, but never against this order."""
    if isinstance(value, DateTime):
        return value.timeline
    exact = isinstance(value, str) or (isinstance(value, float) and math.isinf(value))
    return value if exact else Fraction(value)


def arbitrary_key(term: Term | None) -> tuple[Any, ...]:
    """A sort key of a total order on terms, for choices that SPARQL leaves open."""
    if term is None:
        return (0,)
    if isinstance(term, BlankNode):
        return (1, term.label)
    if isinstance(term, IRI):
        return (2, term.value)
    if isinstance(term, Literal):
        return (3, term.lexical, term.datatype, (term.language or "").lower())
    return (4, *(arbitrary_key(part) for part in term))
