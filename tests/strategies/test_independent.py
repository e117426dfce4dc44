"""Cases of a property are independent of each other, and a seed brings them back."""

from __future__ import annotations

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.trials import by_seed
from tools.coverage.counting import subject_of


def drawn(name: str, seed: str) -> list[Case]:
    """The first hundred cases of the property NAME."""
    found = by_seed(property_named(name), subject_of(None), seed, range(100))
    return [own.trial.variants[0].case for own in found]


@pytest.mark.parametrize("name", ["anything", "optional", "aggregates"])
def test_of_a_hundred_cases_nearly_all_have_queries_of_their_own(name: str) -> None:
    cases = drawn(name, "7")
    assert len({case.query for case in cases}) >= 95
    assert cases == drawn(name, "7") != drawn(name, "8")
