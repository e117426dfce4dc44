"""Features: what a query or a case may use, and how it is seen that it does.

An engine declares them (docs/features.md), the generator obeys them, profiles'
overrides ask for them, and reports go by their names. The table below is the only one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Self

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
from rsp_conformance.model.errors import did_you_mean
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

FEATURES: dict[str, str] = {
    "select": "SELECT queries",
    "ask": "ASK queries",
    "construct": "CONSTRUCT queries",
    "rstream": "RSTREAM written in the query",
    "istream": "ISTREAM written in the query",
    "dstream": "DSTREAM written in the query",
    "filter": "FILTER",
    "filter-comparisons": "comparisons in FILTER, their conjunctions and disjunctions",
    "filter-not": "! in FILTER",
    "filter-in": "IN and NOT IN in FILTER",
    "filter-functions": "SPARQL's functions and casts in FILTER",
    "optional": "OPTIONAL",
    "optional-static": "OPTIONAL over background data",
    "optional-stream": "OPTIONAL over a window",
    "union": "UNION",
    "union-static": "UNION over background data",
    "union-stream": "UNION over a window",
    "bind": "BIND and expressions in SELECT",
    "minus": "MINUS",
    "values": "VALUES",
    "exists": "EXISTS and NOT EXISTS",
    "exists-static": "EXISTS or NOT EXISTS over background data",
    "exists-stream": "EXISTS or NOT EXISTS over a window",
    "paths": "property paths",
    "subqueries": "subqueries",
    "functions": "SPARQL's functions and casts",
    "other-functions": "SPARQL's functions and casts outside FILTER",
    "aggregates": "GROUP BY and aggregates",
    "one-aggregate": "an aggregate of a variable or of all rows, without GROUP BY",
    "group-by": "GROUP BY",
    "several-aggregates": "two aggregates or more",
    "aggregate-expressions": "an aggregate of an expression that is no variable",
    "count-distinct": "DISTINCT in an aggregate",
    "having": "HAVING",
    "distinct": "DISTINCT",
    "order": "ORDER BY",
    "limit": "LIMIT and OFFSET",
    "multi-window": "several windows over several streams",
    "same-stream-windows": "several windows over one stream",
    "window-variable": "WINDOW ?x",
    "gap-windows": "windows with a slide greater than the width",
    "static-data": "background data in the default graph",
    "named-graphs": "background data in named graphs",
    "time-varying-data": "background data that changes in time",
    "named-elements": "stream elements that are named graphs (RSP-QL*)",
    "rdf-star": "quoted triples as subjects and objects, written << s p o >>",
    "triple-terms": "RDF 1.2 triple terms, objects only, written <<( s p o )>>",
    "uncertainty": "rspu functions",
    "multi-triple-elements": "stream elements of several triples",
    "blank-nodes": "blank nodes in the data",
    "separate-blank-nodes": "blank nodes in streams or in background data",
    "shared-blank-nodes": "one blank node in streams and in background data",
    "typed-literals": "literals with a datatype",
    "language-tags": "literals with a language tag",
    "count-windows": "windows by count",
    "now-window": "NOW windows",
    "unbounded-window": "UNBOUNDED windows",
}
"""Every feature, with what it allows in words."""

PARTS: dict[str, tuple[str, ...]] = {
    "filter": ("filter-comparisons", "filter-not", "filter-in", "filter-functions"),
    "functions": ("filter-functions", "other-functions"),
    "optional": ("optional-static", "optional-stream"),
    "union": ("union-static", "union-stream"),
    "exists": ("exists-static", "exists-stream"),
    "aggregates": (
        *("one-aggregate", "group-by", "several-aggregates"),
        *("aggregate-expressions", "count-distinct"),
    ),
    "blank-nodes": ("separate-blank-nodes", "shared-blank-nodes"),
}
"""The features that are sums of finer ones, for engines that do some of these only."""

WHOLE = tuple(name for name in FEATURES if not any(name in parts for parts in PARTS.values()))
"""The features that are no part of another: all of them together are everything."""

SIMPLEST = {
    "filter": "filter-comparisons",
    "aggregates": "one-aggregate",
    "blank-nodes": "separate-blank-nodes",
}
"""The part that an engine has which has any."""

RESTRICTIONS: dict[str, str] = {
    "without-repeated-variables": "no variable stands twice in one triple pattern",
    "without-pattern-literals": "no triple pattern has a literal as its object",
    "without-odd-strings": "strings are not empty, and of ASCII letters and digits",
    "without-keyword-names": "no variable, prefix, window or graph is called as a keyword is",
    "without-prefixes": "queries declare no prefix but the empty one",
    "without-arithmetic": "no expression has + - * or /",
    "without-inner-filters": "no FILTER stands within OPTIONAL, MINUS or EXISTS",
    "without-positive-exists": "EXISTS stands as FILTER NOT EXISTS only",
    "without-sample": "no SAMPLE and no GROUP_CONCAT",
    "without-filtered-binds": "no FILTER speaks of what BIND computes",
    "without-steps": "windows slide by one instant",
    "without-plain-queries": "every query has a streaming operator",
    "without-single-patterns": "a query has an aggregate, or two triple patterns in its window",
    "without-joined-aggregates": "no aggregate is over more than one triple pattern",
    "without-compound-window-joins": (
        "queries over several windows have two, of one triple pattern each, which share a variable,"
        " and nothing else"
    ),
}
"""What an engine may declare that it does not take, of what every engine is asked otherwise.

They stand among the features that it declares. No case has them: they are kept from the generator.
"""

TAKEN_UNLESS_SAID = {name: name.removeprefix("without-") for name in RESTRICTIONS}
"""What each restriction is about."""


class MissingFeatures(str):
    """Why an engine is not asked, in words: it does not declare FEATURES, of which it needs all."""

    __slots__ = ("features",)
    features: tuple[str, ...]

    def __new__(cls, *features: str) -> Self:
        """The sentence about FEATURES, in their order."""
        said = f"the engine does not declare the feature {' and '.join(features)}"
        made = super().__new__(cls, said)
        made.features = features
        return made


def query_features(query: Query, *, merged: bool = False) -> frozenset[str]:
    """The features that QUERY uses, its literals included; both a part and what it is part of.

    With MERGED, as with windows that are not named, windows are in the default graph.

    GRAPH counts as ``named-elements`` inside WINDOW and as ``named-graphs`` outside it. A window
    whose width is a duration and whose slide is a number of instants, or the other way round,
    counts as ``gap-windows``, because without the unit it may be one. DESCRIBE has no name.

    A quoted triple counts as ``rdf-star`` where it is a subject, of a triple or of another quoted
    one, and as ``triple-terms`` anywhere else, where RDF 1.2 has it as well; so do the functions
    on quoted triples. An engine with ``rdf-star`` takes both (``features.with_implied``).
    """
    used = set(_finer(query, merged=merged))
    _note(query, None, False, used)
    return frozenset(used)


def case_features(case: Case) -> frozenset[str]:
    """The features that CASE uses: its query's, its elements' and its background data's.

    Where there are quoted triples, a query that can make one of them a subject (a template or
    ``<< … >>`` in an expression, whose subject is a variable that objects bind) uses ``rdf-star``.
    """
    used = set(_finer(case.query, merged=False))
    for part in (case.query, *case.elements, *case.background):
        _note(part, None, False, used)
    labels = [
        {part for data in given for part in within(data) if isinstance(part, BlankNode)}
        for given in (case.elements, case.background)
    ]
    if any(labels):
        used.add("separate-blank-nodes")
    if labels[0] & labels[1]:
        used.add("shared-blank-nodes")
    if "triple-terms" in used and moves_objects_to_subjects(case.query):
        used.add("rdf-star")
    return frozenset(used)


def _finer(query: Query, *, merged: bool) -> Iterator[str]:
    """The parts of features (``PARTS``) that QUERY uses, but for those of blank nodes."""
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
    """Add to USED what PART, directly within PARENT, and all within it use."""
    if isinstance(part, (IRI, Variable)):
        return
    used.update(_used_by(part, parent, in_window))
    in_window = in_window or isinstance(part, Window)
    for inner in parts(part):
        _note(inner, part, in_window, used)


def _used_by(part: Any, parent: object, in_window: bool) -> Iterator[str]:
    """What PART itself uses."""
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
    """Whether a quoted triple stands where an expression does."""
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


def check_features(names: Iterable[str]) -> frozenset[str]:
    """NAMES as a set; ValueError for one outside the tables. Names beginning ``x-`` are dropped."""
    known = frozenset(name for name in names if not name.startswith("x-"))
    for name in sorted(known):
        if name not in FEATURES and name not in RESTRICTIONS:
            hint = did_you_mean(name, (*FEATURES, *RESTRICTIONS))
            hint = hint or f" (the features are {', '.join(FEATURES)})"
            raise ValueError(f"unknown feature {name!r}{hint}")
    return known


def writes_triple_terms(features: Iterable[str]) -> bool:
    """Whether an engine with FEATURES is sent ``<<( s p o )>>`` rather than ``<< s p o >>``.

    It is where it has RDF 1.2's triple terms and not RDF-star, whose spelling covers both places.
    """
    known = frozenset(features)
    return "triple-terms" in known and "rdf-star" not in known


def with_implied(features: Iterable[str]) -> frozenset[str]:
    """FEATURES with what they imply, so that an engine takes what uses none but these.

    A feature with parts (``PARTS``) stands for all of them, unless some of them are among
    FEATURES: then for those, and for the simplest one (``SIMPLEST``). A part stands for what it is
    a part of as well: with ``filter-in`` there is FILTER. ``rdf-star`` implies ``triple-terms``:
    what uses these alone has quoted triples as objects only, and an engine with ``rdf-star`` takes
    those as well, in its own spelling. What this gives implies nothing more. ValueError as of
    ``check_features``.
    """
    known = set(check_features(features))
    named = {whole for whole, parts in PARTS.items() if not known.isdisjoint(parts)}
    wholes = named | (known & PARTS.keys())
    # FILTER's functions are part of two features, and are there where both are.
    lacking = {part for whole, parts in PARTS.items() if whole not in wholes for part in parts}
    for whole in wholes - named:
        known.update(part for part in PARTS[whole] if part not in lacking)
    known |= wholes | {part for whole, part in SIMPLEST.items() if whole in wholes}
    return frozenset(known | {"triple-terms"} if "rdf-star" in known else known)


def redeclared(
    features: Iterable[str], added: Iterable[str], left_out: Iterable[str]
) -> frozenset[str]:
    """FEATURES with those ADDED, and without those LEFT OUT or any part of them.

    A name of what an engine may decline (``RESTRICTIONS``) can be left out as well: then it does.
    ValueError as of ``check_features``.
    """
    gone = set(left_out)
    declined = {name for name in RESTRICTIONS if TAKEN_UNLESS_SAID[name] in gone}
    gone -= {TAKEN_UNLESS_SAID[name] for name in declined}
    gone.update(part for name in check_features(gone) for part in PARTS.get(name, ()))
    found = {*features, *check_features(added), *declined}
    if gone:
        found = {*with_implied(found)} - gone
        found -= {whole for whole, parts in PARTS.items() if found.isdisjoint(parts)}
    return frozenset(found)
