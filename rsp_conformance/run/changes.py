"""Changes of a case: one thing is taken away or made plainer, or there is more of everything.

For most things there are several ways to take them away, since each takes something else away
besides. That two windows overlap, for example, ends if they become narrower, and then they hold
fewer elements; or if they slide further, and then there are fewer of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    TriplePattern,
    Union,
    Window,
)
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Aggregate, Operation, Variable
from rsp_conformance.model.query import Form, Query, StreamOperator
from rsp_conformance.model.streams import StreamElement, without_one
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple
from rsp_conformance.model.variables import in_scope
from rsp_conformance.model.walk import rewritten, subpatterns, substituted, within
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.written import changed

MARK: Final[IRI] = vocabulary.name("mark")
"""The predicate of elements that only arrive."""
LONGEST: Final = 200
"""No case with more elements is made: it would tell no more."""
RANGE: Final = 4
"""The width and slide of the window by time that takes the place of another kind of window: as wide
as those in the papers' examples."""
DELAYS: Final = (0, 1, 2, 4)
"""How much later a case begins that ends earlier: some evaluations come before its elements then,
whether windows slide by one instant or by a few."""
COPIES: Final = 2
"""The copies of all elements of which a richer case has more."""
KINDS: Final = ("windows", "time", "data", "query")
"""The kinds of things that are taken away."""
Changes = Mapping[str, Any]
"""Fields of a case with other values."""


def simpler(case: Case, dials: Dials, kinds: Iterable[str] = KINDS) -> Iterator[Case]:
    """Yield a case with one thing taken away, in many ways, or made plainer.

    An engine need not support all of them, and some can't be evaluated.

    Args:
        case: the case.
        dials: the dials in force.
        kinds: the kinds of things, in order.
    """
    for kind in kinds:
        for changes in _changes(kind, case, dials):
            with suppress(ValueError):  # Of a case that can't be.
                other = changed(case, **changes)
                if other != case:
                    yield other


def _changes(kind: str, case: Case, dials: Dials) -> Iterator[Changes]:
    match kind:
        case "windows":
            for windows in _other_windows(case, dials):
                yield {"query": replace(case.query, windows=windows)}
            yield from _of_several_windows(case)
        case "time":
            yield from _of_time(case)
        case "data":
            yield from _of_elements(case)
            yield from _of_terms(case)
            yield from _of_background(case)
        case "query":
            for query in (*_of_clauses(case.query), *_of_patterns(case.query)):
                yield {"query": _tidy(query)}


# --- windows and time -----------------------------------------------------------------------------


def _other_windows(case: Case, dials: Dials) -> Iterator[tuple[WindowDeclaration, ...]]:
    """Other windows in place of those of a case."""
    try:
        windows = case.query.in_instants(dials.unit).windows
    except ValueError:
        return
    for resize in (_narrowed, _slid, _slid_by_two, _widened, _present, _by_time):
        yield tuple(map(resize, windows))


def _sizes(window: WindowDeclaration) -> tuple[int, int] | None:
    width, slide = window.width, 1 if window.slide is None else window.slide
    return (width, slide) if isinstance(width, int) and isinstance(slide, int) else None


def _narrowed(window: WindowDeclaration) -> WindowDeclaration:
    sizes = _sizes(window)
    return window if sizes is None else replace(window, width=min(sizes))


def _slid(window: WindowDeclaration) -> WindowDeclaration:
    sizes = _sizes(window)
    return window if sizes is None else replace(window, slide=max(1, sizes[0]))


def _slid_by_two(window: WindowDeclaration) -> WindowDeclaration:
    sizes = _sizes(window)
    return replace(window, slide=2) if sizes is not None and sizes[1] == 1 else window


def _widened(window: WindowDeclaration) -> WindowDeclaration:
    sizes = _sizes(window)
    return window if sizes is None else replace(window, width=max(sizes))


def _present(window: WindowDeclaration) -> WindowDeclaration:
    return replace(window, lag=None)


def _by_time(window: WindowDeclaration) -> WindowDeclaration:
    return window if window.is_by_time else replace(window, width=RANGE, slide=RANGE)


def _of_time(case: Case) -> Iterator[Changes]:
    """Arrivals at every instant, an end or a registration elsewhere, fewer at an instant."""
    there = {(own.stream, own.t) for own in case.elements}
    instants = range(case.registered + 1, case.until + 1)
    if case.elements and len(instants) * len(case.streams) <= LONGEST:
        marks = [
            StreamElement(stream, t, (Triple(MARK, MARK, vocabulary.name(f"mark-{t}")),))
            for t in instants
            for stream in case.streams
            if (stream, t) not in there
        ]
        yield {"elements": tuple(sorted((*case.elements, *marks), key=_instant))}
    yield {"registered": 0}
    first = {own.t: own for own in reversed(case.elements)}
    yield {"elements": tuple(first[t] for t in sorted(first))}
    apart: list[StreamElement] = []
    for own in case.elements:
        t = max(own.t, apart[-1].t + 1) if apart else own.t
        apart.append(replace(own, t=t))
    if apart:
        later = apart[-1].t - case.elements[-1].t
        yield {"elements": tuple(apart), "until": case.until + later}
    for delay in DELAYS:
        delayed = tuple(replace(own, t=own.t + delay) for own in case.elements)
        for until in range(case.until + delay - 1, case.registered + delay, -1):
            kept = tuple(own for own in delayed if own.t <= until)
            yield {"elements": kept, "until": until}


def _instant(element: StreamElement) -> int:
    return element.t


def _of_several_windows(case: Case) -> Iterator[Changes]:
    """One window in place of all, which holds what the others held, or without it."""
    windows = case.query.windows
    for own in windows if len(windows) > 1 else ():
        others = {other.name: own.name for other in windows}
        query = replace(substituted(case.query, others), windows=(own,))
        merged = tuple(replace(e, stream=own.stream) for e in case.elements)
        yield {"query": query, "elements": merged, "streams": ()}
        alone = tuple(e for e in case.elements if e.stream == own.stream)
        yield {"query": query, "elements": alone, "streams": ()}
        yield {"query": query}


# --- data -----------------------------------------------------------------------------------------


def _of_elements(case: Case) -> Iterator[Changes]:
    """Fewer elements, or smaller ones."""
    elements = case.elements
    met = dict.fromkeys((own.stream, own.graph) for own in elements)
    firsts = {key: next(e for e in elements if (e.stream, e.graph) == key) for key in met}
    yield {"elements": tuple(own for own in elements if own in firsts.values())}
    yield {"elements": tuple(replace(own, name=None) for own in elements)}
    yield {"elements": tuple(replace(own, graph=own.graph[:1]) for own in elements)}
    single = [replace(own, graph=(t,), name=None) for own in elements for t in own.graph]
    yield {"elements": tuple(single)}
    yield from ({"elements": fewer} for fewer in without_one(elements))


def _of_terms(case: Case) -> Iterator[Changes]:
    """Other kinds of terms, in data and query."""
    given: tuple[Any, ...] = (case.query, *case.elements, *case.background)
    terms = dict.fromkeys(part for one in given for part in within(one))
    labels = [own for own in terms if isinstance(own, BlankNode)]
    typed = [own for own in terms if isinstance(own, Literal)]
    for others in (
        {own: vocabulary.name(f"node-{own.label}") for own in labels},
        {own: Literal(own.lexical) for own in typed},
        {own: vocabulary.name(f"literal-{place}") for place, own in enumerate(typed)},
    ):
        other = substituted(case, others)
        yield {name: getattr(other, name) for name in ("query", "elements", "background")}


def _of_background(case: Case) -> Iterator[Changes]:
    """Less background data, or data that always hold, in the default graph."""
    entries = case.background.entries
    yield {"background": Background()}
    for place in range(len(entries)):
        yield {"background": Background((*entries[:place], *entries[place + 1 :]))}
    yield {"background": Background(tuple(replace(e, since=None, until=None) for e in entries))}
    merged = Background(tuple(replace(own, graph=None) for own in entries))
    yield {"background": merged, "query": rewritten(case.query, _without_graph)}


def _without_graph(part: Any) -> Any:
    return part.pattern if isinstance(part, Graph) else part


# --- more of everything ---------------------------------------------------------------------------


def richer(case: Case) -> Iterator[Case]:
    """Yield a case with more elements, rows and evaluations, or with later ones.

    Further elements are copies under other names; what the query names keeps its name.
    """
    if not case.elements:
        return
    first, last = case.elements[0].t, case.elements[-1].t
    length = last - first + 1 + max((_reach(own) for own in case.query.windows), default=1)
    copies = [_copied(case, str(number)) for number in range(1, COPIES + 1)]
    beside = [own for copy in copies for own in copy]
    behind = [
        replace(own, t=own.t + number * length)
        for number, copy in enumerate(copies, 1)
        for own in copy
    ]
    later = COPIES * length
    delayed = [
        (tuple(replace(own, t=own.t + delay) for own in case.elements), delay)
        for delay in (1, length)
    ]
    for elements, delay in (
        ((*case.elements, *beside), 0),
        ((*case.elements, *behind), later),
        ((*case.elements, *beside, *behind), later),
        *delayed,
    ):
        if len(elements) <= LONGEST:
            ordered = tuple(sorted(elements, key=_instant))
            with suppress(ValueError):
                yield changed(case, elements=ordered, until=case.until + delay)


def _reach(window: WindowDeclaration) -> int:
    return sum(_sizes(window) or (RANGE, RANGE))


def _copied(case: Case, suffix: str) -> tuple[StreamElement, ...]:
    """The elements of a case, with other names for all that the query does not name."""
    kept = {own for own in within(case.query) if isinstance(own, IRI)}
    kept |= {triple.predicate for own in case.elements for triple in own.graph} | {*case.streams}
    names: dict[Any, Any] = {}
    for term in (part for own in case.elements for part in within(own)):
        if isinstance(term, IRI) and term not in kept:
            names[term] = IRI(f"{term.value}-{suffix}")
        elif isinstance(term, BlankNode):
            names[term] = BlankNode(f"{term.label}x{suffix}")
    return tuple(substituted(own, names) for own in case.elements)


# --- the query ------------------------------------------------------------------------------------


def _of_clauses(query: Query) -> Iterator[Query]:
    """Fewer clauses of the query itself."""
    for operator in (None, *StreamOperator):
        yield replace(query, operator=operator)
    yield replace(query, order_by=())
    yield replace(query, limit=None, offset=None)
    yield replace(query, distinct=False, reduced=False)
    yield replace(query, having=())
    yield replace(query, values=None)
    yield replace(query, default_graphs=(), named_graphs=())
    yield replace(query, computed_every=None)
    plain = replace(query, form=Form.SELECT, projection=None, template=(), described=())
    yield replace(plain, group_by=None, having=(), order_by=())
    if query.form is Form.SELECT and query.projection is not None:
        named = tuple(own for own in query.projection if own.expression is None)
        yield replace(query, projection=named or None, group_by=None, having=(), order_by=())
        yield replace(query, projection=tuple(query.projection[:1]))
        yield replace(query, projection=tuple(query.projection[-1:]))
    yield rewritten(query, _not_distinct)
    yield rewritten(query, _of_variable)


def _not_distinct(part: Any) -> Any:
    return replace(part, distinct=False) if isinstance(part, Aggregate) else part


def _of_variable(part: Any) -> Any:
    """An aggregate of a variable in place of that of an expression."""
    if not isinstance(part, Aggregate) or isinstance(part.argument, Variable | None):
        return part
    found = next((own for own in within(part) if isinstance(own, Variable)), None)
    return replace(part, argument=found)


def _of_patterns(query: Query) -> Iterator[Query]:
    """The query with one of its patterns made simpler."""
    for target in dict.fromkeys(subpatterns(query.pattern)):
        for other in _simpler(target):
            yield replace(query, pattern=substituted(query.pattern, {target: other}))


def _simpler(pattern: Pattern) -> Iterator[Pattern]:
    match pattern:
        case BGP(triples):
            for place, triple in enumerate(triples):
                if len(triples) > 1:
                    yield BGP((*triples[:place], *triples[place + 1 :]))
                for other in _simpler_triples(triple, triples):
                    yield BGP((*triples[:place], other, *triples[place + 1 :]))
        case Join(left, right):
            yield from (left, right)
        case Union(left, right):
            yield from (left, right, Join(left, right))
        case LeftJoin(left, right, condition):
            yield from (left, Join(left, right))
            if condition is not None:
                yield LeftJoin(left, right)
        case Minus(left, _) | Extend(left, _, _):
            yield left
        case Filter(condition, inner):
            yield inner
            if isinstance(condition, Operation) and condition.name in ("&&", "||", "!"):
                yield from (Filter(own, inner) for own in condition.arguments)
            if names := in_scope(inner):
                same = Variable(names[0])
                yield Filter(Operation("=", (same, same)), inner)
        case Graph(_, inner):
            yield inner
        case Window(name, inner) if isinstance(name, Variable):
            yield inner
        case SubSelect(inner):
            yield inner.pattern


def _simpler_triples(
    triple: TriplePattern, beside: tuple[TriplePattern, ...]
) -> Iterator[TriplePattern]:
    """A triple pattern with a name as its predicate, and another variable if it has one twice."""
    if not isinstance(triple.predicate, IRI):
        paths = (own for own in within(triple.predicate) if isinstance(own, IRI))
        known = (own.predicate for own in beside if isinstance(own.predicate, IRI))
        for predicate in (*paths, *known, vocabulary.LINKS[0]):
            yield replace(triple, predicate=predicate)
    if triple.subject == triple.object:
        yield replace(triple, object=Variable("other"))
    for place in ("subject", "object"):
        if isinstance(getattr(triple, place), TriplePattern):
            yield replace(triple, **{place: Variable("quoted")})


def _tidy(query: Query) -> Query:
    """The query without plain columns of variables that it no longer has."""
    if query.form is not Form.SELECT or query.projection is None or query.group_by is not None:
        return query
    there = {*in_scope(query.pattern), *(in_scope(query.values) if query.values else ())}
    kept = tuple(
        own for own in query.projection if own.expression is not None or own.variable.name in there
    )
    return query if kept == query.projection else replace(query, projection=kept or None)
