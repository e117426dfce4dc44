"""The criterion of csrbench-oracle: containment, without timestamps (CSRBench, Section 4).

The oracle answers a query for every t0 from 0 to the window's width, a second apart, and accepts a
recording that is a contiguous part of one of these answers. It differs from Definition 26 in all
that this module does on purpose:

- containment: whatever comes before and after the part may be missing, so a silent engine passes;
- timestamps are not compared;
- a relation is a set, and as soon as a row has a number in it, its numbers alone are compared;
- t0 runs to the width, though starts beyond the slide repeat, and the first windows are cut at 0;
- an empty window is not evaluated: it has no rows, or no answer at all.

The fork of 2023 (*A Comparative Study of Stream Reasoning Engines*) takes relations of one stamp
for one, and leaves out those without rows, on both sides; else it is the same. A recording that
only its criterion accepts is `grouped`.

The facts are those of the published program; nothing of its text stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from rsp_conformance.corpora.csrbench.benchmark import SECOND, Recording, operator_of
from rsp_conformance.corpora.csrbench.queries import BenchmarkQuery
from rsp_conformance.model.answers import Content, Rows
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Literal, Term
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.forms import content

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|NaN|-?INF")

RecordedRow: TypeAlias = tuple[tuple[str, object], ...]
RecordedRelation: TypeAlias = "frozenset[RecordedRow]"

NOTHING: RecordedRelation = frozenset({()})
"""The relation without rows, where there is one."""


@dataclass(frozen=True, slots=True)
class Containment:
    """What the criterion says, and how it came to it.

    ``t0`` (milliseconds) is the first that accepts the recording, or else one whose answers hold
    the longest beginning of it; ``found`` is the length of that, in relations, of ``recorded``.
    ``grouped`` says that this is the criterion of the fork of 2023, since the first one refuses the
    recording.
    """

    correct: bool
    t0: int
    found: int
    recorded: int
    grouped: bool = False


def contained(
    query: BenchmarkQuery, *, stream: Sequence[StreamElement], dials: Dials, recording: Recording
) -> Containment:
    """Judge RECORDING, an answer to QUERY; STREAM counts instants of a second.

    Raises:
        Unsupported: the profile reports neither on WC nor on CC, or on both.
    """
    oracle = Oracle(query, stream, dials)
    starts = range(0, query.width + SECOND, SECOND)
    answers = {t0: oracle.answers(t0) for t0 in starts}
    plain = _searched(answers, [_relation(answer.content) or NOTHING for answer in recording])
    if plain.correct:
        return plain
    filled = {t0: [own for own in found if own != NOTHING] for t0, found in answers.items()}
    grouped = _searched(filled, _grouped(recording))
    return replace(grouped, grouped=True) if grouped.correct else plain


def _searched(
    answers: Mapping[int, Sequence[RecordedRelation]], wanted: Sequence[RecordedRelation]
) -> Containment:
    """The first t0 whose answers hold those wanted in a row, or the one that holds most."""
    best = Containment(False, 0, 0, len(wanted))
    for t0, found in answers.items():
        length = max((_matching(found[i:], wanted) for i in range(len(found))), default=0)
        if length == len(wanted):
            return Containment(True, t0, length, len(wanted))
        if length > best.found:
            best = Containment(False, t0, length, len(wanted))
    return best


def _grouped(recording: Recording) -> list[RecordedRelation]:
    """The relations of each stamp as one, in the order of the stamps, without those of no rows."""
    at: dict[Fraction, RecordedRelation] = {}
    for answer in recording:
        stamp = Fraction(answer.t or 0)
        at[stamp] = at.get(stamp, frozenset()) | _relation(answer.content)
    return [at[stamp] for stamp in sorted(at) if at[stamp]]


def _matching(answers: Sequence[RecordedRelation], wanted: Sequence[RecordedRelation]) -> int:
    """How many of WANTED ANSWERS begin with."""
    pairs = enumerate(zip(wanted, answers, strict=False))
    return next((i for i, (one, other) in pairs if one != other), min(len(wanted), len(answers)))


class Oracle:
    """The answers that csrbench-oracle gives, for any t0."""

    def __init__(
        self, query: BenchmarkQuery, stream: Sequence[StreamElement], dials: Dials
    ) -> None:
        self._closing, changing = (mentions(dials.report, kind) for kind in ("WC", "CC"))
        if self._closing == changing:
            raise Unsupported(
                f"csrbench-oracle's criterion for the report policy {dials.report}: it knows "
                "WC and CC, each without the other"
            )
        self._query = query.rspql()
        self._width = query.width
        self._slide = query.slide
        self._stream = [(element.t * SECOND, element) for element in stream]
        self._non_empty = mentions(dials.report, "NC") or changing
        self._empty_relations = dials.empty_answers
        self._operator = operator_of(dials)
        # Nothing came from nothing: an empty window is never evaluated.
        self._known: dict[tuple[int, ...], RecordedRelation] = {(): frozenset()}

    def answers(self, t0: int) -> list[RecordedRelation]:
        """The relations that follow from T0 (milliseconds), in order."""
        last = max((t for t, _ in self._stream), default=0) + self._width
        found: list[RecordedRelation] = []
        previous: RecordedRelation | None = None
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
            if now or self._empty_relations:
                found.append(now or NOTHING)
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

    def _evaluated(self, held: tuple[int, ...]) -> RecordedRelation:
        if held not in self._known:
            triples = dict.fromkeys(t for i in held for t in self._stream[i][1].graph)
            data = Dataset(GraphBag(triples.keys()), {}, {}, "windows", bags=False)
            self._known[held] = _relation(content(self._query, solutions(self._query, data)))
        return self._known[held]


def _relation(answer: Content) -> RecordedRelation:
    """The set that is compared: rows by their numbers where they have any."""
    assert isinstance(answer, Rows)
    return frozenset(map(_row, answer.solutions()))


def _row(solution: dict[str, Term]) -> RecordedRow:
    numbers = {
        name: float(term.lexical.replace("INF", "inf"))
        for name, term in solution.items()
        if isinstance(term, Literal) and _NUMBER.fullmatch(term.lexical)
    }
    return tuple(
        sorted(numbers.items() if numbers else ((n, repr(t)) for n, t in solution.items()))
    )
