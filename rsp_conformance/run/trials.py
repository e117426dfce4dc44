"""The sources of trials: a property at a place, a crash file of an earlier run, a suite of cases.

**What is sought.** Trials that any process can draw, in any order, and draw again from little.

**How.** A trial of a property is drawn from bytes of its own, which follow from the run's seed, the
property and the place: its number among the trials of the property. Hypothesis reads the bytes
(``fuzz_one_input``) and returns those that it needed; from these it also shrinks.

**What it guarantees.** The same seed, property and place draw the same trial in every process.
Nothing depends on what was drawn before, so workers share a property by its places, and a record
holds the bytes alone (`lines`). Other versions of the strategies or of Hypothesis may draw another
trial from the same bytes; a digest of the trial notices that.

**What it costs.** Some bytes draw no trial, and some places repeat a trial; both are passed over.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from hypothesis import given, settings

from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import crash_files
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.trial import PACINGS, Stimulus, Trial, Variant
from rsp_conformance.model.usage import case_features
from rsp_conformance.run.properties import Property
from rsp_conformance.run.selection import strategy_of
from rsp_conformance.strategies.independent import BYTES

Example: TypeAlias = Case | Trial
"""A value that the strategy of a property draws."""
FromBytes: TypeAlias = Callable[[bytes], tuple[Trial, bytes] | None]
"""Draws the trial that bytes stand for, and returns it with the bytes that it needs."""
MOST_BEFORE = 5
"""The number of failures of an earlier run that are asked again first, for each property."""


@dataclass(frozen=True)
class Drawn:
    """A trial of a property.

    Attributes:
        property: the property's name.
        place: its number among the trials of the property. Trials from crash files of an earlier
            run have negative places.
        data: the bytes that draw the trial again in any process; empty if it was not drawn.
        source: the trial, or a function that draws it when it is asked for.
    """

    property: str
    place: int
    data: bytes
    source: Trial | Callable[[], Trial] = field(compare=False, repr=False)

    @cached_property
    def trial(self) -> Trial:
        """The trial."""
        return self.source if isinstance(self.source, Trial) else self.source()


def trial_of(property: Property, example: Example) -> Trial:
    """Make the trial of an example that a property has drawn.

    A plain case is a trial of one variant; a property about repetition asks it twice.
    """
    if isinstance(example, Trial):
        return example
    pacing = "settled" if property.check == "settled" else "burst"
    own = Variant("as it is", Stimulus(example, pacing))
    again = (Variant("again", own.stimulus),) if property.check == "repeat" else ()
    return Trial((own, *again))


def from_bytes(property: Property, subject: EngineUnderTest) -> FromBytes:
    """Return the function that draws trials of a property from bytes."""
    found: list[Example] = []

    @settings(database=None)
    @given(strategy_of(property, subject))
    def draw(example: Example) -> None:
        found.append(example)

    target = draw.hypothesis.fuzz_one_input  # type: ignore[attr-defined]

    def drawn(data: bytes) -> tuple[Trial, bytes] | None:
        found.clear()
        with suppress(LimitExceeded):
            kept = target(data)
            if kept is not None and found:
                return trial_of(property, found[0]), kept
        return None

    return drawn


def by_seed(
    property: Property, subject: EngineUnderTest, seed: int | str, places: Iterable[int]
) -> Iterator[Drawn]:
    """Draw the trials of a property at some places; bytes that draw no trial are passed over.

    Args:
        property: the property.
        subject: the engine, whose features and profile decide what is drawn.
        seed: the seed of the run.
        places: the places.
    """
    draw = from_bytes(property, subject)
    for place in places:
        data = random.Random(f"{seed}:{property.name}:{place}").randbytes(BYTES)
        if (found := draw(data)) is not None:
            trial, kept = found
            yield Drawn(property.name, place, kept, trial)


def of_test(property: Property, first: int = 0) -> Iterator[Drawn]:
    """Yield the trials of a test of a suite from a place on: its case, with each pacing."""
    assert property.entry is not None
    for place, pacing in [*enumerate(PACINGS)][first:]:
        own = Variant("as it is", Stimulus(property.entry.case, pacing))
        yield Drawn(property.name, place, b"", Trial((own,)))


def failed_before(
    property: Property, subject: EngineUnderTest, folder: Path, most: int = MOST_BEFORE
) -> Iterator[Drawn]:
    """Yield the trials of the crash files of a property, those that were seen last first.

    Args:
        property: the property.
        subject: the engine, which has to support all features of a case.
        folder: the folder of the runs.
        most: the most trials.
    """
    met = set[Trial]()
    for path in crash_files(folder, subject.hello.engine, property.name):
        with suppress(KitError, OSError):
            crash = read(path)
            trial = crash.trial
            usable = crash.property_name == property.name and trial not in met
            if usable and all(case_features(s.case) <= subject.features for s in trial.stimuli):
                met.add(trial)
                yield Drawn(property.name, -len(met), b"", trial)
        if len(met) == most:
            return
