"""What a pattern of a query reads: windows, background data, or both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rsp_conformance.model.algebra import BGP, Graph, Window
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import parts


@dataclass(frozen=True, slots=True)
class Place:
    """What a pattern reads.

    Attributes:
        window: the window's name (an IRI or a variable), None for merged windows, "" if the
            pattern reads no window.
        static: whether the pattern reads background data.
        names: the names of the query's windows.
    """

    window: object
    static: bool
    names: frozenset[IRI] = frozenset()


def placed(query: Query, *, merged: bool = False) -> Iterator[tuple[Any, Place]]:
    """Walk over a query: the query itself and everything within it, each part with its place.

    Args:
        query: the query.
        merged: whether windows are in the default graph; they always are if a window is not named.
    """
    merged = merged or any(not window.named for window in query.windows)
    yield from within_place(query, Place(None if merged else "", static=True))


def within_place(part: Any, place: Place) -> Iterator[tuple[Any, Place]]:
    """Walk over a part of a query, which is at ``place``: the part and everything within it."""
    yield part, place
    match part:
        case Query() if part.windows:
            place = replace(place, names=frozenset(window.name for window in part.windows))
        case Window(name):
            place = Place(name, static=False)
        case Graph(name) if place.static and name in place.names:
            place = replace(place, window=name, static=False)
        case Graph(name) if place.static:
            place = replace(place, window=name if isinstance(name, Variable) else "")
    for inner in parts(part):
        yield from within_place(inner, place)


def read(pattern: Any, place: Place) -> Iterator[str]:
    """What a pattern reads: ``static`` for background data, ``stream`` for windows, or both.

    Args:
        pattern: the pattern.
        place: where the pattern is.
    """
    found = within_place(pattern, place)
    places = [p for part, p in found if isinstance(part, BGP) and part.triples]
    if any(p.static for p in places):
        yield "static"
    if any(p.window != "" for p in places):
        yield "stream"
