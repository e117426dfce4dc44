"""What the suite's strategies cost a case, over all properties of the engine ``reference``."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.protocol.registry import connect
from rsp_conformance.run.properties import SUITE, Property
from rsp_conformance.run.selection import is_test, not_applicable
from rsp_conformance.run.trials import Drawn, by_seed
from rsp_conformance.run.worker import MOST_PLACES


@dataclass(frozen=True)
class GenerationTime:
    """Milliseconds of processor time for an example that counts, over all properties.

    ``drawn`` are the milliseconds for a case that was drawn, whether it tells anything or not, and
    without asking that.
    """

    milliseconds: float
    drawn: float
    examples: int
    cases: int


def measure(examples: int = 100) -> GenerationTime:
    """Draw EXAMPLES that tell something of every property, as a run does before it asks the engine.

    The first case of a property, which makes its strategies, is part of the time.
    """
    taken = asked = 0.0
    properties = cases = 0
    subject = EngineUnderTest.meet(connect("reference", {}))

    def tells(property: Property, drawn: Drawn) -> bool:
        nonlocal asked
        started = time.process_time()
        trial = drawn.trial
        try:
            example = trial if property.relation is not None else trial.variants[0].case
            return is_test(property, subject, example)
        finally:
            asked += time.process_time() - started

    with subject.engine:
        for property in SUITE:
            if not_applicable(property, subject) is not None:
                continue
            started, left = time.process_time(), examples
            for drawn in by_seed(property, subject, 1, range(MOST_PLACES * examples)):
                cases += 1
                left -= tells(property, drawn)
                if not left:
                    break
            taken += time.process_time() - started
            properties += 1
    wanted = examples * properties
    return GenerationTime(1000 * taken / wanted, 1000 * (taken - asked) / cases, wanted, cases)
