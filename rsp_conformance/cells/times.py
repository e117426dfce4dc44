"""Table 6: instants, widths and slides of windows, how elements arrive, what windows hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, pairwise, product
from typing import Final

from rsp_conformance.cells.cell import ELSEWHERE, Cells, never
from rsp_conformance.cells.labels import everything
from rsp_conformance.cells.modifiers import STREAMED
from rsp_conformance.model.algebra import Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.windows import (
    AnyWindow,
    Count,
    CountWindow,
    NowWindow,
    SlidingWindow,
    UnboundedWindow,
    by_time,
)

SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 100, 1_000, 10_000)
"""The greatest width or slide of each class."""
OPEN: Final = (1, 2, 4, 8, 16, 32, 50)
"""... number of instances of a window that are open at once."""
ELEMENTS: Final = (0, 1, 2, 4, 8, 16, 20, 64, 256)
"""... number of elements of a case."""
HELD: Final = (0, 1, 2, 5, 20, 200)
"""... number of elements that a window holds."""
EPOCH: Final = 1_700_000_000_000
"""An instant of our days, in milliseconds since 1970."""

BEYOND: Final = "more than is asked for"
_CLASSED: Final[dict[str, Sequence[int]]] = {
    "width {}": SIZES,
    "slide {}": SIZES,
    "open at once {}": OPEN,
    "{} elements": ELEMENTS,
    "window holds {}": HELD,
}
_NEAR_NOW: Final = (
    "around 1.7e9 at unit 1000",
    "around 1.7e12 at unit 1",
    "around 1.7e12 at unit 1000",
)
INSTANTS: Final = (
    *("at 0", "1 to 9", "10 to 99", "100 to 10^6", "10^6 to 2^31", "around 2^31", "beyond 2^31"),
    *_NEAR_NOW,
)
_TOPS: Final = (0, 9, 99, 10**6, 2**31)


def size(number: int, tops: Sequence[int]) -> str:
    """Return the class of a number, as "3 to 4", by the greatest number of each class."""
    below = tops[0] - 1
    for top in tops:
        if number <= top:
            return str(top) if top == below + 1 else f"{below + 1} to {top}"
        below = top
    return f"more than {tops[-1]}"


def instant(t: int, unit: int) -> str:
    """Return the class of an instant of ``unit`` milliseconds."""
    for seconds, ms in ((1, 1000), (1000, 1), (1000, 1000)):
        now = EPOCH // 1000 * seconds
        if unit == ms and abs(t - now) < now // 8:
            return f"around 1.7e{9 if seconds == 1 else 12} at unit {ms}"
    if abs(t - 2**31) < 10**6:
        return "around 2^31"
    for name, top in zip(INSTANTS, _TOPS, strict=False):
        if t <= top:
            return name
    return "beyond 2^31"


_ARRIVALS: Final = (
    *("ties", "one instant apart", "less than a slide apart", "a width apart or more"),
    *("a silence of 10 widths", "a silence of 100 widths"),
    "all dense (two an instant on the mean)",
    "all far apart (each gap beyond the width)",
    *("an element at registration", "until before the last window closes"),
    *("instants cross 2^31", "a burst of 10 at one instant", "named elements"),
    *("several triples in an element", "5 triples or more in an element"),
    *("stream that never speaks", "stream that no window reads", "registration late"),
)
_WINDOWS: Final = (
    *("tumbling", "slide divides width", "slide does not divide width", "gap"),
    *("RANGE without STEP", "default window", "named window", "default and named"),
    *("widths differ", "slides differ", "same stream twice"),
    *("WINDOW ?v over 1", "WINDOW ?v over 2 or more", "window that no pattern reads"),
    "one window read twice",
)
_KINDS: Final = {
    SlidingWindow: "by time",
    CountWindow: "by count",
    NowWindow: "NOW",
    UnboundedWindow: "UNBOUNDED",
}
_OTHERS: Final = (
    *(
        "by count of elements",
        "by count of triples",
        "by count, without STEP",
        "by count, tumbling",
    ),
    *("by count, slide 1", "by count, slide less than the width", "by count, gap"),
    *("by count, not full", "NOW"),
    *(f"{kind} beside by time" for kind in ("by count", "NOW")),
    *("in the past", "in the past, an element that waits at the end", "in the past beside now"),
)
"""Windows that are not by time, or not up to now (SEMANTICS 2)."""
_ENDLESS: Final = ("UNBOUNDED", "UNBOUNDED beside by time")
"""Windows that never close, for which a policy with WC would wait for ever (decision 59)."""
_COMPUTED: Final = "COMPUTED EVERY"
_ALIKE: Final = "no feature: a profile has all windows named or all merged (dial windows_in)"


@cache
def time_cells() -> Cells:
    """All classes of instants, windows and arrivals."""
    found: Cells = {}
    for what, when in product(("registered", "elements begin", "elements end"), INSTANTS):
        found[f"{what} {when}"] = ELSEWHERE if when.endswith("unit 1000") else ""
    for name, tops in _CLASSED.items():
        found |= never([name.format(size(top, tops)) for top in tops])
        found[name.format(size(tops[-1] + 1, tops))] = BEYOND
    for windows in range(1, 5):
        streams = range(1, min(windows, 3) + 1)
        found |= never([f"{windows} windows on {number} streams" for number in streams])
        found |= never([f"{windows} windows, {own}" for own in STREAMED])
    found |= never([*_ARRIVALS, *_WINDOWS, *_OTHERS])
    found |= dict.fromkeys((_COMPUTED, "default window", *_ENDLESS), ELSEWHERE)
    return found | {"default and named": _ALIKE}


def times_met(case: Case, unit: int) -> set[str]:
    """Return the cells that a case meets; see ``held`` for contents.

    Args:
        case: the case.
        unit: the milliseconds of an instant.

    Raises:
        ValueError: a duration is no whole number of instants.
    """
    windows = case.query.resolved_windows(Dials(unit=unit))
    return {*_of_windows(case, windows), *_of_arrivals(case, windows, unit)}


def held(elements: int) -> str:
    """Return the cell of a window that holds so many elements where it is evaluated."""
    return f"window holds {size(elements, HELD)}"


def _of_windows(case: Case, windows: Sequence[AnyWindow]) -> Iterator[str]:
    query, timed = case.query, by_time(windows)
    for window in timed:
        yield from _of_window(window)
    yield from _of_others(case, windows)
    streams = [window.stream for window in windows]
    operator = query.operator.value if query.operator else "no operator"
    yield f"{len(windows)} windows on {len({*streams})} streams"
    yield f"{len(windows)} windows, {operator}"
    read = [part.name for part in everything(query) if isinstance(part, Window)]
    any_window = any(isinstance(name, Variable) for name in read)
    named = {window.name for window in windows if window.named}
    traits = {
        "RANGE without STEP": any(
            window.slide is None and not isinstance(window.width, Count) for window in query.windows
        ),
        "default window": len(named) < len(windows),
        "named window": named,
        "default and named": named and len(named) < len(windows),
        "widths differ": len({window.width for window in timed}) > 1,
        "slides differ": len({window.slide for window in timed}) > 1,
        "same stream twice": len(streams) > len({*streams}),
        "WINDOW ?v over 1": any_window and len(windows) == 1,
        "WINDOW ?v over 2 or more": any_window and len(windows) > 1,
        "window that no pattern reads": not any_window and named - {*read},
        "one window read twice": len(read) > len({*read}),
        _COMPUTED: query.computed_every is not None,
    }
    yield from (name for name, has in traits.items() if has)


def _of_window(window: SlidingWindow) -> Iterator[str]:
    width, slide = window.width, window.slide
    yield f"width {size(width, SIZES)}"
    yield f"slide {size(slide, SIZES)}"
    yield f"open at once {size(-(-width // slide), OPEN)}"
    if width == slide:
        yield "tumbling"
    elif slide > width:
        yield "gap"
    else:
        yield "slide does not divide width" if width % slide else "slide divides width"


def _of_others(case: Case, windows: Sequence[AnyWindow]) -> Iterator[str]:
    """The cells of windows that are not by time, or not up to now."""
    for declared, window in zip(case.query.windows, windows, strict=True):
        if isinstance(window, CountWindow):
            yield f"by count of {window.unit}"
            if declared.slide is None:
                yield "by count, without STEP"
            yield "by count, " + _how_counted(window.width, window.slide)
            own = [element for element in case.elements if element.stream == window.stream]
            count = len(own) if window.unit == "elements" else sum(len(e.graph) for e in own)
            if count < window.width:
                yield "by count, not full"
    kinds = {_KINDS[type(window)] for window in windows}
    yield from kinds & {"NOW", "UNBOUNDED"}
    past = [window for window in by_time(windows) if window.lag]
    if past:
        yield "in the past"
    if len(past) < len(windows) and past:
        yield "in the past beside now"
    lags = {window.stream: window.lag for window in past}
    if any(own.t + lags.get(own.stream, 0) > case.until for own in case.elements):
        yield "in the past, an element that waits at the end"
    if "by time" in kinds:
        yield from (f"{kind} beside by time" for kind in kinds - {"by time"})


def _how_counted(width: int, slide: int) -> str:
    """How the instances of a window by count follow each other."""
    if slide == 1:
        return "slide 1"
    if slide == width:
        return "tumbling"
    return "gap" if slide > width else "slide less than the width"


def _of_arrivals(case: Case, windows: Sequence[AnyWindow], unit: int) -> Iterator[str]:
    times = [element.t for element in case.elements]
    triples = [len(element.graph) for element in case.elements]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    wide = max((window.width for window in by_time(windows)), default=1)
    slide = min((window.slide for window in by_time(windows)), default=1)
    widest = max(gaps, default=0)
    yield f"registered {instant(case.registered, unit)}"
    yield f"{size(len(times), ELEMENTS)} elements"
    if times:
        yield f"elements begin {instant(times[0], unit)}"
        yield f"elements end {instant(times[-1], unit)}"
    read = {window.stream for window in windows}
    traits = {
        "ties": 0 in gaps,
        "one instant apart": 1 in gaps,
        "less than a slide apart": any(0 < gap < slide for gap in gaps),
        "a width apart or more": gaps and widest >= wide,
        "a silence of 10 widths": widest >= 10 * wide,
        "a silence of 100 widths": widest >= 100 * wide,
        _ARRIVALS[6]: len(times) > 3 and len(times) >= 2 * (times[-1] - times[0] + 1),
        _ARRIVALS[7]: len(gaps) > 2 and min(gaps) > wide,
        "an element at registration": case.registered in times,
        "until before the last window closes": times and case.until < times[-1] + wide,
        "instants cross 2^31": times and times[0] < 2**31 < times[-1],
        "a burst of 10 at one instant": _burst(times) >= 10,
        "named elements": any(element.name for element in case.elements),
        "several triples in an element": max(triples, default=0) > 1,
        "5 triples or more in an element": max(triples, default=0) > 4,
        "stream that never speaks": read - {element.stream for element in case.elements},
        "stream that no window reads": {*case.streams} - read,
        "registration late": case.registered > 0,
    }
    yield from (name for name, has in traits.items() if has)


def _burst(times: Sequence[int]) -> int:
    """The most elements that arrive at one instant."""
    return max((len([*group]) for _, group in groupby(times)), default=0)
