"""What operators are called in cells, and which variables they leave unsure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from rsp_conformance.model import algebra
from rsp_conformance.model.expressions import Exists, Expression, Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, Literal
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.model.walk import parts, subexpressions, within

PATHS: Final = (AlternativePath, InversePath, NegatedPropertySet, RepeatedPath, SequencePath)
UNSURE: Final = ", shared maybe unbound"
"""What the name of a cell ends with in which a shared variable may be unbound."""


def label(pattern: Any) -> str:
    """Return the kind of operator that a pattern is, with what it has besides operands."""
    match pattern:
        case algebra.BGP(()):
            return "empty BGP"
        case algebra.BGP(triples):
            pathed = any(isinstance(triple.predicate, PATHS) for triple in triples)
            return "BGP with path" if pathed else "BGP"
        case algebra.LeftJoin(_, _, condition):
            return "LeftJoin" if condition is None else "LeftJoin+condition"
        case algebra.Graph(name, _) | algebra.Window(name, _):
            return f"{type(pattern).__name__} {'?v' if isinstance(name, Variable) else 'iri'}"
        case Exists(_, negated):
            return "NotExists" if negated else "Exists"
        case _:
            return type(pattern).__name__


def unsure(*patterns: algebra.Pattern) -> set[str]:
    """Return the variables that all of the patterns may bind and one may leave unbound."""
    shared = set.intersection(*({*in_scope(pattern)} for pattern in patterns))
    return shared - frozenset.intersection(*(certain(pattern) for pattern in patterns))


def tests(expressions: Iterable[Expression]) -> Iterator[Exists]:
    """Return the EXISTS that stand directly in one of several expressions."""
    every = chain.from_iterable(map(subexpressions, expressions))
    return (part for part in every if isinstance(part, Exists))


def marked(cell: str, shares: bool | None) -> str:
    """Return a cell, by whether a variable is shared that may be unbound."""
    return f"{cell}{UNSURE}" if shares else cell


@lru_cache(maxsize=256)
def everything(query: Query) -> tuple[Any, ...]:
    """Yield a query and all within it, outermost first: several tables go through it."""
    return tuple(within(query))


_LEAVES = (algebra.BGP, algebra.Values, Variable, IRI, Literal)


def inner(node: Any) -> list[Any]:
    """Return what stands directly within a node, if it is more than terms and variables."""
    return [] if isinstance(node, _LEAVES) else parts(node)
