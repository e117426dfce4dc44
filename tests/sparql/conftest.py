from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.builders.sparql import EVALUATORS, evaluated_by


@pytest.fixture(scope="module", params=EVALUATORS)
def evaluator(request: pytest.FixtureRequest) -> Iterator[str]:
    """Every test of a module by the specification's evaluator and by the compiled one."""
    with evaluated_by(request.param):
        yield request.param
