"""`python -m tools.mutation.campaigns`: how many cases until a campaign meets a slow mutant.

For each focus some cases are drawn, and it is asked of each which mutants show in it. From these,
over and over, campaigns are played: units are chosen as a campaign does, and evenly over the foci,
whose cases are then asked as they come. The median over seeds, with both quartiles.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from statistics import geometric_mean, median, quantiles

from rich.console import Console
from rich.table import Table

from rsp_conformance.campaigns.campaign import UNIT
from rsp_conformance.campaigns.choice import EPOCH, Choice
from rsp_conformance.campaigns.signature import Coverage, behaviour, rarest, signature
from rsp_conformance.campaigns.unit import Brought, EngineSource, Signature, foci_of
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.reference import by_evaluation, reference_answers
from rsp_conformance.diagnosis.simulation import BEYOND, visible
from rsp_conformance.limits import limited
from rsp_conformance.sparql.compare.contents import same_answers
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.strategies import some_cases
from tools.progress import never_silent, report

SLOW = (
    "incomparable-unequal",
    "join-with-unmatched-optional",
    "subquery-sees-outside",
    "aggregate-skips-errors",
    "filter-prefix-unexpanded",
    "pattern-literal-as-text",
    "keyword-variable-lost",
    "strings-cut",
    "disjunction-as-union",
    "disjunction-error-first",
    "exists-equality-blind",
    "distinct-concatenation-unbound",
    "background-rows-once",
    "last-filter-only",
    "grouped-join-silent",
    "outer-join-when-reordered",
)
"""The mutants that take the most cases of their own property (`make faults`)."""
MOST = 6_000
"""So many cases are drawn at most."""

Pool = Mapping[str, Sequence[tuple[Signature, frozenset[str]]]]
"""Cases by focus: the signature of each, and the mutants that show in it."""


def drawn(number: int, mutants: Sequence[str]) -> Pool:
    """About so many cases of every focus."""
    subject = EngineSource("reference").meet()
    pool: dict[str, list[tuple[Signature, frozenset[str]]]] = {}
    for focus in foci_of(subject):
        report(f"cases of {focus}")
        for case in some_cases(subject.features, subject.profile, focus, number, seed="pool"):
            dials, shown = subject.dials(case), set[str]()
            with suppress(*BEYOND), limited():
                starts = next(iter(rspql_queries(case, dials)))
                plain = by_evaluation(dials)
                answers = reference_answers(case, plain, starts)
                for mutant in visible(case).intersection(mutants):
                    others = reference_answers(case, plain, starts, mutants=[MUTANTS[mutant]])
                    if not same_answers(answers, others, dials.numbers):
                        shown.add(mutant)
                own = replace(signature(case, dials), behaviour=behaviour("correct", "", answers))
                pool.setdefault(focus, []).append((own, frozenset(shown)))
    return pool


def first_cases(pool: Pool, seed: int, most: int, *, evenly: bool) -> dict[str, int]:
    """The number of the first case, of so many, in which each mutant shows."""
    chance, choice = random.Random(seed), Choice([*pool], str(seed), evenly)
    coverage, found, asked, number = Coverage(), dict[str, int](), 0, 1
    while asked < most:
        met = dict(coverage.met)
        for unit in choice.units(number, [UNIT] * EPOCH):
            cases = chance.choices(pool[unit.focus], k=unit.drawn)
            signatures = [own for own, _ in cases]
            points = 0
            for place in range(UNIT) if evenly else rarest(signatures, met, UNIT):
                own, shown = cases[place]
                asked += 1
                points += len(coverage.add(own))
                found = dict.fromkeys(shown, asked) | found
            choice.learn(Brought(unit.number, unit.focus, UNIT, points))
        number += EPOCH
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation.campaigns")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--pool", type=int, default=200, help="cases of a focus that are drawn")
    parser.add_argument("--most", type=int, default=MOST, help="cases of a campaign")
    parser.add_argument("--fault", nargs="+", choices=[*MUTANTS], default=SLOW)
    given = parser.parse_args(arguments)
    with never_silent():
        played(drawn(given.pool, given.fault), given.fault, given.seeds, given.most)
    return 0


def played(pool: Pool, mutants: Sequence[str], seeds: int, most: int) -> None:
    """Play campaigns over POOL, and print how long MUTANTS took."""
    counts = Counter(mutant for cases in pool.values() for _, shown in cases for mutant in shown)
    numbers: dict[bool, dict[str, list[int]]] = {}
    for evenly in (False, True):
        report("evenly" if evenly else "as a campaign chooses")
        found = [first_cases(pool, seed, most, evenly=evenly) for seed in range(seeds)]
        numbers[evenly] = {mutant: [one.get(mutant, most) for one in found] for mutant in mutants}
    # What no case of the pool shows says nothing.
    _show({f: numbers[False][f] for f in mutants if counts[f]}, numbers[True], most)


def _show(
    chosen: Mapping[str, Sequence[int]], even: Mapping[str, Sequence[int]], most: int
) -> None:
    ratios = []
    table = Table("fault", "chosen", "evenly", "evenly / chosen")
    for mutant in chosen:
        ratio = median(even[mutant]) / median(chosen[mutant])
        table.add_row(
            mutant, _said(chosen[mutant], most), _said(even[mutant], most), f"{ratio:.2f}"
        )
        ratios.append(ratio)
    table.add_row("geometric mean", "", "", f"{geometric_mean(ratios):.2f}")
    Console(width=100).print(table)


def _said(numbers: Sequence[int], most: int) -> str:
    low, _, high = quantiles(numbers, n=4) if len(numbers) > 1 else (numbers[0],) * 3
    shown = f"{median(numbers):g} ({low:g}–{high:g})"
    return shown if median(numbers) < most else f"not in {most:,}"


if __name__ == "__main__":
    sys.exit(main())
