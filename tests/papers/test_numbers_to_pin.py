"""The numbers of the papers; they are cases of the packaged suite, on which all judges agree."""

from __future__ import annotations

from collections.abc import Iterator, Set

import pytest

from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.model.answers import Content, Evaluation, Rows
from rsp_conformance.results import ProfiledCase
from rsp_conformance.spec.trace import answer
from tests.papers.rows import ROWS, Answers, Row

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.source)


def written(given: ProfiledCase, answers: Iterator[tuple[int, Content]]) -> Answers:
    """Answers as `rows` writes them."""
    notation = Notation(given.case)
    found: dict[int, Set[str]] = {}
    for t, rows in answers:
        assert isinstance(rows, Rows)
        assert t not in found, "one evaluation an instant"
        found[t] = {" ".join(notation.term(cell) for cell in row) for row in rows.rows}
        assert len(found[t]) == len(rows), "no row twice"
    return found


def of_evaluations(given: ProfiledCase, evaluations: tuple[Evaluation, ...]) -> Answers:
    return written(given, ((e.t, e.content) for e in evaluations))


@each_row
def test_by_the_specification(row: Row) -> None:
    given = row.given()
    assert of_evaluations(given, answer(given.case, given.dials, row.starts(given))) == row.expected
