"""What is measured of a mutant, and ``measured.json``, which has what was measured last."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

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
