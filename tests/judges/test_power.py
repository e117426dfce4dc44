"""`make faults`, in small: mutants that docs/faults.md says are found soon are found soon.

The page has medians of 20 seeds; `make faults` measures all mutants, for half an hour.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from rsp_conformance.adapters.reference.mutants import mutant_named
from rsp_conformance.run.properties import property_named
from tests.docs.markdown import tables
from tools.mutation.faults.hunt import first_failing, mutated

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"
CHEAP = 6
"""A mutant is among the cheap ones if half of the seeds find it within so many cases."""
DRAWN = 48
"""So many of the cheap ones are hunted."""
LIMIT = 60
"""Cases of a hunt. The upper quartile of a cheap mutant is 14 at most, and 60 is far from it."""
MEDIAN = re.compile(r"(\d+(?:\.5)?) \(")


def cheap() -> list[tuple[str, str]]:
    """Mutants and the properties that find them, as the page has them."""
    rows = [row for table in tables(PAGE.read_text("utf-8")) for row in table if len(row) >= 6]
    found = []
    for name, _, _, by, cases, *_ in rows:
        median = MEDIAN.match(cases)
        if median and float(median[1]) <= CHEAP:
            found.append((name.strip("`"), by.strip("`")))
    assert len(found) >= DRAWN
    return sorted(found)


@pytest.mark.parametrize(("name", "found_by"), Random("power").sample(cheap(), DRAWN))
def test_a_mutant_is_found_soon(name: str, found_by: str) -> None:
    subject = mutated(mutant_named(name))
    with subject.engine:
        found = [first_failing(subject, property_named(found_by), seed, LIMIT) for seed in (11, 12)]
    assert any(found), f"{found_by} does not find {name} within {LIMIT} cases"
