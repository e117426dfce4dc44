"""Finds the features (``features``) that a query or a case uses, by a walk over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    LeftJoin,
    Minus,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.places import placed, read
from rsp_conformance.model.query import Form, Projection, Query
from rsp_conformance.model.quoted_triples import moves_objects_to_subjects
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import (
    IRI,
    RDF_LANGSTRING,
    XSD_STRING,
    BlankNode,
    Literal,
    Triple,
)
from rsp_conformance.model.uncertainty import is_distribution, is_uncertain
from rsp_conformance.model.variables import group_aggregates
from rsp_conformance.model.walk import clause_expressions, parts, subexpressions, within
from rsp_conformance.model.windows import Duration, WindowDeclaration

_OPERATORS = frozenset("|| && ! = != < > <= >= + - * / IN UNARY+ UNARY-".split()) | {"NOT IN"}
_PARTS_OF_FILTER = {"!": "filter-not", "IN": "filter-in", "NOT IN": "filter-in"}
_TRIPLE_FUNCTIONS = frozenset({"TRIPLE", "SUBJECT", "PREDICATE", "OBJECT", "ISTRIPLE"})
"""The functions on quoted triples (RDF-star 6.4; SPARQL 1.2, 17.4.6), by the algebra's names."""


@lru_cache(maxsize=4096)
def query_features(query: Query, *, merged: bool = False) -> frozenset[str]:
    """The features that a query uses, those of its literals included.

    A part of a feature is listed together with the whole feature. Some constructs need a rule:

    * GRAPH counts as ``named-elements`` inside WINDOW and as ``named-graphs`` outside it.
    * If one of a window's width and slide is a duration and the other a number of instants, the
      window counts as ``gap-windows``: whether it has gaps depends on the unit.
    * A quoted triple counts as ``rdf-star`` if it is the subject of a triple or of another quoted
      triple. Anywhere else RDF 1.2 has it too, and it counts as ``triple-terms``, as do the
      functions on quoted triples. An engine with ``rdf-star`` accepts both
      (``features.with_implied``).
    * DESCRIBE is not a feature.

    Args:
        query: the query.
        merged: whether windows are in the default graph; they always are if a window is not named.
    """
    used = set(_finer(query, merged=merged))
    _note(query, None, False, used)
    return frozenset(used)


def case_features(case: Case) -> frozenset[str]:
    """The features that a case uses: those of its query, its elements and its background data.

    If the case has quoted triples, and its query can turn one of them into a subject, the case
    uses ``rdf-star``. Such a query has a template, or ``<< … >>`` in an expression, whose subject
    is a variable that is bound to objects.
    """
    used = set(query_features(case.query))
    labels: list[set[BlankNode]] = []
    for given in (case.elements, case.background):
        for one in given:
            used.update(_used_by_data(one, None))
        # Streams repeat the same triples many times.
        data = {part for one in given for part in parts(one)}
        for part in data:
            _note(part, None, False, used)
        labels.append({n for part in data for n in within(part) if isinstance(n, BlankNode)})
    if any(labels):
        used.add("separate-blank-nodes")
    if labels[0] & labels[1]:
        used.add("shared-blank-nodes")
    if "triple-terms" in used and moves_objects_to_subjects(case.query):
        used.add("rdf-star")
    return frozenset(used)


def _finer(query: Query, *, merged: bool) -> Iterator[str]:
    """The parts of features (``PARTS``) that a query uses, except the parts of blank nodes."""
    for part, place in placed(query, merged=merged):
        match part:
            case LeftJoin(_, inner, condition):
                yield from (f"optional-{data}" for data in read(inner, place))
                if condition is not None:
                    yield from _of_filter(condition)
            case Filter(condition):
                yield from _of_filter(condition)
            case Union(left, right):
                yield from (f"union-{data}" for side in (left, right) for data in read(side, place))
            case Exists(inner):
                yield from (f"exists-{data}" for data in read(inner, place))
            case Extend(expression=expression):
                yield from _of_values((expression,))
            case Query():
                yield from _of_groups(part)
                yield from _of_values(clause_expressions(part))


def _of_filter(condition: Expression) -> Iterator[str]:
    if not isinstance(condition, Exists):
        yield "filter-comparisons"
    for part in subexpressions(condition):
        if isinstance(part, Operation) and part.name in _PARTS_OF_FILTER:
            yield _PARTS_OF_FILTER[part.name]
        elif _is_function(part):
            yield "filter-functions"


def _of_values(expressions: Iterable[Expression]) -> Iterator[str]:
    if any(_is_function(part) for value in expressions for part in subexpressions(value)):
        yield "other-functions"


def _of_groups(query: Query) -> Iterator[str]:
    aggregates = group_aggregates(query)
    if query.group_by is not None:
        yield "group-by"
    if aggregates:
        yield "one-aggregate"
    if len(aggregates) > 1:
        yield "several-aggregates"
    if any(not isinstance(a.argument, (Variable, type(None))) for a in aggregates):
        yield "aggregate-expressions"
    if any(aggregate.distinct for aggregate in aggregates):
        yield "count-distinct"


def _is_function(part: object) -> bool:
    if isinstance(part, Operation):
        return part.name not in _OPERATORS
    return isinstance(part, FunctionCall) and not is_uncertain(part)


def _note(part: Any, parent: object, in_window: bool, used: set[str]) -> None:
    """Add to ``used`` the features of ``part``, a direct part of ``parent``, and of all within."""
    if isinstance(part, (IRI, Variable)):
        return
    used.update(_used_by(part, parent, in_window))
    in_window = in_window or isinstance(part, Window)
    for inner in parts(part):
        _note(inner, part, in_window, used)


def _used_by(part: Any, parent: object, in_window: bool) -> Iterator[str]:
    """The features that a part itself uses, without its own parts."""
    match part:
        case Literal() | BlankNode() | Triple() | StreamElement() | BackgroundEntry():
            yield from _used_by_data(part, parent)
        case TriplePattern(subject, predicate, object_):
            if not isinstance(predicate, (IRI, Variable)):
                yield "paths"
            if isinstance(subject, TriplePattern):
                yield "rdf-star"
            if isinstance(object_, TriplePattern) or _is_expression(part, parent):
                yield "triple-terms"
        case Filter() | Union() | Minus() | Exists():
            yield type(part).__name__.lower()
        case LeftJoin(_, _, condition):
            yield "optional"
            if condition is not None:
                yield "filter"
        case Extend():
            yield "bind"
        case Projection(_, expression):
            if expression is not None and not isinstance(expression, Aggregate):
                yield "bind"
        case Values(_, rows):
            yield "values"
            if any(isinstance(term, Triple) for row in rows for term in row):
                yield "triple-terms"
        case Window(Variable()):
            yield "window-variable"
        case Graph():
            yield "named-elements" if in_window else "named-graphs"
        case SubSelect():
            yield "subqueries"
        case Operation(name):
            if name not in _OPERATORS:
                yield "functions"
            if name in _TRIPLE_FUNCTIONS:
                yield "triple-terms"
        case FunctionCall():
            yield "uncertainty" if is_uncertain(part) else "functions"
        case Aggregate(distinct=distinct):
            yield "aggregates"
            if distinct:
                yield "distinct"
        case Query():
            yield from _used_by_query(part)


def _used_by_data(part: Any, parent: object) -> Iterator[str]:
    match part:
        case Literal():
            if is_distribution(part):
                yield "uncertainty"
            if part.language is not None:
                yield "language-tags"
            if part.datatype not in (XSD_STRING, RDF_LANGSTRING):
                yield "typed-literals"
        case BlankNode():
            if not isinstance(parent, TriplePattern):
                yield "blank-nodes"
        case Triple():
            if isinstance(part.subject, Triple):
                yield "rdf-star"
            if isinstance(part.object, Triple):
                yield "triple-terms"
        case StreamElement(graph=graph, name=name):
            if name is not None:
                yield "named-elements"
            if len(graph) > 1:
                yield "multi-triple-elements"
        case BackgroundEntry(graph=name, since=since, until=until):
            yield "static-data" if name is None else "named-graphs"
            if (since, until) != (None, None):
                yield "time-varying-data"


def _used_by_query(query: Query) -> Iterator[str]:
    streams = len(query.streams())
    uses = {
        query.form.value.lower(): query.form is not Form.DESCRIBE,
        "aggregates": query.group_by is not None,
        "having": query.having,
        "distinct": query.distinct,
        "order": query.order_by,
        "limit": query.limit is not None or query.offset is not None,
        "multi-window": streams > 1,
        "same-stream-windows": streams < len(query.windows),
        "gap-windows": any(map(_may_have_gaps, query.windows)),
        "named-graphs": query.default_graphs or query.named_graphs,
    }
    yield from (name for name, used in uses.items() if used)
    if query.operator is not None:
        yield query.operator.value.lower()


def _is_expression(triple: TriplePattern, parent: object) -> bool:
    """Whether a quoted triple is used as an expression."""
    return not isinstance(parent, (BGP, TriplePattern)) and triple not in getattr(
        parent, "template", ()
    )


def _may_have_gaps(window: WindowDeclaration) -> bool:
    width, slide = window.width, window.slide
    if slide is None:
        return False
    if isinstance(width, Duration) and isinstance(slide, Duration):
        return slide.milliseconds > width.milliseconds
    if isinstance(width, Duration) or isinstance(slide, Duration):
        return True
    return slide > width
