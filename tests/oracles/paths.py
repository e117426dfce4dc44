"""Property paths by their definitions (SPARQL 1.1, 18.2.2.4 and 18.4), over bags of triples.

``None`` as an end is a variable. Pairs of nodes are counted; repeated paths are sets of pairs.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.terms import Term
from rsp_conformance.sparql.dataset import GraphBag

Pairs: TypeAlias = "Counter[tuple[Term, Term]]"


def pairs(path: PathElement, start: Term | None, end: Term | None, graph: GraphBag) -> Pairs:
    """The ends of the ways from START to END along PATH."""
    match path:
        case InversePath(inner):
            back = pairs(inner, end, start, graph)
            return Counter({(x, y): n for (y, x), n in back.items()})
        case SequencePath(left, right):
            found: Pairs = Counter()
            for (x, m), n in pairs(left, start, None, graph).items():
                for (k, y), more in pairs(right, None, end, graph).items():
                    if m == k:
                        found[x, y] += n * more
            return found
        case AlternativePath(left, right):
            return pairs(left, start, end, graph) + pairs(right, start, end, graph)
        case RepeatedPath(inner, modifier):
            return _repeated(inner, modifier, start, end, graph)
        case NegatedPropertySet(forward, backward):
            ways = _steps(lambda p: p not in forward, graph) if forward or not backward else {}
            found = Counter(ways)
            if backward:
                for (y, x), n in _steps(lambda p: p not in backward, graph).items():
                    found[x, y] += n
            return _between(found, start, end)
        case _:
            return _between(Counter(_steps(lambda p: p == path, graph)), start, end)


def _steps(allowed, graph):  # type: ignore[no-untyped-def]
    found: Pairs = Counter()
    for t, n in graph.counts.items():
        if allowed(t.predicate):
            found[t.subject, t.object] += n
    return found


def _between(found: Pairs, start: Term | None, end: Term | None) -> Pairs:
    return Counter(
        {(x, y): n for (x, y), n in found.items() if start in (None, x) and end in (None, y)}
    )


def _repeated(
    inner: PathElement, modifier: str, start: Term | None, end: Term | None, graph: GraphBag
) -> Pairs:
    if start is None and end is not None:
        back = _repeated(InversePath(inner), modifier, end, None, graph)
        return Counter({(x, y): 1 for (y, x) in back})
    nodes = {part for t in graph.counts for part in (t.subject, t.object)}
    reached: Pairs = Counter()
    for x in nodes if start is None else {start}:
        one = {y for _, y in pairs(inner, x, None, graph)}
        ends = {x} | one if modifier == "?" else _reachable(inner, one, graph)
        if modifier == "*":
            ends |= {x}
        reached.update({(x, y): 1 for y in ends if end in (None, y)})
    return reached


def _reachable(inner: PathElement, ends: set[Term], graph: GraphBag) -> set[Term]:
    """ALP: every node on the way, each visited once."""
    seen: set[Term] = set()
    while ends - seen:
        node = (ends - seen).pop()
        seen.add(node)
        ends = ends | {y for _, y in pairs(inner, node, None, graph)}
    return seen
