"""What the suite's strategies cost a case, over all properties of the engine ``reference``."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.protocol.registry import connect
from rsp_conformance.suite.passes import Example, Passes
from rsp_conformance.suite.properties import SUITE, Property
from rsp_conformance.suite.selection import is_test, not_applicable, strategy_of


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

    def tells(property: Property, case: Example) -> bool:
        nonlocal asked
        started = time.process_time()
        try:
            return is_test(property, subject, case)
        finally:
            asked += time.process_time() - started

    with subject.engine:
        for property in SUITE:
            if not_applicable(property, subject) is not None:
                continue
            passes = Passes(
                property,
                strategy_of(property, subject),
                title="bench",
                run_seed=1,
                examples=examples,
                database=False,
                is_test=partial(tells, property),
            )
            started = time.process_time()
            cases += len(passes.generate())
            taken += time.process_time() - started
            properties += 1
    wanted = examples * properties
    return GenerationTime(1000 * taken / wanted, 1000 * (taken - asked) / cases, wanted, cases)
