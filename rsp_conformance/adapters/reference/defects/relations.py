"""Defects that small cases hardly show, and that two cases beside each other do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyoxigraph as ox

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.dataset import Background
from rsp_conformance.adapters.reference.defects.patterns import Rewriting
from rsp_conformance.adapters.reference.oxigraph.terms import QUOTED, StoredTerm
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.adapters.reference.window import Arrival, WindowState
from rsp_conformance.model.algebra import Filter, Pattern, Union, Window
from rsp_conformance.model.expressions import Expression, Operation
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.terms import XSD_BOOLEAN, Literal

BUFFER = 12
MOST_SHOWN = 2
RUN = 3
LONG_NAME = 48
LONG_TIME = 1_000
WIDE = 6
WIDEST = 10


class ErrorNegated(Rewriting):
    """A comparison that is an error is false, and its negation true."""

    def change(self, pattern: Pattern) -> Pattern:
        """Negate in two-valued logic."""
        if not isinstance(pattern, Filter):
            return pattern
        return Filter(_two_valued(pattern.condition), pattern.pattern)


class LoadShedding(Behaviour):
    """Of a window that holds more than twelve elements the oldest ones are not evaluated."""

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """The newest of each window."""
        return [window.content[-BUFFER:] for window in windows]


class NamesCut(Behaviour):
    """Of an IRI only the first 48 characters are kept."""

    def element(self, arrival: Arrival) -> Arrival:
        """The element under names that fit."""
        triples = tuple(
            ox.Triple(_cut(t.subject), _cut(t.predicate), _cut(t.object)) for t in arrival.triples
        )
        return arrival._replace(triples=triples)


class ShortClock(Behaviour):
    """From instant 1000 on the last digit of an element's time is lost."""

    def element(self, arrival: Arrival) -> Arrival:
        """The element at the time that is left of its own."""
        if arrival.t < LONG_TIME:
            return arrival
        return arrival._replace(t=arrival.t - arrival.t % 10)


class FallingRunCut(Behaviour):
    """Of three elements of one instant whose triples fall in order the last one is lost."""

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """Leave out what ends a falling run."""
        return [_without_runs(window.content) for window in windows]


class TwinBranches(Rewriting):
    """Of a UNION whose branches ask two windows for the same pattern one branch is evaluated."""

    def change(self, pattern: Pattern) -> Pattern:
        """Take the second branch for the first."""
        match pattern:
            case Union(Window(_, inside) as branch, Window(_, other)) if inside == other:
                return branch
            case _:
                return pattern


class WideTumbling(Behaviour):
    """A tumbling window of six instants or more loses what comes at the instant of its close."""

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """Leave out the last instant."""
        found = []
        for window in windows:
            tumbling = window.window.width == window.window.slide >= WIDE
            closes = window.instance[1] if tumbling and window.instance else None
            found.append(tuple(a for a in window.content if a.t != closes))
        return found


class IstreamCountsToTwo(Behaviour):
    """ISTREAM shows a row at most twice, however often it is new."""

    def streamed(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Stop counting at two."""
        if self.query.operator is not StreamOperator.ISTREAM:
            return rows
        shown: Counter[Row] = Counter()
        kept = []
        for row in rows:
            shown[row] += 1
            if shown[row] <= MOST_SHOWN:
                kept.append(row)
        return kept


class LastInstantWaits(Behaviour):
    """The instant of the last element is answered only if the clock runs on beyond it."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._windows: Sequence[WindowState] = ()
        self._last: int | None = None

    def made(self, windows: Sequence[WindowState]) -> None:
        """Keep the windows, which know the time."""
        self._windows = windows

    def element(self, arrival: Arrival) -> Arrival:
        """Note the time of the last element."""
        self._last = arrival.t
        return arrival

    def handed_out(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Leave out what waits, where time ended with the last element."""
        clock = self._windows[0].t if self._windows else None
        if self._last is None or clock is None or clock - 1 != self._last:
            return answers
        return [a for a in answers if a["cause"] != "end" or a["t"] != self._last]


class WidestShort(Behaviour):
    """A window of more than ten instants opens one instant too late."""

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """Leave out the first instant."""
        return [_without_first(window) for window in windows]


def _two_valued(condition: Expression) -> Expression:
    if not isinstance(condition, Operation):
        return condition
    operands = tuple(_two_valued(argument) for argument in condition.arguments)
    if condition.name == "!":
        false = Literal("false", XSD_BOOLEAN)
        return Operation("!", (Operation("COALESCE", (*operands, false)),))
    return Operation(condition.name, operands)


def _cut(term: StoredTerm) -> Any:
    # A quoted triple is stored under an IRI that only the engine sees.
    if isinstance(term, ox.NamedNode) and not term.value.startswith(QUOTED):
        return ox.NamedNode(term.value[:LONG_NAME])
    return term


def _without_runs(content: Sequence[Arrival]) -> tuple[Arrival, ...]:
    kept = []
    for place, arrival in enumerate(content):
        run = content[max(0, place - RUN + 1) : place + 1]
        triples = [str(a.triples[0]) for a in run if a.t == arrival.t and a.triples]
        if len(triples) < RUN or triples != sorted(set(triples), reverse=True):
            kept.append(arrival)
    return tuple(kept)


def _without_first(window: WindowState) -> tuple[Arrival, ...]:
    if window.window.width <= WIDEST or window.instance is None:
        return window.content
    opens = window.instance[0]
    return tuple(a for a in window.content if a.t > opens + 1)
