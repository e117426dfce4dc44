"""Makes a failing trial small, by Hypothesis' own shrinker.

The bytes of the trial draw it again; from there Hypothesis tries smaller choices, and each smaller
trial is asked, judged and kept as a record like any other. A trial counts as smaller if it *shows*
what the first one shows: the same kind of failure, with the same cause, about the same subject.

Shrinking ends if its time is over, if it has asked for very many smaller trials, or for many of
them in vain. The shrinker's chance has a seed of its own, so that the same trial becomes as small
in every run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import HypothesisException

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record
from rsp_conformance.run.selection import strategy_of
from rsp_conformance.run.trials import Drawn, Example, trial_of
from rsp_conformance.strategies.seeding import same_everywhere

SHRINKING = 60.0
"""Seconds for each trial that is made small, ..."""
SHRINKING_HUNG = 10.0
"""... and for the trial that hangs that is made small."""
MOST_SMALLER = 300
"""So many smaller trials are asked at most, if the run is not thorough."""
MOST_IN_VAIN = 80
"""So many of them in a row may be no failures: what else there is to take away is little."""

Ask = Callable[[Drawn], Record | None]
"""Asks a smaller trial and judges it; None if it is not asked, for want of time or patience."""
Shows = Callable[[Record], bool]
"""Returns whether a record shows what is being made small."""


@dataclass(slots=True)
class Limits:
    """How long a trial may be made smaller.

    Attributes:
        until: no smaller trial is asked after this instant (``time.monotonic()``).
        most: at most so many smaller trials are asked; None for any number.
    """

    until: float
    most: int | None = MOST_SMALLER


class _Found(AssertionError):
    """A trial shows what is being made small."""


def shrunk(
    record: Record,
    property: Property,
    subject: EngineUnderTest,
    limits: Limits,
    *,
    ask: Ask,
    shows: Shows,
) -> Record:
    """Return the smallest record that shows what a record shows.

    Args:
        record: the failing record to begin with.
        property: the property that its trial was drawn for.
        subject: the engine that the trial was drawn for.
        limits: how long to go on.
        ask: asks and judges a smaller trial.
        shows: whether a record counts.

    Raises:
        EngineBroken: the engine can't be asked any more.
    """
    if not record.drawn.data:  # It is a trial that was made small before.
        return record
    best = record
    tried: dict[str, Record | None] = {record.drawn.trial.digest: record}
    asked = in_vain = 0
    errors: list[BaseException] = []

    def is_over() -> bool:
        many = limits.most is not None and (asked >= limits.most or in_vain >= MOST_IN_VAIN)
        return bool(errors) or many or time.monotonic() >= limits.until

    def tried_now(drawn: Drawn) -> Record | None:
        nonlocal asked
        key = drawn.trial.digest
        if key not in tried:
            if is_over():
                return None
            asked += 1
            try:
                tried[key] = ask(drawn)
            except BaseException as error:  # To Hypothesis it would be a failure of the trial.
                errors.append(error)
                return None
        return tried[key]

    @settings(
        database=InMemoryExampleDatabase(),
        deadline=None,
        phases=[Phase.reuse, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @seed(0)  # Inside the settings, for a seed turns the database off.
    @given(strategy_of(property, subject))
    def smaller(example: Example) -> None:
        nonlocal best, in_vain
        trial = trial_of(property, example)
        before = asked
        own = tried_now(Drawn(property.name, record.drawn.place, record.drawn.data, trial))
        if is_over():  # Hypothesis would go on drawing.
            raise SkipTest("small enough")
        if own is None or not own.outcome.accuses or not shows(own):
            in_vain += asked > before
            return
        if own is not best:
            in_vain = 0
        best = own
        raise _Found

    smaller.__name__ = smaller.__qualname__ = "conforms"
    with same_everywhere():
        with suppress(_Found, SkipTest, HypothesisException, LimitExceeded):
            smaller.hypothesis.fuzz_one_input(record.drawn.data)  # type: ignore[attr-defined]
        if not errors:
            with suppress(_Found, SkipTest, HypothesisException, LimitExceeded):
                smaller()
    if errors:
        raise errors[0]
    return best
