"""R2S and query form: from solutions to the content of an answer (RSP-QL Definitions 20 to 22)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rsp_conformance.model.answers import Content
from rsp_conformance.model.dials import R2S
from rsp_conformance.spark.worker.forms import content
from rsp_conformance.spark.worker.registered import RegisteredQuery
from rsp_conformance.sparql.relation import Relation, Row


def answer(
    query: RegisteredQuery, now: Relation, before: Relation | None, stayed: Relation | None = None
) -> Content:
    """The content of an answer.

    Args:
        query: the query.
        now: its solutions.
        before: its solutions at the evaluation before; None at the first.
        stayed: under ``elements``, the solutions over elements that the windows held then and hold
            now.
    """
    r2s = query.dials.r2s
    if query.letter not in ("I", "D") and r2s != "set":
        return content(query.query, now)
    earlier = before.rows if before is not None else []
    rows, ties, computed = now.rows, now.ties, now.computed
    match query.letter:
        case "I":
            rows, ties = _gone(rows, earlier if stayed is None else stayed.rows, r2s), None
        case "D":
            computed = before.computed if before is not None else frozenset()
            rows, ties = _gone(earlier, rows if stayed is None else stayed.rows, r2s), None
        case "R" if r2s == "set":
            places = {row: place for place, row in reversed([*enumerate(rows)])}.values()
            kept = sorted(places)
            rows = [rows[place] for place in kept]
            ties = None if ties is None else tuple([ties[place] for place in kept])
    return content(
        query.query, Relation(now.variables, rows, ties, now.undetermined, computed=computed)
    )


def _gone(rows: Sequence[Row], others: Sequence[Row], r2s: R2S) -> list[Row]:
    """The difference of two bags of rows, as bags (CQL), as sets or by membership (dial ``r2s``).

    The second and later occurrences of a solution are numbered, so that a difference of sets is one
    of bags.
    """
    if not others:
        return list(dict.fromkeys(rows) if r2s == "set" else rows)
    if r2s == "set":
        return list(dict.fromkeys(rows).keys() - set(others))
    if r2s == "membership":
        other = set(others)
        return [row for row in rows if row not in other]
    left = _numbered(rows)
    return [left[key] for key in left.keys() - _numbered(others).keys()]


def _numbered(rows: Sequence[Row]) -> dict[Any, Row]:
    numbered: dict[Any, Row] = {row: row for row in rows}
    if len(numbered) < len(rows):
        seen: dict[Row, int] = {}
        for row in rows:
            number = seen[row] = seen.get(row, 0) + 1
            if number > 1:
                numbered[row, number] = row
    return numbered
