"""The other answers that are allowed if the texts leave points open.

docs/semantics.md lists these points under "Open points".

An answer that is wrong under the kit's own readings is compared under the others: under every
combination of the readings that were met, those with the fewest changes first. An evaluation under
a combination may meet further points, which then take part. Only wrong answers pay for this search;
a right answer needs one evaluation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.sparql.open_data import open_data
from rsp_conformance.sparql.open_points import is_sampled, taken, told
from rsp_conformance.sparql.readings import others
from rsp_conformance.spec.start_classes import representatives
from rsp_conformance.spec.trace import Expectation

MOST = 64
"""The most combinations of readings that are tried; a case with more is not judged."""


def other_readings(expectation: Expectation) -> Iterator[Expectation]:
    """Yield an expectation under every other combination of the readings that it met.

    Evaluate the given expectation first, and each one that is yielded before the next: only an
    evaluation shows which points are met.

    Raises:
        LeftOpen: There are too many combinations. Or, at the end: the expected answers depend on a
            point of which the kit tries only some readings, so an answer unlike all of them may be
            right; or the case has data that engines may store in different ways.
    """
    waiting = deque([expectation])
    seen = {expectation.readings}
    depends = ""
    while waiting:
        before = waiting.popleft()
        for choice, readings in others(before.readings, before.choices):
            if readings in seen:
                continue
            seen.add(readings)
            if len(seen) > MOST:
                raise LeftOpen(told(choice.point))
            other = before.under(readings)
            yield other
            waiting.append(other)
            if (
                not depends
                and is_sampled(choice.point)
                and _differ(before, other, representatives(before.case, before.dials))
            ):
                depends = choice.point
    if point := depends or open_data(within(expectation.case)):
        raise LeftOpen(told(point))


def under_readings(expectation: Expectation, verdict: Verdict) -> Expectation:
    """Return an expectation under the readings of open points that a verdict was reached under.

    Args:
        expectation: the expectation under the kit's own readings.
        verdict: a verdict on answers to its case. A wrong one carries its expectation; that of a
            right one is evaluated anew.
    """
    if isinstance(verdict.expectation, Expectation):
        return verdict.expectation
    expectation.answer(verdict.t0)
    for other in other_readings(expectation):
        other.answer(verdict.t0)
        if taken(other.readings) == verdict.readings:
            return other
    return expectation


def why_open(expectation: Expectation, starts: Vector) -> str | None:
    """Why the texts allow other answers than the expected one for z = `starts`; None if not."""
    expectation.answer(starts)
    try:
        for other in other_readings(expectation):
            other.answer(starts)
            if other.undetermined or _differ(expectation, other, [starts]):
                return other.undetermined or "; ".join(taken(other.readings))
    except LeftOpen as error:
        return error.why
    return expectation.undetermined


def _differ(one: Expectation, other: Expectation, vectors: Iterable[Vector]) -> bool:
    """Whether two expectations of a case differ in their answers for some z of `vectors`."""
    numbers = one.dials.numbers
    for starts in vectors:
        mine, theirs = one.answer(starts), other.answer(starts)
        if [e.t for e in mine] != [e.t for e in theirs]:
            return True
        for left, right in zip(mine, theirs, strict=True):
            if left.content != right.content and difference(left.content, right.content, numbers):
                return True
    return False
