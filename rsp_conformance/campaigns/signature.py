"""What a case exercises and how the engine behaved: what coverage is counted over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations

from rsp_conformance.campaigns.unit import Signature
from rsp_conformance.cells.heard import Heard
from rsp_conformance.cells.modifiers import modifiers_met
from rsp_conformance.cells.operators import operators_met
from rsp_conformance.cells.times import times_met
from rsp_conformance.cells.values import values_met
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Content, Observed, Truth, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.usage import case_features, query_shapes
from rsp_conformance.spec.trace import Expectation, Relations, relations_at_hand


def signature(case: Case, dials: Dials) -> Signature:
    """Return the signature of a case under dials, before the engine is asked."""
    features = case_features(case)
    paths = operators_met(case.query) | modifiers_met(case.query) | values_met(case)
    paths |= {cell for _, cell in _heard(case, dials).met}
    prefixes = {f"prefix {prefix}:" for prefix, _ in case.query.prefixes}
    return Signature(
        tuple(sorted(features)),
        tuple(sorted(query_shapes(case.query, dials) - features)),
        tuple(sorted(paths | prefixes)),
        geometry(case, dials),
    )


def _heard(case: Case, dials: Dials) -> Heard:
    """Return what is heard while a case is evaluated for the first z.

    An equal case is heard alike, whatever was evaluated before; who judges it finds the solutions
    at hand.
    """
    heard, relations = Heard(case.query), Relations()
    with suppress(Unsupported, LimitExceeded, ValueError), limited():
        expectation = Expectation(case, dials, relations, heard)
        expectation.trace(next(iter(expectation.queries())))
    relations_at_hand(case).update(relations)
    return heard


_LIES = re.compile(
    r"(width|slide) \d|\d+ elements|\d+ windows on|ties|a width apart or more"
    r"|until before the last window closes|registration late"
)
"""The cells of times that together say how windows lie over elements.

All of them would make nearly every case one that no other is like.
"""


def geometry(case: Case, dials: Dials) -> str:
    """Return how windows lie over the elements of a case, in classes."""
    try:
        met = times_met(case, dials.unit)
    except ValueError:  # a duration that is no whole number of instants
        return ""
    return ", ".join(sorted(cell for cell in met if _LIES.match(cell)))


def _size(number: int) -> str:
    """Return the class of a number: 0, 1, 2, 3-4, 5-8 and so on."""
    if number <= 2:
        return str(number)
    top = 1 << (number - 1).bit_length()
    return f"{top // 2 + 1}-{top}"


def rows_of(content: Content) -> int:
    """Return how many rows a content has, or triples."""
    return 1 if isinstance(content, Truth) else len(content)


def behaviour(outcome: str, kind: str, observed: Iterable[Observed]) -> str:
    """How the engine behaved: what is said of its answer, how much there was, of what sort."""
    answers = list(observed)
    empty = sum(is_empty(answer.content) for answer in answers)
    rows = max((rows_of(answer.content) for answer in answers), default=0)
    mixed = "mixed" if 0 < empty < len(answers) else "empty" if empty else "full"
    verdict = f"{outcome} ({kind})" if kind else outcome
    return f"{verdict}, {_size(len(answers))} answers, {mixed}, {_size(rows)} rows"


def points(own: Signature) -> Iterator[str]:
    """Return what a case of a signature covers.

    Every pair of features and shapes, every path, every path with the geometry's and every feature
    with the behaviour's class.
    """
    traits = (*own.features, *own.shapes)
    yield own.behaviour
    yield from own.traits
    yield from (f"{one} & {other}" for one, other in combinations(traits, 2))
    yield from (f"{trait} | {own.behaviour}" for trait in traits)
    yield from (f"{path} | {own.behaviour}" for path in own.paths)


class Coverage:
    """What the cases of a campaign have covered so far; ``met`` counts what they exercised."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._points = set(known)
        # Of earlier cases only that they were.
        self.met = Counter(self._points)

    def __len__(self) -> int:
        return len(self._points)

    def restore(self, covered: Iterable[str], met: Mapping[str, int]) -> None:
        """Take note of cases by the points that they covered and how often they met each trait."""
        self._points.update(covered)
        self.met.update(met)

    def add(self, own: Signature) -> list[str]:
        """Take note of a case; the points that no case before has covered."""
        self.met.update(own.traits)
        new = [point for point in points(own) if point not in self._points]
        self._points.update(new)
        return new


def rarest(signatures: Sequence[Signature], met: Mapping[str, int], number: int) -> list[int]:
    """Return the places of the signatures that exercise most of what was met least often.

    Args:
        signatures: the signatures to choose from.
        met: how often each point was met.
        number: how many are wanted.
    """

    def rarity(place: int) -> float:
        return sum(1 / (1 + met.get(trait, 0)) for trait in signatures[place].traits)

    return sorted(sorted(range(len(signatures)), key=rarity, reverse=True)[:number])
