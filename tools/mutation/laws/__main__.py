"""Print the table of laws as measured, and write it to ``build/laws.json``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from rsp_conformance.laws import BAGS, SETS
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.session import start_session
from tools.mutation.laws.instances import ROWS, instances
from tools.mutation.laws.measuring import (
    SPARK,
    SPECIFICATION,
    Case,
    Cell,
    by_spark,
    by_specification,
)
from tools.progress import never_silent, report, reported

Key = tuple[str, str]
COLUMNS = tuple((s, by) for s in (SETS, BAGS) for by in (SPECIFICATION, SPARK))


def written(cell: Cell) -> str:
    """The entry of CELL in the table."""
    if cell.holds:
        return f"holds ({cell.cases})"
    return f"false ({cell.different}/{cell.cases})"


def table(measured: Mapping[str, Mapping[Key, Cell]]) -> Table:
    """The table as people read it."""
    heads = [f"{semantics}, {by}" for semantics, by in COLUMNS]
    title = "Laws: both sides of so many cases answer alike for every z"
    shown = Table("law", *heads, "with rows", title=title)
    for row in ROWS:
        cells = [measured[by][row.title, semantics] for semantics, by in COLUMNS]
        told = sum(cell.with_rows for cell in cells) / sum(cell.cases for cell in cells)
        shown.add_row(row.title, *map(written, cells), f"{told:.0%}")
    return shown


def main(arguments: list[str] | None = None) -> int:
    """Measure every cell; 1 if one is not as the laws say."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation.laws", description=__doc__)
    parser.add_argument("--cases", type=int, default=100, help="cases a cell (default: 100)")
    parser.add_argument("--output", type=Path, default=Path("build/laws.json"))
    options = parser.parse_args(arguments)
    with never_silent():
        cases = [
            Case(row, semantics, pair)
            for row in reported("drawing cases", ROWS, [row.title for row in ROWS])
            for semantics in (SETS, BAGS)
            for pair in instances(row, semantics, options.cases)
        ]
        report(f"{len(cases)} cases by the reference model")
        measured = {SPECIFICATION: by_specification(cases)}
        report(f"{len(cases)} cases by Spark")
        with start_session("local[*]") as handle:
            measured[SPARK] = by_spark(cases, SparkSemantics(handle))
    Console().print(table(measured))
    rows = [
        {
            "law": row.title,
            "semantics": semantics,
            "by": by,
            "cases": (cell := measured[by][row.title, semantics]).cases,
            "with_rows": cell.with_rows,
            "different": cell.different,
            "holds": cell.holds,
        }
        for row in ROWS
        for semantics, by in COLUMNS
    ]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    unexpected = [
        row.title
        for row in ROWS
        for semantics, by in COLUMNS
        if measured[by][row.title, semantics].holds is not row.claimed(semantics)
    ]
    if unexpected:
        print(f"not as the laws say: {', '.join(dict.fromkeys(unexpected))}", file=sys.stderr)
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
