"""Print the table of mutants, and write it to ``build/faults.json``, a mutant as it is measured.

``measured.json`` has what was measured last; with ``--keep`` what is measured now, too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rsp_conformance.adapters.reference.mutants import RARE_MUTANTS, REPORTED_MUTANTS
from tools.mutation.faults.hunt import limit_of
from tools.mutation.faults.measuring import (
    KEPT,
    KNOWN,
    LIKELY,
    SEEDS,
    Measured,
    keep,
    measured,
    shown,
)
from tools.processes import results
from tools.progress import never_silent, report


def table(found: Sequence[Measured]) -> Table:
    """The table as people read it."""
    has_others = any(own.by_one_case for own in found)
    columns = ["fault", "found by", "cases", "lower", "upper", "seeds", "elements"]
    columns += ["one case at a time"] if has_others else []
    made = Table(*columns, title="Seeded mutants of `reference`: cases to the first failing one")
    for own in found:
        cells = ["nothing", *[""] * 5]
        if (result := own.hunt) is not None:
            limit = limit_of(own.fault)
            lower, middle, upper = (shown(cases, limit) for cases in result.quartiles)
            times = sum(number <= limit for number in result.cases)
            cells = [escape(result.found_by), middle, lower, upper]
            cells += [f"{times} of {len(result.cases)}", f"{result.elements}"]
        made.add_row(own.fault, *cells, *([own.by_one_case or ""] if has_others else []))
    return made


def main(arguments: list[str] | None = None) -> int:
    """Hunt every mutant; 1 if one that is not rare is not found from every seed."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation.faults", description=__doc__)
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these")
    parser.add_argument(
        "--relations", action="store_true", help="the mutants of laws and relations alone"
    )
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"from so many seeds, not {SEEDS}")
    parser.add_argument(
        "--one-case",
        action="store_true",
        help="also how soon properties of one case find what laws and relations find (minutes)",
    )
    parser.add_argument("--jobs", type=int, default=1, help="in so many processes")
    parser.add_argument("--keep", action="store_true", help=f"keep it in {KEPT.name}")
    parser.add_argument("--output", type=Path, default=Path("build/faults.json"))
    options = parser.parse_args(arguments)
    if options.seeds < 2:
        parser.error("--seeds: quartiles need two at least")
    unknown = [name for name in options.faults if name not in KNOWN]
    if unknown:
        parser.error(f"unknown mutant {unknown[0]!r} (the mutants are {', '.join(KNOWN)})")
    chosen: list[str] = options.faults or [*KNOWN]
    if options.relations:
        chosen = [name for name in chosen if KNOWN[name].relation]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    call = partial(measured, seeds=options.seeds, one_case=options.one_case)
    found: list[Measured] = []
    with never_silent():
        report(f"hunting {len(chosen)} mutants")
        for number, own in enumerate(results(call, chosen, options.jobs), 1):
            report(f"{number}/{len(chosen)}: {own.fault}")
            found.append(own)
            rows = [one.row for one in found]
            options.output.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
            if options.keep:
                keep([own])
    Console().print(table(found))
    by_chance = {*RARE_MUTANTS, *REPORTED_MUTANTS} - LIKELY.keys()
    needed = [own.hunt for own in found if own.fault not in by_chance]
    return 0 if all(result is not None and result.found for result in needed) else 1


if __name__ == "__main__":
    sys.exit(main())
