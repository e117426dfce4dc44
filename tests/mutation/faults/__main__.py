"""Print the table of seeded faults, and write it to ``build/faults.json``."""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rsp_conformance.adapters.reference.fault import Fault
from rsp_conformance.adapters.reference.faults import (
    FAULTS,
    RARE_FAULTS,
    RELATION_FAULTS,
    REPORTED_FAULTS,
)
from rsp_conformance.suite.properties import Property, property_named
from tests.mutation.faults.hunt import (
    LIMIT,
    Hunt,
    candidates,
    faulty,
    first_failing,
    hunt,
    limit_of,
)
from tests.progress import never_silent, reported

SEEDS = 20
LIKELY: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("likely.toml").read_text("utf-8")
)


def best(fault: Fault, seeds: int = SEEDS) -> Hunt | None:
    """The hunt by the likeliest property that finds FAULT from every seed within its limit.

    Where there is none, it is the hunt by the likeliest that finds it from the first seed; so it is
    for a rare fault, which hardly any property finds from every seed. For a reported fault
    ``likely.toml`` says which property it is; None if none finds it from most seeds.
    """
    if fault.name in REPORTED_FAULTS:
        found_by = LIKELY.get(fault.name)
        return hunt(fault, property_named(found_by), seeds) if found_by else None
    likely: list[Property] = []
    subject, limit = faulty(fault), limit_of(fault)
    with subject.engine:
        for property in candidates(fault, subject):
            found = (first_failing(subject, property, seed, limit) for seed in range(seeds))
            if next(found) is not None:
                likely.append(property)
                if fault.name in RARE_FAULTS or None not in found:
                    return hunt(fault, property, seeds)
    return hunt(fault, likely[0], seeds) if likely else None


def searched(fault: Fault, seeds: int) -> Hunt | None:
    """The hunt by the property that is made to find FAULT, or else by the best one."""
    return (
        hunt(fault, property_named(fault.relation), seeds) if fault.relation else best(fault, seeds)
    )


def shown(cases: float, limit: int = LIMIT) -> str:
    """A number of cases, of LIMIT at most, as the table has it."""
    return f"{cases:g}" if cases <= limit else f"> {limit}"


def beside(fault: Fault) -> str:
    """How many cases the likeliest property needs that looks at one case at a time."""
    found = best(fault, 5)
    return "–" if found is None else f"{found.found_by.name}: {shown(found.quartiles[1])}"


def table(hunts: Sequence[tuple[Fault, Hunt | None]], others: Mapping[str, str]) -> Table:
    """The table as people read it; OTHERS are what properties of one case need."""
    columns = ["fault", "found by", "cases", "lower", "upper", "seeds", "elements"]
    columns += ["one case at a time"] if others else []
    made = Table(*columns, title="Seeded faults of `reference`: cases to the first failing one")
    for fault, result in hunts:
        cells = ["nothing", *[""] * 5]
        if result is not None:
            limit = limit_of(fault)
            lower, middle, upper = (shown(cases, limit) for cases in result.quartiles)
            times = sum(number <= limit for number in result.cases)
            cells = [escape(result.found_by.name), middle, lower, upper]
            cells += [f"{times} of {len(result.cases)}", f"{result.elements}"]
        made.add_row(fault.name, *cells, *([others.get(fault.name, "")] if others else []))
    return made


def main(arguments: list[str] | None = None) -> int:
    """Hunt every fault; 1 if one that is not rare is not found from every seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.faults", description=__doc__)
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these")
    parser.add_argument(
        "--relations", action="store_true", help="the faults of laws and relations alone"
    )
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"from so many seeds, not {SEEDS}")
    parser.add_argument(
        "--one-case",
        action="store_true",
        help="also how soon properties of one case find what laws and relations find (minutes)",
    )
    parser.add_argument("--output", type=Path, default=Path("build/faults.json"))
    options = parser.parse_args(arguments)
    if options.seeds < 2:
        parser.error("--seeds: quartiles need two at least")
    known = {**FAULTS, **RARE_FAULTS, **RELATION_FAULTS}
    unknown = [name for name in options.faults if name not in known]
    if unknown:
        parser.error(f"unknown fault {unknown[0]!r} (the faults are {', '.join(known)})")
    chosen = [known[name] for name in options.faults or known]
    if options.relations:
        chosen = [fault for fault in chosen if fault.relation]
    related = [fault for fault in chosen if fault.relation and options.one_case]
    with never_silent():
        hunts = [
            (fault, searched(fault, options.seeds))
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
            "quartiles": result.quartiles if result else None,
            "elements": result.elements if result else None,
            "by_one_case": others.get(fault.name),
        }
        for fault, result in hunts
    ]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    by_chance = {*RARE_FAULTS, *REPORTED_FAULTS} - LIKELY.keys()
    needed = [result for fault, result in hunts if fault.name not in by_chance]
    return 0 if all(result is not None and result.found for result in needed) else 1


if __name__ == "__main__":
    sys.exit(main())
