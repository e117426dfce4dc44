"""Basic graph patterns: triple patterns and paths over a graph (SPARQL 1.1, 18.3).

Triple patterns are matched one after the other, the most restricted first; each extends the
solutions found so far. Paths are evaluated by themselves and joined with the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import Path
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.dataset import GraphBag
from rsp_conformance.spec import paths
from rsp_conformance.spec.matching import matching
from rsp_conformance.spec.solutions import Multiset, Solution, join, one, projected

Part: TypeAlias = "PatternTerm | Path | Term"


def matches(
    triples: tuple[TriplePattern, ...],
    graph: GraphBag,
    given: Solution,
    note: Callable[[str], None],
) -> Multiset:
    """The solutions of a basic graph pattern over a graph (18.3.1).

    For a solution μ there is an instance mapping σ of the blank nodes such that μ(σ(triples)) is in
    the graph. The cardinality of μ is the sum over all such σ of the product of the triples' counts
    in the graph (decision 13).

    Args:
        triples: The triple patterns and paths.
        graph: The active graph, a bag of triples.
        given: The solution that an EXISTS around the pattern tests; every result extends it.
        note: Records a point that SPARQL leaves open.
    """
    found = one(given)
    for triple in _ordered(triples, given):
        found = _extended(found, triple, graph)
    for triple in triples:
        if not isinstance(triple.predicate, (IRI, Variable)):
            found = join(found, _path(triple, triple.predicate, graph, given, note))
    return projected(found, lambda key: isinstance(key, BlankNode))


def loosened(triples: tuple[TriplePattern, ...], given: Solution) -> tuple[TriplePattern, ...]:
    """The pattern by the letter of 18.6: a given blank node becomes a blank node of the pattern."""

    def node(part: PatternTerm) -> PatternTerm:
        if isinstance(part, TriplePattern):
            return replace(part, subject=node(part.subject), object=node(part.object))
        term = given.get(part.name) if isinstance(part, Variable) else None
        return BlankNode(f"{term.label} given") if isinstance(term, BlankNode) else part

    return tuple([replace(t, subject=node(t.subject), object=node(t.object)) for t in triples])


def _ordered(triples: tuple[TriplePattern, ...], given: Solution) -> list[TriplePattern]:
    """The triple patterns without paths in the order of matching.

    The next pattern is always one with the fewest unbound variables, and among these one with the
    most bound variables. The result does not depend on the order; but in the order of the text,
    matching may go through all pairs of triples.
    """
    rest = [triple for triple in triples if isinstance(triple.predicate, (IRI, Variable))]
    bound: set[Part] = {Variable(key) for key in given if isinstance(key, str)}

    def openness(triple: TriplePattern) -> tuple[int, int]:
        variables = _variables(triple)
        return len(variables - bound), -len(variables & bound)

    ordered = []
    while len(rest) > 1:
        ordered.append(min(rest, key=openness))
        rest.remove(ordered[-1])
        bound |= _variables(ordered[-1])
    return ordered + rest


def _variables(pattern: TriplePattern) -> set[Part]:
    return {part for part in within(pattern) if isinstance(part, (Variable, BlankNode))}


def _extended(found: Multiset, pattern: TriplePattern, graph: GraphBag) -> Multiset:
    """The solutions found so far, extended by the triples of the graph that match a pattern."""
    parts = (pattern.subject, pattern.predicate, pattern.object)
    out: Multiset = Counter()
    for mu, count in found.items():
        for triple, copies in matching(graph, *[instance(part, mu) for part in parts]):
            extended = _unified(parts, [*triple], mu)
            if extended is not None:
                out[extended] += count * copies
    return out


def _path(
    pattern: TriplePattern,
    path: Path,
    graph: GraphBag,
    given: Solution,
    note: Callable[[str], None],
) -> Multiset:
    """Path(X, path, Y) by itself: a zero-length path from a variable stays in the graph (18.4)."""
    parts = (pattern.subject, pattern.object)
    x, y = [instance(part, given) for part in parts]
    out: Multiset = Counter()
    for ends, count in paths.ends(path, x, y, graph, note).items():
        extended = _unified(parts, ends, given)
        if extended is not None:
            out[extended] += count
    return out


def instance(part: Part, mu: Solution) -> Term | None:
    """The term that a part of a pattern has under the solution `mu`; None if it has no term."""
    match part:
        case Variable(name):
            return mu.get(name)
        case BlankNode():
            return mu.get(part)
        case IRI() | Literal() | Triple():
            return part
        case TriplePattern(subject, predicate, object_):
            return quoted(*[instance(inner, mu) for inner in (subject, predicate, object_)])
    return None


def quoted(subject: Term | None, predicate: Term | None, object_: Term | None) -> Triple | None:
    """The triple of these terms; None if RDF allows no such triple (RDF-star 6.4).

    Args:
        subject: the subject; None if it has no value.
        predicate: the predicate; None if it has no value.
        object_: the object; None if it has no value.
    """
    if subject is None or isinstance(subject, Literal) or object_ is None:
        return None
    return Triple(subject, predicate, object_) if isinstance(predicate, IRI) else None


def _unified(parts: Sequence[Part], terms: Sequence[Term], mu: Solution) -> Solution | None:
    """The solution `mu`, extended so that `parts` become `terms`; None if that is impossible."""
    for part, term in zip(parts, terms, strict=True):
        match part:
            case TriplePattern(subject, predicate, object_) if isinstance(term, Triple):
                inner = _unified((subject, predicate, object_), tuple(term), mu)
                if inner is None:
                    return None
                mu = inner
            case Variable() | BlankNode():
                key = part.name if isinstance(part, Variable) else part
                if mu.get(key, term) != term:
                    return None
                mu = mu.binding(key, term)
            case _:
                if part != term:
                    return None
    return mu
