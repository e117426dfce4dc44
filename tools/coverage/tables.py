"""All tables of cells, and what a case meets of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from rsp_conformance.cells.cell import Cells
from rsp_conformance.cells.functions import function_cells, pair_cells
from rsp_conformance.cells.heard import FUNCTIONS, MODIFIERS, PAIRS, Cell
from rsp_conformance.cells.modifiers import aggregates_met, modifier_cells, modifiers_met
from rsp_conformance.cells.operators import operator_cells, operators_met
from rsp_conformance.cells.times import time_cells, times_met
from rsp_conformance.cells.values import value_cells, values_met
from rsp_conformance.model.case import Case
from tools.coverage.grammar import Grammar

GRAMMAR, OPERATORS, VALUES, TIMES = "1 grammar", "2 operators", "5 values", "6 times"

TABLES: Final[Mapping[str, Callable[[], Cells]]] = {
    GRAMMAR: lambda: Grammar().cells(),
    OPERATORS: operator_cells,
    FUNCTIONS: function_cells,
    PAIRS: pair_cells,
    MODIFIERS: modifier_cells,
    VALUES: value_cells,
    TIMES: time_cells,
}
"""What makes the cells of each table."""


def static_cells(case: Case, unit: int, tables: Iterable[str] = TABLES) -> set[Cell]:
    """The cells of TABLES that can be read off CASE, with instants of UNIT milliseconds.

    Productions of the grammar are not among them: they are a text's (``grammar.Grammar``).
    """
    readers: dict[str, Callable[[], Iterable[str]]] = {
        OPERATORS: lambda: operators_met(case.query),
        FUNCTIONS: lambda: aggregates_met(case.query),
        MODIFIERS: lambda: modifiers_met(case.query),
        VALUES: lambda: values_met(case),
        TIMES: lambda: times_met(case, unit),
    }
    return {(t, cell) for t in tables if t in readers for cell in readers[t]()}
