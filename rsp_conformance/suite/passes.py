"""How Hypothesis goes about a property: replay, generate, then judge and shrink.

The first pass replays what an earlier run saved. The second generates without asking the engine,
so that engine and Spark get whole batches. The third generates the same cases again, from the
same seed, with the answers at hand, and shrinks what fails. Public API of Hypothesis only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from rsp_conformance.model.case import Case
from rsp_conformance.suite.properties import Property

Body = Callable[[Case], None]
Test = Callable[[], None]

# Cases are whole scenarios: large and slow on purpose.
_UNHEALTHY = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


class Passes:
    """The Hypothesis tests of one property of one engine.

    ``title`` names them, and thereby their place in the example database; ``database`` False
    neither reads nor writes it. ``examples`` None takes the number of the loaded profile.
    """

    def __init__(
        self,
        property: Property,
        strategy: SearchStrategy[Case],
        *,
        title: str,
        run_seed: int | str,
        examples: int | None = None,
        database: bool = True,
    ) -> None:
        self._strategy = strategy
        self._title = title
        self._seed = f"{run_seed}:{property.name}"
        self._examples = examples
        self._database = database

    def generate(self) -> list[Case]:
        """The cases that the third pass will meet, without judging any."""
        found: list[Case] = []

        def record(case: Case) -> None:
            found.append(case)

        generate = self._settings(phases=[Phase.generate], database=None)
        generate(seed(self._seed)(self._given(record)))()
        return found

    def replay(self, body: Body) -> None:
        """Judge what the example database holds; raises what BODY raises, shrunk."""
        kept = self._phases({Phase.reuse, Phase.shrink})
        if Phase.reuse in kept and settings().database is not None:
            # Where nothing was saved Hypothesis skips the test, and with it ours would be.
            with suppress(SkipTest):
                self._settings(phases=kept)(self._given(body))()

    def judge(self, body: Body) -> Test:
        """The test that generates the same cases, judges them, and shrinks what fails."""
        # The settings go outside the seed, because a seed turns the example database off.
        kept = self._phases({Phase.generate, Phase.shrink})
        test: Test = self._settings(phases=kept)(seed(self._seed)(self._given(body)))
        return test

    def _given(self, body: Body) -> Any:
        def conforms(case: Case) -> None:
            body(case)

        # The example database keys a test by its source and its name.
        conforms.__name__ = conforms.__qualname__ = re.sub(r"\W", "_", self._title, flags=re.ASCII)
        return given(case=self._strategy)(conforms)

    def _settings(self, **changes: Any) -> settings:
        if self._examples is not None:
            changes["max_examples"] = self._examples
        if not self._database:
            changes["database"] = None
        return settings(
            deadline=None, print_blob=False, suppress_health_check=_UNHEALTHY, **changes
        )

    def _phases(self, wanted: Collection[Phase]) -> list[Phase]:
        return [phase for phase in settings().phases if phase in wanted]
