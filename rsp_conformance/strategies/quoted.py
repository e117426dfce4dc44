"""Quoted triples: annotated statements, their parts, and statements about statements (RSP-QL*).

An annotation asserts nothing: the streams hold annotations without their statement, and
statements without an annotation.
"""

from __future__ import annotations

from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, Extend, Pattern, TriplePattern
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.quoted import quotes
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.functions import apply
from rsp_conformance.strategies.query_builder import NUMBER, QUOTED, RESOURCE, Places, Sketch

_AS_SUBJECT = ("annotated", "asserted", "variable", "asserted", "nested", "constant")
_AS_OBJECT = ("said", "said-asserted", "said-variable", "said-nested")


def quoted_group(draw: st.DrawFn, sketch: Sketch, places: Places) -> BGP:
    """Patterns at PLACES about quoted triples, where the engine takes them and the plan wants."""
    anywhere = sketch.limits.allow("rdf-star") and sketch.plan.has("quoted")
    subjects = _AS_SUBJECT if anywhere else ()
    shape = pick(draw, (*subjects, *_AS_OBJECT))
    if shape in _AS_SUBJECT:
        return BGP(_about(sketch, places, shape))
    return BGP(_said(sketch, places, shape))


def _about(sketch: Sketch, places: Places, shape: str) -> tuple[TriplePattern, ...]:
    """Patterns whose subject is a quoted triple."""
    kind = NUMBER if sketch.limits.allow("typed-literals") else RESOURCE
    if shape == "variable":
        return (sketch.triple(places, sketch.fresh(QUOTED), kind),)
    statement = _statement(sketch, constant=shape == "constant")
    if shape == "nested":
        inner, predicate = statement, vocabulary.LINKS[1]
        outer = TriplePattern(inner, predicate, sketch.fresh(RESOURCE))
        return (sketch.triple(places, outer, kind),)
    about = sketch.triple(places, statement, kind)
    if shape == "asserted":
        return (sketch.add(places, statement), about)
    return (about,)


def _said(sketch: Sketch, places: Places, shape: str) -> tuple[TriplePattern, ...]:
    """Patterns whose object is a quoted triple."""
    speaker = sketch.fresh(RESOURCE)
    predicate = sketch.predicate(QUOTED)
    if shape == "said-variable":
        return (sketch.add(places, TriplePattern(speaker, predicate, sketch.fresh(QUOTED))),)
    statement = _statement(sketch)
    said = statement
    if shape == "said-nested":
        said = TriplePattern(sketch.fresh(RESOURCE), vocabulary.LINKS[1], statement)
    pattern = sketch.add(places, TriplePattern(speaker, predicate, said))
    if shape == "said-asserted":
        return (pattern, sketch.add(places, statement))
    return (pattern,)


def _statement(sketch: Sketch, *, constant: bool = False) -> TriplePattern:
    subject = vocabulary.RESOURCES[0] if constant else sketch.fresh(RESOURCE)
    return TriplePattern(subject, vocabulary.LINKS[0], sketch.fresh(RESOURCE))


def with_quoted_value(draw: st.DrawFn, sketch: Sketch, pattern: Pattern) -> Pattern:
    """PATTERN with a BIND that makes a quoted triple, or takes one apart."""
    functions = sketch.limits.allow("functions")
    options: list[tuple[Expression, str]] = []
    subjects = _subjects(sketch)
    if subjects:
        subject, obj = subjects[0], sketch.of_kind(RESOURCE)[-1]
        options.append((TriplePattern(subject, vocabulary.LINKS[0], obj), QUOTED))
        if functions:
            options.append((apply("TRIPLE", subject, vocabulary.LINKS[0], obj), QUOTED))
    whole = [v for v in sketch.of_kind(QUOTED) if functions and v not in sketch.unbound]
    for name in ("SUBJECT", "OBJECT", "PREDICATE"):
        options += [(apply(name, variable), RESOURCE) for variable in whole[:1]]
    if not options:
        return pattern
    expression, kind = pick(draw, options)
    variable = sketch.fresh(kind)
    sketch.unbound.add(variable)
    return Extend(pattern, variable, expression)


def _subjects(sketch: Sketch) -> list[Variable]:
    """What a quoted triple may have as its subject.

    Blank nodes are left out: which graphs they belong to is a question of its own. Where quoted
    triples are objects only, so is what a pattern finds as an object.
    """
    if sketch.plan.has("blank-nodes"):
        return []
    found = [v for v in sketch.of_kind(RESOURCE) if v not in sketch.unbound]
    if sketch.limits.allow("rdf-star"):
        return found
    objects = {part.object for slot in sketch.slots for part in quotes(slot.pattern)}
    return [variable for variable in found if variable not in objects]
