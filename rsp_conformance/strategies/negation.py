"""MINUS, EXISTS and NOT EXISTS: what is taken away, and what must or must not be there.

The two differ where MINUS shares no variable with what stands before it, and in FILTERs inside:
MINUS does not see the variables outside (SPARQL 1.1, 8.3.3). Left out is what SPARQL 1.1 leaves
open about EXISTS: variables that BIND, VALUES, MINUS or a subquery inside it speak of.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, Extend, Filter, Minus, Pattern, TriplePattern
from rsp_conformance.model.expressions import Exists, Variable
from rsp_conformance.strategies import expressions
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.functions import apply
from rsp_conformance.strategies.query_builder import RESOURCE, TRUTH, Places, Sketch

_MINUS = ("linked", "unshared", "filtered", "linked", "same", "unshared")
_EXISTS = ("linked", "linked", "linked", "same", "filtered", "unshared")


def inner_pattern(
    draw: st.DrawFn, sketch: Sketch, places: Places, shapes: Sequence[str] = _EXISTS
) -> Pattern:
    """What MINUS or EXISTS asks for at PLACES.

    It shares the first subject with what stands before it, or subject and object, or nothing;
    or its FILTER speaks of a variable outside. Its own variables are hidden.
    """
    before = tuple(sketch.kinds)
    first = sketch.slots[0].pattern
    shape = pick(draw, shapes)
    equal = pick(draw, ("!=", "="))
    outer = [v for v in sketch.of_kind(RESOURCE) if v != first.subject]
    condition = None
    if shape == "unshared":
        subject = sketch.fresh(RESOURCE)
        pattern = sketch.triple(places, subject, RESOURCE)
    elif shape == "same" and isinstance(first.object, Variable):
        kind = sketch.known[first.object]
        again = TriplePattern(first.subject, sketch.predicate(kind), first.object)
        pattern = sketch.add(places, again)
    else:
        pattern = sketch.triple(places, first.subject, RESOURCE)
        if shape == "filtered" and outer and sketch.limits.allow("filter"):
            assert isinstance(pattern.object, Variable)
            condition = apply(equal, pattern.object, outer[0])
    sketch.hide(*sketch.since(before))
    group = BGP((pattern,))
    return group if condition is None else Filter(condition, group)


def without(draw: st.DrawFn, sketch: Sketch, places: Places, group: Pattern) -> Pattern:
    """GROUP with a MINUS at PLACES."""
    return Minus(group, inner_pattern(draw, sketch, places, _MINUS))


def where_exists(draw: st.DrawFn, sketch: Sketch, group: Pattern, inner: Pattern) -> Pattern:
    """GROUP where INNER has a solution or has none: as a FILTER, part of one, or a value."""
    exists = Exists(inner, pick(draw, (True, True, False)))
    use = pick(draw, ("", "", "", "", "||", "!", "bind"))
    simple = expressions.simple_conditions(sketch, tuple(sketch.kinds))
    if use == "bind" and sketch.limits.allow("bind"):
        return Extend(group, sketch.fresh(TRUTH), exists)
    if use == "!":
        return Filter(apply("!", exists), group)
    if use == "||" and simple:
        return Filter(apply("||", pick(draw, simple), exists), group)
    return Filter(exists, group)
