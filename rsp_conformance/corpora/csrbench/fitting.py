"""The reading of a recording under which it is correct, or under which it is least wrong.

Searched are the bounds of the windows, every legal t0, and every reading of stamps and relations
(``readings``). Of readings that make the recording correct the one wins that departs least from
the profile and from the recording; of a wrong recording's, the one with the fewest rows that
differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rsp_conformance.corpora.csrbench.agreement import Agreement, Bags, agreement, least_cost
from rsp_conformance.corpora.csrbench.data import SECOND
from rsp_conformance.corpora.csrbench.readings import Reading, readings
from rsp_conformance.corpora.csrbench.recordings import Recorded
from rsp_conformance.model.answers import Evaluation, Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import BOUNDS, Bounds, Dials
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.correctness import rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation, Relations

_PRINTED: dict[Bounds, Bounds] = {"(o,c]": "[o,c)", "[o,c)": "(o,c]"}
"""The bounds of RSP-QL and those of SECRET and CSRBench, each beside the other."""

_Answers: TypeAlias = dict[tuple[Evaluation, ...], tuple[Vector, ...]]


@dataclass(frozen=True, slots=True)
class Fit:
    """A recording under one reading: the dials, all t0 that serve equally, and what is observed.

    ``agreement`` is None where the recording is correct. ``counterpart`` is, for a wrong
    one, the best with the same reading of stamps and the other bounds that the papers print.
    """

    dials: Dials
    starts: tuple[Vector, ...]
    reading: Reading
    observed: tuple[Observed, ...]
    departures: int
    agreement: Agreement | None = None
    counterpart: Fit | None = None

    @property
    def correct(self) -> bool:
        """Whether the recording is correct under this reading."""
        return self.agreement is None

    @property
    def rank(self) -> tuple[int, ...]:
        """Less is better."""
        differing = 0 if self.agreement is None else self.agreement.cost
        return differing, self.departures, self.reading.tolerance


def best_fit(case: Case, dials: Dials, recording: Sequence[Recorded], relations: Relations) -> Fit:
    """The best-fitting reading of RECORDING, an answer to CASE by an engine with DIALS.

    RELATIONS are shared with other expectations of CASE.
    """
    semantics = _Semantics(case, dials, relations)
    return _right(semantics, recording) or _least_wrong(semantics, recording)


def _right(semantics: _Semantics, recording: Sequence[Recorded]) -> Fit | None:
    """The reading that departs least of those under which RECORDING is correct."""
    case, dials = semantics.case, semantics.dials
    best: Fit | None = None
    for bounds, departs in semantics.bounds:
        # Of equals the first is kept: the profile's bounds, and the plainest reading.
        if best is not None and best.rank <= (0, departs, 0):
            break
        turned, answers = semantics.answers(bounds)
        if not semantics.counts(bounds):
            continue
        for reading, observed in readings(recording, dials.unit):
            if best is not None and best.rank <= (0, departs + reading.departures, 0):
                continue
            # Whatever agrees with a small tolerance does with a great one.
            if not _starts(case, _tolerant(turned, SECOND), answers, observed):
                continue
            for tolerance in range(0, SECOND + dials.unit, dials.unit):
                tolerant = _tolerant(turned, tolerance)
                if starts := _starts(case, tolerant, answers, observed):
                    read = replace(reading, tolerance=tolerance)
                    fit = Fit(tolerant, starts, read, observed, departs + read.departures)
                    if best is None or fit.rank < best.rank:
                        best = fit
                    break
    return best


def _least_wrong(semantics: _Semantics, recording: Sequence[Recorded]) -> Fit:
    """The reading in which the fewest rows differ, and of those the one that departs least."""
    case, dials = semantics.case, semantics.dials
    bags = Bags(dials)

    def least(
        bounds: Bounds,
        departs: int,
        among: Iterable[tuple[Reading, tuple[Observed, ...]]],
        best: Fit | None = None,
    ) -> Fit:
        """The best of AMONG, or BEST where that is as good."""
        turned, answers = semantics.answers(bounds)
        for read, observed in among:
            tolerant = _tolerant(turned, read.tolerance)
            for expected, vectors in answers.items():
                start = t_s(case, tolerant)
                bound = least_cost(expected, observed, case, start, bags)
                if best is not None and bound > best.rank[0]:
                    continue
                parted = agreement(expected, observed, case, tolerant, t_s=start, bags=bags)
                fit = Fit(tolerant, vectors, read, observed, departs + read.departures, parted)
                if best is None or fit.rank < best.rank:
                    best = fit
        assert best is not None, "there is a t0, and a reading"
        return best

    every = [
        (replace(reading, tolerance=tolerance), observed)
        for reading, observed in readings(recording, dials.unit)
        for tolerance in (0, SECOND)
    ]
    best: Fit | None = None
    for bounds, departs in semantics.bounds:
        if semantics.counts(bounds):
            best = least(bounds, departs, every, best)
    assert best is not None, "there are bounds"
    other = _PRINTED.get(best.dials.bounds)
    if other is None:
        return best
    return replace(best, counterpart=least(other, 1, [(best.reading, best.observed)]))


class _Semantics:
    """Ans(Q_z) of a case for every z, under each bounds; evaluated when first asked for."""

    def __init__(self, case: Case, dials: Dials, relations: Relations) -> None:
        self.case = case
        self.dials = dials
        self._relations = relations
        self._known: dict[str, tuple[Dials, _Answers]] = {}

    @property
    def bounds(self) -> Iterator[tuple[Bounds, int]]:
        """The profile's bounds first; 1 beside those that depart from it."""
        for bounds in sorted(BOUNDS, key=lambda bounds: bounds != self.dials.bounds):
            yield bounds, int(bounds != self.dials.bounds)

    def counts(self, bounds: Bounds) -> bool:
        """Whether rows are due under BOUNDS for some z, if they are under the profile's.

        A window (o,c) of one instant holds nothing: silence must not fit that way.
        """
        return self._has_rows(bounds) or not self._has_rows(self.dials.bounds)

    def _has_rows(self, bounds: Bounds) -> bool:
        _, answers = self.answers(bounds)
        return any(not is_empty(e.content) for expected in answers for e in expected)

    def answers(self, bounds: Bounds) -> tuple[Dials, _Answers]:
        """The dials with BOUNDS, and the vectors z by Ans(Q_z)."""
        if bounds not in self._known:
            turned = replace(self.dials, bounds=bounds)
            expectation = Expectation(self.case, turned, self._relations)
            answers: _Answers = {}
            for vector in rspql_queries(self.case, turned):
                expected = expectation.answer(vector)
                answers[expected] = (*answers.get(expected, ()), vector)
            self._known[bounds] = turned, answers
        return self._known[bounds]


def _tolerant(dials: Dials, milliseconds: int) -> Dials:
    return replace(dials, time_tolerance=max(dials.time_tolerance, milliseconds // dials.unit))


def _starts(
    case: Case,
    dials: Dials,
    answers: _Answers,
    observed: Sequence[Observed],
) -> tuple[Vector, ...]:
    """Every z under which OBSERVED is correct."""
    start = t_s(case, dials)
    found: list[Vector] = []
    for expected, vectors in answers.items():
        if _too_many(expected, observed, case, dials, start):
            continue
        if compare(expected, observed, case, dials, start).divergence is None:
            found.extend(vectors)
    return tuple(sorted(found, key=lambda vector: tuple(t or 0 for t in vector)))


def _too_many(
    expected: Sequence[Evaluation],
    observed: Sequence[Observed],
    case: Case,
    dials: Dials,
    start: int,
) -> bool:
    """Whether there are more answers than could stand for evaluations: then none agrees."""
    if dials.answers == "rows" or dials.answer_time == "none":
        return False
    required = sum(
        answer.t is None or start <= answer.t <= case.until
        for answer in observed
        if answer.cause is None
    )
    return required > len(expected)
