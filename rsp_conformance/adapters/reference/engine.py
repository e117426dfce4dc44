"""A registered query at work: it takes elements and returns the answers that become due.

The clock shows an instant, and moves on when an element is later, or at the end. The test points of
an instant come while the clock shows it: after each element, or once before the clock moves on
(SEMANTICS 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.adapters.reference.clocks import OwnClocks
from rsp_conformance.adapters.reference.dataset import BackgroundData
from rsp_conformance.adapters.reference.due import Due
from rsp_conformance.adapters.reference.evaluate import QueryEvaluator
from rsp_conformance.adapters.reference.mutant import MutatedRun
from rsp_conformance.adapters.reference.oxigraph.functions import FUNCTIONS, Functions
from rsp_conformance.adapters.reference.oxigraph.uncertainty import Uncertainty
from rsp_conformance.adapters.reference.oxigraph.values import merged
from rsp_conformance.adapters.reference.r2s import Shower, Streamer
from rsp_conformance.adapters.reference.report import Reporter
from rsp_conformance.adapters.reference.starts import (
    Choice,
    any_stream,
    looks_back,
    start,
    start_at_first_element,
)
from rsp_conformance.adapters.reference.window import (
    Arrival,
    CountState,
    NowState,
    WindowState,
    counting,
    window_state,
)
from rsp_conformance.model.answers import Content, is_empty
from rsp_conformance.model.dials import Dials, EmptyGroup, Literals
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Aggregate, Operation
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import XSD_INTEGER, Literal
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.walk import rewritten
from rsp_conformance.model.windows import CountWindow

Cause = int | str

_DEFINED: Final = Uncertainty()
"""Probabilities as the definitions have them."""


class RegisteredQuery:
    """One query under one setting of the dials.

    ValueError if the query does not fit the dials (a duration that is no whole number of
    instants, a report policy for another query); Unsupported if the engine does not do it.
    """

    def __init__(
        self,
        query: Query,
        dials: Dials,
        background: BackgroundData,
        *,
        registered: int,
        choice: Choice,
        run: MutatedRun,
        library: str | None = None,
    ) -> None:
        self._dials = dials = run.through(seams.DIALS, dials)
        self._run = run
        self._background = background
        self._registered = registered
        self._choice = choice
        run.windows = self._windows = run.through(
            seams.WINDOWS,
            [
                window_state(
                    window, dials, choice(place, window) if isinstance(window, CountWindow) else 0
                )
                for place, window in enumerate(query.resolved_windows(dials))
            ],
        )
        self._reporter = Reporter(query, dials, self._windows, registered)
        query = _as_kept(run.rewritten(), dials.literals, dials.empty_group)
        functions = _functions(run.through(seams.UNCERTAINTY, _DEFINED))
        # Mutants at these seams make something else of equal data and functions.
        case = None if run.has(seams.UNCERTAINTY, seams.DATA) else background.entries
        self._evaluator = QueryEvaluator(query, dials, functions, library, case)
        self._streamer = Streamer(query.operator, dials.r2s)
        self._before: Sequence[tuple[Arrival, ...]] | None = None
        self._shower = Shower(query, self._evaluator.columns)
        self._streams = {window.window.stream.value for window in self._windows}
        self._awaited = set(self._streams) if looks_back(dials.t0) else set()
        self._starts_all = any_stream(dials.t0)
        self._held: list[Arrival] = []
        counted = counting(self._windows)
        self._counted = {w.window.stream.value for w in self._windows if w not in self._timed()}
        self._by_triples = {w.stream.value for w in counted if w.unit == "triples"}
        self._by_elements = {w.stream.value for w in counted if w.unit == "elements"}
        # Whether a unit comes as the query is registered, and is new then (decision 1): what comes
        # at that instant waits until that is known.
        self._units_at_once: bool | None = None if self._counted else False
        self._at_registration: list[Arrival] = []
        self._waiting = False  # for the last test point of the instant
        self._now: int | None = None
        self._before_first = registered  # the instant before the first test point (decision 1)
        self._tested = True
        self._arrived_at: list[int] = []
        own = dials.clock == "own" and dials.answer_time == "arrival"
        self._clocks = OwnClocks() if own else None
        # Evaluations wait for the arrival that makes them due only where a mutant looks at them.
        self._together = run.changes(seams.DUE)
        # An arrival may make one due of its own instant too, which is known once that has passed.
        self._own_instant_too = (
            self._together
            and dials.answer_time == "arrival"
            and dials.trigger == ">="
            and dials.window != "last-closed"
            and self._reporter.on_closing
        )
        # Mutants may ask for more instants than those at which something happens.
        self._every_instant = run.looks_at(seams.REPORTS, seams.WINDOWS)
        self._pending: list[tuple[Due, int, Cause]] = []

    def push(self, arrival: Arrival) -> list[dict[str, Any]]:
        """Take an element; the answers that became due by it.

        Where a first element may start a window in the past, everything waits until all streams
        have begun, or any that starts all: what is to be answered is known no sooner.
        """
        answers: list[dict[str, Any]] = []
        self._run.newest = arrival
        arrival = self._run.through(seams.ELEMENT, arrival)
        if self._awaited:
            self._held.append(arrival)
            self._awaited -= self._awaited if self._starts_all else {arrival.stream}
            if not self._awaited:
                self._release(answers)
        else:
            self._take(arrival, answers)
        return self._run.through(seams.ANSWERS, answers)

    def finish(self, until: int, streams: Sequence[str]) -> list[dict[str, Any]]:
        """Let the clock run to `until` without any more elements, and return the answers."""
        answers: list[dict[str, Any]] = []
        self._release(answers)
        self._begin(answers, units=False)
        self._run.has_ended = True
        self._pass(until + 1, until, "end", answers)
        self._conclude(answers)
        if self._clocks is not None:
            self._clocks.end(until, streams)
            answers += self._given_out("end", until)
        return self._run.through(seams.ANSWERS, answers)

    def burst(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """`answers` to elements that came without a pause, as they leave the engine."""
        return self._run.through(seams.BURST, answers)

    def break_off(self) -> None:
        """Let nothing more come."""
        self._run.break_off()

    def _release(self, answers: list[dict[str, Any]]) -> None:
        held, self._held = self._held, []
        self._awaited.clear()
        for window in self._timed():
            streams = {a.stream for a in held if self._starts_all}
            streams.add(window.window.stream.value)
            first = next((a.t for a in held if a.stream in streams), None)
            if first is not None:
                window.start(start_at_first_element(self._dials.t0, window.window, first))
        for arrival in held:
            self._take(arrival, answers)

    def _timed(self) -> list[WindowState]:
        """Return the windows by time."""
        return [w for w in self._windows if not isinstance(w, CountState | NowState)]

    def _take(self, arrival: Arrival, answers: list[dict[str, Any]]) -> None:
        """Take an element, by single triples if its stream is counted so."""
        if self._units_at_once is None:
            units = arrival.t <= self._registered and arrival.stream in self._counted
            if arrival.t <= self._registered and not units:
                self._at_registration.append(arrival)
                return
            self._begin(answers, units=units)
        for part in self._parts(arrival):
            self._take_part(part, answers)

    def _begin(self, answers: list[dict[str, Any]], *, units: bool) -> None:
        """Take what has waited to know whether `units` of windows by count come at once."""
        if self._units_at_once is None:
            self._units_at_once = units
            held, self._at_registration = self._at_registration, []
            for arrival in held:
                self._take(arrival, answers)

    def _parts(self, arrival: Arrival) -> Sequence[Arrival]:
        """Return the units in which an element enters."""
        if arrival.stream not in self._by_triples:
            return (arrival,)
        if arrival.name is not None:
            if all(window.window == window.declared for window in self._windows):
                raise Unsupported("a window that counts the triples of named elements")
            return (arrival,)  # A mutant counts triples here, and the query does not.
        if len(arrival.triples) > 1 and arrival.stream in self._by_elements:
            raise Unsupported("windows that count elements and triples of one stream")
        return [
            arrival._replace(triples=(triple,), part=part)
            for part, triple in enumerate(arrival.triples)
        ]

    def _take_part(self, arrival: Arrival, answers: list[dict[str, Any]]) -> None:
        self._pass(arrival.t, arrival.t, arrival.position, answers)
        if not self._own_instant_too:
            self._conclude(answers)
        if not self._arrived_at or self._arrived_at[-1] != arrival.t:
            # Only the instant before can still be asked for (see ``_due``).
            self._arrived_at = [t for t in self._arrived_at if t >= arrival.t - 1] + [arrival.t]
        if self._clocks is not None:
            self._clocks.come(arrival)
        reads = arrival.stream in self._streams
        if self._counted:
            noticed = [window.pass_over(arrival) for window in self._windows]
            reads = reads or any(noticed)
        if reads:
            self._read(arrival, answers)
            if not self._own_instant_too:
                self._conclude(answers)
        if self._clocks is not None:
            answers += self._given_out(arrival.position)

    def _read(self, arrival: Arrival, answers: list[dict[str, Any]]) -> None:
        if self._waiting:
            self._test(arrival.t, arrival.position, answers, is_last=False)
        for window in self._windows:
            if window.window.stream.value == arrival.stream:
                if window.t0 is None:
                    window.start(start_at_first_element(self._dials.t0, window.window, arrival.t))
                self._run.window = window
                if self._run.through(seams.READS, True):
                    window.add(arrival)
                    self._run.took(window, arrival)
        if not self._reporter.once_an_instant and arrival.t > self._before_first:
            if self._reporter.waits:
                self._waiting, self._tested = True, False
            else:
                self._test(arrival.t, arrival.position, answers)

    def _pass(self, t: int, stamp: int, cause: Cause, answers: list[dict[str, Any]]) -> None:
        """Let the clock move to t; `stamp` is when the arrival that moves it came."""
        if self._now is None:
            self._start()
        assert self._now is not None
        while self._now < t:
            if not self._tested:
                self._test(stamp, cause, answers)
                if self._own_instant_too and self._now in self._arrived_at:
                    self._conclude(answers)
            self._now = self._next(self._now, t)
            self._tested = False
            for window in self._windows:
                window.advance(self._now)

    def _next(self, now: int, end: int) -> int:
        """Return the next instant to look at, `end` at the latest.

        Nothing happens before the next one at which the query may be evaluated; what has changed
        since the instant before it is asked there, so that one is looked at as well.
        """
        if self._every_instant:
            return now + 1
        return max(now + 1, int(min(self._reporter.next_instant(now), end)) - 1)

    def _start(self) -> None:
        for index, window in enumerate(self._windows):
            # Whatever mutants make of a window, it starts as the query that was registered may.
            chosen = self._choice(index, window.declared)
            t0: int | None = self._registered
            if window in self._timed():
                t0 = start(self._dials.t0, window.window, self._registered, chosen)
            if t0 is not None:
                window.start(t0)
        starts = [window.t0 for window in self._timed() if window.t0 is not None]
        at_once = self._units_at_once is True
        self._now = self._before_first = min([self._registered - at_once, *starts])
        if starts:
            # Long before the registration one period is as good as another, for nothing comes.
            steady = max(starts) + max(window.window.reach for window in self._timed())
            lead = 2 * self._reporter.period()
            if self._registered - lead > steady:
                self._now = self._registered - lead
        self._tested = not any(window.by_arrivals for window in self._windows)
        for window in self._windows:
            window.advance(self._now)

    def _test(
        self, stamp: int, cause: Cause, answers: list[dict[str, Any]], *, is_last: bool = True
    ) -> None:
        assert self._now is not None
        self._tested, self._waiting = True, False
        self._reporter.is_last = is_last
        if self._run.through(seams.REPORTS, self._reporter.holds(self._now)):
            for due in self._run.through(seams.NOTED, [self._noted(self._now)]):
                if self._clocks is not None:
                    answer = None if self._together else self._answer(due)
                    self._clocks.wait(due, answer, self._due(due.t))
                elif self._together:
                    self._pending.append((due, stamp, cause))
                else:
                    answers += self._answered(due, self._reported_instant(due.t, stamp), cause)
        for window in self._windows:
            window.settle()

    def _noted(self, t: int) -> Due:
        run = self._run
        background = self._background.at(run.through(seams.BACKGROUND, t))
        run.background = run.through(seams.DATA, background)
        contents = [self._content(window) for window in self._windows]
        return Due(t, self._reporter.awaited(t), run.background, contents)

    def _conclude(self, answers: list[dict[str, Any]]) -> None:
        """Carry out the evaluations that an arrival has made due together."""
        if self._pending:
            pending, self._pending = self._pending, []
            (_, stamp, cause), *_ = pending
            for due in self._run.through(seams.DUE, [due for due, _, _ in pending]):
                answers += self._answered(due, self._reported_instant(due.t, stamp), cause)

    def _given_out(self, cause: Cause, until: int | None = None) -> list[dict[str, Any]]:
        """Return the answers that wait for the clocks of their windows no longer."""
        clocks = self._clocks
        assert clocks is not None and self._now is not None
        answers: list[dict[str, Any]] = []
        released = clocks.due_before(self._now) if self._own_instant_too else clocks.given_out()
        for (_, t), group in groupby(released, key=lambda given: given[0]):
            given = [(due, answer) for _, due, answer in group]
            stamp = t if until is None else min(t, until)
            if self._together:
                for due in self._run.through(seams.DUE, [due for due, _ in given]):
                    answers += self._answered(due, stamp, cause)
            else:
                told = (own for _, own in given if own is not None)
                answers += [{"t": stamp, "cause": cause, "content": own} for own in told]
        return answers

    def _answered(self, due: Due, stamp: int | None, cause: Cause) -> list[dict[str, Any]]:
        answer = self._answer(due)
        return [] if answer is None else [{"t": stamp, "cause": cause, "content": answer}]

    def _answer(self, due: Due) -> Content | None:
        """Return the answer of an evaluation, or None if no answer is sent."""
        run = self._run
        found = run.terms(self._evaluator.solutions(due.background, due.contents))
        rows = run.through(seams.SOLUTIONS, found)
        stayed = None
        if self._dials.r2s == "elements" and self._before is not None:
            both = [
                tuple(arrival for arrival in now if arrival in before)
                for now, before in zip(due.contents, self._before, strict=True)
            ]
            stayed = run.terms(self._evaluator.solutions(due.background, both))
        self._before = due.contents
        rows = run.through(seams.STREAMED, self._streamer.next(rows, stayed))
        run.gave(due, len(rows))
        shown = self._shower.show(rows)
        # Before the registration a window may run in theory; nobody is there to be answered.
        told = due.t >= self._registered and (self._dials.empty_answers or not is_empty(shown))
        return shown if told else None

    def _content(self, window: WindowState) -> tuple[Arrival, ...]:
        self._run.window = window
        return self._run.through(seams.CONTENT, window.content)

    def _reported_instant(self, t: int, stamp: int) -> int | None:
        match self._dials.answer_time:
            case "evaluation":
                return self._run.through(seams.INSTANT, t)
            case "arrival":
                due = self._due(t)
                return next((came for came in self._arrived_at if due <= came <= t), stamp)
            case _:
                return None

    def _due(self, t: int) -> int:
        """Return the earliest arrival that can set off the evaluation at t (decision 21)."""
        if not self._reporter.on_closing:
            return t
        closed = t - 1 if self._dials.window == "last-closed" else t
        return closed + 1 if self._dials.trigger == ">" else closed


@lru_cache(maxsize=8)
def _functions(uncertainty: Uncertainty) -> Functions:
    """Return the functions that pyoxigraph calls if probabilities are computed so."""
    return FUNCTIONS | uncertainty.functions()


def _as_kept(query: Query, literals: Literals, empty_group: EmptyGroup) -> Query:
    """`query` as an engine evaluates it whose store merges numbers, or that has no empty groups."""
    if literals == "term" and empty_group == "row":
        return query
    kept = _rewritten(query, literals, empty_group)
    # Equal queries may have another base.
    return kept if kept.base == query.base else replace(kept, base=query.base)


@lru_cache(maxsize=256)
def _rewritten(query: Query, literals: Literals, empty_group: EmptyGroup) -> Query:
    """Return the value of ``_as_kept``, made once for all settings that are tried on a case."""
    if literals == "canonical":
        query = merged(query)
    if empty_group == "none":
        query = rewritten(query, _with_solutions)
    return query


def _with_solutions(part: Any) -> Any:
    """Return a query of one group, but for the group that holds nothing."""
    if isinstance(part, Query) and part.group_by is None and is_grouped(part):
        some = Operation(">", (Aggregate("COUNT", None), Literal("0", XSD_INTEGER)))
        return replace(part, having=(some, *part.having))
    return part
