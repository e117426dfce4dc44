"""How Hypothesis goes about a property: replay, generate, then judge and shrink.

The first pass replays what an earlier run saved. The second generates, and has many cases asked and
judged at once, so that engine and Spark get whole batches. The third generates the same cases
again, from the same seed, with the answers at hand, and shrinks what fails. Public API of
Hypothesis only, but for what `strategies.seeding` and `strategies.independent` need.

A case that is vacuous, or that came before, is judged like any other, but does not count as one
of the examples that were asked for; the engine is not asked for a trial that is. If the time is up,
or a failure has been shrunk for long enough, a pass is left by SkipTest, which Hypothesis passes on
at once.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any, TypeAlias
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis.database import ExampleDatabase
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from rsp_conformance.model.case import Case
from rsp_conformance.model.trial import Trial
from rsp_conformance.strategies.independent import INDEPENDENT
from rsp_conformance.strategies.seeding import same_everywhere
from rsp_conformance.suite.asking import TIME_UP
from rsp_conformance.suite.properties import Property

Example: TypeAlias = Case | Trial
"""What a property draws."""

Body = Callable[[Example], None]
Test = Callable[[], None]

SOME = 25
"""After so many examples, and each time so many more, it is asked whether they are enough."""

# Cases are whole scenarios, large and slow on purpose; how many tell nothing is for the tally.
_UNHEALTHY = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.filter_too_much,
]


class Passes:
    """The Hypothesis tests of one property of one engine.

    ``title`` names them, and thereby their place in the example database; ``database`` False
    neither reads nor writes it. ``examples`` None takes the number of the loaded profile.
    ``is_test`` says whether a case counts; it must say the same each time. ``is_over`` says whether
    judging is to be left. ``cut`` says that generating was.
    """

    def __init__(
        self,
        property: Property,
        strategy: SearchStrategy[Example],
        *,
        title: str,
        run_seed: int | str,
        examples: int | None = None,
        database: bool = True,
        is_test: Callable[[Example], bool] = lambda _: True,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        self._strategy = strategy
        self._title = title
        self._seed = f"{run_seed}:{property.name}"
        self._examples = examples
        self._database = database
        self._is_test = is_test
        self._is_over = is_over
        self._found: dict[Example, None] = {}
        self.cut = False

    @property
    def examples(self) -> int:
        """How many examples are asked for."""
        return int(self._settings().max_examples)

    def generate(
        self,
        until: float | None = None,
        is_enough: Callable[[Collection[Example]], bool] | None = None,
    ) -> list[Example]:
        """The cases that the third pass will meet.

        None is drawn after UNTIL (``time.monotonic()``), or once of those drawn so far it is said,
        every now and then, that they are ENOUGH. The time that this takes is none for drawing; what
        it raises is raised.
        """
        found = self._found = {}
        tests, errors = 0, list[BaseException]()

        def is_up() -> bool:
            self.cut = until is not None and time.monotonic() >= until
            return self.cut

        def record(case: Example) -> None:
            nonlocal tests, until
            before = case in found
            found[case] = None
            if is_up():
                raise SkipTest(TIME_UP)
            if before or not self._is_test(case):
                reject()
            tests += 1
            if is_enough and tests % SOME == 0 and tests < self.examples:
                started = time.monotonic()
                try:
                    self.cut = is_enough(found)
                except BaseException as error:  # To Hypothesis it would be a failure of the case.
                    errors.append(error)
                if until is not None:
                    until += time.monotonic() - started
                if self.cut or errors:
                    raise SkipTest("enough was drawn")

        if not is_up():
            generate = self._settings(phases=[Phase.generate], database=None)
            with same_everywhere(), suppress(Unsatisfiable, SkipTest):
                generate(seed(self._seed)(self._given(record)))()
        if errors:
            raise errors[0]
        return list(found)

    def replay(self, body: Body) -> None:
        """Judge what the example database holds; raises what BODY raises, shrunk."""
        kept = self._phases({Phase.reuse, Phase.shrink})
        if Phase.reuse in kept and self._settings().database is not None:
            # Where nothing was saved Hypothesis skips the test, and with it ours would be.
            with same_everywhere(), suppress(SkipTest):
                self._settings(phases=kept)(self._given(body))()

    def judge(self, body: Body) -> Test:
        """The test that generates the same cases, judges them, and shrinks what fails.

        It raises SkipTest where the time is up.
        """
        seen: set[Example] = set()
        failed = False

        def judge(case: Example) -> None:
            nonlocal failed
            if not failed and (self._is_over() or (self.cut and case not in self._found)):
                raise SkipTest(TIME_UP)
            try:
                body(case)
            except BaseException:
                failed = True
                raise
            # Once a failure is being shrunk, cases come again for good reasons.
            if (case in seen and not failed) or not self._is_test(case):
                reject()
            seen.add(case)

        # The settings go outside the seed, because a seed turns the example database off.
        kept = self._phases({Phase.generate, Phase.shrink})
        test: Test = self._settings(phases=kept)(seed(self._seed)(self._given(judge)))
        return same_everywhere()(test)

    def _given(self, body: Body) -> Any:
        def conforms(case: Example) -> None:
            body(case)

        # What Hypothesis calls the test, where it prints cases.
        conforms.__name__ = conforms.__qualname__ = re.sub(r"\W", "_", self._title, flags=re.ASCII)
        return given(case=self._strategy)(conforms)

    def _settings(self, **changes: Any) -> settings:
        if self._examples is not None:
            changes["max_examples"] = self._examples
        database = settings().database if self._database else None
        changes.setdefault("database", database and OwnExamples(database, self._title))
        return settings(
            backend=INDEPENDENT,
            deadline=None,
            print_blob=False,
            suppress_health_check=_UNHEALTHY,
            **changes,
        )

    def _phases(self, wanted: Collection[Phase]) -> list[Phase]:
        return [phase for phase in settings().phases if phase in wanted]


class OwnExamples(ExampleDatabase):
    """The part of a database that belongs to TITLE.

    Hypothesis tells tests apart by their source, which all properties share.
    """

    def __init__(self, database: ExampleDatabase, title: str) -> None:
        super().__init__()
        self._database = database
        self._title = title.encode() + b":"

    def __repr__(self) -> str:
        return f"OwnExamples({self._database!r}, {self._title[:-1].decode()!r})"

    def save(self, key: bytes, value: bytes) -> None:
        """Keep VALUE under KEY."""
        self._database.save(self._title + key, value)

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """All values under KEY."""
        yield from self._database.fetch(self._title + key)

    def delete(self, key: bytes, value: bytes) -> None:
        """Forget VALUE under KEY."""
        self._database.delete(self._title + key, value)
