"""Which elements a row comes from: found by evaluating the query over other contents.

Deletion gives a minimal content that still yields a row; adding or taking away single elements
gives the content nearest to the right one that would yield a wrong row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from rsp_conformance.explain.argument import Part
from rsp_conformance.explain.evidence.differences import count
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.algebra import LeftJoin, Minus, SubSelect
from rsp_conformance.model.answers import Content as Answer
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.expressions import Aggregate, Exists
from rsp_conformance.model.query import Query
from rsp_conformance.model.walk import clause_expressions, conditions, subexpressions, subpatterns
from rsp_conformance.spec.content import Content
from rsp_conformance.spec.forms import content as form_content
from rsp_conformance.spec.trace import TraceStep

Held: TypeAlias = "frozenset[tuple[int, int]]"
"""What all windows hold: pairs of a window's and an element's position."""
BUDGET = 1_200
"""Evaluations of the query that one search may ask for."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a row would come out: what the windows hold too little, too much, and what is used.

    ``only`` says that without the elements added no content gives the row.
    """

    added: tuple[tuple[int, int], ...]
    dropped: tuple[tuple[int, int], ...]
    used: tuple[tuple[int, int], ...]
    only: bool = False


def monotone(query: Query) -> bool:
    """Whether more data can only give more rows (no aggregate, OPTIONAL, MINUS, EXISTS, LIMIT)."""
    if query.group_by is not None or query.limit is not None or query.offset is not None:
        return False
    expressions = [*clause_expressions(query)]
    for pattern in subpatterns(query.pattern):
        if isinstance(pattern, (LeftJoin, Minus)):
            return False
        if isinstance(pattern, SubSelect) and not monotone(pattern.query):
            return False
        expressions.extend(conditions(pattern))
    return not any(
        isinstance(part, (Aggregate, Exists))
        for expression in expressions
        for part in subexpressions(expression)
    )


class Provenance:
    """A row of the query at one evaluation, over whatever contents are asked for."""

    def __init__(self, setting: Setting, step: TraceStep, part: Part) -> None:
        self.setting = setting
        self.moment = step.moment
        self.contents = step.contents
        self.part = part
        self.held: Held = frozenset(
            (position, index)
            for position, content in enumerate(step.contents)
            for index in content.elements
        )
        self._answers: dict[tuple[Held, Background | None], Answer] = {}

    @property
    def exhausted(self) -> bool:
        """Whether the budget is spent; a search then ends without result."""
        return len(self._answers) >= BUDGET

    def answer(self, held: Held, background: Background | None = None) -> Answer:
        """The answer, before any streaming operator, over windows that hold HELD."""
        key = (held, background)
        if key not in self._answers:
            contents = tuple(
                Content(content.instance, tuple(sorted(i for p, i in held if p == position)))
                for position, content in enumerate(self.contents)
            )
            relation = self.setting.relation(self.moment.t, contents, background)
            self._answers[key] = form_content(self.setting.case.query, relation)
        return self._answers[key]

    def count(self) -> int:
        """How often the row comes out."""
        return count(self.part, self.answer(self.held), self.setting.dials.numbers)

    def yields(self, held: Held, background: Background | None = None) -> bool:
        """Whether windows that hold HELD give the row."""
        return count(self.part, self.answer(held, background), self.setting.dials.numbers) > 0

    def minimal(self, held: Held, *, keep: Held = frozenset()) -> Held:
        """A minimal part of HELD that still yields the row, elements outside dropped first."""
        current = held
        for item in sorted(held - keep, key=lambda item: (item in self.held, item)):
            if not self.exhausted and self.yields(current - {item}):
                current -= {item}
        return current

    def everything(self, *, arrived: bool) -> Held:
        """All elements of every window's stream, or those that have arrived."""
        elements = self.setting.case.elements
        known = range(self.moment.arrived if arrived else len(elements))
        return frozenset(
            (position, index)
            for position, window in enumerate(self.setting.windows)
            for index in known
            if elements[index].stream == window.stream
        )

    def derive(self) -> Derivation | None:
        """How the row would come out, with as little as possible changed; None if not found."""
        for found in self._candidates():
            if self.exhausted:
                break
            if self.yields(found):
                return self._derivation(self._towards(found))
        return None

    def _derivation(self, held: Held) -> Derivation:
        if not monotone(self.setting.case.query):
            return Derivation(tuple(sorted(held - self.held)), tuple(sorted(self.held - held)), ())
        least = self.minimal(held)
        added = sorted(least - self.held)
        only = not self.exhausted and all(self._needed(index) for _, index in added)
        return Derivation(tuple(added), (), tuple(sorted(least & self.held)), only)

    def _needed(self, index: int) -> bool:
        """Whether no choice of the other elements yields the row; the query must be monotone."""
        everything = self.everything(arrived=False)
        return not self.yields(frozenset(item for item in everything if item[1] != index))

    def _towards(self, found: Held) -> Held:
        """A content between FOUND and the right one that still yields the row."""
        current = found
        for item in sorted(current ^ self.held, key=self._distance, reverse=True):
            if not self.exhausted and self.yields(current ^ {item}):
                current ^= {item}
        return current

    def _candidates(self) -> Iterator[Held]:
        outside = sorted(self.everything(arrived=False) - self.held, key=self._distance)
        yield from (self.held | {item} for item in outside)
        yield from (self.held - {item} for item in sorted(self.held))
        for left, right in combinations(outside[:16], 2):
            yield self.held | {left, right}
        yield self.everything(arrived=True)
        yield self.everything(arrived=False)
        for left, right in combinations(sorted(self.held)[:12], 2):
            yield self.held - {left, right}
        yield from sorted(self._runs(), key=lambda held: len(held ^ self.held))
        yield frozenset()

    def _runs(self) -> Iterator[Held]:
        """One window holds another stretch of its stream, the other windows what is right."""
        everything = self.everything(arrived=False)
        for position in range(len(self.setting.windows)):
            own = sorted(i for p, i in everything if p == position)
            others = frozenset(item for item in self.held if item[0] != position)
            for first in range(len(own)):
                for last in range(first, min(len(own), first + 12)):
                    yield others | {(position, i) for i in own[first : last + 1]}

    def _distance(self, item: tuple[int, int]) -> tuple[int, int, int]:
        """How far the element lies from the window: nearest first, and later ones after."""
        position, index = item
        t = self.setting.case.elements[index].t
        instance = self.contents[position].instance
        if instance is None:
            return (abs(t - self.moment.t), position, index)
        return (max(instance.opens - t, t - instance.closes, 0), position, index)

    def background_entries(self, held: Held) -> list[BackgroundEntry]:
        """A minimal set of background entries with which HELD yields the row."""
        entries = list(self.setting.case.background)
        for entry in tuple(entries):
            rest = [e for e in entries if e is not entry]
            if not self.exhausted and self.yields(held, Background(tuple(rest))):
                entries = rest
        return entries


def background_instants(setting: Setting, t: int) -> Iterable[int]:
    """Instants just before and at each change of the background data, those nearest to T first."""
    changes = setting.case.background.changes()
    instants = {instant for change in changes for instant in (change - 1, change)}
    return sorted(instants, key=lambda instant: (abs(instant - t), instant))


def frozen_background(setting: Setting, t: int) -> Background:
    """The background data of instant T, for ever."""
    default, named = setting.case.background.at(t)
    return Background(
        (
            BackgroundEntry(tuple(default)),
            *(BackgroundEntry(tuple(graph), name) for name, graph in named.items()),
        )
    )
