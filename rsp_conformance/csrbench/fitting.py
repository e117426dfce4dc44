"""The reading of a recording under which it is correct, or under which it is least wrong.

Searched are the bounds of the windows, every legal t0, and every reading of stamps and relations
(``readings``). Of readings that make the recording correct the one wins that departs least from
the profile and from the recording; of a wrong recording's, the one with the fewest rows that
differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rsp_conformance.csrbench.agreement import Agreement, Bags, agreement, least_cost
from rsp_conformance.csrbench.data import SECOND
from rsp_conformance.csrbench.readings import Reading, readings
from rsp_conformance.csrbench.recordings import Recorded
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import BOUNDS, Dials
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.ans import Answering
from rsp_conformance.spec.compare.answers import compare
from rsp_conformance.spec.correctness import rspql_queries, t_s


@dataclass(frozen=True, slots=True)
class Fit:
    """A recording under one reading: the dials, all t0 that serve equally, and what is observed.

    ``agreement`` is None where the recording is correct.
    """

    dials: Dials
    starts: tuple[Vector, ...]
    reading: Reading
    observed: tuple[Observed, ...]
    departures: int
    agreement: Agreement | None = None

    @property
    def correct(self) -> bool:
        """Whether the recording is correct under this reading."""
        return self.agreement is None

    @property
    def rank(self) -> tuple[int, ...]:
        """Less is better."""
        differing = 0 if self.agreement is None else self.agreement.cost
        return differing, self.departures, self.reading.tolerance


def best_fit(case: Case, dials: Dials, recording: Sequence[Recorded]) -> Fit:
    """The best-fitting reading of RECORDING, an answer to CASE by an engine with DIALS."""
    fits = list(_fits(case, dials, recording))
    # min keeps the first of equals: the profile's bounds, and the plainest reading.
    return min(fits, key=lambda fit: fit.rank) if fits else _least_wrong(case, dials, recording)


def _fits(case: Case, dials: Dials, recording: Sequence[Recorded]) -> Iterator[Fit]:
    for turned, departs, answers in _semantics(case, dials):
        for reading, observed in readings(recording, dials.unit):
            # Whatever agrees with a small tolerance does with a great one.
            if not _starts(case, _tolerant(turned, SECOND), answers, observed):
                continue
            for tolerance in range(0, SECOND + dials.unit, dials.unit):
                tolerant = _tolerant(turned, tolerance)
                if starts := _starts(case, tolerant, answers, observed):
                    read = replace(reading, tolerance=tolerance)
                    yield Fit(tolerant, starts, read, observed, departs + read.departures)
                    break


def _least_wrong(case: Case, dials: Dials, recording: Sequence[Recorded]) -> Fit:
    best: Fit | None = None
    bags = Bags(dials)
    for turned, departs, answers in _semantics(case, dials):
        for reading, observed in readings(recording, dials.unit):
            for tolerance in (0, SECOND):
                tolerant = _tolerant(turned, tolerance)
                read = replace(reading, tolerance=tolerance)
                for expected, vectors in answers.items():
                    start = t_s(case, tolerant)
                    least = least_cost(expected, observed, case, start, bags)
                    if best is not None and best.agreement and least > best.agreement.cost:
                        continue
                    found = agreement(expected, observed, case, tolerant, t_s=start, bags=bags)
                    fit = Fit(tolerant, vectors, read, observed, departs + read.departures, found)
                    if best is None or fit.rank < best.rank:
                        best = fit
    assert best is not None, "there is a t0, and a reading"
    return best


def _semantics(
    case: Case, dials: Dials
) -> Iterator[tuple[Dials, int, dict[tuple[Evaluation, ...], tuple[Vector, ...]]]]:
    """Every bounds, the profile's first: the dials, whether they depart from it, and Ans(Q_z).

    Vectors z whose answers are the same stand together.
    """
    for bounds in sorted(BOUNDS, key=lambda bounds: bounds != dials.bounds):
        turned = replace(dials, bounds=bounds)
        answering = Answering(case, turned)
        answers: dict[tuple[Evaluation, ...], tuple[Vector, ...]] = {}
        for vector in rspql_queries(case, turned):
            expected = answering.answer(vector)
            answers[expected] = (*answers.get(expected, ()), vector)
        yield turned, int(bounds != dials.bounds), answers


def _tolerant(dials: Dials, milliseconds: int) -> Dials:
    return replace(dials, time_tolerance=max(dials.time_tolerance, milliseconds // dials.unit))


def _starts(
    case: Case,
    dials: Dials,
    answers: dict[tuple[Evaluation, ...], tuple[Vector, ...]],
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
