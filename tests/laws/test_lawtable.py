"""Cases of laws, whole queries over streams, by the specification."""

from __future__ import annotations

from rsp_conformance.laws import BAGS, SETS
from tools.mutation.laws.instances import ROWS, instances
from tools.mutation.laws.measuring import Case, Cell, by_specification

CASES = [
    Case(row, semantics, pair)
    for row in ROWS
    for semantics in (SETS, BAGS)
    for pair in instances(row, semantics, 6 if row.claimed(semantics) else 60)
]


def expected(cells: dict[tuple[str, str], Cell]) -> None:
    for row in ROWS:
        for semantics in (SETS, BAGS):
            cell = cells[row.title, semantics]
            assert cell.holds is row.claimed(semantics), (row.title, semantics, cell)


def test_by_the_specification() -> None:
    cells = by_specification(CASES)
    expected(cells)
    told = sum(cell.with_rows for cell in cells.values())
    assert told > sum(cell.cases for cell in cells.values()) / 2


def test_a_cell_is_drawn_the_same_every_time() -> None:
    (row, *_) = ROWS
    assert instances(row, SETS, 6) == [c.pair for c in CASES if c.row == row][:6]
