"""Mutants of time beyond small numbers: late instants, wide windows, many windows and elements."""

from __future__ import annotations

from typing import Final

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.adapters.reference.mutant import MutatedRun, mutant
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.algebra import Window
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.walk import within

_SIGNED_32: Final = 2**31
"""The first instant that does not fit into a signed integer of 32 bits."""
_MILLISECONDS: Final = 10**12
"""Instants from here on can only be milliseconds: in seconds, this is the year 33,658."""
_WALL_CLOCK: Final = 1_700_000_000_000
"""The clock of the machine: an instant of November 2023, in milliseconds since 1970."""
_OPEN: Final = 16
"""The number of open window instances: a power of two, as such buffers have, that generated cases
with a narrow slide exceed."""
_KEPT: Final = 64
"""The number of elements in the buffer: a power of two that generated long cases exceed."""


@mutant(
    seams.READS,
    "rsp-rs: large timestamps overflowed",
    where="an element after 2^31",
)
def late_elements_lost(reads: bool, run: MutatedRun) -> bool:
    """An element at an instant that 32 bits do not hold enters no window."""
    return reads and (run.newest is None or run.newest.t < _SIGNED_32)


@mutant(
    seams.INSTANT,
    "engines that keep an answer's time in 32 bits",
    where="an evaluation after 2^31",
)
def stamps_of_32_bits(t: int, run: MutatedRun) -> int:
    """The instant of an answer is what 32 bits keep of it."""
    return t if t < _SIGNED_32 else t % _SIGNED_32


@mutant(
    seams.INSTANT,
    "engines that answer in seconds what they are asked in milliseconds",
    where="instants that are milliseconds since 1970",
)
def stamps_in_seconds(t: int, run: MutatedRun) -> int:
    """An answer's instant, of so many digits that it is milliseconds, is given in seconds."""
    return t // 1000 if t >= _MILLISECONDS else t


@mutant(
    seams.INSTANT,
    "ekuiper#1976: the first window is stamped by the machine's clock",
)
def first_stamp_by_the_clock(t: int, run: MutatedRun) -> int:
    """The first answer is stamped by the machine's clock, in milliseconds since 1970."""
    if run.memory.setdefault("stamped", False):
        return t
    run.memory["stamped"] = True
    return _WALL_CLOCK + t


@mutant(
    seams.CONTENT,
    "engines that keep a fixed number of panes",
    where="more than sixteen instances of a window open at once",
    by_time=True,
)
def sixteen_windows_open(content: tuple[Arrival, ...], run: MutatedRun) -> tuple[Arrival, ...]:
    """A window keeps what came during its last sixteen slides, however wide it is."""
    window = run.window.window
    if run.window.instance is None or window.width <= _OPEN * window.slide:
        return content
    start = run.window.instance[1] - _OPEN * window.slide
    return tuple(arrival for arrival in content if arrival.t > start)


@mutant(
    seams.CONTENT,
    "engines whose buffers have a fixed size",
    where="more than 64 elements in a window",
)
def buffer_of_64(content: tuple[Arrival, ...], run: MutatedRun) -> tuple[Arrival, ...]:
    """A window holds its first 64 elements, and drops what comes then."""
    return content[:_KEPT]


@mutant(
    seams.READS,
    "engines that join two windows and no more",
    needs="multi-window | same-stream-windows",
    where="three windows",
)
def third_window_empty(reads: bool, run: MutatedRun) -> bool:
    """A third window, and any further one, gets no element."""
    # By their declarations: another mutant may have given a window several states.
    return reads and run.window.window in [state.window for state in run.windows[:2]]


@mutant(
    seams.REPORTS,
    "planners that leave out what no pattern reads",
    where="a window that no pattern reads",
)
def unread_window_forgotten(reports: bool, run: MutatedRun) -> bool:
    """A window that no pattern reads sets off no evaluation as it closes."""
    names = [part.name for part in within(run.query) if isinstance(part, Window)]
    if any(isinstance(name, Variable) for name in names):
        return reports
    read = [w for w in run.windows if not w.window.named or w.window.name in names]
    closing = [window for window in run.windows if window.closes()]
    return reports and (not closing or any(window in read for window in closing))


@mutant(
    seams.REPORTS,
    "engines whose joins wait for every input",
    needs="multi-window",
    where="a stream that is silent until another one has been answered",
)
def waits_for_all_streams(reports: bool, run: MutatedRun) -> bool:
    """Nothing is evaluated until every stream that the query reads has spoken."""
    heard: set[str] = run.memory.setdefault("heard", set())
    heard.update(a.stream for window in run.windows for a in window.content)
    streams = {w.window.stream.value for w in run.windows}
    # One stream alone is joined with none.
    return reports and (len(streams) < 2 or streams <= heard)
