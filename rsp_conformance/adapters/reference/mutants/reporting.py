"""Mutants in which of the closed windows is reported, and in what is read when one is.

They are those of engines after RSP4J's window operator, whose windows move by arrivals alone. An
arrival on its stream opens all windows that it falls into, and the next one that closes, if they
are not open; it drops those that closed before it, once they are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.adapters.reference.due import Due
from rsp_conformance.adapters.reference.mutant import MutatedRun, mutant
from rsp_conformance.adapters.reference.window import Arrival, Instance, WindowState


@mutant(
    seams.DUE,
    "rsp-js, rsp-rs, YASPER, Kolibrie: after a jump in time only the newest window is reported",
    where="two closed windows between two elements",
)
def newest_only(due: list[Due], run: MutatedRun) -> list[Due]:
    """Of several closed windows that an arrival reports only the newest is answered."""
    return due[-1:]


@mutant(
    seams.WINDOWS,
    "rsp-rs, YASPER, Kolibrie: arrivals open windows, also one that closes at that very instant",
    dials={"bounds": "[o,c)", "report": "WC & NC"},
    where="an element at the instant at which an empty window closes, or in a gap before one",
)
def opened_by_arrivals(windows: Sequence[WindowState], run: MutatedRun) -> Sequence[WindowState]:
    """A window is reported when it closes if an arrival has opened it, though it is empty."""
    for window in windows:
        window.by_arrivals = True
        window.first_index = min(window.first_index, -1)
    return windows


@mutant(
    seams.WINDOWS,
    "rsp-rs: 0 stands for a start that is not known yet",
    dials={"t0": "first-element-close"},
    where="a first element at 0",
)
def zero_is_no_start(windows: Sequence[WindowState], run: MutatedRun) -> Sequence[WindowState]:
    """A window that starts at 0 is started anew by the next later element."""
    # Nor is one reported that closes at 0: the newest one is looked for from there.
    return [_StartedAnew(window) for window in windows]


class _StartedAnew(WindowState):
    """Windows that were open stay so beside the new ones, which begin with the next element."""

    def __init__(self, window: WindowState) -> None:
        vars(self).update(vars(window))
        self.again: int | None = None

    def add(self, arrival: Arrival) -> None:
        if self.again is None and self.t0 == self._after(0) and arrival.t > 0:
            self.again = arrival.t
            self.advance(arrival.t)
        super().add(arrival)

    def instance_at(self, t: int, t0: int) -> Instance | None:
        old = super().instance_at(t, t0)
        if self.again is None:
            return old
        new = super().instance_at(t, self._after(self.again))
        return old if old and old[0] <= 0 and (new is None or old[1] <= new[1]) else new

    def opened_by(self, t: int, t0: int | None = None) -> set[int]:
        old = super().opened_by(t, t0)
        if self.again is None:
            return old
        new = super().opened_by(t, self._after(self.again))
        return new | {closes for closes in old if closes <= self.window.width}

    def since(self, closes: int) -> int:
        """Return the instant of the first element that the instance has which `closes` then."""
        old = closes <= self.window.width and closes % self.window.slide == 0
        return 0 if old or self.again is None else self.again

    @property
    def content(self) -> tuple[Arrival, ...]:
        since = self.since(self.instance[1]) if self.instance else 0
        return tuple(arrival for arrival in super().content if arrival.t >= since)

    def closes(self) -> bool:
        return super().closes() and self.t != 0

    def non_empty(self) -> bool:
        return bool(self.content) or (self.by_arrivals and super().non_empty())

    def _after(self, t: int) -> int:
        """When the first window opens that closes a slide after t."""
        return t + self.window.slide - self.window.width


@mutant(
    seams.NOTED,
    "rsp-js, rsp-rs, YASPER: windows know nothing of each other",
    where="two windows that close at one instant",
)
def each_window_alone(noted: list[Due], run: MutatedRun) -> list[Due]:
    """If two windows close at one instant, the query is evaluated twice, once for each of them."""
    if all(len(due.seen_by) == 1 for due in noted):
        return noted
    return [replace(due, seen_by=(streams,)) for due in noted for streams in due.seen_by]


@mutant(
    seams.NOTED,
    "Kolibrie, with the policy Wait: rows of a window's closings gather until all have closed",
    needs="multi-window | same-stream-windows",
    where="windows that close at different instants",
)
def windows_wait_for_each_other(noted: list[Due], run: MutatedRun) -> list[Due]:
    """An answer waits until all windows have closed, and joins all that each held as it closed."""
    found = []
    held: dict[int, list[tuple[Arrival, ...]]] = run.memory.setdefault("held", {})
    everything = frozenset(window.window.stream.value for window in run.windows)
    for due in noted:
        streams = frozenset().union(*due.seen_by)
        own = [at for at, w in enumerate(run.windows) if w.window.stream.value in streams]
        for at in [at for at in own if run.windows[at].closes()] or own:
            held.setdefault(at, []).append(due.contents[at])
        if len(held) == len(run.windows):
            every = product(*(held[at] for at in range(len(run.windows))))
            found += [replace(due, seen_by=(everything,), contents=each) for each in every]
            held.clear()
    return found


@mutant(
    seams.DUE,
    "rsp-js, rsp-rs: getContent(the last change of the window that closes)",
    needs="multi-window | same-stream-windows",
    where="a join of windows whose instances end at different instants",
)
def wrong_instance(due: list[Due], run: MutatedRun) -> list[Due]:
    """A closing window is joined with old contents of the other: as of its own last element."""
    # That is the other one's first instance to close from then on that is not dropped yet, as
    # it stands when the answer is given out.
    return [_joined(each, run) for each in due]


@mutant(
    seams.DUE,
    "YASPER: windows are reported by close < t and read by close <= t",
    where="an arrival at an instant at which a window closes",
)
def read_at_arrival(due: list[Due], run: MutatedRun) -> list[Due]:
    """In place of the window that is reported the newest one is read that is closed by then."""
    # Of another stream's window that is what its own last arrival left, however old.
    contents = []
    for window in run.windows:
        assert window.t is not None
        width, now = window.window.width, window.t
        closes = [c for c in _open_closes(window, run) if c - width < now and c <= now]
        contents.append(_inside(window, run, max(closes)) if closes else ())
    return [replace(each, contents=contents) for each in due]


@mutant(
    seams.DUE,
    "YASPER: all windows share one clock, which the first to report moves on",
    dials={"clock": "own", "answer_time": "arrival"},
    where="arrivals on two streams at one instant, each of which makes a window report",
)
def once_an_instant(due: list[Due], run: MutatedRun) -> list[Due]:
    """After one evaluation no later arrival of the same instant sets off another."""
    if run.newest is None:
        return due
    last = run.memory.setdefault("last", run.newest)
    run.memory["last"] = run.newest
    return due if last.position == run.newest.position or last.t < run.newest.t else []


@mutant(
    seams.DUE,
    "rsp-js: t0 moves by a slide with every row that is emitted",
    where="answers that are awaited, element by element",
)
def t0_drift(due: list[Due], run: MutatedRun) -> list[Due]:
    """With every row that is waited for, the grid on which windows open moves by a slide."""
    # They open windows that have closed, which are reported empty in place of what is due, or
    # none of those that an element falls into.
    run.drifting = run.settled
    return [each for each in (_drifted(due[-1], each, run) for each in due) if each is not None]


def _drifted(last: Due, due: Due, run: MutatedRun) -> Due | None:
    contents = list(due.contents)
    for window in run.reporting(due):
        if window.drift:
            at = run.windows.index(window)
            contents[at] = _inside(window, run, due.t)
            newest = run.newest.t if run.newest else last.t
            if not contents[at] or any(last.t < c < newest for c in _open_closes(window, run)):
                return None
    return replace(due, contents=contents)


def _joined(due: Due, run: MutatedRun) -> Due:
    streams = due.seen_by[0]
    own = [at for at, window in enumerate(run.windows) if window.window.stream.value in streams]
    if not own:
        return due
    mine = next((at for at in own if due.contents[at]), own[-1])
    last = max((arrival.t for arrival in due.contents[mine]), default=0)
    contents = list(due.contents)
    for at, window in enumerate(run.windows):
        if at != mine:
            width = window.window.width
            closes = [c for c in _open_closes(window, run) if c - width <= last <= c]
            contents[at] = _inside(window, run, min(closes)) if closes else ()
    return replace(due, contents=contents)


def _open_closes(window: WindowState, run: MutatedRun) -> Iterator[int]:
    """When those instances of `window` close that are open by its arrivals, not dropped yet."""
    taken, newest = run.taken[window], run.newest
    if newest is not None and newest.stream == window.window.stream.value:
        yield from window.opened_by(newest.t)
        taken = [(arrival, opened) for arrival, opened in taken if arrival.t < newest.t]
    for _, opened in taken:
        yield from (closes for closes in opened if closes >= taken[-1][0].t)


def _inside(window: WindowState, run: MutatedRun, closes: int) -> tuple[Arrival, ...]:
    """Return the elements in the instance that closes then: those since it was opened."""
    taken = run.taken[window]
    first = next((place for place, (_, opened) in enumerate(taken) if closes in opened), len(taken))
    instance = closes - window.window.width, closes
    return tuple(arrival for arrival, _ in taken[first:] if window.holds(arrival.t, instance))
