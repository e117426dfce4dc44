"""Wrong rows: where an extra row would come from, and why a missing one is due."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from rsp_conformance.compare.rows import same_rows
from rsp_conformance.explain.argument import (
    Claim,
    Compared,
    Duplicates,
    Missing,
    NoSource,
    OtherInPlace,
    OutOfOrder,
    Part,
    Remark,
    Row,
    WouldCome,
    WouldComeAt,
)
from rsp_conformance.explain.evidence.aggregates import changed_value, equal_numbers, over_nothing
from rsp_conformance.explain.evidence.differences import Difference, count, difference, table
from rsp_conformance.explain.evidence.operators import Previous
from rsp_conformance.explain.evidence.origins import extra_origin, missing_origin
from rsp_conformance.explain.evidence.provenance import Provenance, monotone
from rsp_conformance.explain.evidence.windows import windows_at
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.spec.trace import TraceStep

TOLD = 2
"""So many rows of a kind are argued, the others counted."""


def wrong_rows(
    setting: Setting, step: TraceStep, expected: Content, observed: Content
) -> list[Claim]:
    """An answer came when it was due, with other rows."""
    found = difference(expected, observed, setting.dials.numbers)
    argued: list[Claim]
    if found.joint:
        argued = [Remark("blank nodes")]
    elif isinstance(expected, Truth) and isinstance(observed, Truth):
        argued = _truth(setting, step, expected)
    else:
        argued = _rows(setting, step, found)
    return [windows_at(setting, step), *argued]


def _rows(setting: Setting, step: TraceStep, found: Difference) -> list[Claim]:
    claims: list[Claim] = []
    for change in found.changed[:TOLD]:
        if equal := equal_numbers(setting, change):
            claims += equal
        elif monotone(setting.case.query):
            claims += _extra(setting, step, change.observed)
            claims += _missing(setting, step, change.expected)
        else:
            claims += changed_value(setting, step, change)
    extra, missing = list(dict.fromkeys(found.extra)), list(dict.fromkeys(found.missing))
    for rows, argue in ((extra, _extra), (missing, _missing)):
        claims += _together([argue(setting, step, part) for part in rows[:TOLD]], rows)
    left = sum(max(0, len(own) - TOLD) for own in (found.changed, extra, missing))
    if left:
        triples = isinstance(step.evaluation.content, Triples)
        claims.append(Remark("more triples differ" if triples else "more rows differ", left))
    return claims


def _together(argued: list[list[Claim]], rows: list[Part]) -> list[Claim]:
    """The claims on the first of ROWS and then on the second; where they are alike, on both."""
    if len(argued) == TOLD:
        both = tuple(rows[:TOLD])
        one, other = ([_of(claim, both) for claim in claims] for claims in argued)
        if one == other:
            return one
    return [claim for claims in argued for claim in claims]


def _of(claim: Claim, parts: tuple[Part, ...]) -> Claim:
    if isinstance(claim, (Missing, WouldCome, WouldComeAt, NoSource, Compared, Duplicates)):
        return replace(claim, parts=parts) if claim.parts else claim
    return claim


def _truth(setting: Setting, step: TraceStep, expected: Truth) -> list[Claim]:
    previous = Previous(setting, step, Part((), (), "true"))
    if previous.applies:
        return previous.truth(expected.value)
    if expected.value:
        return missing_origin(setting, previous.now, "solution")
    return extra_origin(setting, previous.now)


def _extra(setting: Setting, step: TraceStep, part: Part) -> list[Claim]:
    previous = Previous(setting, step, part)
    if previous.applies:
        return previous.extra(part)
    if count(part, step.evaluation.content, setting.dials.numbers):
        as_set = setting.dials.window_content == "set"
        return [_duplicates(setting, step, previous.now, as_set=as_set)]
    return extra_origin(setting, previous.now, part)


def _missing(setting: Setting, step: TraceStep, part: Part) -> list[Claim]:
    previous = Previous(setting, step, part)
    if previous.applies:
        return previous.missing(part)
    if _given(setting, part):
        return [_duplicates(setting, step, previous.now, as_set=False)]
    nothing = over_nothing(setting, previous.now)
    return [Missing((part,)), *(nothing or missing_origin(setting, previous.now))]


def _given(setting: Setting, part: Part) -> int:
    """How often PART is given where the answers part."""
    observed = setting.divergence.observed if setting.divergence else None
    return 0 if observed is None else count(part, observed.content, setting.dials.numbers)


def _duplicates(
    setting: Setting, step: TraceStep, provenance: Provenance, *, as_set: bool
) -> Duplicates:
    part, held = provenance.part, provenance.held
    alone = {index for item in held if provenance.yields(frozenset({item})) for index in item[1:]}
    due = count(part, step.evaluation.content, setting.dials.numbers)
    return Duplicates((part,), _given(setting, part), due, tuple(sorted(alone)), as_set)


def wrong_order(setting: Setting, expected: Content, observed: Content) -> list[Claim]:
    """The rows are right and ORDER BY is not obeyed: the first two that stand the wrong way."""
    if not isinstance(expected, Rows) or expected.ties is None:
        return []
    columns, given = table(observed, expected.variables)

    def same(left: Row, right: Row) -> bool:
        return same_rows([left], [right], setting.dials.numbers)

    groups = _groups(expected, given, same)
    for position, (left, right) in enumerate(pairwise(groups)):
        if left is not None and right is not None and left > right:
            return [OutOfOrder(position, columns, given[position], given[position + 1])]
    for position, row in enumerate(expected.rows[: len(given)]):
        if not same(row, given[position]):
            other = Part(columns, given[position])
            return [OtherInPlace(position, other, Part(expected.variables, row))]
    return []


def _groups(expected: Rows, given: list[Row], same: Callable[[Row, Row], bool]) -> list[int | None]:
    """For every row given, the group of ties that it belongs to."""
    assert expected.ties is not None
    left = list(zip(expected.rows, expected.ties, strict=True))
    found: list[int | None] = []
    for row in given:
        partner = next((i for i, (other, _) in enumerate(left) if same(other, row)), None)
        found.append(None if partner is None else left.pop(partner)[1])
    return found
