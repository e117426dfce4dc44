"""The conditions under which a wrong answer may show: what can be said of a case in a few words.

They are the features and shapes that the case uses (`model.usage`), and what happens in time. If
windows may start in several ways, a case meets a condition on its answers if it does from some
start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Final

from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.answers import Content, Observed, Truth, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.features import FEATURES, FORMER_SHAPES, PARTS, SHAPES
from rsp_conformance.model.usage import case_features, query_shapes
from rsp_conformance.model.variables import in_scope, selected
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.walk import within
from rsp_conformance.spec.start_classes import representatives
from rsp_conformance.spec.trace import Expectation

MOST_STARTS: Final = 8
"""The most starts of windows that are looked at, each of another class: with one window, whose
slide is rarely longer, these are all."""
_COMMON: Final = frozenset({"select", "tumbling", *FORMER_SHAPES})
"""Features and shapes that are no conditions: what a case has in their place is one."""
_WORDS: Final[Mapping[str, str]] = {
    "overlapping": "windows overlap",
    "slide-one": "windows slide by one instant",
    "gap-windows": "windows leave gaps",
}
"""What is said of a shape in other words than in its table."""


def _has_silence(case: Case) -> bool:
    there = {own.t for own in case.elements}
    return any(t not in there for t in range(case.registered + 1, case.until + 1))


def _has_company(case: Case) -> bool:
    return len({own.t for own in case.elements}) < len(case.elements)


def _has_repetition(case: Case) -> bool:
    return len({(own.stream, own.graph) for own in case.elements}) < len(case.elements)


def _has_several_patterns(case: Case) -> bool:
    return sum(isinstance(own, TriplePattern) for own in within(case.query)) > 1


def _hides_variables(case: Case) -> bool:
    query = case.query
    plain = query.projection is not None and query.group_by is None
    return plain and not {*in_scope(query.pattern)} <= {*selected(query)}


_OF_CASES: Final[Mapping[str, Callable[[Case], bool]]] = {
    "some instant has no arrival": _has_silence,
    "elements arrive together": _has_company,
    "an element comes again": _has_repetition,
    "some variable is not selected": _hides_variables,
    "the query has several windows": lambda case: len(case.query.windows) > 1,
    "the query has several triple patterns": _has_several_patterns,
    "the query is registered after 0": lambda case: case.registered > 0,
}
"""What can be seen of a case as it is written."""


def _follows_rows(contents: list[Content]) -> bool:
    return any(not is_empty(own) for own in contents[:-1])


def _has_several_rows(contents: list[Content]) -> bool:
    return any(not isinstance(own, Truth) and len(own) > 1 for own in contents)


def _has_no_rows(contents: list[Content]) -> bool:
    return any(map(is_empty, contents))


_OF_ANSWERS: Final[Mapping[str, Callable[[list[Content]], bool]]] = {
    "an evaluation follows one with rows": _follows_rows,
    "an evaluation has several rows": _has_several_rows,
    "an evaluation has no rows": _has_no_rows,
}
"""What can be seen of the expected answers."""
_IMPLIED: Final[Mapping[str, str]] = {
    **{part: whole for whole, parts in PARTS.items() for part in parts},
    "ungrouped-aggregate": "aggregates",
    "multi-window": "the query has several windows",
    "same-stream-windows": "the query has several windows",
    "join": "the query has several triple patterns",
}
"""The condition that another implies, for some of them."""


class Conditions:
    """The conditions that a case meets; the expected answers are looked at when they are needed.

    Args:
        case: the case.
        dials: the dials in force.
        observed: an engine's answers, which are looked at like those from one more start.
    """

    def __init__(self, case: Case, dials: Dials, observed: Iterable[Observed] = ()) -> None:
        self._case = case
        self._dials = dials
        self._expectation: Expectation | None = None
        self._starts: Sequence[Vector] = ()
        self._known: list[list[Content]] = []
        self._is_whole = False
        self._observed = [own.content for own in observed]

    def meet(self, condition: str) -> bool:
        """Return whether the case meets a condition."""
        if condition in _OF_ANSWERS:
            traces = chain([self._observed] if self._observed else [], self._traces())
            return any(map(_OF_ANSWERS[condition], traces))
        return condition in self._written

    @cached_property
    def all(self) -> frozenset[str]:
        """All conditions that the case meets.

        Raises:
            ValueError: the case can't be evaluated.
        """
        if not any(True for _ in self._traces()):
            raise ValueError("the case can't be evaluated")
        return self._written.union(filter(self.meet, _OF_ANSWERS))

    @cached_property
    def _written(self) -> frozenset[str]:
        own = self._case
        used = case_features(own) | query_shapes(own.query, self._dials)
        return (used - _COMMON) | {name for name, test in _OF_CASES.items() if test(own)}

    def _traces(self) -> Iterator[list[Content]]:
        """Yield the contents of the expected answers from each start that can be evaluated.

        They are made when they are needed: the first one often suffices.
        """
        for place in range(MOST_STARTS):
            if place == len(self._known) and not self._is_whole:
                self._evaluate(place)
            if place >= len(self._known):
                return
            yield self._known[place]

    def _evaluate(self, place: int) -> None:
        """Evaluate the case from one start more, if there is one."""
        try:
            with limited():
                if self._expectation is None:
                    self._expectation = Expectation(self._case, self._dials)
                    self._starts = representatives(self._case, self._dials, MOST_STARTS)
                if place < len(self._starts):
                    steps = self._expectation.steps(self._starts[place])
                    self._known.append([own.evaluation.content for own in steps])
        except (Unsupported, LimitExceeded, ValueError):
            self._known.clear()
            self._is_whole = True


def weakest(conditions: Iterable[str]) -> frozenset[str]:
    """Return conditions of which one holds without those that imply another of them."""
    found = frozenset(conditions)
    return frozenset(own for own in found if _IMPLIED.get(own) not in found)


def gained(before: frozenset[str], after: frozenset[str]) -> frozenset[str]:
    """Return the conditions that a changed case meets and the case before did not.

    A kind of something that was there is not new: two windows that are merged have a join where
    there were several triple patterns. Nor is RSTREAM, which takes the place of ISTREAM.
    """
    new = after - before - {"rstream"}
    return frozenset(own for own in new if _IMPLIED.get(own) not in before)


def in_words(conditions: Iterable[str]) -> tuple[str, ...]:
    """Return conditions in words."""
    return tuple(sorted(map(_said, conditions)))


def _said(condition: str) -> str:
    if condition in _WORDS:
        return _WORDS[condition]
    described = FEATURES.get(condition) or SHAPES.get(condition)
    return f"the case has {described}" if described else condition
