"""Where windows may start: T⁰ᵢ, their product Z, and t_s (RSP-QL Definition 26; SEMANTICS 5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, FirstElementCloseFloor, FirstElementFloor
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import SlidingWindow


def legal_starts(window: SlidingWindow, case: Case, dials: Dials) -> tuple[int | None, ...]:
    """T⁰ᵢ: under ``any`` {a, …, a+β−1}; any other value of the dial ``t0`` replaces it by one.

    (None,) where the window is never defined: the first element decides, and there is none.
    """
    a, alpha, beta = case.registered, window.width, window.slide
    match dials.t0:
        case "any":
            return tuple(range(a, a + beta))
        case "registration":
            return (a,)
        case "aligned-open":  # The greatest t0 ≤ a such that opens are multiples of β …
            return (a - a % beta,)
        case "aligned-close":  # … or closes
            return (a - (a + alpha) % beta,)
        case "first-aligned-open":  # The same grids, from the first window that closes after a
            return (((a - alpha) // beta + 1) * beta,)
        case "first-aligned-close":
            return ((a // beta + 1) * beta - alpha,)
        case "first-element":
            return (_first(case, window.stream),)
        case FirstElementFloor(multiple):
            first = _first(case, window.stream)
            return (None if first is None else first - first % multiple,)
        case "first-element-close":  # The first window closes one slide after the element
            first = _first(case, window.stream)
            return (None if first is None else first + beta - alpha,)
        case FirstElementCloseFloor(multiple):
            first = _first(case)
            return (None if first is None else first - first % multiple + beta - alpha,)
        case int(number):
            return (number,)
        case other:
            raise ValueError(f"dial t0: {other!r} is no start")


def _first(case: Case, stream: IRI | None = None) -> int | None:
    """The instant of the first element of STREAM, or of any."""
    return next((e.t for e in case.elements if stream in (None, e.stream)), None)


def rspql_queries(case: Case, dials: Dials) -> Iterator[Vector]:
    """rspqlQueries(q, C): one member of Z for every RSP-QL query that q may mean, in order."""
    windows = case.query.sliding_windows(dials.unit)
    return product(*(legal_starts(w, case, dials) for w in windows))


def t_s(case: Case, dials: Dials) -> int:
    """The instant t_s = max ⋃ T⁰ᵢ, at least a, from which answers are compared."""
    windows = case.query.sliding_windows(dials.unit)
    starts = [t for w in windows for t in legal_starts(w, case, dials) if t is not None]
    return max([case.registered, *starts])
