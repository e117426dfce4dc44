"""`python -m tests.mutation.triples`: three seeded faults at once, and which of them are named.

`reference` with three faults drawn at random is put through the suite, its causes are searched,
those that are found are set aside as known, and so on until nothing new comes.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from rsp_conformance.adapters.reference.fault import Fault
from rsp_conformance.adapters.reference.faults import FAULTS, RELATION_FAULTS
from rsp_conformance.causes.cause import Cause
from rsp_conformance.causes.evidence import Evidence
from rsp_conformance.causes.hypothesis import MUTANTS, Hypothesis
from rsp_conformance.causes.known import KnownCause
from rsp_conformance.causes.prediction import Predictions
from rsp_conformance.causes.search import find_causes
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.protocol.registry import connect
from rsp_conformance.suite.checks import stimuli_for
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.passes import Passes
from rsp_conformance.suite.properties import SUITE
from rsp_conformance.suite.reference_opinion import confirm_by_reference
from rsp_conformance.suite.report import failures_in
from rsp_conformance.suite.run import Run
from rsp_conformance.suite.selection import not_applicable, strategy_of
from tests.progress import never_silent, report

TRIPLES = 20
EXAMPLES = 30
ROUNDS = 4
"""So often a run is made again beside what was found; the last one finds nothing new."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of three faults: the causes named, over ROUNDS, in seconds of processor time.

    ``unseen`` are those of the faults that no answer has shown beside the others.
    """

    faults: tuple[Fault, ...]
    causes: tuple[Cause, ...]
    rounds: int
    running: float
    searching: float
    unseen: tuple[str, ...] = ()

    def named(self, fault: Fault) -> str:
        """How FAULT was named: alone (``yes``), with a rival (``or``), or not at all."""
        for cause in self.causes:
            own = Hypothesis(mutants=(fault.name,))
            if own in cause.hypothesis.parts:
                return "or" if cause.alternatives else "yes"
            if own in cause.alternatives:
                return "or"
        return ""

    @property
    def wrong(self) -> list[str]:
        """The causes named that the engine has not, alone or as a rival of one that it has."""
        true = {Hypothesis(mutants=(fault.name,)) for fault in self.faults}
        return [
            cause.id
            for cause in self.causes
            if cause.is_explained and not true & {*cause.hypothesis.parts, *cause.alternatives}
        ]


def triples(number: int, seed: int, faults: Mapping[str, Fault]) -> list[tuple[Fault, ...]]:
    """NUMBER triples of FAULTS that can show under one profile."""
    chance = random.Random(seed)
    found: list[tuple[Fault, ...]] = []
    while len(found) < number:
        chosen = tuple(chance.sample(sorted(faults.values(), key=lambda f: f.name), 3))
        turned = [setting for fault in chosen for setting in fault.dials.items()]
        if len(dict(turned)) == len(set(turned)):
            found.append(chosen)
    return found


def seen(
    subject: EngineUnderTest, known: Sequence[KnownCause], examples: int, seed: str, folder: Path
) -> Evidence:
    """What a run of the suite sees of SUBJECT beside what is KNOWN."""
    context = SuiteContext(subject, seed=seed, opinion=confirm_by_reference, known=known)
    keeper = Keeper(folder, "reference", {}, seed)
    run = Run(context, keeper, judged_by="the specification", examples=examples)
    for property in SUITE:
        if run.skip(property) is None:
            try:
                run.run(property)
            except Exception as error:
                if not failures_in(error) and not isinstance(error, KitDisagreement):
                    raise
    return run.evidence()


def seen_at_once(
    subject: EngineUnderTest, known: Sequence[KnownCause], examples: int, seed: str, folder: Path
) -> Evidence:
    """What SUBJECT answers to the cases of the suite, none of which is shrunk."""
    context = SuiteContext(subject, seed=seed, known=known)
    run = Run(context, Keeper(folder, "reference", {}, seed), judged_by="", examples=examples)
    for property in SUITE:
        if not_applicable(property, subject) is None:
            strategy = strategy_of(property, subject)
            passes = Passes(
                property, strategy, title=property.name, run_seed=seed, examples=examples
            )
            stimuli = [s for case in passes.generate() for s in stimuli_for(property, case)]
            context.memory.prime(property.name, stimuli)
    return run.evidence()


def is_seen(fault: Fault, faults: Sequence[Fault], evidence: Evidence) -> bool:
    """Whether some answer of EVIDENCE is as FAULTS have it, and not as they do without FAULT."""
    predictions = Predictions()
    whole = Hypothesis.of(mutants=[own.name for own in faults])
    rest = Hypothesis.of(mutants=[own.name for own in faults if own is not fault])
    return any(
        fault.name in predictions.visible(own.observation)
        and predictions.agrees(whole, own.observation)
        and not predictions.agrees(rest, own.observation)
        for own in evidence.answered
        if own.correct is False
    )


def hunt(
    faults: tuple[Fault, ...], examples: int, seed: int, folder: Path, see: Callable[..., Evidence]
) -> Outcome:
    """Search for FAULTS in what SEE sees, until a round names no new cause."""
    dials = {f"dial.{d}": v for fault in faults for d, v in fault.dials.items()}
    options = {"fault": ",".join(fault.name for fault in faults)} | dials
    causes: list[Cause] = []
    evidence, running, searching, rounds = Evidence(), 0.0, 0.0, 0
    subject = EngineUnderTest.meet(connect("reference", options))
    with subject.engine:
        for rounds in range(1, ROUNDS + 1):
            known = [KnownCause(cause.hypothesis) for cause in causes]
            started = time.process_time()
            evidence |= see(subject, known, examples, f"{seed}:{rounds}", folder)
            running += time.process_time() - started
            started = time.process_time()
            base = Hypothesis()
            for cause in causes:
                base |= cause.hypothesis
            found = find_causes(evidence, subject, known=base)
            searching += time.process_time() - started
            new = [cause for cause in found if cause.is_explained]
            causes += new
            if not new:
                break
    outcome = Outcome(faults, tuple(causes), rounds, running, searching)
    missed = [fault for fault in faults if not outcome.named(fault)]
    unseen = [fault.name for fault in missed if not is_seen(fault, faults, evidence)]
    return replace(outcome, unseen=tuple(unseen))


def table(outcomes: Sequence[Outcome]) -> Table:
    """The table as people read it."""
    columns = ["faults", "named", "missed", "wrong", "rounds", "s of runs", "s of naming"]
    made = Table(*columns, title="Three seeded faults of `reference` at once")
    for outcome in outcomes:
        how = {fault.name: outcome.named(fault) for fault in outcome.faults}
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
            str(outcome.rounds),
            f"{outcome.running:.0f}",
            f"{outcome.searching:.0f}",
        )
    return made


def main(arguments: list[str] | None = None) -> int:
    """Hunt random triples; 1 if a cause was named wrongly, or too few triples whole."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.triples", description=__doc__)
    parser.add_argument("--triples", type=int, default=TRIPLES, help="so many triples")
    parser.add_argument("--seed", type=int, default=0, help="draws them, and the suite's cases")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="cases a property")
    parser.add_argument("--from", type=int, default=1, dest="first", help="begin with the Nth")
    parser.add_argument("--relations", action="store_true", help="also those of relations")
    parser.add_argument("--quick", action="store_true", help="without shrinking any case")
    options = parser.parse_args(arguments)
    faults = {**FAULTS, **(RELATION_FAULTS if options.relations else {})}
    faults = {name: fault for name, fault in faults.items() if name in MUTANTS}
    chosen = triples(options.triples, options.seed, faults)[options.first - 1 :]
    outcomes = []
    see = seen_at_once if options.quick else seen
    with never_silent(), tempfile.TemporaryDirectory() as folder:
        for number, triple in enumerate(chosen, options.first):
            report(f"triple {number}/{options.triples}: {', '.join(f.name for f in triple)}")
            outcomes.append(hunt(triple, options.examples, options.seed, Path(folder), see))
            outcome = outcomes[-1]
            missed = [f.name for f in triple if not outcome.named(f)]
            spent = f"{outcome.running:.0f} + {outcome.searching:.0f} s, {outcome.rounds} rounds"
            report(f"missed {missed}, wrong {outcome.wrong}; {spent}")
    Console().print(table(outcomes))
    whole = sum(all(map(outcome.named, outcome.faults)) for outcome in outcomes)
    print(f"All three named in {whole} of {len(outcomes)}.")
    return int(any(outcome.wrong for outcome in outcomes) or whole < 0.9 * len(outcomes))


if __name__ == "__main__":
    sys.exit(main())
