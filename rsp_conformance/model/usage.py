"""Which features of the table in ``model.features`` a query or a case uses.

Profiles' overrides, engines' declarations and the reports all go by these names.
"""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    Service,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.quoted import TRIPLE_FUNCTIONS, moves_objects_to_subjects
from rsp_conformance.model.terms import (
    IRI,
    RDF_LANGSTRING,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.model.uncertainty import is_distribution, is_uncertain
from rsp_conformance.model.windows import Duration, WindowDeclaration

_OPERATORS = frozenset("|| && ! = != < > <= >= + - * / IN UNARY+ UNARY-".split()) | {"NOT IN"}
_FORMS = {Form.SELECT: "select", Form.ASK: "ask", Form.CONSTRUCT: "construct"}


def query_features(query: Query) -> frozenset[str]:
    """The features that QUERY uses, its literals included.

    GRAPH counts as ``named-elements`` inside WINDOW and as ``named-graphs`` outside it. A window
    whose width is a duration and whose slide is a number of instants, or the other way round,
    counts as ``gap-windows``, because without the unit it may be one. DESCRIBE has no name.

    A quoted triple counts as ``rdf-star`` where it is a subject, of a triple or of another quoted
    one, and as ``triple-terms`` anywhere else, where RDF 1.2 has it as well; so do the functions
    on quoted triples. An engine with ``rdf-star`` takes both (``features.with_implied``).
    """
    return frozenset(_query(query))


def case_features(case: Case) -> frozenset[str]:
    """The features that CASE uses: its query's, its elements' and its background data's.

    Where there are quoted triples, a query that can make one of them a subject (a template or
    ``<< … >>`` in an expression, whose subject is a variable that objects bind) uses ``rdf-star``.
    """
    used = frozenset(_case(case))
    if "triple-terms" in used and moves_objects_to_subjects(case.query):
        used |= {"rdf-star"}
    return used


def _case(case: Case) -> Iterator[str]:
    yield from _query(case.query)
    for element in case.elements:
        if len(element.graph) > 1:
            yield "multi-triple-elements"
        if element.name is not None:
            yield "named-elements"
            yield from _term(element.name)
        for triple in element.graph:
            yield from _triple(triple)
    for entry in case.background:
        yield "static-data" if entry.graph is None else "named-graphs"
        if entry.graph is not None:
            yield from _term(entry.graph)
        if entry.since is not None or entry.until is not None:
            yield "time-varying-data"
        for triple in entry.triples:
            yield from _triple(triple)


def _triple(triple: Triple) -> Iterator[str]:
    if isinstance(triple.subject, Triple):
        yield "rdf-star"
        yield from _triple(triple.subject)
    else:
        yield from _term(triple.subject)
    yield from _term(triple.object)


def _term(term: Term) -> Iterator[str]:
    """What a term of the data uses."""
    if isinstance(term, BlankNode):
        yield "blank-nodes"
    elif isinstance(term, Literal):
        yield from _literal(term)
    elif isinstance(term, Triple):
        yield "triple-terms"
        yield from _triple(term)


def _literal(literal: Literal) -> Iterator[str]:
    if literal.language is not None:
        yield "language-tags"
    elif literal.datatype not in (XSD_STRING, RDF_LANGSTRING):
        yield "typed-literals"
        if is_distribution(literal):
            yield "uncertainty"


def _query(query: Query, *, inside: bool = False) -> Iterator[str]:
    """The features of QUERY; ``inside`` tells of a subquery whether it stands inside WINDOW."""
    if query.form in _FORMS:
        yield _FORMS[query.form]
    if query.operator is not None:
        yield query.operator.value.lower()
    yield from _windows(query.windows)
    if query.default_graphs or query.named_graphs:
        yield "named-graphs"
    yield from _pattern(query.pattern, inside=inside)
    for pattern in query.template:
        yield from _triple_pattern(pattern)
    for projection in query.projection or ():
        if projection.expression is not None:
            if not isinstance(projection.expression, Aggregate):
                yield "bind"
            yield from _expression(projection.expression, inside=inside)
    if query.group_by is not None:
        yield "aggregates"
        for key in query.group_by:
            yield from _expression(key.expression, inside=inside)
    for condition in query.having:
        yield "having"
        yield from _expression(condition, inside=inside)
    for order in query.order_by:
        yield "order"
        yield from _expression(order.expression, inside=inside)
    if query.distinct:
        yield "distinct"
    if query.limit is not None or query.offset is not None:
        yield "limit"
    if query.values is not None:
        yield from _pattern(query.values, inside=inside)


def _windows(windows: tuple[WindowDeclaration, ...]) -> Iterator[str]:
    streams = [window.stream for window in windows]
    if len(set(streams)) > 1:
        yield "multi-window"
    if len(set(streams)) < len(streams):
        yield "same-stream-windows"
    if any(_may_have_gaps(window) for window in windows):
        yield "gap-windows"


def _may_have_gaps(window: WindowDeclaration) -> bool:
    width, slide = window.width, window.slide
    if slide is None:
        return False
    if isinstance(width, Duration) and isinstance(slide, Duration):
        return slide.milliseconds > width.milliseconds
    if isinstance(width, Duration) or isinstance(slide, Duration):
        return True
    return slide > width


def _pattern(pattern: Pattern, *, inside: bool) -> Iterator[str]:
    """The features of PATTERN; ``inside`` tells whether it stands inside WINDOW."""
    match pattern:
        case BGP(triples):
            for triple in triples:
                yield from _triple_pattern(triple)
        case Join(left, right):
            yield from _pattern(left, inside=inside)
            yield from _pattern(right, inside=inside)
        case LeftJoin(left, right, condition):
            yield "optional"
            if condition is not None:
                yield "filter"
                yield from _expression(condition, inside=inside)
            yield from _pattern(left, inside=inside)
            yield from _pattern(right, inside=inside)
        case Union(left, right) | Minus(left, right):
            yield "union" if isinstance(pattern, Union) else "minus"
            yield from _pattern(left, inside=inside)
            yield from _pattern(right, inside=inside)
        case Filter(condition, inner):
            yield "filter"
            yield from _expression(condition, inside=inside)
            yield from _pattern(inner, inside=inside)
        case Extend(inner, _, expression):
            yield "bind"
            yield from _expression(expression, inside=inside)
            yield from _pattern(inner, inside=inside)
        case Graph(_, inner):
            yield "named-elements" if inside else "named-graphs"
            yield from _pattern(inner, inside=inside)
        case Window(name, inner):
            if isinstance(name, Variable):
                yield "window-variable"
            yield from _pattern(inner, inside=True)
        case Values(_, rows):
            yield "values"
            for row in rows:
                for term in row:
                    if term is not None:
                        yield from _term(term)
        case Service(_, inner):
            yield from _pattern(inner, inside=inside)
        case SubSelect(query):
            yield "subqueries"
            yield from _query(query, inside=inside)


def _triple_pattern(triple: TriplePattern) -> Iterator[str]:
    if not isinstance(triple.predicate, (IRI, Variable)):
        yield "paths"
    for part, feature in ((triple.subject, "rdf-star"), (triple.object, "triple-terms")):
        if isinstance(part, TriplePattern):
            yield feature
            yield from _triple_pattern(part)
        elif isinstance(part, Literal):
            yield from _literal(part)


def _expression(expression: Expression, *, inside: bool = False) -> Iterator[str]:
    match expression:
        case Literal():
            yield from _literal(expression)
        case Operation(name, arguments):
            if name not in _OPERATORS:
                yield "functions"
            if name in TRIPLE_FUNCTIONS:
                yield "triple-terms"
            for argument in arguments:
                yield from _expression(argument, inside=inside)
        case FunctionCall(_, arguments):
            yield "uncertainty" if is_uncertain(expression) else "functions"
            for argument in arguments:
                yield from _expression(argument, inside=inside)
        case Aggregate(_, argument, distinct):
            yield "aggregates"
            if distinct:
                yield "distinct"
            if argument is not None:
                yield from _expression(argument, inside=inside)
        case Exists(pattern):
            yield "exists"
            yield from _pattern(pattern, inside=inside)
        case TriplePattern():
            yield "triple-terms"
            yield from _triple_pattern(expression)
        case _:
            pass
