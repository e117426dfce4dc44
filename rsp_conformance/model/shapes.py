"""Shapes of queries, which decide whether a profile's override applies (SEMANTICS 5).

A shape is a feature that the query uses, or one of ``SHAPES``; ``!`` before it means its absence. A
query has a shape if some part of it does, also within subqueries and EXISTS.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from rsp_conformance.model.algebra import BGP, TriplePattern
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import did_you_mean, excerpt
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.places import placed
from rsp_conformance.model.query import Query
from rsp_conformance.model.used_features import query_features
from rsp_conformance.model.variables import group_aggregates
from rsp_conformance.model.walk import mentioned, within

SHAPES: dict[str, str] = {
    "join": "two triple patterns or more in a window",
    "variable-predicate": "a variable as predicate",
    "repeated-variable": "a variable twice in one triple pattern",
    "ungrouped-aggregate": "an aggregate without GROUP BY",
    "tumbling": "a window with a slide of its width",
    "overlapping": "a window with a slide smaller than its width",
    "slide-one": "a window with a slide of one instant",
}
"""Every shape that is not a feature, with what such a query has."""

_FORMER = {"aggregate-expression": "aggregate-expressions"}
"""Other names of shapes that are features now; profiles may still use them."""

_KNOWN = FEATURES.keys() | SHAPES.keys() | _FORMER.keys()


def check_shapes(names: Iterable[str]) -> frozenset[str]:
    """Check names of shapes, each perhaps after ``!``, and return them as a set.

    Names that begin with ``x-`` are accepted; no query has them.

    Raises:
        ValueError: a name is neither a feature nor a shape.
    """
    known = frozenset(names)
    for name in sorted(known):
        shape = name.removeprefix("!")
        if shape not in _KNOWN and not shape.startswith("x-"):
            hint = did_you_mean(shape, (*FEATURES, *SHAPES))
            raise ValueError(
                f"unknown shape {excerpt(name)}{hint} (the shapes are the features and "
                f"{', '.join(SHAPES)})"
            )
    return known


def query_shapes(query: Query, dials: Dials) -> frozenset[str]:
    """The shapes of a query, its features included.

    Args:
        query: the query.
        dials: the profile's dials without overrides. They say whether windows are in the default
            graph, and how long an instant is.
    """
    merged = dials.windows_in == "default"
    found = list(placed(query, merged=merged))
    used = {shape for part, _ in found for shape in _of_part(part)}
    held = Counter(p.window for part, p in found if isinstance(part, BGP) for _ in part.triples)
    used.update("join" for window, count in held.items() if window != "" and count > 1)
    used.update(_of_windows(query, dials.unit))
    used |= query_features(query, merged=merged)
    return frozenset(used | {former for former, shape in _FORMER.items() if shape in used})


def _of_windows(query: Query, unit: int) -> Iterator[str]:
    """The shapes of the windows; no shape if a duration is not a whole number of instants."""
    try:
        windows = query.sliding_windows(unit)
    except ValueError:
        return
    for window in windows:
        if window.slide <= window.width:
            yield "tumbling" if window.slide == window.width else "overlapping"
        if window.slide == 1:
            yield "slide-one"


def _of_part(part: Any) -> Iterator[str]:
    match part:
        case BGP(triples):
            for triple in triples:
                written = [one for one in within(triple) if isinstance(one, TriplePattern)]
                if any(isinstance(one.predicate, Variable) for one in written):
                    yield "variable-predicate"
                named = list(mentioned(triple))
                if len(set(named)) < len(named):
                    yield "repeated-variable"
        case Query() if part.group_by is None and group_aggregates(part):
            yield "ungrouped-aggregate"
