"""Engines that hand out single rows, without the ends of evaluations (decision 26).

The protocol's client merges neighbours of one instant (or one cause), so what two evaluations of
one stamp answered cannot be told apart: both sides are joined by stamp before they are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from rsp_conformance.compare.contents import joined
from rsp_conformance.model.answers import Content, Rows, is_empty
from rsp_conformance.spec.alignment_pairing import Due, Given


def joined_by_stamp(due: Sequence[Due], given: Sequence[Given]) -> tuple[list[Due], list[Given]]:
    """Both sequences with one answer a stamp; answers without rows are none.

    A stamp that evaluations inside and outside the compared range share cannot be judged: nothing
    is required there.
    """
    shown = [d for d in due if not is_empty(d.evaluation.content)]
    groups = [list(group) for _, group in groupby(shown, key=lambda d: d.stamp)]
    mixed = {g[0].stamp for g in groups if len({d.required for d in g}) > 1}
    joined_due = [_join_due(group, group[0].stamp not in mixed) for group in groups]
    offered = [g for g in given if not is_empty(g.answer.content)]
    joined_given = []
    for stamp, group in groupby(offered, key=lambda g: g.stamp):
        members = list(group)
        whole = members if stamp is None else [_join_given(members, stamp not in mixed)]
        joined_given += whole
    return joined_due, joined_given


def first_rows(answer: Content, expected: Content) -> Content:
    """As many rows of ANSWER as EXPECTED has, from the start; anything but rows as it is."""
    if not isinstance(answer, Rows) or not isinstance(expected, Rows):
        return answer
    return replace(answer, rows=answer.rows[: len(expected.rows)])


def _join_due(group: Sequence[Due], judged: bool) -> Due:
    first = group[0]
    content = joined([d.evaluation.content for d in group])
    evaluation = replace(first.evaluation, content=content)
    return replace(first, evaluation=evaluation, required=first.required and judged)


def _join_given(group: Sequence[Given], judged: bool) -> Given:
    first = group[0]
    answer = replace(first.answer, content=joined([g.answer.content for g in group]))
    return Given(
        answer,
        first.stamp,
        any(g.required for g in group) and judged,
        any(g.late for g in group),
        all(g.early for g in group),
    )
