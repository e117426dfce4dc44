"""Basic graph patterns: triple patterns and paths over a graph (SPARQL 1.1, 18.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import Path
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.dataset import Graph
from rsp_conformance.spec import paths
from rsp_conformance.spec.solutions import Multiset, Solution, join, projected

Part: TypeAlias = "PatternTerm | Path"


def matches(
    triples: tuple[TriplePattern, ...], graph: Graph, given: Solution, note: Callable[[str], None]
) -> Multiset:
    """The solutions of TRIPLES over GRAPH (18.3.1), each of which extends GIVEN.

    A solution μ goes with an instance mapping σ of the blank nodes, such that μ(σ(triples)) is in
    the graph. Its cardinality is the number of such σ, each as often as the graph holds what it
    matches: as many as the product of the triples' counts (decision 13). GIVEN, which an EXISTS
    around tests, has terms stand for its variables.
    """
    found: Multiset = Counter({given: 1})
    for triple in triples:
        if isinstance(triple.predicate, (IRI, Variable)):
            found = _extended(found, triple, graph)
    for triple in triples:
        if not isinstance(triple.predicate, (IRI, Variable)):
            found = join(found, _path(triple, triple.predicate, graph, given, note))
    return projected(found, Solution.variables)


def _extended(found: Multiset, pattern: TriplePattern, graph: Graph) -> Multiset:
    """The solutions FOUND so far, extended by the triples of GRAPH that match PATTERN."""
    parts = (pattern.subject, pattern.predicate, pattern.object)
    out: Multiset = Counter()
    for solution, count in found.items():
        for *terms, copies in graph.matching(*(instance(part, solution) for part in parts)):
            extended = unified(parts, terms, solution)
            if extended is not None:
                out[extended] += count * copies
    return out


def _path(
    pattern: TriplePattern, path: Path, graph: Graph, given: Solution, note: Callable[[str], None]
) -> Multiset:
    """Path(X, PATH, Y), by itself: where it has no step, X ranges over the nodes of GRAPH."""
    parts = (pattern.subject, pattern.object)
    x, y = (instance(part, given) for part in parts)
    out: Multiset = Counter()
    for pair, count in paths.ends(path, x, y, graph, note).items():
        extended = unified(parts, pair, given)
        if extended is not None:
            out[extended] += count
    return out


def instance(part: Part, solution: Solution) -> Term | None:
    """The term that stands for PART under SOLUTION, None where it is not known whole."""
    match part:
        case Variable(name):
            return solution.get(name)
        case BlankNode():
            return solution.get(part)
        case IRI() | Literal() | Triple():
            return part
        case TriplePattern(subject, predicate, object_):
            s, p, o = (instance(inner, solution) for inner in (subject, predicate, object_))
            if isinstance(s, (IRI, BlankNode, Triple)) and isinstance(p, IRI) and o is not None:
                return Triple(s, p, o)
    return None


def unified(parts: Sequence[Part], terms: Sequence[Term], solution: Solution) -> Solution | None:
    """SOLUTION extended so that PARTS become TERMS, None where nothing does."""
    bound = dict(solution)
    for part, term in _leaves(parts, terms):
        if isinstance(part, TriplePattern):
            return None  # a quoted triple pattern, and a term that quotes nothing
        if isinstance(part, (Variable, BlankNode)):
            key = part.name if isinstance(part, Variable) else part
            if bound.setdefault(key, term) != term:
                return None
        elif part != term:
            return None
    return Solution(bound)


def _leaves(parts: Sequence[Part], terms: Sequence[Term]) -> Iterator[tuple[Part, Term]]:
    """Part by part with its term, quoted triples by their parts."""
    for part, term in zip(parts, terms, strict=True):
        if isinstance(part, TriplePattern) and isinstance(term, Triple):
            yield from _leaves((part.subject, part.predicate, part.object), tuple(term))
        else:
            yield part, term
