"""The counts as JSON and as a page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rsp_conformance.cells.cell import open_by
from rsp_conformance.cells.heard import Cell
from tools.coverage.counting import Counts
from tools.coverage.tables import TABLES

OF = 50_000
"""The number of cases that LEAST is of."""
LEAST = 25
"""So many times an open cell is to be met in OF cases."""
OFTEN = 10
"""A cell that was met so often, and never where the answer is judged, is always open."""


@dataclass(frozen=True)
class Row:
    """A cell with how many cases met it: COUNT are those that are judged."""

    table: str
    cell: str
    count: int
    reason: str
    met: int
    with_rows: int

    @property
    def is_open(self) -> bool:
        """Whether nothing keeps the cell from being met, or it is met all the same."""
        return not self.reason or self.count > 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing says why the cell was not met."""
        return not self.reason and not self.count


def rows(counts: Counts, tables: Sequence[str]) -> list[Row]:
    """Every cell of TABLES."""
    found, points = [], _points(counts)
    for table in tables:
        for cell, reason in TABLES[table]().items():
            key: Cell = table, cell
            judged, met = counts.judged[key], counts.met[key]
            is_open = not reason and not judged and met >= OFTEN and key in points
            own = open_by(*points[key]) if is_open else reason
            found.append(Row(table, cell, judged, own, met, counts.with_rows[key]))
    return found


def with_rare(listed: Sequence[Row], met: Mapping[Cell, int], of: str) -> list[Row]:
    """The rows; if an empty cell was MET further on, its reason says how rarely, and OF what."""
    return [
        replace(row, reason=f"rare: in {met[row.table, row.cell]} {of}")
        if row.is_empty and met.get((row.table, row.cell))
        else row
        for row in listed
    ]


def _points(counts: Counts) -> dict[Cell, list[str]]:
    """What left the answer open where a cell was met, the most frequent point first."""
    found: dict[Cell, list[str]] = {}
    for (cell, point), _ in counts.left_open.most_common():
        found.setdefault(cell, []).append(point)
    return found


def unlisted(counts: Counts, listed: Sequence[Row]) -> dict[Cell, int]:
    """What was met, and is in no table: a slip in a definition, or more than any class."""
    known = {(row.table, row.cell) for row in listed}
    tables = {table for table, _ in known}
    met = sorted(counts.met.items())
    return {cell: times for cell, times in met if cell not in known and cell[0] in tables}


def summary(listed: Sequence[Row], drawn: int) -> list[str]:
    """The table of totals, as Markdown; few cases say nothing of what LEAST would come to."""
    least = LEAST * drawn / OF
    lines = [
        f"| table | cells | with a reason | open | reached | at least {LEAST} in {OF:,} | empty |",
        "|---|---|---|---|---|---|---|",
    ]
    for table in [*dict.fromkeys(row.table for row in listed), "all"]:
        own = [row for row in listed if table in (row.table, "all")]
        open_ = [row for row in own if row.is_open]
        reached = [row for row in open_ if row.count]
        often = f"{sum(row.count >= least for row in reached):,}" if least > 1 else "–"
        closed, empty = len(own) - len(open_), len(open_) - len(reached)
        numbers = [f"{number:,}" for number in (len(own), closed, len(open_), len(reached))]
        lines.append(f"| {table} | {' | '.join([*numbers, often, f'{empty:,}'])} |")
    return lines


_SUMMARY = re.compile(r"[\d,]+ cases from independent bytes\n\n(\|.*\n)+")


def into(text: str, listed: Sequence[Row], drawn: int) -> str:
    """TEXT of a file with the totals in the place of those that it shows; ValueError for none."""
    table = "\n".join(summary(listed, drawn))
    changed, places = _SUMMARY.subn(f"{drawn:,} cases from independent bytes\n\n{table}\n", text)
    if places != 1:
        raise ValueError("the file shows no totals of coverage")
    return changed


def page(listed: Sequence[Row], counts: Counts, profiles: Mapping[str, Mapping[str, int]]) -> str:
    """All of it as Markdown; PROFILES hold how many cells of each table they reach."""
    parts = [
        f"# What is generated: {counts.drawn:,} cases",
        "\n".join(summary(listed, counts.drawn)),
        f"Processor time, ms a case: {cost(counts)}.",
    ]
    if profiles:
        parts += ["## Under bundled profiles", "\n".join(_of_profiles(profiles))]
    least = LEAST * counts.drawn / OF
    for table in dict.fromkeys(row.table for row in listed):
        own = [row for row in listed if row.table == table]
        empty = [row for row in own if not row.count]
        kinds = {
            "Empty": [row.cell for row in empty if not row.reason],
            "Rare": [_counted(row) for row in own if 0 < row.count < least],
            "With a reason": [f"{row.cell}: {row.reason}" for row in empty if row.reason],
            "Met": [_counted(row) for row in own if row.count >= least],
        }
        parts.append(f"## {table}")
        for kind, lines in kinds.items():
            parts += [f"### {kind} ({len(lines)})", "\n".join(f"- {line}" for line in lines)]
    more = [f"- {table}: {cell}: {n}" for (table, cell), n in unlisted(counts, listed).items()]
    return "\n\n".join([*parts, "## Met, and in no table", "\n".join(more)]) + "\n"


def cost(counts: Counts) -> str:
    """What each part took, in milliseconds of processor time per case."""
    drawn = max(counts.drawn, 1)
    return ", ".join(f"{what} {s / drawn * 1000:.2f}" for what, s in counts.seconds.items())


def _counted(row: Row) -> str:
    beside = f" ({row.met} with those that are open)" if row.met > row.count else ""
    return f"{row.cell}: {row.count}{beside}"


def _of_profiles(profiles: Mapping[str, Mapping[str, int]]) -> list[str]:
    tables = list(next(iter(profiles.values())))
    return [
        f"| profile | {' | '.join(tables)} |",
        f"|---|{'---|' * len(tables)}",
        *(
            f"| {name} | {' | '.join(str(own[t]) for t in tables)} |"
            for name, own in profiles.items()
        ),
    ]


def write(
    folder: Path,
    listed: Sequence[Row],
    counts: Counts,
    profiles: Mapping[str, Mapping[str, int]],
) -> None:
    """Write ``coverage.json`` and ``coverage.md`` into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    cells = [
        {
            "table": row.table,
            "cell": row.cell,
            "count": row.count,
            "reason": row.reason,
            "met": row.met,
            "with_rows": row.with_rows,
        }
        for row in listed
    ]
    text = json.dumps(cells, ensure_ascii=False, indent=0)
    (folder / "coverage.json").write_text(text + "\n", "utf-8")
    (folder / "coverage.md").write_text(page(listed, counts, profiles), "utf-8")
