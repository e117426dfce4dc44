"""Graph patterns: what each window, named graph and the background data are asked for.

Patterns are built together with the triples that match them (see ``sketch``).
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.streams import Stamp
from rsp_conformance.model.terms import IRI, Literal
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.sketch import NAME, NUMBER, RESOURCE, TEXT, Places, Sketch

GRAPH_VARIABLE = Variable("g")


def join(left: Pattern, right: Pattern) -> Pattern:
    """The join as a person writes it: neighbouring triple patterns are one basic graph pattern."""
    if isinstance(left, BGP) and isinstance(right, BGP):
        return BGP((*left.triples, *right.triples))
    return Join(left, right)


def draw_pattern(draw: st.DrawFn, sketch: Sketch, windows: Sequence[WindowDeclaration]) -> Pattern:
    """A pattern over WINDOWS with the clauses of the sketch's plan."""
    plan = sketch.plan
    several = len(windows) > 1 or plan.has("static", "varying", "graph", "graph-varying")
    optional = plan.has("optional") and several and pick(draw, (False, True))
    union = plan.has("union") and several and not optional and pick(draw, (False, True))
    body = _first_part(
        draw,
        sketch,
        windows,
        optional=plan.has("optional") and not optional,
        union=plan.has("union") and not union,
    )
    parts = _other_parts(draw, sketch, windows)
    for number, (part, introduced) in enumerate(parts):
        if number < len(parts) - 1 or not (optional or union):
            body = join(body, part)
        elif optional:
            sketch.unbound.update(introduced)
            body = LeftJoin(body, part)
        else:
            sketch.unbound.update(sketch.kinds)
            body = Union(body, part)
    if plan.has("values"):
        body = Join(body, _values(draw, sketch))
    if plan.has("bind"):
        expression, kind = expressions.computed(draw, sketch, tuple(sketch.kinds))
        variable = sketch.fresh(kind)
        sketch.unbound.add(variable)
        body = Extend(body, variable, expression)
    if plan.has("filter") and not sketch.filtered:
        body = _filter(draw, sketch, body)
    return body


def _filter(draw: st.DrawFn, sketch: Sketch, pattern: Pattern) -> Pattern:
    sketch.filtered = True
    condition = expressions.condition(draw, sketch, tuple(sketch.kinds))
    return pattern if condition is None else Filter(condition, pattern)


def _first_part(
    draw: st.DrawFn,
    sketch: Sketch,
    windows: Sequence[WindowDeclaration],
    *,
    optional: bool,
    union: bool,
) -> Pattern:
    """What the first window holds, or every window under WINDOW ?w."""
    plan = sketch.plan
    every = plan.has("window-variable")
    places: Places = tuple(w.name for w in windows) if every else (windows[0].name,)
    group = _group(draw, sketch, places, optional=optional, union=union)
    if plan.has("filter") and pick(draw, (True, False)):
        group = _filter(draw, sketch, group)
    if plan.has("named-elements"):
        group = _in_elements(sketch, group)
        if sketch.limits.allow("typed-literals") and pick(draw, (False, False, True)):
            group = join(group, _stamped(sketch))
    if every:
        return Window(sketch.fresh(NAME, "w"), group)
    if not windows[0].named:
        return group
    return (Graph if plan.has("window-graph") else Window)(windows[0].name, group)


def _in_elements(sketch: Sketch, pattern: Pattern) -> Pattern:
    """PATTERN in the graphs that a window of named elements holds (RSP-QL* Definition 6)."""
    number = sum(variable.name.startswith("e") for variable in sketch.kinds)
    return Graph(sketch.fresh(NAME, f"e{number or ''}"), pattern)


def _stamped(sketch: Sketch) -> BGP:
    """The timestamp triples of the first window's elements, in its default graph."""
    return BGP((TriplePattern(Variable("e"), Stamp().predicate, sketch.fresh(NUMBER, "t")),))


def _group(
    draw: st.DrawFn, sketch: Sketch, places: Places, *, optional: bool, union: bool
) -> Pattern:
    plan = sketch.plan
    base = _base(draw, sketch, places)
    triples = [base]
    if plan.has("join"):
        triples.append(_linked(draw, sketch, places))
    group: Pattern = BGP(tuple(triples))
    if union:
        kind = _kind(sketch, base)
        other = TriplePattern(base.subject, sketch.predicate(kind), base.object)
        sketch.unbound.update(v for v in sketch.kinds if v not in (base.subject, base.object))
        group = Union(group, BGP((sketch.add(places, other),)))
    if optional:
        group = _optional(draw, sketch, places, group)
    return group


def _base(draw: st.DrawFn, sketch: Sketch, places: Places) -> TriplePattern:
    """The first triple pattern, over two variables or over one and a constant."""
    kind = pick(draw, _base_kinds(sketch))
    constant = sketch.plan.constant
    a, b = vocabulary.RESOURCES[:2]
    if kind != RESOURCE or constant == "":
        return sketch.triple(places, sketch.fresh(RESOURCE), kind)
    if constant == "object":
        pattern = TriplePattern(sketch.fresh(RESOURCE), sketch.predicate(RESOURCE), b)
    else:
        pattern = TriplePattern(a, sketch.predicate(RESOURCE), sketch.fresh(RESOURCE))
    return sketch.add(places, pattern)


def _base_kinds(sketch: Sketch) -> tuple[str, ...]:
    """Kinds of the first object; never one alone, because a missing draw would count as simpler."""
    plan = sketch.plan
    if plan.has("tags"):
        return (TEXT, TEXT)
    typed = sketch.limits.allow("typed-literals")
    if typed and plan.has("numbers", "lexical"):
        return (NUMBER, NUMBER)
    if typed and (plan.has("filter", "bind") or plan.head in ("aggregate", "having", "order")):
        return (RESOURCE, NUMBER, NUMBER, NUMBER)
    if typed:
        return (RESOURCE, RESOURCE, RESOURCE, RESOURCE, RESOURCE, TEXT, NUMBER, NUMBER)
    return (RESOURCE, RESOURCE, RESOURCE, TEXT)


def _kind(sketch: Sketch, pattern: TriplePattern) -> str:
    if isinstance(pattern.object, Variable):
        return sketch.kinds[pattern.object]
    return RESOURCE


def _linked(draw: st.DrawFn, sketch: Sketch, places: Places, *, same: int = 0) -> TriplePattern:
    """A pattern at PLACES that shares a variable with those before it.

    SAME of eight times it is the first pattern over again, at another place.
    """
    subjects = [v for v in sketch.of_kind(RESOURCE) if v not in sketch.unbound]
    links: list[tuple[Variable, str] | None] = [(v, RESOURCE) for v in subjects]
    if sketch.limits.allow("typed-literals"):
        links += [(v, NUMBER) for v in subjects[:1]]
    # One draw whatever comes of it: shrinking takes fewer draws for simpler.
    others = -(-(8 - same) // len(links)) * links
    choice = pick(draw, (*others, *(None,) * same))
    if choice is None:
        return sketch.add(places, sketch.slots[0].pattern)
    return sketch.triple(places, *choice)


def _optional(draw: st.DrawFn, sketch: Sketch, places: Places, group: Pattern) -> Pattern:
    """GROUP with an OPTIONAL in the same window, its condition inside where one is planned."""
    before = set(sketch.kinds)
    kinds: tuple[str, ...] = (RESOURCE, RESOURCE)
    if sketch.limits.allow("typed-literals"):
        kinds = (RESOURCE, NUMBER, NUMBER) if sketch.plan.has("filter") else (RESOURCE, NUMBER)
    subject = sketch.slots[0].pattern.subject
    pattern = BGP((sketch.triple(places, subject, pick(draw, kinds)),))
    condition = None
    if sketch.plan.has("filter") and pick(draw, (False, False, True)):
        sketch.filtered = True
        condition = expressions.condition(draw, sketch, tuple(sketch.kinds))
    sketch.unbound.update(v for v in sketch.kinds if v not in before)
    return LeftJoin(group, pattern, condition)


def _other_parts(
    draw: st.DrawFn, sketch: Sketch, windows: Sequence[WindowDeclaration]
) -> list[tuple[Pattern, list[Variable]]]:
    """The parts after the first, each with the variables that it brings."""
    plan = sketch.plan
    parts: list[tuple[Pattern, list[Variable]]] = []

    def take(
        places: Places, name: IRI | Variable | None, *, window: bool = False, same: int = 1
    ) -> None:
        before = len(sketch.kinds)
        if name == GRAPH_VARIABLE:
            sketch.fresh(NAME, GRAPH_VARIABLE.name)
        part: Pattern = BGP((_linked(draw, sketch, places, same=same),))
        if window and plan.has("named-elements"):
            part = _in_elements(sketch, part)
        if name is not None:
            part = Window(name, part) if window else Graph(name, part)
        parts.append((part, list(sketch.kinds)[before:]))

    if not plan.has("window-variable"):
        for declared in windows[1:]:
            again = declared.stream == windows[0].stream
            name = declared.name if declared.named else None
            take((declared.name,), name, window=True, same=4 if again else 1)
    if plan.has("static", "varying"):
        take((None,), None)
    if plan.has("graph", "graph-varying"):
        graph = vocabulary.GRAPHS[0]
        if pick(draw, (False, False, True)):
            take(vocabulary.GRAPHS, GRAPH_VARIABLE)
        else:
            take((graph,), graph)
    return parts


def _values(draw: st.DrawFn, sketch: Sketch) -> Values:
    """Inline data for one variable."""
    variable = next((v for v, k in sketch.kinds.items() if k in (RESOURCE, TEXT, NUMBER)), None)
    assert variable is not None
    terms = sketch.domain(variable)
    named = [t for t in terms if isinstance(t, (IRI, Literal))]
    rows = pick(draw, (named[:1], named[:2], named[-2:], [*named[:1], *named[:1]]))
    return Values((variable,), tuple((term,) for term in rows))
