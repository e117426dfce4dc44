"""Shapes of queries, by which a profile's overrides ask for them (SEMANTICS 5).

A shape is a feature that the query uses, or one of ``SHAPES``; ``!`` before it is its absence. A
shape holds of a query if some part of it has it, those within subqueries and EXISTS included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rsp_conformance.model.algebra import BGP, Graph, LeftJoin, TriplePattern, Window
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.expressions import Exists, Variable
from rsp_conformance.model.features import FEATURES, query_features
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import group_aggregates
from rsp_conformance.model.walk import mentioned, parts, within

SHAPES: dict[str, str] = {
    "join": "two triple patterns or more in a window",
    "variable-predicate": "a variable as predicate",
    "repeated-variable": "a variable twice in one triple pattern",
    "group-by": "GROUP BY",
    "ungrouped-aggregate": "an aggregate without GROUP BY",
    "several-aggregates": "two aggregates or more",
    "aggregate-expression": "an aggregate of an expression that is no variable",
    "optional-static": "OPTIONAL over background data",
    "optional-stream": "OPTIONAL over a window",
    "exists-static": "EXISTS or NOT EXISTS over background data",
    "exists-stream": "EXISTS or NOT EXISTS over a window",
    "tumbling": "a window with a slide of its width",
    "overlapping": "a window with a slide smaller than its width",
    "slide-one": "a window with a slide of one instant",
}
"""Every shape that is no feature, with what the query has."""


def check_shapes(names: Iterable[str]) -> frozenset[str]:
    """NAMES as a set; ValueError for one that is neither a feature nor a shape, ``!`` apart.

    Names beginning ``x-`` are taken, and no query has them.
    """
    known = frozenset(names)
    for name in sorted(known):
        shape = name.removeprefix("!")
        if shape not in FEATURES and shape not in SHAPES and not shape.startswith("x-"):
            hint = did_you_mean(shape, (*FEATURES, *SHAPES))
            raise ValueError(
                f"unknown shape {name!r}{hint} (the shapes are the features and "
                f"{', '.join(SHAPES)})"
            )
    return known


def query_shapes(query: Query, dials: Dials) -> frozenset[str]:
    """The shapes of QUERY, its features included; DIALS are the profile's, without overrides."""
    merged = any(not w.named or dials.windows_in == "default" for w in query.windows)
    placed = list(_placed(query, _Place(None if merged else "", static=True)))
    used = {shape for part, place in placed for shape in _of_part(part, place)}
    held = Counter(p.window for part, p in placed if isinstance(part, BGP) for _ in part.triples)
    used.update("join" for window, count in held.items() if window != "" and count > 1)
    return query_features(query) | used | frozenset(_of_windows(query, dials.unit))


def _of_windows(query: Query, unit: int) -> Iterator[str]:
    """The shapes of the windows; none where a duration is no whole number of instants."""
    try:
        windows = query.sliding_windows(unit)
    except ValueError:
        return
    for window in windows:
        if window.slide <= window.width:
            yield "tumbling" if window.slide == window.width else "overlapping"
        if window.slide == 1:
            yield "slide-one"


@dataclass(frozen=True, slots=True)
class _Place:
    """What a pattern reads: a window by its name, None for merged ones, "" for none."""

    window: object
    static: bool
    names: frozenset[IRI] = frozenset()


def _placed(part: Any, place: _Place) -> Iterator[tuple[Any, _Place]]:
    """PART at PLACE and everything within it, each with its place."""
    yield part, place
    match part:
        case Query() if part.windows:
            place = replace(place, names=frozenset(window.name for window in part.windows))
        case Window(name):
            place = _Place(name, static=False)
        case Graph(name) if place.static and name in place.names:
            place = replace(place, window=name, static=False)
        case Graph(name) if place.static:
            place = replace(place, window=name if isinstance(name, Variable) else "")
    for inner in parts(part):
        yield from _placed(inner, place)


def _of_part(part: Any, place: _Place) -> Iterator[str]:
    match part:
        case BGP(triples):
            for triple in triples:
                written = [one for one in within(triple) if isinstance(one, TriplePattern)]
                if any(isinstance(one.predicate, Variable) for one in written):
                    yield "variable-predicate"
                named = list(mentioned(triple))
                if len(set(named)) < len(named):
                    yield "repeated-variable"
        case LeftJoin(right=inner):
            yield from (f"optional-{read}" for read in _read(inner, place))
        case Exists(inner):
            yield from (f"exists-{read}" for read in _read(inner, place))
        case Query():
            aggregates = group_aggregates(part)
            if part.group_by is not None:
                yield "group-by"
            elif aggregates:
                yield "ungrouped-aggregate"
            if len(aggregates) > 1:
                yield "several-aggregates"
            if any(not isinstance(a.argument, (Variable, type(None))) for a in aggregates):
                yield "aggregate-expression"


def _read(pattern: Any, place: _Place) -> Iterator[str]:
    """What PATTERN at PLACE reads: background data, windows, or both."""
    places = [p for part, p in _placed(pattern, place) if isinstance(part, BGP) and part.triples]
    if any(p.static for p in places):
        yield "static"
    if any(p.window != "" for p in places):
        yield "stream"
