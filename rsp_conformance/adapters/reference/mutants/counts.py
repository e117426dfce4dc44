"""Mutants of windows by count, NOW and UNBOUNDED, and in the past.

They are about what is counted and held, what goes, and what is waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.adapters.reference.mutant import MutatedRun, mutant
from rsp_conformance.adapters.reference.mutants.buffers import Matching, one_window_a_pattern
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.adapters.reference.window import (
    Arrival,
    CountState,
    Instance,
    NowState,
    PastState,
    Span,
    WindowState,
    counting,
)
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.windows import CountWindow, Reach, SlidingWindow

Windows = Sequence[WindowState]


def _each_counting(windows: Windows, change: Callable[[CountState], WindowState]) -> Windows:
    """Return the windows, those by count as `change` makes them."""
    return [
        change(own) if isinstance(own, CountState) and counting([own]) else own for own in windows
    ]


def _redeclared(windows: Windows, change: Callable[[CountWindow], CountWindow]) -> Windows:
    """Return the windows, those by count with what `change` makes of their declarations."""

    def changed(state: CountState) -> CountState:
        assert isinstance(state.window, CountWindow)
        state.window = change(state.window)
        return state

    return _each_counting(windows, changed)


class _InPlaceOf(WindowState):
    """A window that takes the place of another one, with its state."""

    def __init__(self, window: WindowState) -> None:
        vars(self).update(vars(window))


class _Changed(_InPlaceOf, CountState):
    """A window by count that takes the place of another one."""


@mutant(
    seams.WINDOWS,
    "CQELS 1.1.0: nothing leaves a window by count, or NOW",
    needs="count-windows | now-window",
    where="more elements than the window holds",
    by_time=False,
)
def count_never_evicts(windows: Windows, run: MutatedRun) -> Windows:
    """A window by count, and NOW, holds everything that has come."""
    for window in windows:
        if isinstance(window, CountState | NowState):
            window.keeps_expired = True
    return windows


class _OfPattern(_Changed):
    """A window by count of what a triple pattern matches."""

    def __init__(self, window: CountState, matching: Matching) -> None:
        super().__init__(deepcopy(window))
        self._matching = matching

    def add(self, arrival: Arrival) -> None:
        if any(map(self._matching, (*arrival.triples, *arrival.graph))):
            super().add(arrival)


@mutant(
    seams.WINDOWS,
    "CQELS 1, since 2014: each triple pattern has a window of its own",
    needs="count-windows",
    where="a join in a window by count",
    by_time=False,
)
def count_per_pattern(windows: Windows, run: MutatedRun) -> Windows:
    """A window by count holds for each triple pattern the last elements that match it."""
    if not any(isinstance(window, CountState) for window in windows):
        return windows
    run.evaluated, patterns = one_window_a_pattern(run.query)
    states = {w.name: state for w, state in zip(run.query.windows, windows, strict=True)}
    own = [
        _OfPattern(state, Matching(pattern)) if isinstance(state, CountState) else deepcopy(state)
        for name, pattern in patterns
        for state in [states[name]]
    ]
    return [*windows, *own]


class _OfAllStreams(_Changed):
    """A window by count that counts the elements of every stream."""

    def pass_over(self, arrival: Arrival) -> bool:
        super().add(arrival)
        return True

    def add(self, arrival: Arrival) -> None:
        pass

    @property
    def content(self) -> tuple[Arrival, ...]:
        return tuple(a for a in super().content if a.stream == self.window.stream.value)

    @property
    def span(self) -> Span | None:
        held = self.content
        if not held:
            return None
        first, last = held[0], held[-1]
        return (first.position, first.part), (last.position, last.part)

    def non_empty(self) -> bool:
        return bool(self.content)


@mutant(
    seams.WINDOWS,
    "C-SPARQL: the triples of all streams are counted, and filtered by stream then",
    needs="count-windows",
    where="elements of another stream among the last",
    by_time=False,
)
def count_all_streams(windows: Windows, run: MutatedRun) -> Windows:
    """A window by count counts the elements of every stream, and holds those of its own."""
    return _each_counting(windows, _OfAllStreams)


@mutant(
    seams.WINDOWS,
    "C-SPARQL: RANGE TRIPLES is Esper's length_batch",
    needs="count-windows",
    where="more elements than the window holds, and a window of two or more",
    by_time=False,
)
def count_tumbles(windows: Windows, run: MutatedRun) -> Windows:
    """A window by count begins anew when it is full."""
    return _redeclared(windows, lambda window: replace(window, slide=window.width))


@mutant(
    seams.WINDOWS,
    "engines that have Esper's length in place of length_batch",
    needs="count-windows",
    where="a slide of two units or more, and more elements than the window holds",
    by_time=False,
)
def count_slides(windows: Windows, run: MutatedRun) -> Windows:
    """A window by count slides by one unit, whatever its slide."""
    return _redeclared(windows, lambda window: replace(window, slide=1))


@mutant(
    seams.REPORTS,
    "engines that flush their batches as they close",
    needs="count-windows",
    where="an unfinished window at the end of the stream",
)
def batch_flushed(reports: bool, run: MutatedRun) -> bool:
    """What a window by count holds unfinished is reported as the stream ends."""
    if reports or not run.has_ended or run.memory.get("flushed"):
        return reports
    run.memory["flushed"] = True
    counted = [own for own in run.windows if isinstance(own, CountState) and counting([own])]
    return any(own.instance is not None and own.instance[1] > own.come for own in counted)


@mutant(
    seams.WINDOWS,
    "CQELS 1, before 2014: the oldest element is purged before the newest is added",
    needs="count-windows",
    where="more elements than the window holds",
    by_time=False,
)
def one_too_many(windows: Windows, run: MutatedRun) -> Windows:
    """A window by count holds one element more than it should."""
    return _redeclared(windows, lambda window: replace(window, width=window.width + 1))


class _FullOnly(_Changed):
    def _in_view(self) -> Instance | None:
        found = super()._in_view()
        return found if found is not None and found[1] <= self.come else None


@mutant(
    seams.WINDOWS,
    "engines whose windows by count are batches",
    needs="count-windows",
    dials={"report": "CC"},
    where="an element before the window is full",
    by_time=False,
)
def full_only(windows: Windows, run: MutatedRun) -> Windows:
    """A window by count is empty until as many elements have come as it holds."""
    return _each_counting(windows, _FullOnly)


@mutant(
    seams.WINDOWS,
    "engines that take graphs: an element is one, whatever it holds",
    needs="triple-windows multi-triple-elements",
    by_time=False,
)
def count_elements(windows: Windows, run: MutatedRun) -> Windows:
    """A window that should count triples counts elements."""
    return _redeclared(windows, lambda window: replace(window, unit="elements"))


@mutant(
    seams.WINDOWS,
    "engines that take single triples: each of an element is one",
    needs="element-windows multi-triple-elements",
    by_time=False,
)
def count_triples(windows: Windows, run: MutatedRun) -> Windows:
    """A window that should count elements counts triples."""
    return _redeclared(windows, lambda window: replace(window, unit="triples"))


class _WholeInstants(_Changed):
    def _in_view(self) -> Instance | None:
        found = super()._in_view()
        if found is None:
            return None
        opens, closes = found
        # What came at an instant stands together, so what the oldest one needs is there still.
        while opens > self._dropped and self._t(opens) == self._t(found[0] + 1):
            opens -= 1
        return opens, closes

    def _t(self, number: int) -> int:
        return self._buffer[number - self._dropped - 1].t


@mutant(
    seams.WINDOWS,
    "W3C RSP community group: what is counted are instants, of which none is cut",
    needs="count-windows",
    where="elements at one instant, of which the window holds some",
    by_time=False,
)
def whole_instants(windows: Windows, run: MutatedRun) -> Windows:
    """A window by count holds all elements of its oldest instant, however many they are."""
    return _each_counting(windows, _WholeInstants)


class _FirstOfTies(_Changed):
    def __init__(self, window: CountState) -> None:
        super().__init__(window)
        self._all: list[Arrival] = []

    def add(self, arrival: Arrival) -> None:
        super().add(arrival)
        self._all.append(arrival)

    @property
    def content(self) -> tuple[Arrival, ...]:
        number = len(super().content)
        order = sorted(range(len(self._all)), key=lambda place: (self._all[place].t, -place))
        return tuple(self._all[place] for place in sorted(order[len(order) - number :]))


@mutant(
    seams.WINDOWS,
    "engines that sort what they hold by time, and turn the order of an instant round",
    needs="count-windows",
    where="elements at one instant, of which the window holds some",
    by_time=False,
)
def first_of_ties(windows: Windows, run: MutatedRun) -> Windows:
    """Of the elements of one instant a window by count keeps the first."""
    return _each_counting(windows, _FirstOfTies)


class _Distinct(_Changed):
    def add(self, arrival: Arrival) -> None:
        if all(arrival.triples != held.triples for held in self.content):
            super().add(arrival)


@mutant(
    seams.WINDOWS,
    "engines whose buffer is a set of triples",
    needs="count-windows",
    where="equal elements in one window",
    by_time=False,
)
def distinct_counted(windows: Windows, run: MutatedRun) -> Windows:
    """An element that a window by count holds already is not counted again."""
    return _each_counting(windows, _Distinct)


@mutant(
    seams.STREAMED,
    "engines that delete by expiry alone",
    needs="count-windows dstream",
    where="rows that go when an element falls out of a window by count",
)
def eviction_silent(rows: Sequence[Row], run: MutatedRun) -> Sequence[Row]:
    """DSTREAM gives nothing of what falls out of a window by count."""
    counted = all(isinstance(window, CountState) for window in run.windows)
    return () if counted and run.query.operator is StreamOperator.DSTREAM else rows


def _of_one_kind(windows: Windows, *, by_count: bool) -> Windows:
    """Return the windows with the kind and the size of the first of one kind."""
    ruling = next((own for own in windows if bool(counting([own])) is by_count), None)
    if ruling is None:
        return windows
    made: list[WindowState] = []
    for own in windows:
        state, window = deepcopy(ruling), own.window
        state.window = replace(
            ruling.window, name=window.name, stream=window.stream, named=window.named
        )
        made.append(own if bool(counting([own])) is by_count else state)
    return made


@mutant(
    seams.WINDOWS,
    "C-SPARQL: the window of one stream is registered, for all of them",
    needs="count-windows multi-window | count-windows same-stream-windows",
    where="a window by time beside one by count",
    otherwise=(lambda windows, run: _of_one_kind(windows, by_count=False),),
    by_time=False,
)
def shared_kind(windows: Windows, run: MutatedRun) -> Windows:
    """Of a window by time and one by count the kind and the size of one hold for both."""
    return _of_one_kind(windows, by_count=True)


class _UntilTheNext(_InPlaceOf, NowState):
    """NOW that is emptied by an element of a later instant, or by any."""

    def __init__(self, window: NowState, *, one: bool) -> None:
        super().__init__(window)
        self._one = one

    def advance(self, t: int) -> None:
        if self._one:
            super().advance(t)
        else:
            self.t, self.instance = t, (t - 1, t)

    def add(self, arrival: Arrival) -> None:
        if self._one or (self._buffer and self._buffer[-1].t != arrival.t):
            self._buffer.clear()
        self._buffer.append(arrival)
        self._visible = len(self._buffer)


def _present(windows: Windows, *, one: bool) -> Windows:
    return [_UntilTheNext(w, one=one) if isinstance(w, NowState) else w for w in windows]


@mutant(
    seams.WINDOWS,
    "CQELS 1's code: NOW is a buffer of one, which stays until the next element",
    needs="now-window",
    where="an evaluation at an instant without elements",
    by_time=False,
)
def now_sticks(windows: Windows, run: MutatedRun) -> Windows:
    """NOW holds the elements of an instant until one of another instant comes."""
    return _present(windows, one=False)


@mutant(
    seams.WINDOWS,
    "CQELS 2, and CQELS 1's code: NOW is the element that came last",
    needs="now-window",
    where="several elements at one instant",
    by_time=False,
)
def now_one(windows: Windows, run: MutatedRun) -> Windows:
    """NOW holds the last element of its instant alone."""
    return _present(windows, one=True)


class _UpToNow(_InPlaceOf):
    """A window in the past that begins where it should, and ends at the present."""

    def __init__(self, window: PastState) -> None:
        super().__init__(window)
        own = window.window
        assert isinstance(own, SlidingWindow)
        self.window = replace(own, width=own.width + own.lag, lag=0)


@mutant(
    seams.WINDOWS,
    "morph-streams: TO NOW - S is parsed, and dropped",
    needs="past-windows",
    where="elements that come after the end of the window",
    by_time=False,
)
def past_ignored(windows: Windows, run: MutatedRun) -> Windows:
    """A window in the past ends at the present."""
    return [_UpToNow(window) if isinstance(window, PastState) else window for window in windows]


@mutant(
    seams.CONTENT,
    "engines that keep all, and hand it out as a batch",
    needs="unbounded-window",
    dials={"report": "CC"},
    where="two evaluations",
)
def unbounded_emptied(content: tuple[Arrival, ...], run: MutatedRun) -> tuple[Arrival, ...]:
    """An UNBOUNDED window is emptied by each evaluation."""
    declared = run.query.window(run.window.window.name)
    if declared is None or declared.width is not Reach.UNBOUNDED:
        return content
    given: set[Arrival] = run.memory.setdefault(declared.name, set())
    found = tuple(arrival for arrival in content if arrival not in given)
    given.update(content)
    return found
