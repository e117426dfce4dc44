"""ET with all that its answers rest on (RSP-QL Definition 23): moments, contents, solutions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Generic, NamedTuple

from rsp_conformance.model.answers import Content, is_empty
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import (
    AnyWindow,
    CountWindow,
    NowWindow,
    SlidingWindow,
    UnboundedWindow,
)
from rsp_conformance.spark.wire import ArrivedElement, PackedElement
from rsp_conformance.spark.worker.alignment import C, ExpectedAnswer
from rsp_conformance.spark.worker.contents import Contents, Shared
from rsp_conformance.spark.worker.r2s import answer
from rsp_conformance.spark.worker.registered import RegisteredQuery
from rsp_conformance.spark.worker.report import Report
from rsp_conformance.spark.worker.windows import (
    AnyStarted,
    CountingWindow,
    ElementRun,
    GrowingWindow,
    PresentWindow,
    StartedWindow,
    StreamIndex,
)
from rsp_conformance.sparql.open_points import CUT_INSTANT, told
from rsp_conformance.sparql.readings import PLAIN, Choices, Readings, united
from rsp_conformance.sparql.relation import Relation


class Trace(NamedTuple, Generic[C]):
    """The evaluations of Q_z over a stretch.

    Attributes:
        due: its answers.
        first: the first evaluation as instant, stamp and solutions, if its answer depends on a
            stretch before this.
        last: the solutions of the last evaluation.
        evaluations: the number of evaluations.
        refused: why there is no answer.
        open: the point that leaves an answer open.
    """

    due: list[ExpectedAnswer[C]]
    first: tuple[int, int, Relation] | None
    last: Relation | None
    evaluations: int
    refused: Unsupported | None
    open: str | None

    @property
    def unsaid(self) -> Unsupported | None:
        """Why nothing is said of answers that are compared with this."""
        if self.refused is not None or self.open is None:
            return self.refused
        return LeftOpen(told(self.open))


class Stretch:
    """A query over a stretch of its streams. What the z of Z have in common is found once.

    Args:
        query: the query.
        arrivals: the elements that its windows can look back to, with what the query can use.
        moments: the instants at which anything came, as far as they may stamp an answer.
        stretch: (after, until]; with ``after`` None it begins with the first evaluation.
        shared: what the cases of a share have in common.
        elements: those of ``arrivals``, whole.
        readings: as for ``Contents``.
        passed: the number of earlier elements on each window's stream.
    """

    def __init__(
        self,
        query: RegisteredQuery,
        arrivals: Sequence[ArrivedElement],
        moments: Sequence[int],
        stretch: tuple[int | None, int],
        shared: Shared,
        *,
        elements: Sequence[PackedElement],
        readings: Readings | None = PLAIN,
        passed: Sequence[int] = (),
    ) -> None:
        self.met: Choices = ()
        """What could be read in another way, as far as it was met by now."""
        self._query, self._moments = query, moments
        self._after, self._until = stretch
        self._passed = passed or (0,) * len(query.windows)
        self._started: dict[tuple[int, int | None], AnyStarted] = {}
        read = query.query.streams()
        streams = {name: StreamIndex(arrivals, (name,), elements) for name in read}
        self._streams = [streams[window.stream] for window in query.windows]
        self._read = StreamIndex(arrivals, read if query.stepwise else ())
        others = {own.stream for own in query.windows if not isinstance(own, SlidingWindow)}
        self._first_units = [t for name in others for t in streams[name].instants[:1]]
        self._contents = Contents(query, self._streams, shared, readings)
        self._answers = shared.findings(query.registration, readings or PLAIN).answers

    @property
    def distinct(self) -> int:
        """The number of different contents."""
        return self._contents.distinct

    def trace(self, z: Vector) -> Trace[Content]:
        """ET of Q_z and its answers."""
        query = self._query
        windows = [self._window(number, t0) for number, t0 in enumerate(z)]
        start = query.walked_from(z, self._first_units)
        if self._after is not None:
            start = max(start, self._after + 1)
        span = range(start, self._until + 1)
        tied = windows if query.dials.ties == "open" else ()
        report = Report(query, windows, span, self._moments, self._read)
        due: list[ExpectedAnswer[Content]] = []
        first: tuple[int, int, Relation] | None = None
        before: Relation | None = None
        runs_before: list[ElementRun] = []
        refused: Unsupported | None = None
        left_open: str | None = None
        evaluations = 0
        for moment, earlier in report.moments():
            evaluations += 1
            t = moment[0]
            runs = [window.run(moment) for window in windows]
            if any(isinstance(own, CountingWindow) and own.cuts(moment) for own in tied):
                left_open = CUT_INSTANT
            found = self._contents.found(query.version(t), runs)
            stayed = None
            if query.by_elements and before is not None:
                both = [_in_both(*pair) for pair in zip(runs, runs_before, strict=True)]
                stayed = self._contents.found(query.version(t), both)
            if isinstance(found, Unsupported):
                refused = found
                continue
            if isinstance(stayed, Unsupported):
                refused = stayed
                continue
            for relation in filter(None, (stayed, found)):
                left_open = relation.undetermined[0] if relation.undetermined else left_open
                if relation.choices:
                    self.met = united(self.met, relation.choices)
            if query.own_clocks:
                trigger = report.seen(moment, earlier)
                stamp = min([query.registration.until, *self._moments[trigger : trigger + 1]])
                come = moment[1]
                seen = bisect_right(self._moments, t) if come is None else come
                trigger = max(trigger, seen - 1)
            else:
                trigger, stamp = 0, query.stamp(t, self._moments) if query.arrival else t
            if before is None and self._after is not None and query.differs:
                first = t, stamp, found
            else:
                content = self._answer(found, before, stayed)
                if query.keeps_empty or not is_empty(content):
                    due.append(ExpectedAnswer(t, stamp, content, trigger))
            before, runs_before = found, runs
        return Trace(due, first, before, evaluations, refused, left_open)

    def _window(self, number: int, t0: int | None) -> AnyStarted:
        started = self._started.get((number, t0))
        if started is None:
            query, stream = self._query, self._streams[number]
            window, first = query.windows[number], t0
            if isinstance(window, CountWindow) and t0 is not None:
                first = t0 - self._passed[number]
            started = _started(window, first, stream, query.dials)
            self._started[number, t0] = started
        return started

    def _answer(self, now: Relation, before: Relation | None, stayed: Relation | None) -> Content:
        # By identity: relations live as long as their answers, among what is known of the query.
        key = (id(now), id(before) if self._query.differs else 0, id(stayed))
        content = self._answers.get(key)
        if content is None:
            content = self._answers[key] = answer(self._query, now, before, stayed)
        return content


def _started(window: AnyWindow, t0: int | None, stream: StreamIndex, dials: Dials) -> AnyStarted:
    match window:
        case SlidingWindow():
            return StartedWindow(window, t0, stream, dials)
        case CountWindow():
            assert t0 is not None
            return CountingWindow(window, t0, stream, dials)
        case NowWindow():
            return PresentWindow(window, stream, dials)
        case UnboundedWindow():
            return GrowingWindow(window, stream)


def _in_both(now: ElementRun, before: ElementRun) -> ElementRun:
    """What is in both runs of a stream."""
    if now is None or before is None:
        return None
    first, end = max(now[0], before[0]), min(now[1], before[1])
    return (first, end) if first < end else None
