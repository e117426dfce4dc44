"""What else may be answered where the texts leave points open (docs/sparql.md, "Open points").

An answer that is wrong under the kit's own readings is held against the others: every combination
of what was met on the way, the ones that differ least first. A combination may meet further points,
which join in. So the second and later evaluations are paid for by wrong answers alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from rsp_conformance.compare.contents import difference
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.open_data import open_data
from rsp_conformance.sparql.open_points import is_sampled, taken, told
from rsp_conformance.sparql.readings import others
from rsp_conformance.spec.start_classes import representatives
from rsp_conformance.spec.trace import Expectation

MOST = 64
"""So many combinations of readings are tried; a case with more is not judged."""


def other_readings(expectation: Expectation) -> Iterator[Expectation]:
    """EXPECTATION under every other combination of the readings that it met, once evaluated.

    Each of them has to be evaluated, too, before the next one is asked for.

    Raises:
        LeftOpen: There are too many; or, at the end, what is due depends on a point of which the
            kit tries some readings and not all, so that an answer may be right that is none of
            those given out; or the case has data that engines may hold in different ways.
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


def why_open(expectation: Expectation, starts: Vector) -> str | None:
    """Why the texts allow other answers than that of EXPECTATION for z = STARTS; None if not."""
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
    """Whether two expectations of a case demand different answers, for some z of VECTORS."""
    numbers = one.dials.numbers
    for starts in vectors:
        mine, theirs = one.answer(starts), other.answer(starts)
        if [e.t for e in mine] != [e.t for e in theirs]:
            return True
        for left, right in zip(mine, theirs, strict=True):
            if left.content != right.content and difference(left.content, right.content, numbers):
                return True
    return False
