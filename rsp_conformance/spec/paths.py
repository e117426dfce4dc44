"""Property paths (SPARQL 1.1, 9.3, 18.2.2.4 and 18.4), over bags of triples.

``ends`` evaluates Path(X, path, Y) to the pairs of terms that X and Y take, with cardinalities. X
and Y are terms, or None for a variable. Links, inverses, sequences and alternatives are joins and
unions of triple patterns, so a pair counts once for each way (decision 36). The results of repeated
paths are sets of pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from typing import TypeAlias

from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.terms import IRI, Term
from rsp_conformance.sparql.dataset import GraphBag
from rsp_conformance.sparql.open_points import SEVERAL_PROPERTIES
from rsp_conformance.spec.matching import matching

Ends: TypeAlias = "Counter[tuple[Term, Term]]"
Terms: TypeAlias = "dict[Term, None]"
"""A set of terms in the order in which they were found, so that an exported case suite is always
the same."""
Note: TypeAlias = Callable[[str], None]


def ends(path: PathElement, x: Term | None, y: Term | None, graph: GraphBag, note: Note) -> Ends:
    """Path(X, path, Y): the pairs of terms that a path joins, with cardinalities.

    Args:
        path: The path.
        x: The term at its start; None for a variable.
        y: The term at its end; None for a variable.
        graph: The active graph, a bag of triples.
        note: Records a point that SPARQL leaves open.
    """
    match path:
        case IRI():  # link(iri): the triple pattern X iri Y (18.2.2.4)
            return _links(path, x, y, graph)
        case InversePath(inner):  # Path(X, inv(P), Y) = Path(Y, P, X)
            return _inverse(ends(inner, y, x, graph, note))
        case SequencePath(left, right):  # Join(Path(X, P, ?V), Path(?V, Q, Y)), ?V fresh
            return _sequence(ends(left, x, None, graph, note), ends(right, None, y, graph, note))
        case AlternativePath(left, right):  # Union(Path(X, P, Y), Path(X, Q, Y))
            return ends(left, x, y, graph, note) + ends(right, x, y, graph, note)
        case RepeatedPath(inner, modifier):
            return _repeated(inner, modifier, x, y, graph)
        case NegatedPropertySet(forward, ()):
            return _other_links(forward, x, y, graph, note)
        case NegatedPropertySet((), backward):  # !^a = ^!a
            return _inverse(_other_links(backward, y, x, graph, note))
        case NegatedPropertySet(forward, backward):  # !(a|^b) = !a | !^b
            sides = (NegatedPropertySet(forward), NegatedPropertySet((), backward))
            return ends(AlternativePath(*sides), x, y, graph, note)


def _links(predicate: IRI, x: Term | None, y: Term | None, graph: GraphBag) -> Ends:
    found = matching(graph, x, predicate, y)
    return Counter({(triple.subject, triple.object): count for triple, count in found})


def _inverse(pairs: Ends) -> Ends:
    return Counter({(x, y): count for (y, x), count in pairs.items()})


def _sequence(left: Ends, right: Ends) -> Ends:
    onward: dict[Term, Ends] = {}
    for (middle, y), count in right.items():
        onward.setdefault(middle, Counter())[middle, y] = count
    found: Ends = Counter()
    for (x, middle), count in left.items():
        for (_, y), more in onward.get(middle, Counter()).items():
            found[x, y] += count * more
    return found


def _repeated(
    path: PathElement, modifier: str, x: Term | None, y: Term | None, graph: GraphBag
) -> Ends:
    """ZeroOrOnePath, ZeroOrMorePath and OneOrMorePath: each pair once (18.4).

    If both ends are variables, X ranges over nodes(G), the subjects and objects of the graph. A
    term reaches itself in zero steps, even if it is not in the graph.
    """
    if x is None and y is not None:  # Path(X:var, P*, Y:term) = Path(Y, inv(P)*, X)
        return _inverse(_repeated(InversePath(path), modifier, y, None, graph))
    nodes = dict.fromkeys(node for triple in graph for node in (triple.subject, triple.object))
    found: Ends = Counter()
    for start in nodes if x is None else {x}:
        once = _step(path, start, graph)
        reached = once if modifier == "?" else _arbitrary_length(once, path, graph)
        if modifier != "+":
            reached = {start: None} | reached
        found.update((start, end) for end in reached if y in (None, end))
    return found


def _arbitrary_length(terms: Terms, path: PathElement, graph: GraphBag) -> Terms:
    """ALP: the terms and all that repetitions of the path reach from them (18.4)."""
    visited: Terms = {}
    while terms:
        visited |= terms
        terms = {y: None for x in terms for y in _step(path, x, graph) if y not in visited}
    return visited


def _step(path: PathElement, x: Term, graph: GraphBag) -> Terms:
    """eval(x, path): the terms that the path leads to from `x`.

    Cardinalities do not matter here, so no open point is noted.
    """
    return {y: None for _, y in ends(path, x, None, graph, lambda reason: None)}


def _other_links(
    excluded: Container[IRI], x: Term | None, y: Term | None, graph: GraphBag, note: Note
) -> Ends:
    """NegatedPropertySet: the pairs that a property not in `excluded` joins.

    18.4 defines a set. Engines count the triples, and so does this function; if that makes a
    difference, the solutions are open (decision 37).
    """
    found: Ends = Counter()
    for triple, count in matching(graph, x, None, y):
        if triple.predicate not in excluded:
            found[triple.subject, triple.object] += count
    if any(count > 1 for count in found.values()):
        note(SEVERAL_PROPERTIES)
    return found
