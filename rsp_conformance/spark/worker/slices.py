"""Slices of one long stream, each evaluated by itself; the judge of the stream joins them.

An answer is compared with those that were given for its stamp where it is found, so that what
travels back is which of them agree, not what they say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rsp_conformance.model.answers import Content, is_empty
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Kind, Vector
from rsp_conformance.spark.wire import PackedElement
from rsp_conformance.spark.worker.alignment import DueAnswer, GivenAnswer
from rsp_conformance.spark.worker.contents import Shared
from rsp_conformance.spark.worker.evaluations import Stretch, Trace
from rsp_conformance.spark.worker.judge import ContentAgreement
from rsp_conformance.spark.worker.r2s import answer
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration
from rsp_conformance.sparql.relation import Relation


class Matches(NamedTuple):
    """The places of the given answers that agree with a due one; if none does, what it says."""

    places: tuple[int, ...]
    content: Content | None


class Slice(NamedTuple):
    """A stretch (AFTER, UNTIL] of a stream, AFTER None for the first one; what comes in it.

    ``elements`` are those that windows can look back to, ``moments`` those that may stamp an
    answer; ``given`` are the answers of its stamps, ``vectors`` the members of Z that are asked.
    """

    registration: Registration
    vectors: Sequence[Vector]
    elements: Sequence[PackedElement]
    moments: Sequence[int]
    after: int | None
    until: int
    given: Sequence[GivenAnswer]


def trace_share(slices: Sequence[Slice]) -> list[list[Trace[Matches]]]:
    """What becomes of every z in SLICES."""
    shared = Shared()
    return [_traced(one, shared) for one in slices]


def _traced(one: Slice, shared: Shared) -> list[Trace[Matches]]:
    query = shared.registered(one.registration)
    arrivals = shared.prefilter.arrivals(one.elements, one.registration)
    stretch = Stretch(query, arrivals, one.moments, (one.after, one.until), shared, readings=None)
    matcher = Matcher(query.dials, one.given)
    traces = []
    for z in one.vectors:
        trace = stretch.trace(z)
        due = [matcher.matched(one) for one in trace.due]
        last = trace.last if query.differs else None
        traces.append(Trace(due, trace.first, last, *trace[3:]))
    return traces


class Matcher:
    """Finds which of the answers GIVEN agree with what is due under DIALS."""

    def __init__(self, dials: Dials, given: Sequence[GivenAnswer]) -> None:
        self._agreement = ContentAgreement(dials)
        self._given: defaultdict[object, list[GivenAnswer]] = defaultdict(list)
        for one in given:
            self._given[one.stamp].append(one)

    def matched(self, due: DueAnswer[Content]) -> DueAnswer[Matches]:
        """DUE with the answers of its stamp that agree."""
        given = self._given.get(due.stamp, ())
        differences = [self._agreement.difference(due.content, one) for one in given]
        places = tuple([one.place for one, d in zip(given, differences, strict=True) if not d])
        return DueAnswer(due.t, due.stamp, Matches(places, None if places else due.content))

    def difference(self, due: DueAnswer[Matches], given: GivenAnswer) -> Kind | None:
        """Whether GIVEN, perhaps of another stamp, agrees with DUE; see ``alignment``."""
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
    """The TRACES of one z in consecutive slices as one, after the solutions BEFORE."""
    due: list[DueAnswer[Matches]] = []
    for trace in traces:
        if trace.first is not None:
            t, stamp, found = trace.first
            content = answer(query, found, before)
            if query.keeps_empty or not is_empty(content):
                due.append(matcher.matched(DueAnswer(t, stamp, content)))
        due += trace.due
        before = trace.last or before
    evaluations = sum(trace.evaluations for trace in traces)
    refused = next((trace.refused for trace in traces if trace.refused is not None), None)
    left_open = next((trace.open for trace in traces if trace.open is not None), None)
    return Trace(due, None, before, evaluations, refused, left_open)
