"""What stands side by side in a group, and what within what, as people write it.

``{ ?x :p ?y OPTIONAL { … } OPTIONAL { … } }`` is a left join within another one; in its text two
OPTIONALs stand side by side ("OPTIONAL beside OPTIONAL").
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from rsp_conformance.cells.labels import PATHS, inner, marked, tests, unsure
from rsp_conformance.model import algebra
from rsp_conformance.model.expressions import Exists, Expression
from rsp_conformance.model.query import Query
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.model.walk import mentioned

ELEMENTS: Final = (
    *("triples", "path", "OPTIONAL", "UNION", "MINUS", "FILTER", "FILTER EXISTS"),
    *("FILTER NOT EXISTS", "BIND", "GRAPH", "WINDOW", "VALUES", "SELECT"),
)
"""The elements of a group."""
_BINDS_NOTHING: Final = ("MINUS", "FILTER", "FILTER EXISTS", "FILTER NOT EXISTS")

Member = tuple[str, "algebra.Pattern | Expression"]


def members(pattern: algebra.Pattern) -> list[Member]:
    """Return a pattern as elements of a group, each with its own part; SERVICE is refused."""
    match pattern:
        case algebra.BGP(triples):
            return [
                ("path" if isinstance(t.predicate, PATHS) else "triples", algebra.BGP((t,)))
                for t in triples
            ]
        case algebra.Join(left, right):
            return [*members(left), *members(right)]
        case algebra.LeftJoin(left, right):
            return [*members(left), ("OPTIONAL", right)]
        case algebra.Minus(left, right):
            return [*members(left), ("MINUS", right)]
        case algebra.Extend(filled, variable, expression):
            bound = algebra.Extend(algebra.BGP(), variable, expression)
            return [*members(filled), ("BIND", bound)]
        case algebra.Filter(condition, filtered):
            test = next(tests([condition]), None)
            kind = "" if test is None else " NOT EXISTS" if test.negated else " EXISTS"
            return [*members(filtered), (f"FILTER{kind}", condition)]
        case algebra.SubSelect():
            return [("SELECT", pattern)]
        case algebra.Service():
            return []
        case _:
            return [(type(pattern).__name__.upper(), pattern)]


def besides(node: Any) -> Iterator[str]:
    """Return pairs of elements of one group below a node.

    They may share a variable that the second one, or what stands before it, may leave unbound.
    """
    for group in _groups(node):
        yield from _pairs(members(group))
    for part in inner(node):
        yield from besides(part)


def _groups(node: Any) -> list[algebra.Pattern]:
    """Return the patterns in braces directly at a node."""
    match node:
        case Query() | Exists() | algebra.Graph() | algebra.Window():
            return [node.pattern]
        case algebra.Union(left, right):
            return [left, right]
        case algebra.LeftJoin(_, right) | algebra.Minus(_, right):
            return [right]
        case _:
            return []


def _pairs(group: list[Member]) -> Iterator[str]:
    scope: set[str] = set()
    sure: set[str] = set()
    maybe: list[set[str]] = []
    for kind, part in group:
        own = unsure(part) if isinstance(part, algebra.Pattern) and kind != "MINUS" else set()
        maybe.append((scope - sure) | own)
        if isinstance(part, algebra.Pattern) and kind not in _BINDS_NOTHING:
            scope |= {*in_scope(part)}
            sure |= frozenset() if kind in ("BIND", "OPTIONAL") else certain(part)
    shown = [_shown(kind, part) for kind, part in group]
    for one, other in combinations(range(len(group)), 2):
        kinds = sorted((group[one][0], group[other][0]), key=ELEMENTS.index)
        shared = shown[one] & shown[other] & maybe[other]
        yield marked(f"{kinds[0]} beside {kinds[1]}", bool(shared))


def _shown(kind: str, part: Any) -> set[str]:
    """The variables that a member of a group may share with others."""
    if kind in _BINDS_NOTHING or kind == "BIND":
        return {*mentioned(part)}
    return {*in_scope(part)}


NESTING: Final = ("OPTIONAL", "UNION", "MINUS", "GRAPH", "WINDOW", "SELECT", "EXISTS")
"""The elements that have braces, and may stand within each other."""
_IN_BRACES = {
    algebra.LeftJoin: "OPTIONAL",
    algebra.Union: "UNION",
    algebra.Minus: "MINUS",
    algebra.Graph: "GRAPH",
    algebra.Window: "WINDOW",
    algebra.SubSelect: "SELECT",
    Exists: "EXISTS",
}


def nested(node: Any, around: frozenset[str] = frozenset()) -> Iterator[str]:
    """Return which element stands somewhere within which other one.

    Args:
        node: where it is looked for.
        around: what stands around it.
    """
    own = _IN_BRACES.get(type(node))
    # What stands before OPTIONAL and MINUS is not within it.
    before = node.left if isinstance(node, algebra.LeftJoin | algebra.Minus) else None
    inside = around if own is None else around | {own}
    for part in inner(node):
        kind = _IN_BRACES.get(type(part))
        outer = around if part is before else inside
        if own == kind == "UNION":  # { } UNION { } UNION { } is no nesting.
            outer = around
        if kind is not None:
            yield from (f"{kind} within {one}" for one in outer)
        yield from nested(part, outer)
