"""Where windows may start: T⁰ᵢ, their product Z, and t_s (RSP-QL Definition 26; SEMANTICS 5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, FirstElementFloor
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import SlidingWindow


def legal_starts(window: SlidingWindow, case: Case, dials: Dials) -> tuple[int | None, ...]:
    """T⁰ᵢ: under ``any`` {a, …, a+β−1}; any other value of the dial ``t0`` replaces it by one.

    (None,) where the window is never defined: ``first-element`` on a stream without elements.
    """
    a = case.registered
    match dials.t0:
        case "any":
            return tuple(range(a, a + window.slide))
        case "registration":
            return (a,)
        case "aligned-open":
            return (a - a % window.slide,)
        case "aligned-close":
            return (a - (a + window.width) % window.slide,)
        case "first-aligned-close":
            return ((a // window.slide + 1) * window.slide - window.width,)
        case "first-element":
            return (_first(window, case),)
        case FirstElementFloor(multiple):
            first = _first(window, case)
            return (None if first is None else first - first % multiple,)
        case int(number):
            return (number,)
        case other:
            raise ValueError(f"dial t0: {other!r} is no start")


def _first(window: SlidingWindow, case: Case) -> int | None:
    return next((e.t for e in case.elements if e.stream == window.stream), None)


def rspql_queries(case: Case, dials: Dials) -> Iterator[Vector]:
    """rspqlQueries(q, C): one member of Z for every RSP-QL query that q may mean, in order."""
    windows = case.query.sliding_windows(dials.unit)
    return product(*(legal_starts(w, case, dials) for w in windows))


def t_s(case: Case, dials: Dials) -> int:
    """The instant t_s = max ⋃ T⁰ᵢ, at least a, from which answers are compared."""
    windows = case.query.sliding_windows(dials.unit)
    starts = [t for w in windows for t in legal_starts(w, case, dials) if t is not None]
    return max([case.registered, *starts])
