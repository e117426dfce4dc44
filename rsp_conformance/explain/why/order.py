"""Rows that are right and in the wrong order."""

from __future__ import annotations

from itertools import pairwise

from rsp_conformance.compare.rows import same_rows
from rsp_conformance.explain.differences import Row, table
from rsp_conformance.explain.evidence import Evidence
from rsp_conformance.explain.layout import ordinal
from rsp_conformance.explain.why.phrases import answered, under
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.verdict import Divergence


def wrong_order(evidence: Evidence, divergence: Divergence) -> list[str]:
    """The rows are right and ORDER BY is not obeyed: the first two that stand the wrong way."""
    expected, observed = divergence.expected, divergence.observed
    assert expected is not None
    assert observed is not None
    notation = evidence.notation
    place = answered(evidence, observed)
    sentences = [
        f"{place[0].upper()}{place[1:]} the engine answers the rows that are due"
        f"{under(evidence)}, in an order that ORDER BY does not allow."
    ]
    if not isinstance(expected.content, Rows) or expected.content.ties is None:
        return sentences
    columns, given = table(observed.content, expected.content.variables)
    groups = _groups(evidence, expected.content, given)
    for position, (left, right) in enumerate(pairwise(groups)):
        if left is not None and right is not None and left > right:
            sentences.append(
                f"{notation.row(columns, given[position])} stands before "
                f"{notation.row(columns, given[position + 1])} (rows {position + 1} and "
                f"{position + 2}), and ORDER BY puts it after."
            )
            return sentences
    for position, row in enumerate(expected.content.rows):
        if position < len(given) and not same_rows(
            [row], [given[position]], evidence.dials.numbers
        ):
            sentences.append(
                f"The {ordinal(position + 1)} row is {notation.row(columns, given[position])} "
                f"where {notation.row(expected.content.variables, row)} is due."
            )
            break
    return sentences


def _groups(evidence: Evidence, expected: Rows, given: list[Row]) -> list[int | None]:
    """For every row given, the group of ties that it belongs to."""
    assert expected.ties is not None
    left = list(zip(expected.rows, expected.ties, strict=True))
    found: list[int | None] = []
    for row in given:
        partner = next(
            (i for i, (r, _) in enumerate(left) if same_rows([r], [row], evidence.dials.numbers)),
            None,
        )
        found.append(None if partner is None else left.pop(partner)[1])
    return found
