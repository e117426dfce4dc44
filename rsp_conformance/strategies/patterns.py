"""Graph patterns: what each window, each named graph and the background data are asked for.

Patterns are built together with the triples that match them (``query_builder``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
from rsp_conformance.model.walk import mentioned
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import expressions
from rsp_conformance.strategies.clauses import (
    MINUS,
    counted,
    in_subquery,
    inline_data,
    inner_pattern,
    where_exists,
)
from rsp_conformance.strategies.nesting import Nesting
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    RESOURCE,
    TEXT,
    UNCERTAIN,
    Places,
    QueryBuilder,
)
from rsp_conformance.strategies.triple_patterns import (
    alternative,
    base,
    linked,
    other_way,
    path_pattern,
    quoted_group,
    with_node,
    with_quoted_data,
    with_quoted_value,
)

GRAPH_VARIABLE = Variable("g")
"""The variable of GRAPH around a pattern beside the first window."""


def join(left: Pattern, right: Pattern) -> Pattern:
    """Join patterns as a person writes them: adjacent triple patterns become one basic pattern."""
    if isinstance(left, BGP) and isinstance(right, BGP):
        return BGP((*left.triples, *right.triples))
    return Join(left, right)


def draw_pattern(builder: QueryBuilder, windows: Sequence[WindowDeclaration]) -> Pattern:
    """Draw a pattern over windows, with the clauses of the builder's plan."""
    plan = builder.plan
    if plan.has("nested"):
        return Nesting(builder, windows).draw()
    if _without_windows(builder):
        # Both places hold matching data, so an engine that reads the window answers wrongly.
        places: Places = (None, windows[0].name)
        return BGP((builder.triple(places, builder.fresh(RESOURCE), RESOURCE),))
    layout = _layout(builder, several=len(windows) > 1 or plan.has(*_BESIDE))
    body = _first_part(builder, windows, layout)
    if layout.nested == "around":
        body = in_subquery(builder, body)
    parts = _other_parts(builder, windows, layout)
    exists = None
    for number, (part, introduced) in enumerate(parts):
        if number < len(parts) - 1 or not layout.last:
            body = join(body, part)
        elif layout.last == "optional":
            builder.unbound.update(introduced)
            body = LeftJoin(body, part)
        elif layout.last == "union":
            builder.unbound.update(builder.kinds)
            body = Union(body, part)
        else:
            builder.hide(*introduced)
            if layout.last == "minus":
                body = Minus(body, part)
            else:
                exists = part
    if plan.has("values"):
        body = Join(body, _values(builder))
    if layout.inline == "after":
        body = Join(body, inline_data(builder))
    elif layout.inline == "end":
        builder.values = inline_data(builder)
    body = with_quoted_data(builder, body)
    if plan.has("quoted-bind"):
        body = with_quoted_value(builder, body)
    filtered = plan.has(*_FILTERS)
    if filtered and not builder.filtered and not builder.limits.allow("filtered-binds"):
        body = _filter(builder, body)
    body = _computed(builder, body)
    if exists is not None:
        body = where_exists(builder, body, exists)
    if filtered and not builder.filtered:
        body = _filter(builder, body)
    return body


def _without_windows(builder: QueryBuilder) -> bool:
    """Whether to ask the background data alone; CONSTRUCT WHERE needs such plain patterns."""
    plan = builder.plan
    return (
        plan.head == "construct"
        and plan.has("static", "varying")
        and builder.limits.allow("unread-windows", "compound-window-joins", "single-patterns")
        and builder.pick((False, True))
    )


_BESIDE = ("static", "varying", "graph", "graph-varying")
_FILTERS = ("filter", "function-filter")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the clauses of a pattern are.

    Attributes:
        last: what the last part beside the first window is: the operand of ``optional``, ``union``,
            ``minus`` or ``exists``; empty if it is joined.
        within: the operators within the first window.
        nested: where a subquery is: ``inside`` the window, ``around`` it or ``beside`` it.
        inline: where VALUES are: ``inside`` the window, ``after`` it or at the ``end``.
        alternatives: whether a UNION asks for the background data.
    """

    last: str = ""
    within: frozenset[str] = frozenset()
    nested: str = ""
    inline: str = ""
    alternatives: bool = False


def _layout(builder: QueryBuilder, *, several: bool) -> _Layout:
    plan = builder.plan
    operators = []
    last = ""
    for clause in ("optional", "union", "minus", "exists"):
        if not plan.has(clause):
            continue
        inside, outside = _sites(builder, clause)
        if several and not last and outside and (not inside or builder.pick((False, True))):
            last = clause
        if inside or last == clause:
            operators.append(clause)
    where = inline = ""
    if plan.has("subquery"):
        where = builder.pick(("inside", "around", "beside", "inside"))
    if plan.has("inline"):
        # VALUES at the end apply after grouping and before the expressions of SELECT.
        ends = plan.head not in ("aggregate", "having")
        inline = builder.pick(("inside", "after", "end") if ends else ("inside", "after"))
    alternatives = plan.has("union") and "union" not in operators
    alternatives = alternatives and not builder.limits.default_windows
    return _Layout(last, frozenset(operators) - {last}, where, inline, alternatives)


def _sites(builder: QueryBuilder, clause: str) -> tuple[bool, bool]:
    """Whether a clause may be in the first window, and around the last part beside it."""
    allow = builder.limits.allow
    stream, static = (
        clause == "minus" or allow(f"{clause}-{data}") for data in ("stream", "static")
    )
    if builder.limits.default_windows:  # patterns read both
        return stream and static, stream and static
    beside = static if builder.plan.has(*_BESIDE) else stream
    return stream, beside and (stream or clause != "union")


def _computed(builder: QueryBuilder, pattern: Pattern) -> Pattern:
    """The pattern with one planned BIND or several, unless SELECT computes the values."""
    plan = builder.plan
    if not plan.has("bind", "function-bind"):
        return pattern
    count = builder.pick((1, 2, 3, 4)) if plan.has("function-bind", "uncertain") else 1
    selects = plan.has("function-bind") and plan.head in ("select", "distinct")
    if selects and builder.pick((False, True)):
        builder.computed = count
        return pattern
    scope = tuple(builder.kinds)
    for expression, kind in [expressions.computed(builder, scope) for _ in range(count)]:
        variable = builder.fresh(kind)
        builder.unbound.add(variable)
        pattern = Extend(pattern, variable, expression)
    return pattern


def _filter(builder: QueryBuilder, pattern: Pattern) -> Pattern:
    builder.filtered = True
    condition = expressions.condition(builder, tuple(builder.kinds))
    return pattern if condition is None else Filter(condition, pattern)


def _first_part(
    builder: QueryBuilder, windows: Sequence[WindowDeclaration], layout: _Layout
) -> Pattern:
    """The pattern for the first window, or for every window under WINDOW ?w."""
    plan = builder.plan
    every = plan.has("window-variable")
    places: Places = tuple(w.name for w in windows) if every else (windows[0].name,)
    group = _group(builder, places, layout)
    if plan.has(*_FILTERS) and builder.pick((True, False)):
        group = _filter(builder, group)
    if plan.has("named-elements"):
        group = _in_elements(builder, group)
        if builder.limits.allow("typed-literals") and builder.pick((False, False, True)):
            group = join(group, _stamped(builder))
    if every:
        return Window(builder.fresh(NAME, "w"), group)
    if not windows[0].named:
        return group
    return (Graph if plan.has("window-graph") else Window)(windows[0].name, group)


def _in_elements(builder: QueryBuilder, pattern: Pattern) -> Pattern:
    """The pattern in the graphs that a window of named elements holds (RSP-QL* Definition 6)."""
    number = sum(variable.name.startswith("e") for variable in builder.kinds)
    return Graph(builder.fresh(NAME, f"e{number or ''}"), pattern)


def _stamped(builder: QueryBuilder) -> BGP:
    """The timestamp triples of the first window's elements, in its default graph."""
    return BGP((TriplePattern(Variable("e"), Stamp().predicate, builder.fresh(NUMBER, "t")),))


def _group(builder: QueryBuilder, places: Places, layout: _Layout) -> Pattern:
    group: Pattern = _base_group(builder, places)
    if builder.plan.has("join"):
        group = join(group, BGP((linked(builder, places),)))
    if "union" in layout.within:
        other = alternative(builder, places)
        kept = set(mentioned(other))
        builder.unbound.update(v for v in builder.kinds if v.name not in kept)
        group = Union(group, BGP((other,)))
    if "optional" in layout.within:
        group = _optional(builder, places, group)
    if layout.inline == "inside":
        group = Join(group, inline_data(builder))
    if layout.nested == "inside":
        group = in_subquery(builder, group, places)
    if "minus" in layout.within:
        group = Minus(group, inner_pattern(builder, places, MINUS))
    if "exists" in layout.within:
        group = where_exists(builder, group, inner_pattern(builder, places))
    return group


def _base_group(builder: QueryBuilder, places: Places) -> BGP:
    """The first triple pattern, or some patterns about quoted triples or uncertain values."""
    plan = builder.plan
    if plan.has("quoted", "said"):
        return quoted_group(builder, places)
    if plan.has("paths"):
        return BGP((path_pattern(builder, places),))
    first = base(builder, places)
    if plan.has("uncertain") and builder.pick((False, True, True)):
        return BGP((first, builder.triple(places, first.subject, UNCERTAIN)))
    return with_node(builder, places, first) if plan.has("pattern-nodes") else BGP((first,))


def _optional(builder: QueryBuilder, places: Places, group: Pattern) -> Pattern:
    """The pattern with an OPTIONAL in the same window, and perhaps a planned FILTER in it."""
    before = set(builder.kinds)
    kinds: tuple[str, ...] = (RESOURCE, RESOURCE)
    if builder.limits.allow("typed-literals"):
        kinds = (RESOURCE, NUMBER, NUMBER) if builder.plan.has("filter") else (RESOURCE, NUMBER)
    subject = builder.slots[0].pattern.subject
    pattern = BGP((builder.triple(places, subject, builder.pick(kinds)),))
    condition = None
    inner = builder.plan.has("filter") and builder.limits.allow("inner-filters")
    if inner and builder.pick((False, False, True)):
        builder.filtered = True
        condition = expressions.condition(builder, tuple(builder.kinds))
    builder.unbound.update(v for v in builder.kinds if v not in before)
    found = LeftJoin(group, pattern, condition)
    return _optional_again(builder, places, found, pattern.triples[0])


_AGAIN = ("", "", "", "same", "", "inside")
"""A second OPTIONAL: none, one that may bind the variable of the first, or one within it."""


def _optional_again(
    builder: QueryBuilder, places: Places, found: LeftJoin, first: TriplePattern
) -> Pattern:
    """The OPTIONAL ``found``, about ``first``, with a second OPTIONAL beside it or within it."""
    shape = builder.pick(_AGAIN)
    if not shape or not isinstance(first.object, Variable):
        return found
    kind = builder.known[first.object]
    if shape == "same":
        again = TriplePattern(first.subject, builder.predicate(kind), first.object)
        return LeftJoin(found, BGP((builder.add(places, again),)))
    inner = builder.triple(places, first.subject, RESOURCE)
    assert isinstance(inner.object, Variable)
    builder.unbound.add(inner.object)
    return replace(found, right=LeftJoin(found.right, BGP((inner,))))


def _other_parts(
    builder: QueryBuilder, windows: Sequence[WindowDeclaration], layout: _Layout
) -> list[tuple[Pattern, list[Variable]]]:
    """The parts after the first, each with the variables that it introduces."""
    plan = builder.plan
    twin = layout.last == "union"
    parts: list[tuple[Pattern, list[Variable]]] = []

    def take(
        places: Places, name: IRI | Variable | None, *, window: bool = False, same: int = 1
    ) -> None:
        before = tuple(builder.kinds)
        if name == GRAPH_VARIABLE:
            builder.fresh(NAME, GRAPH_VARIABLE.name)
        same *= builder.limits.allow("compound-window-joins")
        triple = _beside(builder, places, same=same, window=window)
        part: Pattern = BGP((triple,))
        if name is None and layout.alternatives:
            part = Union(part, BGP((other_way(builder, places, triple),)))
        if window and plan.has("named-elements"):
            part = _in_elements(builder, part)
        if name is not None:
            part = Window(name, part) if window else Graph(name, part)
        parts.append((part, builder.since(before)))

    if layout.nested == "beside":
        before = tuple(builder.kinds)
        parts.append((_subquery(builder, windows[0]), builder.since(before)))
    if not plan.has("window-variable"):
        for declared in windows[1:]:
            again = declared.stream == windows[0].stream
            name = declared.name if declared.named else None
            take((declared.name,), name, window=True, same=4 if again or twin else 1)
    if plan.has("static", "varying"):
        take((None,), None, same=4 if twin else 1)
    if plan.has("graph", "graph-varying"):
        # The variable ranges over windows as well, which this part's operator has to allow.
        ranges = layout.last in ("", "minus") or builder.limits.allow(f"{layout.last}-stream")
        if builder.pick((False, False, True)) and ranges:
            take(builder.graphs, GRAPH_VARIABLE)
        else:
            take(builder.graphs[:1], builder.graphs[0])
    return parts


def _beside(builder: QueryBuilder, places: Places, *, same: int, window: bool) -> TriplePattern:
    """A pattern beside the first window that shares a variable with it; sometimes a path."""
    subjects = builder.bound(RESOURCE)
    if builder.plan.has("paths") and not window and subjects and builder.pick((True, False)):
        return path_pattern(builder, places, builder.pick((subjects[0], subjects[-1])))
    return linked(builder, places, same=same)


def _subquery(builder: QueryBuilder, window: WindowDeclaration) -> Pattern:
    """A subquery over a window, beside other patterns: linked to them, or a single count."""
    total = builder.limits.allow("aggregates") and builder.pick((False, False, True))
    places: Places = (window.name,)
    if total:
        triple = builder.triple(places, builder.fresh(RESOURCE), RESOURCE)
    else:
        triple = linked(builder, places)
    part: Pattern = BGP((triple,))
    if builder.plan.has("named-elements"):
        part = _in_elements(builder, part)
    if window.named:
        part = Window(window.name, part)
    return counted(builder, part) if total else in_subquery(builder, part)


def _values(builder: QueryBuilder) -> Values:
    """Inline data for one variable."""
    variable = next((v for v, k in builder.kinds.items() if k in (RESOURCE, TEXT, NUMBER)), None)
    assert variable is not None
    terms = builder.domain(variable)
    named = [t for t in terms if isinstance(t, (IRI, Literal))]
    rows = builder.pick((named[:1], named[:2], named[-2:], [*named[:1], *named[:1]]))
    return Values((variable,), tuple((term,) for term in rows))
