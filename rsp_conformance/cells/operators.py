"""Table 2: operators directly inside operators, side by side, and within each other.

Which nestings there are is found by trying: a skeleton of each is printed, and read back. No
query text parses to ``Join`` with an empty pattern, for example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from typing import Any, Final

from rsp_conformance.cells.cell import ALWAYS_EMPTY, REFUSED, Cells
from rsp_conformance.cells.groups import ELEMENTS, NESTING, besides, nested
from rsp_conformance.cells.insides import insides
from rsp_conformance.cells.labels import UNSURE, label, marked
from rsp_conformance.model import algebra
from rsp_conformance.model.expressions import Exists, Operation, Variable
from rsp_conformance.model.paths import RepeatedPath
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, XSD_INTEGER, Literal
from rsp_conformance.text.errors import NotExpressible, QuerySyntaxError
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query


@lru_cache(maxsize=256)
def operators_met(query: Query) -> frozenset[str]:
    """Return the cells that a query meets."""
    return frozenset((*insides(query), *besides(query), *nested(query)))


BOUND_THERE: Final = "no query text parses to this algebra, or the variable is always bound there"
_CLAUSES: Final = (
    *("Filter.condition", "LeftJoin.condition", "Extend.expression"),
    *("SELECT", "HAVING", "ORDER BY", "GROUP BY"),
)
_ALONE: Final = ("Query", "SubSelect", "Graph iri", "Window iri", "Service")
"""Operators that share no variable with what is in them."""
_IRI: Final = IRI("http://ex.org/p")
_X, _Y, _Z, _NAME, _OTHER_NAME = (Variable(name) for name in "xyzgh")
_ABOUT: Final = Operation("=", (_Z, Literal("1", XSD_INTEGER)))


@cache
def operator_cells() -> Cells:
    """All cells, with the reason if no query text parses to one."""
    written = _written()
    found: Cells = {}
    for role, child in product(_operators(), dict.fromkeys(map(label, _operands()))):
        cell = f"{role} > {child}"
        for each in [cell] if role in _ALONE else [cell, f"{cell}{UNSURE}"]:
            if "Service" in each:
                found[each] = REFUSED
            elif "Window" in child and role.startswith("Window"):
                found[each] = ALWAYS_EMPTY
            else:
                found[each] = "" if each in written else BOUND_THERE
    for clause, test, shares in product(_CLAUSES, ("Exists", "NotExists"), (False, True)):
        found[marked(f"{clause} > {test}", shares)] = ""
    for pair in combinations_with_replacement(ELEMENTS, 2):
        cell = f"{pair[0]} beside {pair[1]}"
        patterns = {*pair} <= {"triples", "path"}
        found[cell] = ""
        found[f"{cell}{UNSURE}"] = "the pattern that comes first binds it" if patterns else ""
    for inner, outer in product(NESTING, NESTING):
        both = inner == outer == "WINDOW"
        found[f"{inner} within {outer}"] = ALWAYS_EMPTY if both else ""
    return found


def _written() -> set[str]:
    """The cells that a text meets which is read back."""
    met: set[str] = set()
    for build, child, side in product(_builders(), _operands(), _leaves()):
        query = Query(build(child, side))
        if not operators_met(query) <= met:  # Reading a text takes ten times as long.
            with suppress(NotExpressible, QuerySyntaxError, AssertionError):
                met |= operators_met(parse_query(print_query(query)))
    return met


def _leaves() -> list[algebra.Pattern]:
    """Patterns that bind ``?x`` and more, surely and perhaps."""
    flat, other, named = (
        algebra.BGP((algebra.TriplePattern(_X, _IRI, end),)) for end in (_Z, _Y, _NAME)
    )
    found: list[algebra.Pattern] = [flat, algebra.Union(other, flat), algebra.LeftJoin(other, flat)]
    return [*found, named, algebra.Union(other, named)]


@cache
def _operands() -> list[algebra.Pattern]:
    """Patterns of every kind, over leaves of every kind."""
    path = algebra.TriplePattern(_X, RepeatedPath(_IRI, "*"), _Z)
    other = algebra.BGP((algebra.TriplePattern(_X, _IRI, _Y),))
    found: list[algebra.Pattern] = []
    for leaf in _leaves():
        found += [algebra.BGP(), leaf, algebra.BGP((path,))]
        found += [algebra.Values((_X, end), ((_IRI, None),)) for end in (_Z, _NAME)]
        found += [algebra.Values((_X, _Z), ((_IRI, _IRI),)), algebra.SubSelect(Query(leaf))]
        for kind in _BINARY:
            found += [kind(other, leaf), kind(leaf, other)]
        found += [algebra.LeftJoin(leaf, other, _ABOUT), algebra.Filter(_ABOUT, leaf)]
        found += [algebra.Extend(leaf, Variable("n"), _Z), algebra.Service(_IRI, leaf)]
        for name in (_IRI, _NAME, _OTHER_NAME):
            found += [algebra.Graph(name, leaf), algebra.Window(name, leaf)]
    return [*dict.fromkeys(found)]


_BINARY: Final[tuple[Callable[..., algebra.Pattern], ...]] = (
    *(algebra.Join, algebra.LeftJoin, algebra.Union, algebra.Minus),
)


def _operators() -> Iterator[str]:
    """The operators, and operands of those that have two, that contain something."""
    yield from ("Query", "SubSelect")
    for name in ("Join", "LeftJoin", "Union", "Minus"):
        yield from (f"{name}.left", f"{name}.right")
    yield from ("Filter", "Extend", "Graph iri", "Graph ?v", "Window iri", "Window ?v")
    yield from ("Service", "Exists", "NotExists")


def _builders() -> Iterator[Callable[[Any, Any], algebra.Pattern]]:
    """What puts a pattern into each of the operators, beside another one if it has two."""
    yield lambda child, other: child
    yield lambda child, other: algebra.SubSelect(Query(child))
    for kind in _BINARY:
        yield lambda child, other, kind=kind: kind(child, other)  # type: ignore[misc]
        yield lambda child, other, kind=kind: kind(other, child)  # type: ignore[misc]
    yield lambda child, other: algebra.Filter(_ABOUT, child)
    yield lambda child, other: algebra.Extend(child, Variable("m"), _Z)
    for name in (_IRI, _NAME):
        yield lambda child, other, name=name: algebra.Graph(name, child)  # type: ignore[misc]
        yield lambda child, other, name=name: algebra.Window(name, child)  # type: ignore[misc]
    yield lambda child, other: algebra.Filter(Exists(child), other)
    yield lambda child, other: algebra.Filter(Exists(child, True), other)
