"""Property paths, over data in which short paths lead across elements."""

from __future__ import annotations

from hypothesis import strategies as st

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.query_builder import RESOURCE, Places, Sketch, path_predicates

_ENDS = ("both", "both", "both", "both", "subject", "object", "circle")


def path_pattern(
    draw: st.DrawFn, sketch: Sketch, places: Places, subject: PatternTerm | None = None
) -> TriplePattern:
    """A path between two variables, one and a constant, or one and itself; or from SUBJECT.

    Under an order, only paths between resources: others may come to any term of the data.
    """
    p, q = sketch.predicate(RESOURCE), _second(sketch)
    ordered = sketch.plan.head in ("order", "limit")
    options = _between_resources(p, q) if ordered else _paths(p, q)
    if not ordered and sketch.plan.clauses == {"paths"}:
        # How often a negated set counts two nodes with several properties is open; here are two.
        options += (NegatedPropertySet((p,)), NegatedPropertySet((), (p,))) * 2
    path = pick(draw, options)
    a, b, c, d = vocabulary.RESOURCES
    ends = pick(draw, _ENDS)
    start: PatternTerm = a if ends == "subject" else sketch.fresh(RESOURCE)
    if subject is not None:
        start = subject
    end: PatternTerm = start
    if ends != "circle":
        end = c if ends == "object" else sketch.fresh(RESOURCE)
    first, *others = dict.fromkeys(path_predicates(path))
    second = others[0] if others else first
    # Two nodes both ways, so that two triples are a circle; then ways of several lengths.
    data = (
        *(Triple(a, first, b), Triple(b, second, a), Triple(b, first, c), Triple(a, second, c)),
        *(Triple(a, first, c), Triple(c, second, a), Triple(b, second, c), Triple(c, first, d)),
    )
    return sketch.add(places, TriplePattern(start, path, end), tuple(dict.fromkeys(data)))


def _second(sketch: Sketch) -> IRI:
    """The resources' predicate after the first that no pattern has."""
    links = vocabulary.LINKS
    return links[min(links.index(sketch.predicate(RESOURCE)) + 1, len(links) - 1)]


def _between_resources(p: IRI, q: IRI) -> tuple[PathElement, ...]:
    one_or_other = AlternativePath(p, q)
    return (
        SequencePath(p, q),
        one_or_other,
        InversePath(p),
        RepeatedPath(p, "+"),
        SequencePath(p, RepeatedPath(q, "?")),
        SequencePath(p, RepeatedPath(q, "*")),
        RepeatedPath(SequencePath(p, q), "+"),
        RepeatedPath(one_or_other, "+"),
        SequencePath(p, InversePath(q)),
        InversePath(SequencePath(p, q)),
        RepeatedPath(p, "+"),
        RepeatedPath(one_or_other, "+"),
        AlternativePath(SequencePath(p, q), p),
    )


def _paths(p: IRI, q: IRI) -> tuple[PathElement, ...]:
    return (
        *_between_resources(p, q),
        RepeatedPath(p, "*"),
        RepeatedPath(p, "?"),
        RepeatedPath(AlternativePath(p, q), "*"),
        RepeatedPath(AlternativePath(p, InversePath(q)), "*"),
        RepeatedPath(NegatedPropertySet((q,)), "+"),
        RepeatedPath(NegatedPropertySet((p,), (q,)), "+"),
        RepeatedPath(NegatedPropertySet((p, q)), "?"),
    )
