"""Draw cases of the whole suite, and count the cells that they meet.

The result is ``build/coverage.json`` (``{table, cell, count, reason, met, with_rows}``, the count
being of cases whose answer is judged) and the page ``build/coverage.md``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rsp_conformance.files.profiles import profile_names
from rsp_conformance.run.properties import SUITE
from rsp_conformance.run.selection import not_applicable
from tools.coverage.counting import Counts, Share, count, subject_of
from tools.coverage.drawing import Source
from tools.coverage.page import Row, into, rows, summary, unlisted, with_rare, write
from tools.coverage.page import cost as cost_of
from tools.coverage.tables import TABLES
from tools.processes import results
from tools.progress import never_silent, report

OF_A_PROPERTY = 100
"""So many tests of a property a default run asks for."""
PAGE = Path(__file__).with_name("cells.md")
NESTING, FUNCTIONS = "nesting", "functions"
"""The properties whose cases have many operators that meet, and functions of many kinds."""
SAID = 2_500
"""After so many cases it is said how many there are."""


def shares(
    cases: int, seed: str, source: Source, tables: Sequence[str], profile: str | None
) -> list[Share]:
    """So many CASES in equal shares of all properties that mean something under PROFILE."""
    subject = subject_of(profile)
    names = [p.name for p in SUITE if not_applicable(p, subject) is None]
    if source == "run" and not cases:
        cases = OF_A_PROPERTY * len(names)
    return [
        Share(
            name, cases // len(names) + (n < cases % len(names)), seed, source, (*tables,), profile
        )
        for n, name in enumerate(names)
    ]


def counted(shares: Sequence[Share], jobs: int) -> Counts:
    """All SHARES together, in so many processes."""
    total, said = Counts(), 0
    for own, share in zip(results(count, shares, jobs), shares, strict=True):
        total.add(own)
        if total.drawn - said >= SAID:
            said = total.drawn
            report(f"{said:,} cases, the last ones of {share.property}")
    return total


def sought(listed: Sequence[Row], number: int, seed: str, jobs: int) -> list[Row]:
    """The rows; empty cells are sought in so many further cases of the property they are about.

    Of the whole suite's cases few are about operators in operators, or functions of odd arguments,
    so a legal cell may be met in none.
    """
    found, parts = [*listed], max(number // SAID, 1)
    for property in (NESTING, FUNCTIONS):
        empty = [row for row in found if row.is_empty and _sought_in(row) == property]
        if not empty or not number:
            continue
        report(f"{len(empty)} empty cells are sought in {property}")
        tables = (*dict.fromkeys(row.table for row in empty),)
        further = [
            Share(property, number // parts, f"{seed} further {part}", "bytes", tables)
            for part in range(parts)
        ]
        own = counted(further, jobs)
        found = with_rare(found, own.met, f"of {own.drawn:,} further cases of `{property}`")
    return found


def _sought_in(row: Row) -> str:
    """The property in whose cases the cell of an empty row is least rare."""
    return FUNCTIONS if row.table.startswith("3 ") else NESTING


def main(arguments: list[str] | None = None) -> int:
    """Count, write, and print the totals."""
    parser = argparse.ArgumentParser(prog="python -m tools.coverage", description=__doc__)
    parser.add_argument("--cases", type=int, help="how many; 50,000, or as a default run draws")
    parser.add_argument(
        "--profile", choices=profile_names(), help="a bundled one instead of plain RSP-QL"
    )
    parser.add_argument(
        "--each-profile", type=int, default=0, metavar="N", help="N cases under each"
    )
    parser.add_argument(
        "--seek", type=int, default=0, metavar="N", help="seek empty cells in N further cases"
    )
    parser.add_argument("--seed", default="coverage")
    parser.add_argument("--source", choices=("bytes", "run"), default="bytes")
    parser.add_argument("--only", default="", help="the numbers of tables, as 3 or 35")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help=f"write the totals into {PAGE.name}")
    parser.add_argument("--out", type=Path, default=Path("build"))
    given = parser.parse_args(arguments)
    tables = [name for name in TABLES if not given.only or name[0] in given.only]
    cases = given.cases or (0 if given.source == "run" else 50_000)
    with never_silent():
        counts = counted(shares(cases, given.seed, given.source, tables, given.profile), given.jobs)
        profiles = {}
        for name in profile_names() if given.each_profile else ():
            report(f"the profile {name}")
            own = counted(shares(given.each_profile, given.seed, "bytes", tables, name), given.jobs)
            profiles[name] = reached(rows(own, tables))
        listed = sought(rows(counts, tables), given.seek, given.seed, given.jobs)
    write(given.out, listed, counts, profiles)
    if given.keep:
        PAGE.write_text(into(PAGE.read_text("utf-8"), listed, counts.drawn), "utf-8")
    print("\n".join(summary(listed, counts.drawn)))
    print(f"{counts.drawn:,} cases; processor time, ms a case: {cost_of(counts)}")
    if more := unlisted(counts, listed):
        print(f"{len(more)} met in no table: {'; '.join(cell for _, cell in more)}"[:2_000])
    print(f"written: {given.out / 'coverage.md'}, {given.out / 'coverage.json'}")
    return 0


def reached(listed: Iterable[Row]) -> dict[str, int]:
    """How many cells of each table were met."""
    return dict(Counter(row.table for row in listed if row.count))


if __name__ == "__main__":
    sys.exit(main())
