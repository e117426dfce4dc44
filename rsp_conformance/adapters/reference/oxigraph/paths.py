"""Property paths as joins and unions of steps (SPARQL 1.1, 18.4).

``^p``, ``p/q`` and ``p|q`` are translated as 18.2.2.4 does it, so that the number of ways counts;
pyoxigraph by itself gives a pair of nodes once that both p and q join.
``p*``, ``p+`` and ``p?`` are sets of pairs, whatever the number of ways is, and stay as they are:
over a bag they are asked of its triples, each once. So a step counts as often as its triple, and a
repeated path once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from rsp_conformance.model.algebra import (
    BGP,
    Filter,
    Graph,
    Join,
    Pattern,
    PatternTerm,
    TriplePattern,
    Union,
    Values,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Exists, Operation, Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.terms import IRI, Literal
from rsp_conformance.model.walk import rewritten

_NONE = IRI("urn:x-rsp:no-property")

Step = Callable[[TriplePattern], Pattern]
"""Return the translation of a triple pattern of one step."""


def step(graph: IRI, triple: TriplePattern, fresh: Callable[[], Variable]) -> Pattern:
    """Return the pattern of one step in a graph.

    A negated property set has a solution for each triple that it finds, whatever is bound.

    Args:
        graph: the name of the graph.
        triple: the step; its predicate is no path except ``!(…)``.
        fresh: makes a new variable.
    """
    predicate = triple.predicate
    if not isinstance(predicate, NegatedPropertySet):
        return Graph(graph, BGP((triple,)))
    found = fresh()
    any_of_all = Graph(graph, BGP((replace(triple, predicate=found),)))
    if not predicate.forward:  # !() is any property; pyoxigraph has no NOT IN ()
        return any_of_all
    return Filter(Operation("NOT IN", (found, *predicate.forward)), any_of_all)


def is_path(triple: TriplePattern) -> bool:
    """Return whether the predicate of `triple` is a path of more than one IRI or variable."""
    return not isinstance(triple.predicate, (IRI, Variable))


def may_stay(triple: TriplePattern) -> bool:
    """Return whether `triple` has a path of length zero from or to a term of the query.

    It has a solution then, whether the term is in the graph or not (18.4, ZeroLengthPath).
    pyoxigraph has none where it is not, so such a path is ``unfolded``, each repetition of it
    ``stayed``.
    """
    variables = [isinstance(end, Variable) for end in (triple.subject, triple.object)]
    return not all(variables) and _may_be_empty(triple.predicate, between_terms=not any(variables))


def _may_be_empty(path: object, *, between_terms: bool) -> bool:
    """Return whether `path` has a length of zero at a term that is not in the graph.

    Such a term is no node between the two parts of a sequence, unless it is both of its ends.
    """

    def empty(part: object) -> bool:
        return _may_be_empty(part, between_terms=between_terms)

    match path:
        case InversePath(inner):
            return empty(inner)
        case SequencePath(left, right):
            return between_terms and empty(left) and empty(right)
        case AlternativePath(left, right):
            return empty(left) or empty(right)
        case RepeatedPath(inner, modifier):
            return modifier != "+" or empty(inner)
    return False


def stayed(triple: TriplePattern, in_graph: Callable[[TriplePattern], Pattern]) -> Pattern:
    """`triple`, a repeated path, and its path of length zero at a term that is not in the graph.

    `in_graph` asks the graph for a triple pattern.
    """
    found = in_graph(triple)
    if not may_stay(triple):
        return found
    start, end = triple.subject, triple.object
    if isinstance(start, Variable):
        term, stays = end, Values((start,), ((_value(end),),))
    elif isinstance(end, Variable):
        term, stays = start, Values((end,), ((_value(start),),))
    elif start == end:
        term, stays = start, Values((), ((),))
    else:
        return found
    p, o = Variable("rsp_any_predicate"), Variable("rsp_any_node")
    node = in_graph(TriplePattern(o, p, term))
    if not isinstance(term, Literal):
        node = Union(in_graph(TriplePattern(term, p, o)), node)
    return Union(found, Filter(Exists(node, negated=True), stays))


def _value(term: PatternTerm) -> IRI | Literal:
    if not isinstance(term, (IRI, Literal)):
        raise Unsupported("property paths from or to quoted triples")
    return term


def _excluding_something(part: object) -> object:
    """``!()`` as pyoxigraph reads it, which takes no empty set: without what no data have."""
    return NegatedPropertySet((_NONE,)) if part == NegatedPropertySet(()) else part


def unfolded(
    triple: TriplePattern, fresh: Callable[[], Variable], step: Step, repeated: Step
) -> Pattern:
    """Return a path as joins and unions of its parts.

    Args:
        triple: the triple pattern with the path.
        fresh: makes a new variable, for a node between two parts.
        step: translates a part of one step.
        repeated: translates a part that is repeated.
    """

    def between(start: PatternTerm, path: object, end: PatternTerm) -> Pattern:
        match path:
            case InversePath(inner):
                return between(end, inner, start)
            case SequencePath(left, right):
                middle = fresh()
                return Join(between(start, left, middle), between(middle, right, end))
            case AlternativePath(left, right):
                return Union(between(start, left, end), between(start, right, end))
            case RepeatedPath():
                return repeated(TriplePattern(start, rewritten(path, _excluding_something), end))
            case NegatedPropertySet(forward, backward):
                # !(a|^b) is the sum of both directions (18.2.2.4); without either side of it
                # the other one stands alone.
                sides: list[Pattern] = []
                if forward or not backward:
                    sides.append(step(TriplePattern(start, NegatedPropertySet(forward), end)))
                if backward:
                    sides.append(step(TriplePattern(end, NegatedPropertySet(backward), start)))
                return reduce(Union, sides)
            case IRI():
                return step(TriplePattern(start, path, end))
        raise AssertionError(path)

    return between(triple.subject, triple.predicate, triple.object)
