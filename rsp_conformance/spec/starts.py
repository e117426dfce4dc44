"""When windows may start: T⁰ᵢ, their product Z, and t_s (RSP-QL Definition 26; SEMANTICS 5).

A query does not say when its first window opens, so it means several RSP-QL queries, one for each
choice of the starts. T⁰ᵢ is the set of starts that window i may have. Z is their product: each
member z chooses one start per window, and Q_z is the query with these starts. t_s is the latest
start of any window: from there on, every Q_z has windows, so that all of them can be compared.

With ``t0 = any`` a window may start at each of the β instants from the registration on: a later
start would only repeat the instances of an earlier one. Engines that always start in the same way
declare it (the other values of the dial), and T⁰ᵢ has one member. A start may be before the
registration, as on the grids of ``aligned-open`` and ``aligned-close``; t_s is at least the
registration.

The members of Z are listed lazily, because there are as many as the product of the slides. Nothing
here depends on elements, except for the dials by which the first element decides. This is the
definition, to be read; `start_classes` finds the few members that differ in their answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import T0, Dials, FirstElementCloseFloor, FirstElementFloor
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import AnyWindow, CountWindow, SlidingWindow, by_time


def legal_starts(window: AnyWindow, case: Case, dials: Dials) -> Sequence[int | None]:
    """T⁰ᵢ: the instants at which the first instance of a window may open, ascending.

    Under ``t0 = any`` they are {a, …, a+β−1}, where a is the registration and β the slide. Every
    other value of the dial allows a single start. Windows by count start after a number of units
    of their stream (`legal_first_units`). NOW and UNBOUNDED have no start.

    Args:
        window: the window.
        case: the query and its data, whose first element may decide.
        dials: the setting whose dial ``t0`` gives the rule.

    Returns:
        The starts; (None,) if the window is never defined, because the first element decides and
        there is no element.
    """
    if isinstance(window, CountWindow):
        return legal_first_units(window, dials)
    if not isinstance(window, SlidingWindow):
        return (0,)
    a, alpha, beta = case.registered, window.width, window.slide
    match dials.t0:
        case "any":
            return range(a, a + beta)
        case "registration":
            return (a,)
        case "aligned-open":  # The greatest t0 ≤ a such that windows open at multiples of β …
            return (a - a % beta,)
        case "aligned-close":  # … or close there
            return (a - (a + alpha) % beta,)
        case "first-aligned-open":  # The same grids, from the first window that closes at a …
            return (-((alpha - a) // beta) * beta,)
        case "first-aligned-close":  # … or after a
            return ((a // beta + 1) * beta - alpha,)
        case int(number):
            return (number,)
        case _:
            return (_by_first_element(window, case, dials),)


def legal_first_units(window: CountWindow, dials: Dials) -> Sequence[int]:
    """N⁰ᵢ: the numbers of units after which the first instance of a window may open, ascending.

    By default it opens before the first unit: a clock runs without the engine, and where an engine
    begins to look at it is open; elements do not come without it.

    Args:
        window: the window.
        dials: the setting whose dial ``n0`` gives the rule.
    """
    match dials.n0:
        case "any":
            return range(window.slide)
        case "fill":  # The first instance closes with the last unit of the first slide.
            return (window.slide - window.width,)
        case number:
            return (number,)


def _by_first_element(window: SlidingWindow, case: Case, dials: Dials) -> int | None:
    """The start that the first element of the window's stream, or of any stream, sets.

    If there is no element and the engine learns the time from elements, the element that the kit
    appends is the first. A start later than ``until`` does not count (decision 47).
    """
    any_stream = isinstance(dials.t0, FirstElementCloseFloor)
    own = [e.t for e in case.elements if any_stream or e.stream == window.stream]
    if own:
        return _started(window, own[0], dials.t0)
    if dials.advances == "clock":
        return None
    appended = max([case.until + 1, *(e.t for e in case.elements)])
    start = _started(window, appended, dials.t0)
    return start if start <= case.until else None


def _started(window: SlidingWindow, first: int, t0: T0) -> int:
    """t0 if the element that decides has the instant `first`."""
    match t0:
        case "first-element":
            return first
        case FirstElementFloor(multiple):
            return first - first % multiple
        case "first-element-close":  # The first window closes one slide after the element
            return first + window.slide - window.width
        case FirstElementCloseFloor(multiple):
            return first - first % multiple + window.slide - window.width
    raise ValueError(f"dial t0: {t0!r} is no start")


def rspql_queries(case: Case, dials: Dials) -> Iterator[Vector]:
    """rspqlQueries(q, C): the members of Z, one for each RSP-QL query that q may mean, in order."""
    windows = case.query.resolved_windows(dials)
    return product(*(legal_starts(w, case, dials) for w in windows))


def number_of_queries(case: Case, dials: Dials) -> int:
    """|Z|, the number of RSP-QL queries that q may mean, counted without listing them."""
    windows = case.query.resolved_windows(dials)
    return prod(len(legal_starts(w, case, dials)) for w in windows)


def has_one_query(case: Case, dials: Dials) -> bool:
    """Whether Z has one member, so that Definition 26 leaves an engine no choice of t0."""
    return number_of_queries(case, dials) == 1


def t_s(case: Case, dials: Dials) -> int:
    """The instant t_s from which answers are compared: max ⋃ T⁰ᵢ, but at least a."""
    windows = by_time(case.query.resolved_windows(dials))
    latest = (legal_starts(w, case, dials)[-1] for w in windows)  # They ascend.
    return max([case.registered, *(t for t in latest if t is not None)])
