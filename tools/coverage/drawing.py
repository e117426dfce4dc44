"""The examples of a property, as a run draws them: each from bytes of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.run.properties import Property
from rsp_conformance.run.selection import is_test
from rsp_conformance.run.trials import Example, by_seed
from rsp_conformance.run.worker import MOST_PLACES

Source: TypeAlias = Literal["bytes", "run"]
"""Whether all examples count, or those that tell something, as in a run."""


def examples(
    property: Property, subject: EngineUnderTest, number: int, seed: str, source: Source
) -> Iterator[Example]:
    """Examples of PROPERTY for SUBJECT until NUMBER of them count; an equal SEED draws the same."""
    counted = 0
    for drawn in by_seed(property, subject, seed, range(MOST_PLACES * number)):
        if counted == number:
            return
        trial = drawn.trial
        example = trial if property.relation is not None else trial.variants[0].case
        counted += source == "bytes" or is_test(property, subject, example)
        yield example
