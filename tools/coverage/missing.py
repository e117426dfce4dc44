"""`python -m tools.coverage.missing build/coverage.json`: what is never met, in few lines.

A table is seen as rows and columns, such as functions and kinds of arguments. Rows that lack the
same columns are one line, and "all" stands for every column that there is.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rsp_conformance.cells.kinds import KINDS

_SPLIT = {
    "2 operators": r"(?P<row>.+? (?:>|beside|within)) (?P<column>.+)",
    "3 functions": rf"(?P<row>.+?\((?:\S+(?=: ))?)(?:: )?(?P<column>{'|'.join(KINDS)})\)",
    "3 pairs of kinds": r"(?P<row>.+ (?:=|!=|<=|>=|<|>|\+|-|\*|/)) (?P<column>.+)",
    "4 modifiers": r"(?P<row>.+), (?P<column>(?:not )?grouped, (?:sub)?query, .+)",
    "5 values": r"(?P<column>\w+): (?P<row>.+)",
}
"""How the cells of a table have rows and columns; of others each is a row of its own."""


def place(table: str, cell: str) -> tuple[str, str]:
    """The row and the column of CELL; a cell that stands alone has no column."""
    found = re.fullmatch(_SPLIT[table], cell) if table in _SPLIT else None
    return (found["row"], found["column"]) if found else (cell, "")


def lines(table: str, cells: Iterable[dict[str, Any]], least: float) -> Iterator[str]:
    """The open CELLS of TABLE that are met less than LEAST times, row by row."""
    columns: dict[str, set[str]] = defaultdict(set)
    missing: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        if not cell["reason"] or cell["count"]:
            row, column = place(table, cell["cell"])
            columns[row].add(column)
            if cell["count"] < least:
                missing[row].append(column)
    rows: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row, lacks in missing.items():
        whole = len(lacks) == len(columns[row]) > 1
        rows["all of them" if whole else "", *([] if whole else lacks)].append(row)
    for (every, *lacks), own in rows.items():
        number = sum(len(missing[row]) for row in own)
        tail = every or "; ".join(lacks)
        yield f"- ({number}) {_joined(own)}{f': {tail}' if tail.strip() else ''}"


def _joined(rows: Sequence[str]) -> str:
    """ROWS beside each other; that of an argument, "STR(1", is closed, and an aggregate's bare."""
    return " | ".join(f"{row})" if re.search(r"\(\w+$", row) else row.rstrip("(") for row in rows)


def main(arguments: list[str] | None = None) -> int:
    """Print what is missing."""
    parser = argparse.ArgumentParser(prog="python -m tools.coverage.missing", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=Path("build/coverage.json"))
    parser.add_argument("--least", type=int, default=1, help="what is met less often is missing")
    given = parser.parse_args(arguments)
    tables: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for cell in json.loads(given.file.read_text("utf-8")):
        tables[cell["table"]].append(cell)
    for table, cells in tables.items():
        own = [cell for cell in cells if not cell["reason"] or cell["count"]]
        lacking = sum(cell["count"] < given.least for cell in own)
        print(f"\n## {table}: {lacking} of {len(own)} open cells\n")
        print("\n".join(lines(table, cells, given.least)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
