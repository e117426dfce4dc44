"""Property paths, compiled to steps over a graph's indexes (SPARQL 1.1, 9.3, 18.2.2.4 and 18.4).

``^p`` and ``p/q`` become triple patterns, as in 18.2.2.4. Otherwise a step counts as often as its
triple and ``p|q`` adds up, so that solutions have the multiplicity of 18.4; ``p*``, ``p+`` and
``p?`` are sets of pairs of nodes, whatever the number of routes between them.

A path of length zero leads from every node of the graph to itself, and also from a *term* of the
query that is not in the graph; from a variable's value it does so only if that is a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from rsp_conformance.model import paths
from rsp_conformance.model.terms import IRI, Term
from rsp_conformance.spark.worker.index import index
from rsp_conformance.sparql.dataset import GraphBag
from rsp_conformance.sparql.open_points import SEVERAL_PROPERTIES

Ends: TypeAlias = dict[Term, int]
"""The nodes at the other end of a path, each with how often it is reached."""
Note: TypeAlias = Callable[[str], None]
"""Gets the reason why SPARQL leaves the solutions open."""
Walk: TypeAlias = Callable[[GraphBag, Term, Note], Ends]
"""Goes from a node of a graph to the other ends of a compiled path."""


class CompiledPath:
    """A path that can be walked from either end.

    Args:
        path: the path.
        counted: whether the number of solutions matters; inside EXISTS it does not.
    """

    def __init__(self, path: paths.Path, *, counted: bool) -> None:
        self._forward = _walk(path, False, counted)
        self._backward = _walk(path, True, counted)
        self._zero = _zero_ways(path, between_terms=False)
        self._zero_between_terms = _zero_ways(path, between_terms=True)

    def ends(
        self, graph: GraphBag, node: Term, note: Note, *, back: bool = False, is_term: bool
    ) -> Ends:
        """The other ends of the path from a node.

        Args:
            graph: the graph.
            node: the node.
            note: gets the reason why SPARQL leaves the solutions open.
            back: whether the path is walked against its direction.
            is_term: whether the node is in the query, or in the solution that an EXISTS tests.
        """
        if self._zero and not _is_node(graph, node):
            return {node: self._zero} if is_term else {}
        return (self._backward if back else self._forward)(graph, node, note)

    def between_terms(self, graph: GraphBag, start: Term, end: Term, note: Note) -> int:
        """The number of solutions between two terms of the query."""
        if self._zero_between_terms and start == end and not _is_node(graph, start):
            return self._zero_between_terms
        reasons: list[str] = []
        count = self.ends(graph, start, reasons.append, is_term=True).get(end, 0)
        # What leads to other nodes as well leaves nothing open here.
        for reason in reasons if count > 1 else ():
            note(reason)
        return count

    def pairs(self, graph: GraphBag, note: Note) -> Iterator[tuple[Term, Term, int]]:
        """All pairs of nodes that the path connects, each with how often."""
        for start in index(graph, (0,)).keys() | index(graph, (2,)).keys():
            for end, count in self._forward(graph, start, note).items():  # type: ignore[arg-type]
                yield start, end, count  # type: ignore[misc]


def _is_node(graph: GraphBag, term: Term) -> bool:
    """Whether a term is the subject or the object of a triple (nodes(G) of 18.4)."""
    return term in index(graph, (0,)) or term in index(graph, (2,))


def _zero_ways(path: paths.PathElement, *, between_terms: bool) -> int:
    """How often a path leads, by length zero, from a term outside the graph to itself.

    The other end is a variable or, between terms, the same term again. Between the parts of ``p/q``
    stands a variable, which no term outside the graph is bound to by one part alone.
    """
    match path:
        case paths.InversePath(inner):
            return _zero_ways(inner, between_terms=between_terms)
        case paths.SequencePath(left, right):
            if not between_terms:
                return 0
            return _zero_ways(left, between_terms=False) * _zero_ways(right, between_terms=False)
        case paths.AlternativePath(left, right):
            ways = (_zero_ways(part, between_terms=between_terms) for part in (left, right))
            return sum(ways)
        case paths.RepeatedPath(inner, "+"):
            return min(1, _zero_ways(inner, between_terms=False))
        case paths.RepeatedPath():
            return 1
        case _:
            return 0


def _walk(path: paths.PathElement, back: bool, counted: bool) -> Walk:
    """Compile the walk of a path from a node of the graph, perhaps against its direction."""
    match path:
        case IRI():
            return _step(path, back)
        case paths.InversePath(inner):
            return _walk(inner, not back, counted)
        case paths.SequencePath(left, right):
            first, second = _walk(left, back, counted), _walk(right, back, counted)
            return _sequence(second, first) if back else _sequence(first, second)
        case paths.AlternativePath(left, right):
            return _sum(_walk(left, back, counted), _walk(right, back, counted))
        case paths.RepeatedPath(inner, modifier):
            return _repeated(_walk(inner, back, False), modifier)
        case paths.NegatedPropertySet(forward, backward):
            # !(a|^b) is !a | !^b (9.1).
            sides = [_negated(forward, back, counted)] if forward or not backward else []
            if backward:
                sides.append(_negated(backward, not back, counted))
            return sides[0] if len(sides) == 1 else _sum(*sides)


def _step(predicate: IRI, back: bool) -> Walk:
    here, there = (2, 0) if back else (0, 2)

    def walk(graph: GraphBag, node: Term, note: Note) -> Ends:
        return {m[there]: m[3] for m in index(graph, (here,), predicate).get(node, ())}

    return walk


def _sequence(first: Walk, second: Walk) -> Walk:
    def walk(graph: GraphBag, node: Term, note: Note) -> Ends:
        found: Ends = {}
        for middle, count in first(graph, node, note).items():
            for end, more in second(graph, middle, note).items():
                found[end] = found.get(end, 0) + count * more
        return found

    return walk


def _sum(one: Walk, other: Walk) -> Walk:
    def walk(graph: GraphBag, node: Term, note: Note) -> Ends:
        found = dict(one(graph, node, note))
        for end, count in other(graph, node, note).items():
            found[end] = found.get(end, 0) + count
        return found

    return walk


def _repeated(inner: Walk, modifier: str) -> Walk:
    """``p?``, or ALP of 18.4: every node on the way, each visited once."""

    def optional(graph: GraphBag, node: Term, note: Note) -> Ends:
        return dict.fromkeys((node, *inner(graph, node, note)), 1)

    def walk(graph: GraphBag, node: Term, note: Note) -> Ends:
        found: Ends = {node: 1} if modifier == "*" else {}
        waiting: Iterable[Term] = (node,)
        while waiting:
            reached = [end for start in waiting for end in inner(graph, start, note)]
            waiting = [end for end in dict.fromkeys(reached) if end not in found]
            found.update(dict.fromkeys(waiting, 1))
        return found

    return optional if modifier == "?" else walk


def _negated(excluded: tuple[IRI, ...], back: bool, counted: bool) -> Walk:
    """The triples whose predicate is not excluded.

    18.4 defines their solutions as a set, so that several properties between two nodes count once;
    engines count the triples (decision 37).
    """
    here, there = (2, 0) if back else (0, 2)

    def walk(graph: GraphBag, node: Term, note: Note) -> Ends:
        found: Ends = {}
        for match in index(graph, (here,)).get(node, ()):
            if match[1] not in excluded:
                found[match[there]] = found.get(match[there], 0) + match[3]
        if counted and any(count > 1 for count in found.values()):
            note(SEVERAL_PROPERTIES)
        return found

    return walk
