"""Print the table of seeded faults, and write it to ``build/faults.json``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rsp_conformance.adapters.reference.fault import Fault
from rsp_conformance.adapters.reference.faults import FAULTS, RELATION_FAULTS
from rsp_conformance.suite.properties import property_named
from tests.mutation.faults.hunt import LIMIT, Hunt, candidates, faulty, first_failing, hunt
from tests.progress import never_silent, reported

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


def by_relation(fault: Fault) -> Hunt | None:
    """The hunt by the property that is made to find FAULT; None where some seed finds nothing."""
    result = hunt(fault, property_named(fault.relation), SEEDS)
    return None if result.cases is None else result


def beside(fault: Fault) -> str:
    """How many cases the likeliest property needs that looks at one case at a time."""
    found = best(fault)
    return f"not in {LIMIT}" if found is None else f"{found.found_by.name}: {found.cases:g}"


def table(hunts: list[tuple[Fault, Hunt | None]], others: Mapping[str, str]) -> Table:
    """The table as people read it; OTHERS are what properties of one case need."""
    columns = ("fault", "found by", "cases", "elements", "one case at a time")
    shown = Table(*columns, title="Seeded faults of `reference`")
    for fault, result in hunts:
        if result is None:
            shown.add_row(fault.name, "nothing", f"> {LIMIT}", "", others.get(fault.name, ""))
        else:
            cells = (escape(result.found_by.name), f"{result.cases:g}", str(result.elements))
            shown.add_row(fault.name, *cells, others.get(fault.name, ""))
    return shown


def main(arguments: list[str] | None = None) -> int:
    """Hunt every fault; 1 if one is not found within LIMIT cases."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.faults", description=__doc__)
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these")
    parser.add_argument(
        "--relations", action="store_true", help="the faults of laws and relations alone"
    )
    parser.add_argument("--output", type=Path, default=Path("build/faults.json"))
    options = parser.parse_args(arguments)
    known = {**FAULTS, **RELATION_FAULTS}
    unknown = [name for name in options.faults if name not in known]
    if unknown:
        parser.error(f"unknown fault {unknown[0]!r} (the faults are {', '.join(known)})")
    chosen = [known[name] for name in options.faults or known]
    if options.relations:
        chosen = [fault for fault in chosen if fault.relation]
    related = [fault for fault in chosen if fault.relation]
    with never_silent():
        hunts = [
            (fault, by_relation(fault) if fault.relation else best(fault))
            for fault in reported("hunting", chosen, [fault.name for fault in chosen])
        ]
        others = {
            fault.name: beside(fault)
            for fault in reported("by one case", related, [fault.name for fault in related])
        }
    Console().print(table(hunts, others))
    rows = [
        {
            "fault": fault.name,
            "property": result.found_by.name if result else None,
            "cases": result.cases if result else None,
            "elements": result.elements if result else None,
            "by_one_case": others.get(fault.name),
        }
        for fault, result in hunts
    ]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    return 1 if any(result is None for _, result in hunts) else 0


if __name__ == "__main__":
    sys.exit(main())
