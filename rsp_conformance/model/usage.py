"""Finds the features and shapes that a query or a case uses, by one walk over it (SEMANTICS 5).

The walk knows the place of each part: what patterns read there, and which operators are around.
``_SHOWN`` says by class and place which features and shapes a part shows; a new operator has its
row there. A query has what some part of it shows, also within subqueries and EXISTS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

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
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.features import FORMER_SHAPES, SHAPES
from rsp_conformance.model.query import Form, Projection, Query, StreamOperator
from rsp_conformance.model.quoted_triples import moves_objects_to_subjects, quotes
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
from rsp_conformance.model.walk import mentioned, parts
from rsp_conformance.model.windows import (
    Count,
    CountWindow,
    Duration,
    Reach,
    SlidingWindow,
    WindowDeclaration,
)

# What is used


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
    return _used(query, merged)[0]


def query_shapes(query: Query, dials: Dials) -> frozenset[str]:
    """The shapes of a query, its features included.

    Args:
        query: the query.
        dials: the profile's dials without overrides. They say whether windows are in the default
            graph, and how long an instant is.
    """
    features, shapes = _used(query, dials.windows_in == "default")
    return features.union(shapes, _shapes_of_windows(query, dials))


def case_features(case: Case) -> frozenset[str]:
    """The features that a case uses: those of its query, its elements and its background data.

    If the case has quoted triples, and its query can turn one of them into a subject, the case
    uses ``rdf-star``. Such a query has a template, or ``<< … >>`` in an expression, whose subject
    is a variable that is bound to objects.
    """
    used = set(query_features(case.query))
    labels: list[set[BlankNode]] = []
    for given in (case.elements, case.background):
        # Streams repeat the same triples many times.
        data = list(_walk({part for one in given for part in parts(one)}))
        for part, place in (*((one, _TOP) for one in given), *data):
            used.update(_shown_by(part, place))
        labels.append({part for part, _ in data if isinstance(part, BlankNode)})
    if any(labels):
        used.add("separate-blank-nodes")
    if labels[0] & labels[1]:
        used.add("shared-blank-nodes")
    if "triple-terms" in used and moves_objects_to_subjects(case.query):
        used.add("rdf-star")
    return frozenset(used)


def patterns_by_window(query: Query, *, merged: bool = False) -> dict[object, list[TriplePattern]]:
    """The triple patterns of a query by the windows that they read, in no particular order.

    Args:
        query: the query.
        merged: whether windows are in the default graph; they always are if a window is not named.

    Returns:
        The key of a window is its name, a variable after WINDOW or GRAPH, or None for all windows
        merged. The patterns that read no window have the key "". A window that the query reads
        without a triple pattern has an empty list.
    """
    return _by_window(_placed(query, merged))


@lru_cache(maxsize=4096)
def _used(query: Query, merged: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The features that a query uses, and its other shapes except those of its windows."""
    found = list(_placed(query, merged))
    used = {name for part, place in found for name in _shown_by(part, place)}
    if any(window != "" and len(own) > 1 for window, own in _by_window(found).items()):
        used.add("join")
    shapes = used & SHAPES.keys()
    features = frozenset(used - shapes)
    shapes.update(former for former, name in FORMER_SHAPES.items() if name in used)
    return features, frozenset(shapes)


def _by_window(placed: Iterable[tuple[Any, _Place]]) -> dict[object, list[TriplePattern]]:
    found: dict[object, list[TriplePattern]] = {}
    for part, place in placed:
        found.setdefault(place.window, []).extend(part.triples if isinstance(part, BGP) else ())
    return found


def _shapes_of_windows(query: Query, dials: Dials) -> Iterator[str]:
    """The shapes of the windows; no shape if a duration is not a whole number of instants.

    A window by count has a shape if its slide is written: else a dial says what it is, and what a
    profile says of a shape could decide whether a query has it.
    """
    try:
        windows = query.resolved_windows(dials)
    except ValueError:
        return
    for declared, window in zip(query.windows, windows, strict=True):
        if isinstance(window, SlidingWindow) or (
            isinstance(window, CountWindow) and declared.slide is not None
        ):
            if window.slide <= window.width:
                yield "tumbling" if window.slide == window.width else "overlapping"
            if window.slide == 1 and isinstance(window, SlidingWindow):
                yield "slide-one"


# The walk


class _Place(NamedTuple):
    """What is around a part.

    Attributes:
        parent: the part whose direct part it is; None for what the walk begins with.
        window: which window patterns read there: its name (an IRI or a variable), None for merged
            windows, "" if they read no window.
        static: whether patterns read background data there.
        in_window: whether it is within WINDOW.
        operands: the operators of ``_OPERANDS`` whose operands contain it.
        filtered: whether expressions there belong to the condition of a FILTER or an OPTIONAL.
    """

    parent: object = None
    window: object = ""
    static: bool = True
    in_window: bool = False
    operands: frozenset[type] = frozenset()
    filtered: bool = False


_TOP = _Place()
"""The place of what is no part of anything: nothing is around it."""

_OPERANDS = {LeftJoin: ("right",), Union: ("left", "right"), Exists: ("pattern",)}
"""The operands that have features of their own by what they read, such as ``optional-static``."""


def _placed(query: Query, merged: bool) -> Iterator[tuple[Any, _Place]]:
    merged = merged or any(not window.named for window in query.windows)
    names = frozenset(window.name for window in query.windows)
    return _walk([query], _Place(window=None if merged else ""), names)


def _walk(
    roots: Iterable[Any], place: _Place = _TOP, names: frozenset[IRI] = frozenset()
) -> Iterator[tuple[Any, _Place]]:
    """Parts and everything within them except IRIs and variables, each with its place.

    Args:
        roots: the parts.
        place: where they are.
        names: the names of the query's windows.
    """
    waiting = [(root, place) for root in roots]
    while waiting:
        part, place = waiting.pop()
        yield part, place
        below = [inner for inner in parts(part) if not isinstance(inner, (IRI, Variable))]
        if below:
            inside = _inside(part, place, names)
            operands = [getattr(part, name) for name in _OPERANDS.get(type(part), ())]
            for inner in below:
                at = inside
                if any(inner is operand for operand in operands):
                    at = inside._replace(operands=inside.operands | {type(part)})
                waiting.append((inner, at))


def _inside(part: Any, place: _Place, names: frozenset[IRI]) -> _Place:
    """The place directly within a part, if the windows of the query have these names."""
    place = place._replace(parent=part)
    match part:
        case Window(name):
            return place._replace(window=name, static=False, in_window=True)
        case Graph(name) if place.static and name in names:
            return place._replace(window=name, static=False)
        case Graph(name) if place.static:
            return place._replace(window=name if isinstance(name, Variable) else "")
        case Filter() | LeftJoin():
            return place._replace(filtered=True)
        case Extend() | Query():
            return place._replace(filtered=False)
    return place


# What shows a feature or a shape


_Test = Callable[[Any, _Place], object]
_OPERATORS = frozenset("|| && ! = != < > <= >= + - * / IN UNARY+ UNARY-".split()) | {"NOT IN"}
_TRIPLE_FUNCTIONS = frozenset({"TRIPLE", "SUBJECT", "PREDICATE", "OBJECT", "ISTRIPLE"})
"""The functions on quoted triples (RDF-star 6.4; SPARQL 1.2, 17.4.6), by the algebra's names."""


def _shown_by(part: Any, place: _Place) -> list[str]:
    """The features and shapes that a part itself shows, without its own parts."""
    return [name for name, test in _SHOWN.get(type(part), {}).items() if test(part, place)]


def _always(part: Any, at: _Place) -> bool:
    return True


def _reads(operand: type, data: str) -> _Test:
    """Whether a basic graph pattern is within an operand, and reads that kind of data."""
    return lambda part, at: (
        operand in at.operands
        and part.triples
        and (at.static if data == "static" else at.window != "")
    )


def _has_variable_predicate(part: BGP, at: _Place) -> bool:
    return any(isinstance(t.predicate, Variable) for own in part.triples for t in quotes(own))


def _repeats_variable(part: BGP, at: _Place) -> bool:
    named = [[*mentioned(triple)] for triple in part.triples]
    return any(len({*names}) < len(names) for names in named)


def _is_expression(part: TriplePattern, at: _Place) -> bool:
    """Whether a quoted triple is used as an expression."""
    in_pattern = isinstance(at.parent, (BGP, TriplePattern))
    return not in_pattern and part not in getattr(at.parent, "template", ())


def _is_function(part: Operation | FunctionCall, at: _Place) -> bool:
    if isinstance(part, Operation):
        return part.name not in _OPERATORS
    return not is_uncertain(part)


_FUNCTIONS: dict[str, _Test] = {
    "functions": _is_function,
    "filter-functions": lambda part, at: at.filtered and _is_function(part, at),
    "other-functions": lambda part, at: not at.filtered and _is_function(part, at),
}
_CONDITION: dict[str, _Test] = {
    "filter": lambda part, at: part.condition is not None,
    "filter-comparisons": lambda part, at: not isinstance(part.condition, (Exists, type(None))),
}


def _may_have_gaps(window: WindowDeclaration) -> bool:
    width, slide = window.width, window.slide
    if isinstance(width, Count):
        width = width.number
    if slide is None or isinstance(width, Reach):
        return False
    if isinstance(width, Duration) and isinstance(slide, Duration):
        return slide.milliseconds > width.milliseconds
    if isinstance(width, Duration) or isinstance(slide, Duration):
        return True
    return slide > width


def _counted(query: Query) -> set[str]:
    """The units that windows of a query count."""
    return {own.width.unit for own in query.windows if isinstance(own.width, Count)}


_QUERY: dict[str, _Test] = {
    "select": lambda part, at: part.form is Form.SELECT,
    "ask": lambda part, at: part.form is Form.ASK,
    "construct": lambda part, at: part.form is Form.CONSTRUCT,
    "rstream": lambda part, at: part.operator is StreamOperator.RSTREAM,
    "istream": lambda part, at: part.operator is StreamOperator.ISTREAM,
    "dstream": lambda part, at: part.operator is StreamOperator.DSTREAM,
    "aggregates": lambda part, at: part.group_by is not None,
    "group-by": lambda part, at: part.group_by is not None,
    "one-aggregate": lambda part, at: group_aggregates(part),
    "ungrouped-aggregate": lambda part, at: part.group_by is None and group_aggregates(part),
    "several-aggregates": lambda part, at: len(group_aggregates(part)) > 1,
    "aggregate-expressions": lambda part, at: any(
        not isinstance(own.argument, (Variable, type(None))) for own in group_aggregates(part)
    ),
    "count-distinct": lambda part, at: any(own.distinct for own in group_aggregates(part)),
    "having": lambda part, at: part.having,
    "distinct": lambda part, at: part.distinct,
    "order": lambda part, at: part.order_by,
    "limit": lambda part, at: part.limit is not None or part.offset is not None,
    "multi-window": lambda part, at: len(part.streams()) > 1,
    "same-stream-windows": lambda part, at: len(part.streams()) < len(part.windows),
    "gap-windows": lambda part, at: any(map(_may_have_gaps, part.windows)),
    "count-windows": lambda part, at: _counted(part),
    "element-windows": lambda part, at: "elements" in _counted(part),
    "triple-windows": lambda part, at: "triples" in _counted(part),
    "count-steps": lambda part, at: any(
        isinstance(own.width, Count) and own.slide is not None for own in part.windows
    ),
    "now-window": lambda part, at: any(own.width is Reach.NOW for own in part.windows),
    "unbounded-window": lambda part, at: any(own.width is Reach.UNBOUNDED for own in part.windows),
    "past-windows": lambda part, at: any(own.lag is not None for own in part.windows),
    "named-graphs": lambda part, at: part.default_graphs or part.named_graphs,
}

_SHOWN: dict[type, dict[str, _Test]] = {
    BGP: {
        **{
            f"{name}-{data}": _reads(operand, data)
            for operand, name in ((LeftJoin, "optional"), (Union, "union"), (Exists, "exists"))
            for data in ("static", "stream")
        },
        "variable-predicate": _has_variable_predicate,
        "repeated-variable": _repeats_variable,
    },
    TriplePattern: {
        "paths": lambda part, at: not isinstance(part.predicate, (IRI, Variable)),
        "rdf-star": lambda part, at: isinstance(part.subject, TriplePattern),
        "triple-terms": lambda part, at: (
            isinstance(part.object, TriplePattern) or _is_expression(part, at)
        ),
    },
    Filter: _CONDITION,
    LeftJoin: {"optional": _always, **_CONDITION},
    Union: {"union": _always},
    Minus: {"minus": _always},
    Exists: {"exists": _always},
    Extend: {"bind": _always},
    Graph: {
        "named-elements": lambda part, at: at.in_window,
        "named-graphs": lambda part, at: not at.in_window,
    },
    Window: {"window-variable": lambda part, at: isinstance(part.name, Variable)},
    Values: {
        "values": _always,
        "triple-terms": lambda part, at: any(
            isinstance(term, Triple) for row in part.rows for term in row
        ),
    },
    SubSelect: {"subqueries": _always},
    Query: _QUERY,
    Projection: {
        "bind": lambda part, at: not isinstance(part.expression, (Aggregate, type(None))),
    },
    Operation: {
        **_FUNCTIONS,
        "filter-not": lambda part, at: at.filtered and part.name == "!",
        "filter-in": lambda part, at: at.filtered and part.name in ("IN", "NOT IN"),
        "triple-terms": lambda part, at: part.name in _TRIPLE_FUNCTIONS,
    },
    FunctionCall: {**_FUNCTIONS, "uncertainty": lambda part, at: is_uncertain(part)},
    Aggregate: {"aggregates": _always, "distinct": lambda part, at: part.distinct},
    Literal: {
        "uncertainty": lambda part, at: is_distribution(part),
        "language-tags": lambda part, at: part.language is not None,
        "typed-literals": lambda part, at: part.datatype not in (XSD_STRING, RDF_LANGSTRING),
    },
    BlankNode: {"blank-nodes": lambda part, at: not isinstance(at.parent, TriplePattern)},
    Triple: {
        "rdf-star": lambda part, at: isinstance(part.subject, Triple),
        "triple-terms": lambda part, at: isinstance(part.object, Triple),
    },
    StreamElement: {
        "named-elements": lambda part, at: part.name is not None,
        "multi-triple-elements": lambda part, at: len(part.graph) > 1,
    },
    BackgroundEntry: {
        "static-data": lambda part, at: part.graph is None,
        "named-graphs": lambda part, at: part.graph is not None,
        "time-varying-data": lambda part, at: (part.since, part.until) != (None, None),
    },
}
"""The features and shapes by the class of the part that shows them, if the test holds."""
