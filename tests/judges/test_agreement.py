"""The specification, Spark's worker and `reference` say one thing of every case (`tools.judges`).

Of drawn cases under every dial, of the packaged suite, and of what real engines and mutants have
answered. ``python -m tools.judges`` draws for as long as one likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest

from rsp_conformance.spec.trace import Expectation
from rsp_conformance.test_suite.manifest import packaged_suite, read_suite
from tools.evidence.recording import unread
from tools.judges.block import Asked, Block, Found, examined, examined_cases, filtering, judged

SEED = "2"
PARTS = 8
"""Tests of a kind, for processes to share."""
BLOCKS = 10
"""Blocks a part: with eight parts each property of the suite has one, and plain cases have 20."""
RECORDED = (
    ("rsp-js-0", "single-03"),
    ("rsp-rs-0", "pair-02"),
    ("csparql-0", "triple-04"),
    ("rsp-js-1", "hidden-02"),
    ("rsp-rs-1", "dial-1"),
    ("csparql-1", "single-11"),
    ("hidden-07", "pair-07"),
    ("triple-08", "single-05"),
)
"""The recordings of a part: each engine with each seed, and each kind of run with mutants. Engines
that give single rows are not among them, for the judge on Spark refuses these."""
OBSERVATIONS = 30
"""Observations of a recording: wrong ones, right ones and those that cannot be judged."""


def drawn(part: int) -> Found:
    found = Found()
    for number in range(part, PARTS * BLOCKS, PARTS):
        found.add(examined(Block(SEED, number, 40 if number % 4 == 3 else 8)))
    return found


def packaged(part: int) -> Found:
    tests = read_suite(packaged_suite()).tests[part::PARTS]
    entries = (own for one in tests for own in one.cases[:: 1 + part % 3])
    return examined_cases(((own.name, own.case, own.dials) for own in entries), Random(part))


def recorded(part: int) -> Found:
    found = Found()
    with filtering(part % 2 == 1):
        for name in RECORDED[part]:
            judged([*islice(observations(name), OBSERVATIONS)], found)
    return found


def observations(name: str) -> Iterator[Asked]:
    answered = unread(name)
    for number in Random(name).sample(range(len(answered)), len(answered)):
        own = answered[number]().observation
        case, dials = own.stimulus.case, own.dials
        if own.failure is None and own.unsupported is None:
            expected = Expectation(case, dials)
            yield Asked(case, dials, own.observed, "recorded", expected, f"{name} {number}")


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(("source", "outcomes"), [(drawn, 6), (packaged, 4), (recorded, 2)])
def test_all_judges_say_one_thing(source: Callable[[int], Found], outcomes: int, part: int) -> None:
    found = source(part)
    assert not found.differences, "\n\n".join(found.differences)
    # The comparison is worth something only if it meets right answers and wrong ones of each kind.
    assert len({said for _, said in found.judged}) >= outcomes, found.judged
    assert found.refused.total() < found.judged.total() / 4, found.refused
    if source is not recorded:
        # A part of the properties may have no engine to which the kit appends elements.
        kinds = {kind for kind, _ in found.judged} - {"late", "late and damaged"}
        assert kinds == {"as written", "damaged", "reference", "expectation"}
