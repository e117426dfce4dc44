"""Print the table of mutants, and write it to ``build/faults.json``, a mutant as it is measured.

``measured.json`` has what was measured last; with ``--keep`` what is measured now, too.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.adapters.reference.mutants import (
    MUTANTS,
    RARE_MUTANTS,
    RELATION_MUTANTS,
    REPORTED_MUTANTS,
)
from rsp_conformance.run.properties import Property, property_named
from tools.mutation.faults.hunt import (
    LIMIT,
    Hunt,
    candidates,
    first_failing,
    hunt,
    limit_of,
    mutated,
)
from tools.processes import results
from tools.progress import never_silent, report

KNOWN: Mapping[str, Mutant] = {**MUTANTS, **RARE_MUTANTS, **RELATION_MUTANTS}
SEEDS = 20
KEPT = Path(__file__).with_name("measured.json")
"""By mutant: the property that finds it, the quartiles of the cases up to the first that fails
(null for more than the limit), the elements of the shrunk case, and what the likeliest property of
one case needs. For a mutant that no property finds from most seeds it is an estimate from drawn
cases of a focus, or that none of thousands showed it."""
LIKELY: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("likely.toml").read_text("utf-8")
)


def best(mutant: Mutant, seeds: int = SEEDS) -> Hunt | None:
    """The hunt by the likeliest property that finds MUTANT from every seed within its limit.

    Where there is none, it is the hunt by the likeliest that finds it from the first seed; so it is
    for a rare mutant, which hardly any property finds from every seed. For a reported mutant
    ``likely.toml`` says which property it is; None if none finds it from most seeds.
    """
    if mutant.name in REPORTED_MUTANTS:
        found_by = LIKELY.get(mutant.name)
        return hunt(mutant, property_named(found_by), seeds) if found_by else None
    likely: list[Property] = []
    subject, limit = mutated(mutant), limit_of(mutant.name)
    with subject.engine:
        for property in candidates(mutant, subject):
            found = (first_failing(subject, property, seed, limit) for seed in range(seeds))
            if next(found) is not None:
                likely.append(property)
                if mutant.name in RARE_MUTANTS or None not in found:
                    return hunt(mutant, property, seeds)
    return hunt(mutant, likely[0], seeds) if likely else None


def searched(mutant: Mutant, seeds: int) -> Hunt | None:
    """The hunt by the property that is made to find MUTANT, or else by the best one."""
    return (
        hunt(mutant, property_named(mutant.relation), seeds)
        if mutant.relation
        else best(mutant, seeds)
    )


def shown(cases: float, limit: int = LIMIT) -> str:
    """A number of cases, of LIMIT at most, as the table has it."""
    return f"{cases:g}" if cases <= limit else f"> {limit}"


def beside(fault: str) -> str:
    """How many cases the likeliest property needs that looks at one case at a time."""
    found = best(KNOWN[fault], 5)
    return "–" if found is None else f"{found.found_by}: {shown(found.quartiles[1])}"


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured of a mutant.

    Attributes:
        fault: its name.
        hunt: None if no property finds it.
        by_one_case: how soon a property of one case finds it; None if that is not asked.
    """

    fault: str
    hunt: Hunt | None
    by_one_case: str | None = None

    @property
    def row(self) -> dict[str, object]:
        """The same as a row of the file."""
        own = self.hunt
        return {
            "fault": self.fault,
            "property": own and own.found_by,
            "cases": own and own.cases,
            "quartiles": own and own.quartiles,
            "elements": own and own.elements,
            "by_one_case": self.by_one_case,
        }


def measured(fault: str, *, seeds: int, one_case: bool) -> Measured:
    """Measure a mutant; ONE_CASE also by properties of one case, if a law or relation finds it."""
    mutant = KNOWN[fault]
    is_beside = one_case and bool(mutant.relation)
    return Measured(fault, searched(mutant, seeds), beside(fault) if is_beside else None)


def keep(found: Iterable[Measured]) -> None:
    """Keep what was measured in `KEPT`, in place of what was measured of these mutants before."""
    kept = json.loads(KEPT.read_text("utf-8"))
    for own in found:
        if (result := own.hunt) is None:
            continue
        limit = limit_of(own.fault)
        kept[own.fault] = {
            "found_by": result.found_by,
            "quartiles": [cases if cases <= limit else None for cases in result.quartiles],
            "elements": result.elements,
        } | ({"by_one_case": own.by_one_case} if own.by_one_case is not None else {})
    lines = (f"{json.dumps(name)}: {json.dumps(own)}" for name, own in kept.items())
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


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
