"""Graph patterns: what each window, named graph and the background data are asked for.

Patterns are built together with the triples that match them (see ``sketch``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.streams import Stamp
from rsp_conformance.model.terms import IRI, Literal
from rsp_conformance.model.variables import triple_variables
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.inline import inline_data
from rsp_conformance.strategies.negation import inner_pattern, where_exists, without
from rsp_conformance.strategies.nesting import counted, nested
from rsp_conformance.strategies.paths import path_pattern
from rsp_conformance.strategies.quoted import quoted_group, with_quoted_value
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    QUOTED,
    RESOURCE,
    TEXT,
    THING,
    UNCERTAIN,
    Places,
    Sketch,
)

GRAPH_VARIABLE = Variable("g")


def join(left: Pattern, right: Pattern) -> Pattern:
    """The join as a person writes it: neighbouring triple patterns are one basic graph pattern."""
    if isinstance(left, BGP) and isinstance(right, BGP):
        return BGP((*left.triples, *right.triples))
    return Join(left, right)


def draw_pattern(draw: st.DrawFn, sketch: Sketch, windows: Sequence[WindowDeclaration]) -> Pattern:
    """A pattern over WINDOWS with the clauses of the sketch's plan."""
    plan = sketch.plan
    layout = _layout(draw, sketch, several=len(windows) > 1 or plan.has(*_BESIDE))
    body = _first_part(draw, sketch, windows, layout)
    if layout.nested == "around":
        body = nested(draw, sketch, body)
    parts = _other_parts(draw, sketch, windows, layout)
    exists = None
    for number, (part, introduced) in enumerate(parts):
        if number < len(parts) - 1 or not layout.last:
            body = join(body, part)
        elif layout.last == "optional":
            sketch.unbound.update(introduced)
            body = LeftJoin(body, part)
        elif layout.last == "union":
            sketch.unbound.update(sketch.kinds)
            body = Union(body, part)
        else:
            sketch.hide(*introduced)
            if layout.last == "minus":
                body = Minus(body, part)
            else:
                exists = part
    if plan.has("values"):
        body = Join(body, _values(draw, sketch))
    if layout.inline == "after":
        body = Join(body, inline_data(draw, sketch))
    elif layout.inline == "end":
        sketch.values = inline_data(draw, sketch)
    if plan.has("quoted-bind"):
        body = with_quoted_value(draw, sketch, body)
    body = _computed(draw, sketch, body)
    if exists is not None:
        body = where_exists(draw, sketch, body, exists)
    if plan.has(*_FILTERS) and not sketch.filtered:
        body = _filter(draw, sketch, body)
    return body


_BESIDE = ("static", "varying", "graph", "graph-varying")
_FILTERS = ("filter", "function-filter")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where clauses stand.

    ``last`` is what becomes of the last part beside the first window: the operand of OPTIONAL,
    UNION, MINUS or EXISTS; empty where it is joined. What is not there stands in the first window,
    if it is planned. ``nested`` is where a subquery stands: ``inside`` the window, ``around`` or
    ``beside`` it. ``inline`` is where VALUES stand: ``inside``, ``after`` it or at the ``end``.
    """

    last: str = ""
    within: frozenset[str] = frozenset()
    nested: str = ""
    inline: str = ""


def _layout(draw: st.DrawFn, sketch: Sketch, *, several: bool) -> _Layout:
    plan = sketch.plan
    operators = [c for c in ("optional", "union", "minus", "exists") if plan.has(c)]
    last = ""
    for clause in operators:
        if several and not last and pick(draw, (False, True)):
            last = clause
    where = inline = ""
    if plan.has("subquery"):
        where = pick(draw, ("inside", "around", "beside", "inside"))
    if plan.has("inline"):
        # At the end, VALUES come after grouping and before what SELECT computes.
        ends = plan.head not in ("aggregate", "having")
        inline = pick(draw, ("inside", "after", "end") if ends else ("inside", "after"))
    return _Layout(last, frozenset(operators) - {last}, where, inline)


def _computed(draw: st.DrawFn, sketch: Sketch, pattern: Pattern) -> Pattern:
    """PATTERN with the BIND that is planned, unless SELECT computes the value."""
    plan = sketch.plan
    if not plan.has("bind", "function-bind"):
        return pattern
    if plan.has("function-bind") and plan.head in ("select", "distinct"):
        sketch.computed = pick(draw, (False, True))
        if sketch.computed:
            return pattern
    expression, kind = expressions.computed(draw, sketch, tuple(sketch.kinds))
    variable = sketch.fresh(kind)
    sketch.unbound.add(variable)
    return Extend(pattern, variable, expression)


def _filter(draw: st.DrawFn, sketch: Sketch, pattern: Pattern) -> Pattern:
    sketch.filtered = True
    condition = expressions.condition(draw, sketch, tuple(sketch.kinds))
    return pattern if condition is None else Filter(condition, pattern)


def _first_part(
    draw: st.DrawFn,
    sketch: Sketch,
    windows: Sequence[WindowDeclaration],
    layout: _Layout,
) -> Pattern:
    """What the first window holds, or every window under WINDOW ?w."""
    plan = sketch.plan
    every = plan.has("window-variable")
    places: Places = tuple(w.name for w in windows) if every else (windows[0].name,)
    group = _group(draw, sketch, places, layout)
    if plan.has(*_FILTERS) and pick(draw, (True, False)):
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


def _group(draw: st.DrawFn, sketch: Sketch, places: Places, layout: _Layout) -> Pattern:
    group: Pattern = _base_group(draw, sketch, places)
    base = sketch.slots[0].pattern
    if sketch.plan.has("join"):
        group = join(group, BGP((_linked(draw, sketch, places),)))
    if "union" in layout.within:
        kind = _kind(sketch, base)
        other = TriplePattern(base.subject, sketch.predicate(kind), base.object)
        kept = set(triple_variables(other))
        sketch.unbound.update(v for v in sketch.kinds if v.name not in kept)
        group = Union(group, BGP((sketch.add(places, other),)))
    if "optional" in layout.within:
        group = _optional(draw, sketch, places, group)
    if layout.inline == "inside":
        group = Join(group, inline_data(draw, sketch))
    if layout.nested == "inside":
        group = nested(draw, sketch, group, places)
    if "minus" in layout.within:
        group = without(draw, sketch, places, group)
    if "exists" in layout.within:
        group = where_exists(draw, sketch, group, inner_pattern(draw, sketch, places))
    return group


def _base_group(draw: st.DrawFn, sketch: Sketch, places: Places) -> BGP:
    """The first triple pattern, or a few about quoted triples or uncertain values."""
    plan = sketch.plan
    if plan.has("quoted", "said"):
        return quoted_group(draw, sketch, places)
    if plan.has("paths"):
        return BGP((path_pattern(draw, sketch, places),))
    base = _base(draw, sketch, places)
    if plan.has("uncertain") and pick(draw, (False, True)):
        return BGP((base, sketch.triple(places, base.subject, UNCERTAIN)))
    return BGP((base,))


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
    if plan.has("uncertain"):
        return (UNCERTAIN, UNCERTAIN)
    if plan.has("tags"):
        return (TEXT, TEXT)
    typed = sketch.limits.allow("typed-literals")
    if typed and plan.has("numbers", "lexical", "errors"):
        return (NUMBER, NUMBER)
    if plan.has("things"):
        return (THING, THING)
    if plan.has("function-filter", "function-bind"):
        return (TEXT, NUMBER, RESOURCE, TEXT, NUMBER) if typed else (TEXT, RESOURCE)
    if typed and (plan.has("filter", "bind") or plan.head in ("aggregate", "having", "order")):
        return (RESOURCE, NUMBER, NUMBER, NUMBER)
    if typed:
        return (RESOURCE, RESOURCE, RESOURCE, RESOURCE, RESOURCE, TEXT, NUMBER, NUMBER)
    return (RESOURCE, RESOURCE, RESOURCE, TEXT)


def _kind(sketch: Sketch, pattern: TriplePattern) -> str:
    if isinstance(pattern.object, Variable):
        return sketch.known[pattern.object]
    return RESOURCE


def _linked(draw: st.DrawFn, sketch: Sketch, places: Places, *, same: int = 0) -> TriplePattern:
    """A pattern at PLACES that shares a variable with those before it.

    SAME of eight times it is the first pattern over again, at another place.
    """
    subjects = [v for v in sketch.of_kind(RESOURCE) if v not in sketch.unbound]
    if not subjects and sketch.limits.allow("rdf-star"):
        subjects = [v for v in sketch.of_kind(QUOTED) if v not in sketch.unbound]
    subjects = subjects or [sketch.fresh(RESOURCE)]
    links: list[tuple[Variable, str] | None] = [(v, RESOURCE) for v in subjects]
    if sketch.limits.allow("typed-literals"):
        links += [(v, NUMBER) for v in subjects[:1]]
    # One draw whatever comes of it: shrinking takes fewer draws for simpler.
    others = -(-(8 - same) // len(links)) * links
    choice = pick(draw, (*others, *(None,) * same))
    if choice is None:
        first = sketch.slots[0]
        sketch.show_all(first.pattern)
        return sketch.add(places, first.pattern, first.triples)
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
    draw: st.DrawFn, sketch: Sketch, windows: Sequence[WindowDeclaration], layout: _Layout
) -> list[tuple[Pattern, list[Variable]]]:
    """The parts after the first, each with the variables that it brings."""
    plan = sketch.plan
    parts: list[tuple[Pattern, list[Variable]]] = []

    def take(
        places: Places, name: IRI | Variable | None, *, window: bool = False, same: int = 1
    ) -> None:
        before = tuple(sketch.kinds)
        if name == GRAPH_VARIABLE:
            sketch.fresh(NAME, GRAPH_VARIABLE.name)
        part: Pattern = BGP((_beside(draw, sketch, places, same=same, window=window),))
        if window and plan.has("named-elements"):
            part = _in_elements(sketch, part)
        if name is not None:
            part = Window(name, part) if window else Graph(name, part)
        parts.append((part, sketch.since(before)))

    if layout.nested == "beside":
        before = tuple(sketch.kinds)
        parts.append((_subquery(draw, sketch, windows[0]), sketch.since(before)))
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


def _beside(
    draw: st.DrawFn, sketch: Sketch, places: Places, *, same: int, window: bool
) -> TriplePattern:
    """A pattern beside the first window that shares a variable with it; at times a path."""
    subjects = [v for v in sketch.of_kind(RESOURCE) if v not in sketch.unbound]
    if sketch.plan.has("paths") and not window and subjects and pick(draw, (True, False)):
        return path_pattern(draw, sketch, places, pick(draw, (subjects[0], subjects[-1])))
    return _linked(draw, sketch, places, same=same)


def _subquery(draw: st.DrawFn, sketch: Sketch, window: WindowDeclaration) -> Pattern:
    """A subquery over WINDOW, beside other patterns: linked to them, or one number."""
    total = sketch.limits.allow("aggregates") and pick(draw, (False, False, True))
    places: Places = (window.name,)
    if total:
        triple = sketch.triple(places, sketch.fresh(RESOURCE), RESOURCE)
    else:
        triple = _linked(draw, sketch, places)
    part: Pattern = BGP((triple,))
    if sketch.plan.has("named-elements"):
        part = _in_elements(sketch, part)
    if window.named:
        part = Window(window.name, part)
    return counted(sketch, part) if total else nested(draw, sketch, part)


def _values(draw: st.DrawFn, sketch: Sketch) -> Values:
    """Inline data for one variable."""
    variable = next((v for v, k in sketch.kinds.items() if k in (RESOURCE, TEXT, NUMBER)), None)
    assert variable is not None
    terms = sketch.domain(variable)
    named = [t for t in terms if isinstance(t, (IRI, Literal))]
    rows = pick(draw, (named[:1], named[:2], named[-2:], [*named[:1], *named[:1]]))
    return Values((variable,), tuple((term,) for term in rows))
