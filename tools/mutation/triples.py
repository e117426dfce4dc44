"""`python -m tools.mutation.triples`: three mutants at once, and which of them are named.

`reference` with three mutants drawn at random is put through the suite as with ``--rsp-deep``:
causes are excluded as they are found, and the search goes on behind them until nothing new comes.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.adapters.reference.mutants import MUTANTS as SHOWN
from rsp_conformance.adapters.reference.mutants import RELATION_MUTANTS
from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.setting import Setting
from rsp_conformance.protocol.registry import connect
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import Event
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.properties import SUITE
from rsp_conformance.run.record import Record
from rsp_conformance.run.reference_opinion import confirm_by_reference
from rsp_conformance.run.session import Session
from rsp_conformance.run.settings import RunSettings
from tools.progress import never_silent, report

TRIPLES = 20
EXAMPLES = 100


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of three mutants: the causes named, and the seconds that the run and naming took.

    ``unseen`` are those of the mutants that no answer has shown beside the others.
    """

    mutants: tuple[Mutant, ...]
    causes: tuple[Cause, ...]
    running: float
    searching: float
    unseen: tuple[str, ...] = ()

    def named(self, mutant: Mutant) -> str:
        """How MUTANT was named: alone (``yes``), with a rival (``or``), or not at all."""
        for cause in self.causes:
            own = Setting(mutants=(mutant.name,))
            if own in cause.setting.parts:
                return "or" if cause.alternatives else "yes"
            if own in cause.alternatives:
                return "or"
        return ""

    @property
    def wrong(self) -> list[str]:
        """The causes named that the engine has not, alone or as a rival of one that it has."""
        true = {Setting(mutants=(mutant.name,)) for mutant in self.mutants}
        return [
            cause.id
            for cause in self.causes
            if cause.is_explained and not true & {*cause.setting.parts, *cause.alternatives}
        ]


def triples(number: int, seed: int, mutants: Mapping[str, Mutant]) -> list[tuple[Mutant, ...]]:
    """NUMBER triples of MUTANTS that can show under one profile."""
    chance = random.Random(seed)
    found: list[tuple[Mutant, ...]] = []
    # Beside one without any rows no other mutant shows.
    able = sorted((f for f in mutants.values() if not f.mute), key=lambda f: f.name)
    while len(found) < number:
        chosen = tuple(chance.sample(able, 3))
        turned = [setting for mutant in chosen for setting in mutant.dials.items()]
        if len(dict(turned)) == len(set(turned)):
            found.append(chosen)
    return found


def is_seen(mutant: Mutant, mutants: Sequence[Mutant], records: Iterable[Record]) -> bool:
    """Whether some answer of RECORDS is as MUTANTS have it, and not as they do without MUTANT."""
    predictions = Predictions()
    whole = Setting.of(mutants=[own.name for own in mutants])
    rest = Setting.of(mutants=[own.name for own in mutants if own is not mutant])
    return any(
        mutant.name in predictions.visible(own)
        and predictions.agrees(whole, own)
        and not predictions.agrees(rest, own)
        for record in records
        for own, correct in record.judged
        if correct is False
    )


def hunt(mutants: tuple[Mutant, ...], examples: int, seed: int, folder: Path) -> Outcome:
    """Search for MUTANTS with a deep run of the suite, EXAMPLES cases per property."""
    dials = {f"dial.{d}": v for mutant in mutants for d, v in mutant.dials.items()}
    options = {"fault": ",".join(mutant.name for mutant in mutants)} | dials
    subject = EngineUnderTest.meet(connect("reference", options))
    outcome, started = RunOutcome(), time.process_time()

    def listen(event: Event) -> None:
        outcome.take([event])

    with subject.engine:
        settings = RunSettings(seed=seed, budget=Budget(examples), deep=True)
        keeper, ledger = Keeper(folder, "reference", {}, str(seed)), Ledger(listen)
        opinions = Opinions(opinion=confirm_by_reference)
        Session(subject, settings, keeper, ledger, opinions).all(SUITE)
        records = [*ledger.records(why="")]
    naming = outcome.seconds["causes"]
    running = time.process_time() - started - naming
    found = Outcome(mutants, outcome.causes, running, naming)
    missed = [mutant for mutant in mutants if not found.named(mutant)]
    unseen = [mutant.name for mutant in missed if not is_seen(mutant, mutants, records)]
    return replace(found, unseen=tuple(unseen))


def table(outcomes: Sequence[Outcome]) -> Table:
    """The table as people read it."""
    columns = ["faults", "named", "missed", "wrong", "s of the run", "s of naming"]
    made = Table(*columns, title="Three mutants of `reference` at once")
    for outcome in outcomes:
        how = {mutant.name: outcome.named(mutant) for mutant in outcome.mutants}
        together = [f"{name} (or)" if word == "or" else name for name, word in how.items() if word]
        made.add_row(
            "\n".join(how),
            "\n".join(together),
            "\n".join(
                f"{name} (no case)" if name in outcome.unseen else name
                for name, word in how.items()
                if not word
            ),
            "\n".join(outcome.wrong),
            f"{outcome.running:.0f}",
            f"{outcome.searching:.0f}",
        )
    return made


def main(arguments: list[str] | None = None) -> int:
    """Hunt random triples; 1 if a cause was named wrongly, or too few triples whole."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation.triples", description=__doc__)
    parser.add_argument("--triples", type=int, default=TRIPLES, help="so many triples")
    parser.add_argument("--seed", type=int, default=0, help="draws them, and the suite's cases")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="cases a property")
    parser.add_argument("--from", type=int, default=1, dest="first", help="begin with the Nth")
    parser.add_argument("--relations", action="store_true", help="also those of relations")
    options = parser.parse_args(arguments)
    mutants = {**SHOWN, **(RELATION_MUTANTS if options.relations else {})}
    mutants = {name: mutant for name, mutant in mutants.items() if name in MUTANTS}
    chosen = triples(options.triples, options.seed, mutants)[options.first - 1 :]
    outcomes = []
    with never_silent(), tempfile.TemporaryDirectory() as folder:
        for number, triple in enumerate(chosen, options.first):
            report(f"triple {number}/{options.triples}: {', '.join(f.name for f in triple)}")
            outcomes.append(hunt(triple, options.examples, options.seed, Path(folder)))
            outcome = outcomes[-1]
            missed = [f.name for f in triple if not outcome.named(f)]
            spent = f"{outcome.running:.0f} + {outcome.searching:.0f} s"
            report(f"missed {missed}, wrong {outcome.wrong}; {spent}")
    Console().print(table(outcomes))
    whole = sum(all(map(outcome.named, outcome.mutants)) for outcome in outcomes)
    print(f"All three named in {whole} of {len(outcomes)}.")
    return int(any(outcome.wrong for outcome in outcomes) or whole < 0.9 * len(outcomes))


if __name__ == "__main__":
    sys.exit(main())
