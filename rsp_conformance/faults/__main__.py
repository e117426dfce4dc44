"""Print the table of seeded faults, and write it to ``build/faults.json``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from rsp_conformance.adapters.reference.faults import FAULTS, Fault
from rsp_conformance.faults.hunt import LIMIT, Hunt, candidates, faulty, first_failing, hunt

SEEDS = 5


def best(fault: Fault) -> Hunt | None:
    """The hunt by the likeliest property that finds FAULT from every seed within LIMIT cases."""
    subject = faulty(fault)
    with subject.engine:
        for property in candidates(fault, subject):
            if first_failing(subject, property, 0, LIMIT) is not None:
                result = hunt(fault, property, SEEDS)
                if result.cases is not None:
                    return result
    return None


def table(hunts: list[tuple[Fault, Hunt | None]]) -> Table:
    """The table as people read it."""
    shown = Table("fault", "found by", "cases", "elements", title="Seeded faults of `reference`")
    for fault, result in hunts:
        if result is None:
            shown.add_row(fault.name, "nothing", f"> {LIMIT}", "")
        else:
            cells = (result.found_by.name, f"{result.cases:g}", str(result.elements))
            shown.add_row(fault.name, *cells)
    return shown


def main(arguments: list[str] | None = None) -> int:
    """Hunt every fault; 1 if one is not found within LIMIT cases."""
    parser = argparse.ArgumentParser(prog="python -m rsp_conformance.faults", description=__doc__)
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these")
    parser.add_argument("--output", type=Path, default=Path("build/faults.json"))
    options = parser.parse_args(arguments)
    unknown = [name for name in options.faults if name not in FAULTS]
    if unknown:
        parser.error(f"unknown fault {unknown[0]!r} (the faults are {', '.join(FAULTS)})")
    chosen = [FAULTS[name] for name in options.faults or FAULTS]
    console = Console(stderr=True)
    hunts = [
        (fault, best(fault))
        for fault in track(chosen, "Hunting", console=console, disable=not console.is_terminal)
    ]
    Console().print(table(hunts))
    rows = [
        {
            "fault": fault.name,
            "property": result.found_by.name if result else None,
            "cases": result.cases if result else None,
            "elements": result.elements if result else None,
        }
        for fault, result in hunts
    ]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    return 1 if any(result is None for _, result in hunts) else 0


if __name__ == "__main__":
    sys.exit(main())
