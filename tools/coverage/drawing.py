"""The examples of a property, as a run draws them and from independent bytes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal, TypeAlias

from hypothesis import given, settings

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.strategies.independent import BYTES
from rsp_conformance.suite.passes import Example, Passes
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.selection import is_test, strategy_of

Source: TypeAlias = Literal["bytes", "run"]


def examples(
    property: Property, subject: EngineUnderTest, number: int, seed: str, source: Source
) -> Iterator[Example]:
    """About NUMBER examples of PROPERTY for SUBJECT; an equal SEED draws the same ones."""
    if source == "run":
        return iter(_as_in_a_run(property, subject, number, seed))
    return _from_bytes(property, subject, number, seed)


def _as_in_a_run(
    property: Property, subject: EngineUnderTest, number: int, seed: str
) -> list[Example]:
    """What a run that asks for NUMBER tests of PROPERTY generates."""
    passes = Passes(
        property,
        strategy_of(property, subject),
        title=property.name,
        run_seed=seed,
        examples=number,
        database=False,
        is_test=lambda example: is_test(property, subject, example),
    )
    return passes.generate()


def _from_bytes(
    property: Property, subject: EngineUnderTest, number: int, seed: str
) -> Iterator[Example]:
    """Examples of PROPERTY, each from bytes of its own: independent of each other."""
    found: list[Example] = []

    @settings(database=None)
    @given(strategy_of(property, subject))
    def draw(example: Example) -> None:
        found.append(example)

    place, drawn = 0, 0
    while drawn < number:
        data = random.Random(f"{seed}:{property.name}:{place}").randbytes(BYTES)
        place += 1
        with suppress(LimitExceeded):
            draw.hypothesis.fuzz_one_input(data)  # type: ignore[attr-defined]
        if found:
            drawn += 1
            yield found.pop()
