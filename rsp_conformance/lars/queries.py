"""Continuous queries Q = (V, P, D, S) in the form of C-SPARQL and of CQELS, and their windows.

V is the variables that a query selects, P its pattern, D the background data that FROM and FROM
NAMED choose, and S its stream graph patterns: the patterns within WINDOW, each with its stream and
its window.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Final, Literal, TypeAlias

from rsp_conformance.lars.program import NOW, TimeWindow, TupleWindow, WindowFunction
from rsp_conformance.model.algebra import Pattern, Union, Window
from rsp_conformance.model.errors import BadInput, Unsupported, excerpt
from rsp_conformance.model.query import Query
from rsp_conformance.model.walk import rewritten_pattern, subpatterns

Reading: TypeAlias = Literal["cautious", "brave"]
"""Where CQELS looks for a stream graph pattern: only in its stream, or in static data as well."""
MOST_READINGS: Final = 10
"""The greatest |S| of a query whose readings are listed: there are 2^|S|, so 1,024 at most."""


def cs(query: Query) -> Query:
    """Return a query in C-SPARQL's form, every stream merged into the default graph."""

    def merged(pattern: Pattern) -> Pattern:
        return pattern.pattern if isinstance(pattern, Window) else pattern

    windows = tuple(replace(window, named=False) for window in query.windows)
    return replace(query, pattern=rewritten_pattern(query.pattern, merged), windows=windows)


def cq(query: Query) -> tuple[Query, ...]:
    """Return the 2^|S| queries in CQELS's form, from the brave one to the cautious one.

    C-SPARQL matches a stream graph pattern wherever its triples are. A CQELS query has to state
    the place: each pattern of S is looked for only in its window (cautiously), or in the
    background data as well (bravely).

    Raises:
        Unsupported: S is too large to list all queries.
    """
    places = range(stream_patterns(query))
    if len(places) > MOST_READINGS:
        raise Unsupported(f"all readings of a query with over {MOST_READINGS} stream patterns")
    return tuple(
        _bravely(query, frozenset(chosen))
        for size in reversed(range(len(places) + 1))
        for chosen in combinations(places, size)
    )


def brave(query: Query) -> Query:
    """Return the bravest member of cq(Q); the query as it is written is the most cautious one."""
    return _bravely(query, frozenset(range(stream_patterns(query))))


def stream_patterns(query: Query) -> int:
    """Return |S|, the number of patterns within WINDOW."""
    return sum(isinstance(pattern, Window) for pattern in subpatterns(query.pattern))


def _bravely(query: Query, chosen: frozenset[int]) -> Query:
    """Look for the `chosen` stream graph patterns in background data as well."""
    place = iter(range(stream_patterns(query)))

    def change(pattern: Pattern) -> Pattern:
        if isinstance(pattern, Window) and next(place) in chosen:
            return Union(pattern, pattern.pattern)
        return pattern

    return replace(query, pattern=rewritten_pattern(query.pattern, change))


# Table 1

_WINDOW = re.compile(
    r"\s*(?:RANGE\s+(?P<length>\d{1,18})(?:\s+(?:SLIDE|STEP)\s+(?P<slide>\d{1,18}))?"
    r"|(?:ROWS|TRIPLES)\s+(?P<count>\d{1,18})|(?P<now>NOW)|(?P<ever>(?:RANGE\s+)?UNBOUNDED))\s*",
    re.IGNORECASE,
)


def table_1(window: str, predicate: str | None = None) -> WindowFunction:
    """Return the window function of a window in C-SPARQL's or CQELS's notation (Table 1).

    Args:
        window: ``RANGE L``, ``RANGE L SLIDE D``, ``ROWS N``, ``TRIPLES N``, ``NOW`` or
            ``UNBOUNDED``, in instants.
        predicate: the predicate of the stream whose tuples a window by count counts.

    Raises:
        BadInput: the window has another form.
    """
    found = _WINDOW.fullmatch(window)
    if found is None:
        raise BadInput(
            f"the window {excerpt(window)}: expected RANGE L, RANGE L SLIDE D, ROWS N, NOW or "
            "UNBOUNDED"
        )
    if found["length"]:
        return TimeWindow(int(found["length"]), int(found["slide"] or 1))
    if found["count"]:
        return TupleWindow(int(found["count"]), predicate)
    return NOW if found["now"] else TimeWindow(None)
