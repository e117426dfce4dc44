"""Wrong rows: where an extra row would come from, and why a missing one is expected.

ISTREAM and DSTREAM compare a row with the evaluation before (RSP-QL Definitions 21 and 22).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from rsp_conformance.explain.argument import AnswerPart, AnswerRow, Compared, Fact, Often
from rsp_conformance.explain.evidence.differences import (
    AnswerDifference,
    count,
    difference,
    settled,
    table,
)
from rsp_conformance.explain.evidence.provenance import Provenance, monotone
from rsp_conformance.explain.evidence.windows import placement, windows_at
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.terms import Literal, is_numeric
from rsp_conformance.model.walk import clause_expressions, within
from rsp_conformance.sparql.compare.numbers import agree, number
from rsp_conformance.sparql.compare.rows import same_rows
from rsp_conformance.spec.trace import TraceStep


class Previous:
    """A row at an evaluation and at the one before, for operators that compare the two.

    Args:
        situation: the case under one z.
        step: the evaluation.
        part: the row.
    """

    def __init__(self, situation: Situation, step: TraceStep, part: AnswerPart) -> None:
        operator = situation.case.query.operator
        self.now = Provenance(situation, step, part)
        self.insertions = operator is StreamOperator.ISTREAM
        self.applies = self.insertions or operator is StreamOperator.DSTREAM
        """Whether the operator looks back."""
        self._step = step
        self._before = situation.before(step) if self.applies else None
        before = self._before
        self._earlier = None if before is None else Provenance(situation, before, part)
        self._times_before = 0 if self._earlier is None else self._earlier.count()

    def _fact(self, kind: Compared, *parts: AnswerPart, places: tuple[Fact, ...] = ()) -> Fact:
        other = None if self._before is None else self._before.t
        now, before = self.now.count(), self._times_before
        t = self._step.t
        return Fact(kind, parts, t=t, other=other, count=now, before=before, places=places)

    def extra(self, part: AnswerPart) -> list[Fact]:
        """Why the operator does not give the row."""
        now, before = self.now.count(), self._times_before
        if self.insertions and now:
            return [self._fact("not new" if before else "received more often", part)]
        if self.insertions:
            return [*self.now.wish(part), *([self._fact("left", part)] if before else [])]
        if self._before is None:
            return [self._fact("nothing precedes", part)]
        if not before:
            return [self._fact("was not there", part)]
        if now:
            return [self._fact("not gone", part), *self.now.origin(of="earlier row")]
        return [self._fact("gone once", part)]

    def truth(self, expected: bool) -> list[Fact]:
        """Why there is something to give, or nothing (ASK)."""
        if not self.insertions and self._before is None:
            return [self._fact("nothing precedes")]
        if not self.insertions:
            return [self._fact("solution is gone" if expected else "no solution is gone")]
        if expected or self.now.count():
            return [self._fact("solution is new" if expected else "no solution is new")]
        return self.now.wish()

    def missing(self, part: AnswerPart) -> list[Fact]:
        """Why the operator gives the row."""
        missing = Fact("missing", (part,))
        if self.insertions:
            new: Compared = "more than before" if self._times_before else "new"
            new = "new, nothing precedes" if self._before is None else new
            return [missing, *self.now.origin(), self._fact(new, part)]
        if self._earlier is None:
            return [missing]
        origin = self._earlier.origin(of="earlier row")
        return [missing, self._fact("was there", part), *origin, self._gone(self._earlier, part)]

    def _gone(self, earlier: Provenance, part: AnswerPart) -> Fact:
        """That the row is gone, with the place of the first of its elements that has left."""
        if self.now.count():
            return self._fact("fewer than before", part)
        held = sorted(earlier.minimal(earlier.held)) if self._times_before else ()
        for position, index in held:
            if (position, index) not in self.now.held:
                content, moment = self._step.contents[position], self._step.moment
                where = placement(self.now.situation, index, position, moment, content)
                return self._fact("gone", part, places=(where,))
        return self._fact("gone", part)


TOLD = 2
"""The number of rows of a kind that are argued; the others are counted."""


def wrong_rows(
    situation: Situation, step: TraceStep, expected: Content, observed: Content
) -> list[Fact]:
    """Why an answer that came when it was expected has other rows.

    Args:
        situation: the case under one z.
        step: the evaluation.
        expected: the expected content.
        observed: the observed content.
    """
    found = difference(expected, observed, situation.dials.numbers)
    if found.joint:
        argued = [Fact("blank nodes")]
    elif isinstance(expected, Truth) and isinstance(observed, Truth):
        argued = _truth(situation, step, expected)
    else:
        numbers, otherwise = situation.dials.numbers, situation.otherwise_expected
        columns, found = _columns(situation, expected, observed, found)
        found, open_parts = settled(found, expected, otherwise, numbers)
        argued = [*columns, *([] if found.joint else _rows(situation, step, found))]
        argued += [Fact("expected by some", open_parts)] if open_parts else []
    return [windows_at(situation, step), *argued]


def _columns(
    situation: Situation, expected: Content, observed: Content, found: AnswerDifference
) -> tuple[list[Fact], AnswerDifference]:
    """The facts about whole variables, and what else differs.

    A variable that SELECT does not show has values, or a variable that it shows has none in any
    row: such a variable is not argued row by row. The values of an aggregate or of OPTIONAL have
    reasons of their own.
    """
    if not isinstance(expected, Rows) or not isinstance(observed, Rows) or not observed.rows:
        return [], found
    names, rows = table(observed, expected.variables)
    strange = names[len(expected.variables) :]
    lost = [
        name
        for place, name in enumerate(expected.variables)
        if expected.rows and monotone(situation.case.query)
        if all(row[place] for row in expected.rows) and not any(row[place] for row in rows)
    ]
    facts = []
    for kind, own in (("not shown", strange), ("never bound", tuple(lost))):
        if own:
            part = AnswerPart(own, (None,) * len(own), "cells")
            facts.append(Fact(kind, (part,)))  # type: ignore[arg-type]  # Both are kinds.
    if facts:
        kept = [name for name in expected.variables if name not in lost]
        numbers = situation.dials.numbers
        found = difference(_only(expected, kept), _only(observed, kept), numbers)
    return facts, found


def _only(content: Rows, names: Sequence[str]) -> Rows:
    """The columns of these names."""
    places = {name: place for place, name in enumerate(content.variables)}
    rows = [tuple(row[places[n]] if n in places else None for n in names) for row in content.rows]
    return replace(content, variables=tuple(names), rows=tuple(rows))


def _rows(situation: Situation, step: TraceStep, found: AnswerDifference) -> list[Fact]:
    claims: list[Fact] = []
    for wanted, received in found.changed[:TOLD]:
        if _equal_numbers(situation, wanted, received):
            claims.append(Fact("equal numbers", (wanted, received)))
        elif monotone(situation.case.query):
            claims += _extra(situation, step, received)
            claims += _missing(situation, step, wanted)
        else:
            claims += _changed(situation, step, wanted, received)
    extra, missing = list(dict.fromkeys(found.extra)), list(dict.fromkeys(found.missing))
    for rows, argue in ((extra, _extra), (missing, _missing)):
        claims += _together([argue(situation, step, part) for part in rows[:TOLD]], rows)
    left = sum(max(0, len(own) - TOLD) for own in (found.changed, extra, missing))
    if left:
        triples = isinstance(step.evaluation.content, Triples)
        claims.append(Fact("more triples differ" if triples else "more rows differ", count=left))
    return claims


def _together(argued: list[list[Fact]], rows: list[AnswerPart]) -> list[Fact]:
    """The claims on the first row and then on the second; if they are alike, on both together."""
    if len(argued) == TOLD:
        both = tuple(rows[:TOLD])
        one, other = ([_of(fact, both) for fact in facts] for facts in argued)
        if one == other:
            return one
    return [fact for facts in argued for fact in facts]


def _of(fact: Fact, parts: tuple[AnswerPart, ...]) -> Fact:
    return replace(fact, parts=parts) if fact.parts else fact


def _truth(situation: Situation, step: TraceStep, expected: Truth) -> list[Fact]:
    previous = Previous(situation, step, AnswerPart((), (), "true"))
    if previous.applies:
        return previous.truth(expected.value)
    return previous.now.origin(of="solution") if expected.value else previous.now.wish()


def _extra(situation: Situation, step: TraceStep, part: AnswerPart) -> list[Fact]:
    previous = Previous(situation, step, part)
    if previous.applies:
        return previous.extra(part)
    if count(part, step.evaluation.content, situation.dials.numbers):
        as_set = situation.dials.window_content == "set"
        return _duplicates(situation, step, previous.now, as_set=as_set)
    return previous.now.wish(part)


def _missing(situation: Situation, step: TraceStep, part: AnswerPart) -> list[Fact]:
    previous = Previous(situation, step, part)
    if previous.applies:
        return previous.missing(part)
    if _times_received(situation, part):
        return _duplicates(situation, step, previous.now, as_set=False)
    nothing = _over_nothing(situation.case.query, previous.now)
    return [Fact("missing", (part,)), *(nothing or previous.now.origin())]


def _times_received(situation: Situation, part: AnswerPart) -> int:
    """How often the received answer at the first difference has a part."""
    observed = situation.divergence.observed if situation.divergence else None
    return 0 if observed is None else count(part, observed.content, situation.dials.numbers)


def _duplicates(
    situation: Situation, step: TraceStep, provenance: Provenance, *, as_set: bool
) -> list[Fact]:
    """How often a row is received and expected, and which elements give it once each."""
    part, held = provenance.part, provenance.held
    alone = {index for item in held if provenance.yields(frozenset({item})) for index in item[1:]}
    expected = count(part, step.evaluation.content, situation.dials.numbers)
    received = Fact(
        "received often", (part,), count=_times_received(situation, part), before=expected
    )
    kind: Often = "duplicate in a set" if as_set else "duplicates in a bag"
    kind = "dropped by DISTINCT" if situation.case.query.distinct else kind
    return [received, *([Fact(kind, elements=tuple(sorted(alone)))] if alone else [])]


# --- values computed from several elements ---


def _changed(
    situation: Situation, step: TraceStep, wanted: AnswerPart, received: AnswerPart
) -> list[Fact]:
    """The elements over which each value of a row comes out, if it came with another value."""
    right = Provenance(situation, step, wanted)
    claims: list[Fact] = [Fact("other values", (wanted, received))]
    claims += _over_nothing(situation.case.query, right) or _right_over(right, received)
    names = wanted.differing(received)
    expected, value = wanted.cells(names), received.cells(names)
    unbound = [term for term, other in zip(expected.row, value.row, strict=True) if other is None]
    if unbound and all(_zero(term) for term in unbound):
        return claims
    return claims + Provenance(situation, step, received).wish(value)


def _right_over(provenance: Provenance, received: AnswerPart) -> list[Fact]:
    """The elements over which the expected values come out."""
    held, part = provenance.held, provenance.part
    if not held or not provenance.count():
        return []
    counting = [item for item in sorted(held) if not provenance.yields(held - {item})]
    elements = tuple(sorted({index for _, index in (counting or held)}))
    return [Fact("right over", (part.cells(part.differing(received)),), elements=elements)]


def _over_nothing(query: Query, provenance: Provenance) -> list[Fact]:
    """The fact that an aggregate over no solutions has a value all the same, if it applies."""
    aggregates = (isinstance(p, Aggregate) for e in clause_expressions(query) for p in within(e))
    if provenance.held or query.group_by or not any(aggregates):
        return []
    part = provenance.part
    zeros = [name for name, term in zip(part.variables, part.row, strict=True) if _zero(term)]
    return [Fact("nothing counted", (part.cells(zeros),))] if zeros else []


def _equal_numbers(situation: Situation, wanted: AnswerPart, received: AnswerPart) -> bool:
    """Whether cells that differ are equal as numbers, and only the dial ``numbers`` parts them."""
    names = wanted.differing(received)
    cells = zip(wanted.cells(names).row, received.cells(names).row, strict=True)
    return situation.dials.numbers == "term" and all(
        expected is not None and term is not None and agree(expected, term, "value")
        for expected, term in cells
    )


def _zero(term: object) -> bool:
    return isinstance(term, Literal) and is_numeric(term) and number(term) == 0


# --- order ---


def wrong_order(situation: Situation, expected: Content, observed: Content) -> list[Fact]:
    """The first two rows that ORDER BY forbids in this order, if all rows are right.

    Args:
        situation: the case under one z.
        expected: the expected content.
        observed: the observed content.
    """
    if not isinstance(expected, Rows) or expected.ties is None:
        return []
    columns, rows = table(observed, expected.variables)
    received = [AnswerPart(columns, row) for row in rows]

    def same(left: AnswerRow, right: AnswerRow) -> bool:
        return same_rows([left], [right], situation.dials.numbers)

    groups = _groups(expected, rows, same)
    for position, (left, right) in enumerate(pairwise(groups)):
        if left is not None and right is not None and left > right:
            pair = received[position], received[position + 1]
            return [Fact("out of order", pair, count=position + 1)]
    for position, row in enumerate(expected.rows[: len(rows)]):
        if not same(row, rows[position]):
            due = AnswerPart(expected.variables, row)
            return [Fact("other row", (due, received[position]), count=position + 1)]
    return []


def _groups(
    expected: Rows, received: list[AnswerRow], same: Callable[[AnswerRow, AnswerRow], bool]
) -> list[int | None]:
    """The group of ties to which each received row belongs."""
    assert expected.ties is not None
    left = list(zip(expected.rows, expected.ties, strict=True))
    found: list[int | None] = []
    for row in received:
        partner = next((i for i, (other, _) in enumerate(left) if same(other, row)), None)
        found.append(None if partner is None else left.pop(partner)[1])
    return found
