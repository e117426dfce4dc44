"""`make faults`, in small: mutants that were found soon are found soon.

Medians of 20 seeds are kept; `make faults` measures all mutants, for half an hour.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from rsp_conformance.adapters.reference.mutants import mutant_named
from rsp_conformance.run.properties import property_named
from tools.mutation.faults.hunt import first_failing, mutated
from tools.mutation.faults.measuring import KEPT

CHEAP = 6
"""A mutant is among the cheap ones if half of the seeds find it within so many cases."""
DRAWN = 48
"""So many of the cheap ones are hunted."""
LIMIT = 60
"""Cases of a hunt. The upper quartile of a cheap mutant is 14 at most, and 60 is far from it."""


def cheap() -> list[tuple[str, str]]:
    """Mutants and the properties that find them, as they are kept."""
    kept = json.loads(KEPT.read_text("utf-8"))
    found = [
        (name, own["found_by"])
        for name, own in kept.items()
        if "quartiles" in own and (own["quartiles"][1] or LIMIT) <= CHEAP
    ]
    assert len(found) >= DRAWN
    return sorted(found)


@pytest.mark.parametrize(("name", "found_by"), Random("power").sample(cheap(), DRAWN))
def test_a_mutant_is_found_soon(name: str, found_by: str) -> None:
    subject = mutated(mutant_named(name))
    with subject.engine:
        found = [first_failing(subject, property_named(found_by), seed, LIMIT) for seed in (11, 12)]
    assert any(found), f"{found_by} does not find {name} within {LIMIT} cases"
