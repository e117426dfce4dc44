"""The criterion of csrbench-oracle: containment, without timestamps (CSRBench, Section 4).

The oracle answers a query for every t0 from 0 to the window's width, a second apart, and accepts a
recording that is a contiguous part of one of these answers. It differs from Definition 26 in all
that this module does on purpose:

- containment: whatever comes before and after the part may be missing, so a silent engine passes;
- timestamps are not compared;
- a relation is a set, and as soon as a row has a number in it, its numbers alone are compared;
- t0 runs to the width, though starts beyond the slide repeat, and the first windows are cut at 0;
- an empty window is not evaluated: it has no rows, or no answer at all.

The facts are those of the published program; nothing of its text stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rsp_conformance.corpora.csrbench.data import SECOND
from rsp_conformance.corpora.csrbench.recordings import Recorded, operator_of
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Literal, Term
from rsp_conformance.sparql.dataset import Dataset, Graph
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.forms import content

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|NaN|-?INF")

Row: TypeAlias = tuple[tuple[str, object], ...]
Relation: TypeAlias = "frozenset[Row]"

NOTHING: Row = ()
"""The row of a relation without rows."""


@dataclass(frozen=True, slots=True)
class Containment:
    """What the criterion says, and how it came to it.

    ``t0`` (milliseconds) is the first that accepts the recording, or else one whose answers hold
    the longest beginning of it; ``found`` is the length of that, in relations, of ``recorded``.
    """

    correct: bool
    t0: int
    found: int
    recorded: int


def contained(
    query: Query,
    width: int,
    slide: int,
    *,
    stream: Sequence[StreamElement],
    dials: Dials,
    recording: Sequence[Recorded],
) -> Containment:
    """Judge RECORDING, an answer to QUERY over one window of WIDTH and SLIDE milliseconds.

    QUERY must merge its window into the default graph; STREAM counts instants of a second.

    Raises:
        Unsupported: the profile reports neither on WC nor on CC, or on both.
    """
    oracle = Oracle(query, width, slide, stream, dials)
    wanted = [_relation(answer.rows) for answer in recording]
    best = Containment(False, 0, 0, len(wanted))
    for t0 in range(0, width + SECOND, SECOND):
        answers = oracle.answers(t0)
        length = max((_matching(answers, wanted, i) for i in range(len(answers))), default=0)
        if length == len(wanted):
            return Containment(True, t0, length, len(wanted))
        if length > best.found:
            best = Containment(False, t0, length, len(wanted))
    return best


def _matching(answers: Sequence[Relation], wanted: Sequence[Relation], start: int) -> int:
    """How many of WANTED stand in ANSWERS from START on, without a gap."""
    count = 0
    for relation, other in zip(wanted, answers[start:], strict=False):
        if relation != other:
            break
        count += 1
    return count


class Oracle:
    """The answers that csrbench-oracle gives, for any t0."""

    def __init__(
        self,
        query: Query,
        width: int,
        slide: int,
        stream: Sequence[StreamElement],
        dials: Dials,
    ) -> None:
        closing, changing = (mentions(dials.report, kind) for kind in ("WC", "CC"))
        if closing == changing:
            raise Unsupported(
                f"csrbench-oracle's criterion for the report policy {dials.report}: it knows "
                "WC and CC, each without the other"
            )
        self._query = query
        self._width = width
        self._slide = slide
        self._stream = [(element.t * SECOND, element) for element in stream]
        self._closing = closing
        self._non_empty = mentions(dials.report, "NC") or changing
        self._empty_relations = dials.empty_answers
        self._operator = operator_of(dials)
        self._known: dict[tuple[int, ...], Relation] = {}

    def answers(self, t0: int) -> list[Relation]:
        """The relations that follow from T0 (milliseconds), in order."""
        last = max((t for t, _ in self._stream), default=0) + self._width
        found: list[Relation] = []
        previous: Relation | None = None
        for opens, closes in self._closings(t0) if self._closing else self._changes(t0):
            if opens > last:
                break
            held = tuple(i for i, (t, _) in enumerate(self._stream) if opens <= t < closes)
            if not held and self._non_empty:
                continue
            now = self._evaluated(held)
            before, previous = previous, now
            if before is not None and self._operator == "ISTREAM":
                now -= before
            if self._operator == "DSTREAM":
                if before is None:
                    continue
                now = before - now
            if now:
                found.append(now)
            elif self._empty_relations:
                found.append(frozenset({NOTHING}))
        return found

    def _closings(self, t0: int) -> Iterator[tuple[int, int]]:
        """Windows as they close; none opens before 0."""
        now = t0
        while True:
            now += self._width if now < self._width else self._slide
            yield max(0, now - self._width), now

    def _changes(self, t0: int) -> Iterator[tuple[int, int]]:
        """At each arrival after T0, what the first window that has not closed holds by then."""
        for now, _ in self._stream:
            if now > t0:
                index = max(0, -((t0 + self._width - now - 1) // self._slide))
                yield t0 + index * self._slide, now + SECOND

    def _evaluated(self, held: tuple[int, ...]) -> Relation:
        if held not in self._known:
            triples = dict.fromkeys(t for i in held for t in self._stream[i][1].graph)
            data = Dataset(Graph(triples.keys()), {}, {}, "windows", bags=False)
            answer = content(self._query, solutions(self._query, data))
            assert isinstance(answer, Rows)
            rows = (_row(solution) for solution in answer.solutions())
            # Nothing came from nothing: an empty window is never evaluated.
            self._known[held] = frozenset(rows) if held else frozenset()
        return self._known[held]


def _relation(rows: Rows) -> Relation:
    """The set that is compared: rows by their numbers where they have any."""
    return frozenset(_row(solution) for solution in rows.solutions()) or frozenset({NOTHING})


def _row(solution: dict[str, Term]) -> Row:
    numbers = {
        name: float(term.lexical.replace("INF", "inf"))
        for name, term in solution.items()
        if isinstance(term, Literal) and _NUMBER.fullmatch(term.lexical)
    }
    return tuple(
        sorted(numbers.items() if numbers else ((n, repr(t)) for n, t in solution.items()))
    )
