"""Slices of one long stream, each evaluated by itself; the judge of the stream joins them.

An expected answer is compared with the received answers of its stamp where it is found. So only the
places of those that agree travel back, and not the contents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rsp_conformance.model.answers import Content, is_empty
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Kind, Vector
from rsp_conformance.spark.wire import PackedElement
from rsp_conformance.spark.worker.alignment import ExpectedAnswer, ReceivedAnswer
from rsp_conformance.spark.worker.contents import Shared
from rsp_conformance.spark.worker.evaluations import Stretch, Trace
from rsp_conformance.spark.worker.judge import ContentAgreement
from rsp_conformance.spark.worker.r2s import answer
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration
from rsp_conformance.sparql.relation import Relation


class Matches(NamedTuple):
    """The places of the received answers that agree with an expected one; else its content."""

    places: tuple[int, ...]
    content: Content | None


class Slice(NamedTuple):
    """A stretch of a stream, with all that comes in it.

    Attributes:
        registration: the query with its setting.
        vectors: the members of Z that are asked for.
        elements: the elements that windows can look back to.
        moments: the instants that may stamp an answer.
        after: the stretch begins after this instant; None for the first one.
        until: the last instant of the stretch.
        given: the received answers of its stamps.
        passed: how many units of each window's stream came before `elements`.
    """

    registration: Registration
    vectors: Sequence[Vector]
    elements: Sequence[PackedElement]
    moments: Sequence[int]
    after: int | None
    until: int
    given: Sequence[ReceivedAnswer]
    passed: Sequence[int]


def trace_share(slices: Sequence[Slice]) -> list[list[Trace[Matches]]]:
    """Trace every z over each of the slices."""
    shared = Shared()
    return [_traced(one, shared) for one in slices]


def _traced(one: Slice, shared: Shared) -> list[Trace[Matches]]:
    query = shared.registered(one.registration)
    arrivals = shared.prefilter.arrivals(one.elements, one.registration)
    span = one.after, one.until
    stretch = Stretch(
        *(query, arrivals, one.moments, span, shared),
        elements=one.elements,
        readings=None,
        passed=one.passed,
    )
    matcher = Matcher(query.dials, one.given)
    traces = []
    for z in one.vectors:
        trace = stretch.trace(z)
        due = [matcher.matched(one) for one in trace.due]
        last = trace.last if query.differs else None
        traces.append(Trace(due, trace.first, last, *trace[3:]))
    return traces


class Matcher:
    """Finds the received answers that agree with an expected one.

    Args:
        dials: the dials in force.
        given: the received answers.
    """

    def __init__(self, dials: Dials, given: Sequence[ReceivedAnswer]) -> None:
        self._agreement = ContentAgreement(dials)
        self._given: defaultdict[object, list[ReceivedAnswer]] = defaultdict(list)
        for one in given:
            self._given[one.stamp].append(one)

    def matched(self, due: ExpectedAnswer[Content]) -> ExpectedAnswer[Matches]:
        """An expected answer with the places of the received answers of its stamp that agree."""
        given = self._given.get(due.stamp, ())
        differences = [self._agreement.difference(due.content, one) for one in given]
        places = tuple([one.place for one, d in zip(given, differences, strict=True) if not d])
        return ExpectedAnswer(due.t, due.stamp, Matches(places, None if places else due.content))

    def difference(self, due: ExpectedAnswer[Matches], given: ReceivedAnswer) -> Kind | None:
        """How a received answer, perhaps of another stamp, differs from an expected one."""
        places, content = due.content
        if content is not None:
            return self._agreement.difference(content, given)
        return None if given.place in places else Kind.ROWS


def joined(
    query: RegisteredQuery,
    traces: Sequence[Trace[Matches]],
    before: Relation | None,
    matcher: Matcher,
) -> Trace[Matches]:
    """Join the traces of one z over consecutive slices.

    Args:
        query: the query.
        traces: the traces.
        before: the solutions of the evaluation before them.
        matcher: finds the answers that agree with the first expected answer of a slice.
    """
    due: list[ExpectedAnswer[Matches]] = []
    for trace in traces:
        if trace.first is not None:
            t, stamp, found = trace.first
            content = answer(query, found, before)
            if query.keeps_empty or not is_empty(content):
                due.append(matcher.matched(ExpectedAnswer(t, stamp, content)))
        due += trace.due
        before = trace.last or before
    evaluations = sum(trace.evaluations for trace in traces)
    refused = next((trace.refused for trace in traces if trace.refused is not None), None)
    left_open = next((trace.open for trace in traces if trace.open is not None), None)
    return Trace(due, None, before, evaluations, refused, left_open)
