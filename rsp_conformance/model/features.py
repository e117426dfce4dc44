"""Features: what a query or a case may use, and how it is seen that it does.

An engine declares them (ENGINE_PROTOCOL, table of features), the generator obeys them, profiles'
overrides ask for them, and reports go by their names. The table below is the only one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

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
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, Projection, Query, StreamOperator
from rsp_conformance.model.quoted import TRIPLE_FUNCTIONS, moves_objects_to_subjects
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
from rsp_conformance.model.walk import parts
from rsp_conformance.model.windows import Duration, WindowDeclaration

_OPERATORS = frozenset("|| && ! = != < > <= >= + - * / IN UNARY+ UNARY-".split()) | {"NOT IN"}


class Place(NamedTuple):
    """Where a part of a query or a case stands: directly within what, and whether in WINDOW."""

    parent: object = None
    in_window: bool = False


Use: TypeAlias = Callable[[Any, Place], bool]


@dataclass(frozen=True, slots=True)
class Feature:
    """What a feature allows, in words; the parts of a query or a case that use it, and when."""

    text: str
    uses: Mapping[type, Use] = field(default_factory=dict)


def _always(part: object, at: Place) -> bool:
    return True


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


FEATURES: dict[str, Feature] = {
    "select": Feature("SELECT queries", {Query: lambda q, _: q.form is Form.SELECT}),
    "ask": Feature("ASK queries", {Query: lambda q, _: q.form is Form.ASK}),
    "construct": Feature("CONSTRUCT queries", {Query: lambda q, _: q.form is Form.CONSTRUCT}),
    "rstream": Feature(
        "RSTREAM written in the query", {Query: lambda q, _: q.operator is StreamOperator.RSTREAM}
    ),
    "istream": Feature(
        "ISTREAM written in the query", {Query: lambda q, _: q.operator is StreamOperator.ISTREAM}
    ),
    "dstream": Feature(
        "DSTREAM written in the query", {Query: lambda q, _: q.operator is StreamOperator.DSTREAM}
    ),
    "filter": Feature("FILTER", {Filter: _always, LeftJoin: lambda p, _: p.condition is not None}),
    "optional": Feature("OPTIONAL", {LeftJoin: _always}),
    "union": Feature("UNION", {Union: _always}),
    "bind": Feature(
        "BIND and expressions in SELECT",
        {
            Extend: _always,
            Projection: lambda p, _: not isinstance(p.expression, (Aggregate, NoneType)),
        },
    ),
    "minus": Feature("MINUS", {Minus: _always}),
    "values": Feature("VALUES", {Values: _always}),
    "exists": Feature("EXISTS and NOT EXISTS", {Exists: _always}),
    "paths": Feature(
        "property paths", {TriplePattern: lambda t, _: not isinstance(t.predicate, (IRI, Variable))}
    ),
    "subqueries": Feature("subqueries", {SubSelect: _always}),
    "functions": Feature(
        "SPARQL's functions and casts",
        {
            Operation: lambda o, _: o.name not in _OPERATORS,
            FunctionCall: lambda c, _: not is_uncertain(c),
        },
    ),
    "aggregates": Feature(
        "GROUP BY and aggregates", {Query: lambda q, _: q.group_by is not None, Aggregate: _always}
    ),
    "having": Feature("HAVING", {Query: lambda q, _: bool(q.having)}),
    "distinct": Feature(
        "DISTINCT", {Query: lambda q, _: q.distinct, Aggregate: lambda a, _: a.distinct}
    ),
    "order": Feature("ORDER BY", {Query: lambda q, _: bool(q.order_by)}),
    "limit": Feature(
        "LIMIT and OFFSET", {Query: lambda q, _: q.limit is not None or q.offset is not None}
    ),
    "multi-window": Feature(
        "several windows over several streams", {Query: lambda q, _: len(q.streams()) > 1}
    ),
    "same-stream-windows": Feature(
        "several windows over one stream", {Query: lambda q, _: len(q.streams()) < len(q.windows)}
    ),
    "window-variable": Feature("WINDOW ?x", {Window: lambda p, _: isinstance(p.name, Variable)}),
    "gap-windows": Feature(
        "windows with a slide greater than the width",
        {Query: lambda q, _: any(map(_may_have_gaps, q.windows))},
    ),
    "static-data": Feature(
        "background data in the default graph", {BackgroundEntry: lambda e, _: e.graph is None}
    ),
    "named-graphs": Feature(
        "background data in named graphs",
        {
            BackgroundEntry: lambda e, _: e.graph is not None,
            Query: lambda q, _: bool(q.default_graphs or q.named_graphs),
            Graph: lambda _, at: not at.in_window,
        },
    ),
    "time-varying-data": Feature(
        "background data that changes in time",
        {BackgroundEntry: lambda e, _: (e.since, e.until) != (None, None)},
    ),
    "named-elements": Feature(
        "stream elements that are named graphs (RSP-QL*)",
        {StreamElement: lambda e, _: e.name is not None, Graph: lambda _, at: at.in_window},
    ),
    "rdf-star": Feature(
        "quoted triples as subjects and objects, written << s p o >>",
        {
            TriplePattern: lambda t, _: isinstance(t.subject, TriplePattern),
            Triple: lambda t, _: isinstance(t.subject, Triple),
        },
    ),
    "triple-terms": Feature(
        "RDF 1.2 triple terms, objects only, written <<( s p o )>>",
        {
            TriplePattern: lambda t, at: (
                isinstance(t.object, TriplePattern) or _is_expression(t, at.parent)
            ),
            Triple: lambda t, _: isinstance(t.object, Triple),
            Values: lambda v, _: any(isinstance(term, Triple) for row in v.rows for term in row),
            Operation: lambda o, _: o.name in TRIPLE_FUNCTIONS,
        },
    ),
    "uncertainty": Feature(
        "rspu functions",
        {
            FunctionCall: lambda c, _: is_uncertain(c),
            Literal: lambda term, _: is_distribution(term),
        },
    ),
    "multi-triple-elements": Feature(
        "stream elements of several triples", {StreamElement: lambda e, _: len(e.graph) > 1}
    ),
    "blank-nodes": Feature(
        "blank nodes in the data",
        {BlankNode: lambda _, at: not isinstance(at.parent, TriplePattern)},
    ),
    "typed-literals": Feature(
        "literals with a datatype",
        {Literal: lambda term, _: term.datatype not in (XSD_STRING, RDF_LANGSTRING)},
    ),
    "language-tags": Feature(
        "literals with a language tag", {Literal: lambda term, _: term.language is not None}
    ),
    "count-windows": Feature("windows by count"),
    "now-window": Feature("NOW windows"),
    "unbounded-window": Feature("UNBOUNDED windows"),
}

_USES: dict[type, list[tuple[str, Use]]] = defaultdict(list)
for _name, _feature in FEATURES.items():
    for _kind, _use in _feature.uses.items():
        _USES[_kind].append((_name, _use))


def query_features(query: Query) -> frozenset[str]:
    """The features that QUERY uses, its literals included.

    GRAPH counts as ``named-elements`` inside WINDOW and as ``named-graphs`` outside it. A window
    whose width is a duration and whose slide is a number of instants, or the other way round,
    counts as ``gap-windows``, because without the unit it may be one. DESCRIBE has no name.

    A quoted triple counts as ``rdf-star`` where it is a subject, of a triple or of another quoted
    one, and as ``triple-terms`` anywhere else, where RDF 1.2 has it as well; so do the functions
    on quoted triples. An engine with ``rdf-star`` takes both (``features.with_implied``).
    """
    used: set[str] = set()
    _note(query, Place(), used)
    return frozenset(used)


def case_features(case: Case) -> frozenset[str]:
    """The features that CASE uses: its query's, its elements' and its background data's.

    Where there are quoted triples, a query that can make one of them a subject (a template or
    ``<< … >>`` in an expression, whose subject is a variable that objects bind) uses ``rdf-star``.
    """
    used: set[str] = set()
    for part in (case.query, *case.elements, *case.background):
        _note(part, Place(), used)
    if "triple-terms" in used and moves_objects_to_subjects(case.query):
        used.add("rdf-star")
    return frozenset(used)


@cache
def _uses(kind: type) -> tuple[tuple[str, Use], ...]:
    """What may be used by a part of the type KIND, which may extend one of the model's."""
    return tuple(use for known in kind.__mro__ for use in _USES.get(known, ()))


def _note(part: Any, at: Place, used: set[str]) -> None:
    """Add what PART and all within it use to USED."""
    for name, uses in _uses(part.__class__):
        if name not in used and uses(part, at):
            used.add(name)
    inner = parts(part)
    if inner:
        inside = Place(part, at.in_window or isinstance(part, Window))
        for one in inner:
            _note(one, inside, used)


def check_features(names: Iterable[str]) -> frozenset[str]:
    """NAMES as a set; ValueError for one outside the table. Names beginning ``x-`` are dropped."""
    known = frozenset(name for name in names if not name.startswith("x-"))
    for name in sorted(known):
        if name not in FEATURES:
            hint = did_you_mean(name, FEATURES)
            raise ValueError(
                f"unknown feature {name!r}{hint} (the features are {', '.join(FEATURES)})"
            )
    return known


def quoted_positions(features: Iterable[str]) -> frozenset[str]:
    """Where FEATURES let a quoted triple stand: ``subject``, ``object``, both or nowhere.

    RDF-star (``rdf-star``) has quoted triples in both places. RDF 1.2 (``triple-terms``) has them
    as objects only: its ``<< s p o >>`` as a subject is a node that reifies the triple.
    """
    known = frozenset(features)
    if "rdf-star" in known:
        return frozenset({"subject", "object"})
    return frozenset({"object"} if "triple-terms" in known else ())


def writes_triple_terms(features: Iterable[str]) -> bool:
    """Whether an engine with FEATURES is sent ``<<( s p o )>>`` rather than ``<< s p o >>``.

    It is where it has RDF 1.2's triple terms and not RDF-star, whose spelling covers both places.
    """
    known = frozenset(features)
    return "triple-terms" in known and "rdf-star" not in known


def with_implied(features: Iterable[str]) -> frozenset[str]:
    """FEATURES, and ``triple-terms`` where ``rdf-star`` is among them.

    What uses ``triple-terms`` alone has quoted triples as objects only, and an engine with
    ``rdf-star`` takes those as well, in its own spelling. So a case may be sent to an engine if
    ``case_features(case) <= with_implied(declared)``.
    """
    known = frozenset(features)
    return known | {"triple-terms"} if "rdf-star" in known else known
