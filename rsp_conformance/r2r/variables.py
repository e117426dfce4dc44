"""Which variables a pattern can bind, and which it certainly binds (SPARQL 1.1, 18.2.1).

*Uncertainty* Table 1 calls them pVars and cVars.
"""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Variable


def in_scope(pattern: Pattern) -> tuple[str, ...]:
    """The variables in scope, by their first appearance in the text."""
    return tuple(dict.fromkeys(_names(pattern)))


def _names(pattern: Pattern) -> Iterator[str]:
    match pattern:
        case BGP(triples):
            for triple in triples:
                yield from triple_variables(triple)
        case Join(left, right) | LeftJoin(left, right) | Union(left, right):
            yield from _names(left)
            yield from _names(right)
        case Minus(left, _):
            yield from _names(left)
        case Filter(_, inner):
            yield from _names(inner)
        case Extend(inner, variable, _):
            yield from _names(inner)
            yield variable.name
        case Graph(name, inner) | Window(name, inner):
            if isinstance(name, Variable):
                yield name.name
            yield from _names(inner)
        case Values(variables, _):
            yield from (variable.name for variable in variables)
        case _:
            pass  # SERVICE and subqueries are refused before anyone asks


def triple_variables(triple: TriplePattern) -> Iterator[str]:
    """The variables of a triple pattern, quoted ones included, with repetitions."""
    for part in (triple.subject, triple.predicate, triple.object):
        if isinstance(part, Variable):
            yield part.name
        elif isinstance(part, TriplePattern):
            yield from triple_variables(part)


def certain(pattern: Pattern) -> frozenset[str]:
    """The variables that every solution binds, whatever the data are.

    One that BIND introduces is not among them, because its expression may be an error.
    """
    match pattern:
        case BGP():
            return frozenset(_names(pattern))
        case Join(left, right):
            return certain(left) | certain(right)
        case LeftJoin(left, _) | Minus(left, _):
            return certain(left)
        case Union(left, right):
            return certain(left) & certain(right)
        case Filter(_, inner) | Extend(inner, _, _):
            return certain(inner)
        case Graph(name, inner) | Window(name, inner):
            bound = {name.name} if isinstance(name, Variable) else set()
            return certain(inner) | bound
        case Values(variables, rows):
            return frozenset(
                variable.name
                for position, variable in enumerate(variables)
                if all(row[position] is not None for row in rows)
            )
        case _:
            return frozenset()
