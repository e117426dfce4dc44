"""Graph patterns: what each window, named graph and the background data are asked for.

Patterns are built together with the triples that match them (see ``builder``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from rsp_conformance.model.terms import IRI, XSD_INTEGER, BlankNode, Literal, Triple
from rsp_conformance.model.variables import triple_variables
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.clauses import (
    MINUS,
    counted,
    inline_data,
    inner_pattern,
    nested,
    where_exists,
)
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    QUOTED,
    RESOURCE,
    TEXT,
    THING,
    UNCERTAIN,
    Places,
    QueryBuilder,
)
from rsp_conformance.strategies.triple_patterns import path_pattern, quoted_group, with_quoted_value

GRAPH_VARIABLE = Variable("g")


def join(left: Pattern, right: Pattern) -> Pattern:
    """The join as a person writes it: neighbouring triple patterns are one basic graph pattern."""
    if isinstance(left, BGP) and isinstance(right, BGP):
        return BGP((*left.triples, *right.triples))
    return Join(left, right)


def draw_pattern(builder: QueryBuilder, windows: Sequence[WindowDeclaration]) -> Pattern:
    """A pattern over WINDOWS with the clauses of the builder's plan."""
    plan = builder.plan
    layout = _layout(builder, several=len(windows) > 1 or plan.has(*_BESIDE))
    body = _first_part(builder, windows, layout)
    if layout.nested == "around":
        body = nested(builder, body)
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


_BESIDE = ("static", "varying", "graph", "graph-varying")
_FILTERS = ("filter", "function-filter")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where clauses stand.

    ``last`` is what becomes of the last part beside the first window: the operand of OPTIONAL,
    UNION, MINUS or EXISTS; empty where it is joined. What is not there stands in the first window,
    if it is planned. ``nested`` is where a subquery stands: ``inside`` the window, ``around`` or
    ``beside`` it. ``inline`` is where VALUES stand: ``inside``, ``after`` it or at the ``end``.
    With ``alternatives`` the background data are asked for by a UNION.
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
        # At the end, VALUES come after grouping and before what SELECT computes.
        ends = plan.head not in ("aggregate", "having")
        inline = builder.pick(("inside", "after", "end") if ends else ("inside", "after"))
    alternatives = plan.has("union") and "union" not in operators
    alternatives = alternatives and not builder.limits.default_windows
    return _Layout(last, frozenset(operators) - {last}, where, inline, alternatives)


def _sites(builder: QueryBuilder, clause: str) -> tuple[bool, bool]:
    """Whether CLAUSE may stand in the first window, and around the last part beside it."""
    allow = builder.limits.allow
    stream, static = (
        clause == "minus" or allow(f"{clause}-{data}") for data in ("stream", "static")
    )
    if builder.limits.default_windows:  # patterns read both
        return stream and static, stream and static
    beside = static if builder.plan.has(*_BESIDE) else stream
    return stream, beside and (stream or clause != "union")


def _computed(builder: QueryBuilder, pattern: Pattern) -> Pattern:
    """PATTERN with the BIND that is planned, or with several, unless SELECT computes the values."""
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
    """What the first window holds, or every window under WINDOW ?w."""
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
    """PATTERN in the graphs that a window of named elements holds (RSP-QL* Definition 6)."""
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
        kept = set(triple_variables(other))
        builder.unbound.update(v for v in builder.kinds if v.name not in kept)
        group = Union(group, BGP((other,)))
    if "optional" in layout.within:
        group = _optional(builder, places, group)
    if layout.inline == "inside":
        group = Join(group, inline_data(builder))
    if layout.nested == "inside":
        group = nested(builder, group, places)
    if "minus" in layout.within:
        group = Minus(group, inner_pattern(builder, places, MINUS))
    if "exists" in layout.within:
        group = where_exists(builder, group, inner_pattern(builder, places))
    return group


def _base_group(builder: QueryBuilder, places: Places) -> BGP:
    """The first triple pattern, or a few about quoted triples or uncertain values."""
    plan = builder.plan
    if plan.has("quoted", "said"):
        return quoted_group(builder, places)
    if plan.has("paths"):
        return BGP((path_pattern(builder, places),))
    first = base(builder, places)
    if plan.has("uncertain") and builder.pick((False, True, True)):
        return BGP((first, builder.triple(places, first.subject, UNCERTAIN)))
    return BGP((first,))


def base(builder: QueryBuilder, places: Places) -> TriplePattern:
    """The first triple pattern, over two variables, one variable twice, or one and a constant."""
    # Drawn in any case: shrinking takes fewer draws for simpler.
    kind = builder.pick(_base_kinds(builder))
    if builder.plan.has("repeated-variables"):
        return _repeated(builder, places)
    if builder.plan.has("pattern-literals"):
        return _with_literal(builder, places)
    constant = builder.plan.constant
    a, b = vocabulary.RESOURCES[:2]
    if kind != RESOURCE or constant == "":
        return builder.triple(places, builder.fresh(RESOURCE), kind)
    if constant == "object":
        pattern = TriplePattern(builder.fresh(RESOURCE), builder.predicate(RESOURCE), b)
    else:
        pattern = TriplePattern(a, builder.predicate(RESOURCE), builder.fresh(RESOURCE))
    return builder.add(places, pattern)


def _repeated(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with one variable as subject and object, over data of which half has one term."""
    variable, predicate = builder.fresh(RESOURCE), builder.predicate(RESOURCE)
    first, *others = builder.domain(variable)
    pairs = [(first, first), *((first, o) for o in others), *((o, o) for o in others)]
    data = tuple(Triple(s, predicate, o) for s, o in pairs if isinstance(s, (IRI, BlankNode)))
    return builder.add(places, TriplePattern(variable, predicate, variable), data)


def _with_literal(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with a literal as its object, over data of which half has another one like it."""
    allow, variable = builder.limits.allow, builder.fresh(RESOURCE)
    like = [
        pair
        for pair in vocabulary.LIKE
        if (allow("language-tags") or not any(each.language for each in pair))
        and (allow("typed-literals") or not any(each.datatype == XSD_INTEGER for each in pair))
    ]
    if builder.plan.has("odd-strings"):
        one, other, *_ = builder.text_domain()
        like = [(one, other)] * 2
    literal, other = builder.pick(like)
    predicate = builder.predicate(NUMBER if literal.datatype == XSD_INTEGER else TEXT)
    subjects = [t for t in builder.domain(variable) if isinstance(t, (IRI, BlankNode))]
    data = tuple(Triple(subject, predicate, o) for subject in subjects for o in (literal, other))
    return builder.add(places, TriplePattern(variable, predicate, literal), data)


def _base_kinds(builder: QueryBuilder) -> tuple[str, ...]:
    """Kinds of the first object; never one alone, because a missing draw would count as simpler."""
    plan = builder.plan
    if plan.has("uncertain"):
        return (UNCERTAIN, UNCERTAIN)
    if plan.has("tags", "odd-strings"):
        return (TEXT, TEXT)
    typed = builder.limits.allow("typed-literals")
    if typed and plan.has("numbers", "lexical", "errors"):
        return (NUMBER, NUMBER)
    if plan.has("things"):
        return (THING, THING)
    if plan.has("function-filter", "function-bind"):
        return (TEXT, NUMBER, RESOURCE, TEXT, NUMBER) if typed else (TEXT, RESOURCE)
    if plan.has("prefixes", "odd-names"):
        return (RESOURCE, RESOURCE)
    if typed and (plan.has("filter", "bind") or plan.head in ("aggregate", "having", "order")):
        return (RESOURCE, NUMBER, NUMBER, NUMBER)
    if typed:
        return (RESOURCE, TEXT, RESOURCE, NUMBER, TEXT, RESOURCE, NUMBER)
    return (RESOURCE, RESOURCE, RESOURCE, TEXT)


def alternative(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern at PLACES over what the first one speaks of, by another predicate."""
    return other_way(builder, places, builder.slots[0].pattern)


def other_way(builder: QueryBuilder, places: Places, triple: TriplePattern) -> TriplePattern:
    """A pattern at PLACES over what TRIPLE speaks of, by another predicate."""
    kind = builder.known[triple.object] if isinstance(triple.object, Variable) else RESOURCE
    other = TriplePattern(triple.subject, builder.predicate(kind), triple.object)
    return builder.add(places, other)


def linked(builder: QueryBuilder, places: Places, *, same: int = 0) -> TriplePattern:
    """A pattern at PLACES that shares a variable with those before it.

    SAME of eight times it is the first pattern over again, at another place.
    """
    subjects = [v for v in builder.of_kind(RESOURCE) if v not in builder.unbound]
    if not subjects and builder.limits.allow("rdf-star"):
        subjects = [v for v in builder.of_kind(QUOTED) if v not in builder.unbound]
    subjects = subjects or [builder.fresh(RESOURCE)]
    links: list[tuple[Variable, str] | None] = [(v, RESOURCE) for v in subjects]
    if builder.limits.allow("typed-literals"):
        links += [(v, NUMBER) for v in subjects[:1]]
    # One draw whatever comes of it: shrinking takes fewer draws for simpler.
    others = -(-(8 - same) // len(links)) * links
    choice = builder.pick((*others, *(None,) * same))
    if choice is None:
        first = builder.slots[0]
        builder.show_all(first.pattern)
        return builder.add(places, first.pattern, first.triples)
    return builder.triple(places, *choice)


def _optional(builder: QueryBuilder, places: Places, group: Pattern) -> Pattern:
    """GROUP with an OPTIONAL in the same window, its condition inside where one is planned."""
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
    return LeftJoin(group, pattern, condition)


def _other_parts(
    builder: QueryBuilder, windows: Sequence[WindowDeclaration], layout: _Layout
) -> list[tuple[Pattern, list[Variable]]]:
    """The parts after the first, each with the variables that it brings."""
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
        # It ranges over windows as well, which what becomes of this part has to allow.
        ranges = layout.last in ("", "minus") or builder.limits.allow(f"{layout.last}-stream")
        if builder.pick((False, False, True)) and ranges:
            take(builder.graphs, GRAPH_VARIABLE)
        else:
            take(builder.graphs[:1], builder.graphs[0])
    return parts


def _beside(builder: QueryBuilder, places: Places, *, same: int, window: bool) -> TriplePattern:
    """A pattern beside the first window that shares a variable with it; at times a path."""
    subjects = [v for v in builder.of_kind(RESOURCE) if v not in builder.unbound]
    if builder.plan.has("paths") and not window and subjects and builder.pick((True, False)):
        return path_pattern(builder, places, builder.pick((subjects[0], subjects[-1])))
    return linked(builder, places, same=same)


def _subquery(builder: QueryBuilder, window: WindowDeclaration) -> Pattern:
    """A subquery over WINDOW, beside other patterns: linked to them, or one number."""
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
    return counted(builder, part) if total else nested(builder, part)


def _values(builder: QueryBuilder) -> Values:
    """Inline data for one variable."""
    variable = next((v for v, k in builder.kinds.items() if k in (RESOURCE, TEXT, NUMBER)), None)
    assert variable is not None
    terms = builder.domain(variable)
    named = [t for t in terms if isinstance(t, (IRI, Literal))]
    rows = builder.pick((named[:1], named[:2], named[-2:], [*named[:1], *named[:1]]))
    return Values((variable,), tuple((term,) for term in rows))
