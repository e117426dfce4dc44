"""What today's code says about a recorded run, without the engine.

**What is measured.** A run of the properties ends with a search for what explains its wrong
answers: mutants, and dials that are not as the engine profile says. A recording holds the evidence
of that search, and for engines whose bugs are known the truth, so a replay can count what a user
would notice: parts of the truth that are named, causes that are named and are no part of it, parts
that some answer shows and nothing names, wrong answers that nothing named predicts, and how many
counterexamples the run would show (one a cause, and one for each fingerprint of what stays
unexplained).

**Why this way.** A live run asks different cases as soon as anything in it changes, so two of them
never differ only by the search. A replay asks the same question of every version of the code. It
begins cold: without what the recorded run had found on the way, which was the doing of the search
of that day. For the same reason no engine is asked for fresh cases, so rivals that fresh cases
would tell apart are named together ("or"); a part of the truth that is named with such a rival
counts as named.

**What it guarantees.** Two replays of the same code name the same causes in the same order, on any
machine, as two live runs that have seen the same: a search ends when its predictions are used up,
here `PREDICTIONS`, however long they take. A single
evaluation is still limited by processor time, but by `SECONDS`, which lie far from what any
evaluation of the recordings takes.

**What it does not measure.** Shrinking, asking and judging are as they were on the day of the
recording. So is the search for an engine's profile: it chooses its next cases by what it has found,
so it cannot go on without the engine, and its first part alone (the descent from the bundled
profiles) took 200 s of processor time over 60 answers of one recording. `python -m
tools.mutation.profiles` measures it, and a replay says that it does not (`NOT_REPLAYED`).

**Without the truth.** An engine may have a bug that no mutant stands for, and then the mutants next
to it must not be named. `less_their_truth` asks for that: the runs with one or two mutants are
replayed with a catalogue that lacks one of them. Every name but that of the other is wrong.

**Other evidence, fewer predictions.** Names must not depend on a few answers, on the order in
which workers hand them in, or on the last predictions of a search. `Portion` tests that with a
random part of the evidence, or with all of it shuffled; the budget is an argument of `replay`. In a
part, only what its answers show of the truth counts as visible.

**What it costs.** Reading takes as long as the search on small recordings, because every query is
parsed; both together take a few seconds a recording, and half a minute for an engine with many
bugs. ``seconds`` and ``asked`` are those of the search alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import Final, TypeVar, cast
from unittest.mock import patch

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.naming import find_causes
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.price import price_of
from rsp_conformance.diagnosis.simulation import _visible
from rsp_conformance.files.codec import Format
from rsp_conformance.garbage import unhurried_garbage
from rsp_conformance.limits import allow
from rsp_conformance.model.setting import Setting
from tools.evidence.record import planned
from tools.evidence.recording import (
    DATA,
    Recording,
    names,
    path_of,
    read,
    read_head,
    visible_parts,
)
from tools.processes import results

_Value = TypeVar("_Value")

PREDICTIONS: Final = 20_000
"""So many predictions a search may ask for.

They are what the search has at the end of a run of some 7,000 cases, as one of rsp-js is.
"""
SECONDS: Final = 20.0
"""So many seconds of processor time a single evaluation may take.

Of the recordings' evaluations most take milliseconds and a few up to 9 s; a single kind takes 60,
which is the limit of a live run, so there it depends on the machine whether it ends.
"""
QUICK: Final = 4
"""``--quick`` replays every fourth run of the table, so that each kind of run is among them."""
LESS: Final = " less "
"""In the name of a replay, between the recording and the mutant that the catalogue lacks."""
FEW: Final = 2
"""Runs with more mutants are left out, for they take long and say less of each."""
NOT_REPLAYED: Final = "not replayed: the search for a profile asks the engine as it goes"


@dataclass(frozen=True, slots=True)
class Named:
    """A cause that the search names.

    Attributes:
        id: its name.
        rivals: the names of others that no recorded answer tells from it.
        explains: how many wrong answers it explains.
        contradicts: how many right answers it contradicts.
    """

    id: str
    rivals: tuple[str, ...] = ()
    explains: int = 0
    contradicts: int = 0

    @classmethod
    def of(cls, cause: Cause) -> Named:
        """Return the cause as it is counted."""
        rivals = tuple(map(str, cause.alternatives))
        return cls(cause.id, rivals, cause.explains, cause.contradicts)

    def is_any_of(self, truth: Sequence[str]) -> bool:
        """Whether the cause or one of its rivals is a part of the truth."""
        return not {self.id, *self.rivals}.isdisjoint(truth)


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of a recorded run.

    Attributes:
        named: the causes, in the order in which a report shows them.
        truth: the parts of the truth; None if nobody knows it.
        visible: the parts that some answer shows.
        found: the visible parts that are named, alone or as a rival.
        wrong_names: causes that are no part of the truth, nor any of their rivals.
        wrong: how many answers are wrong.
        unexplained: how many of these nothing named predicts.
        failures: how many cases have no answer to judge.
        shown: how many counterexamples the run would show.
        seconds: the processor time of the search.
        asked: how many predictions the search asked for.
    """

    named: tuple[Named, ...]
    truth: tuple[str, ...] | None
    visible: tuple[str, ...]
    found: tuple[str, ...]
    wrong_names: tuple[str, ...]
    wrong: int
    unexplained: int
    failures: int
    shown: int
    seconds: float
    asked: int

    @property
    def missed(self) -> tuple[str, ...]:
        """The visible parts that nothing names."""
        return tuple(part for part in self.visible if part not in self.found)


FIGURES: Final = Format({})
"""Figures as JSON."""


@dataclass(frozen=True, slots=True)
class Portion:
    """The part of a recording that is replayed, and its order.

    Attributes:
        part: how much of the evidence is drawn, of all failures and of all answers.
        seed: the seed of what is drawn and of the order.
        shuffled: whether the evidence comes in a random order, and not in that of the run.
    """

    part: float = 1.0
    seed: int = 0
    shuffled: bool = False

    def of(self, recording: Recording) -> Recording:
        """Return the part of a recording."""
        chance = random.Random(f"{self.seed} {recording.head.name}")
        found = self._drawn(recording.found, chance)
        answered = self._drawn(recording.answered, chance)
        head = recording.head
        if head.truth is not None and self.part < 1:
            shown = [own.observation for own in answered]
            shown += [own for one in found for own in one.symptom.observations]
            head = replace(head, visible=visible_parts(head.truth, shown))
        return Recording(head, found, answered)

    def _drawn(self, values: Sequence[_Value], chance: random.Random) -> tuple[_Value, ...]:
        places = chance.sample(range(len(values)), round(self.part * len(values)))
        return tuple(values[place] for place in (places if self.shuffled else sorted(places)))


WHOLE: Final = Portion()
"""All of a recording, in the order of the run."""


def replay(recording: Recording, predictions: int = PREDICTIONS, less: str = "") -> Figures:
    """Return what today's code says about a recording.

    Args:
        recording: the recorded run.
        predictions: how many predictions the search may ask for.
        less: a mutant that is taken out of the catalogue: then its bug has no name, and none of
            another may be given to it.
    """
    with _catalogue_less(less):
        return copy_context().run(_searched, recording, predictions, less)


@contextmanager
def _catalogue_less(mutant: str) -> Iterator[None]:
    with patch.dict(cast("dict[str, Mutant]", MUTANTS)) as catalogue:
        if mutant:
            del catalogue[mutant]
            _forget()
        yield
    if mutant:
        _forget()


def _forget() -> None:
    """Forget what was remembered of the catalogue."""
    _visible.cache_clear()
    price_of.cache_clear()


def _searched(recording: Recording, predictions: int, less: str) -> Figures:
    allow(SECONDS)  # In a context of its own, so that the process keeps its limit.
    evidence, known = recording.evidence, Predictions()
    began = time.process_time()
    with unhurried_garbage():
        causes = find_causes(
            evidence,
            budget=predictions,
            predictions=known,
        )
    seconds, asked = time.process_time() - began, known.asked
    explained = [cause for cause in causes if cause.is_explained]
    whole = reduce(or_, (cause.setting for cause in explained), Setting())
    wrong = [own.observation for own in evidence.answered if own.correct is False]
    named = tuple(map(Named.of, explained))
    truth = recording.head.truth
    parts = None if truth is None else tuple(map(str, truth.parts))
    visible = tuple(part for part in recording.head.visible or () if part != less)
    said = {id for own in named for id in (own.id, *own.rivals)}
    return Figures(
        named=named,
        truth=parts,
        visible=visible,
        found=tuple(part for part in visible if part in said),
        wrong_names=tuple(
            own.id for own in named if parts is not None and not own.is_any_of(parts)
        ),
        wrong=len(wrong),
        unexplained=sum(not known.agrees(whole, own) for own in wrong),
        failures=len(recording.failures),
        shown=len(causes),
        seconds=round(seconds, 1),
        asked=asked,
    )


def chosen(wanted: Sequence[str] = (), *, quick: bool = False, folder: Path = DATA) -> list[str]:
    """Return the names of the recordings to replay, in the order of the table of runs.

    Args:
        wanted: the names to replay; all if there are none.
        quick: whether to leave out all but every fourth run of the table.
        folder: where the recordings are.

    Raises:
        ValueError: there is no recording of a name that is wanted.
    """
    there = names(folder)
    unknown = [name for name in wanted if name not in there]
    if unknown:
        raise ValueError(f"there is no recording {unknown[0]!r} in {folder}")
    table = list(planned())
    order = [name for name in table if name in there]
    order += [name for name in there if name not in table]
    if wanted:
        return [name for name in order if name in wanted]
    if quick:
        return [name for name in order if name in table[::QUICK]]
    return order


def less_their_truth(runs: Iterable[str], folder: Path = DATA) -> list[str]:
    """Return each run with one or two mutants as often as it has mutants, each time less one.

    Args:
        runs: the names of recordings.
        folder: where the recordings are.
    """
    truths = ((name, read_head(name, folder).truth) for name in runs)
    return [
        f"{name}{LESS}{mutant}"
        for name, truth in truths
        if truth is not None and not truth.dials and len(truth.mutants) <= FEW
        for mutant in truth.mutants
    ]


def replayed(
    runs: Sequence[str],
    jobs: int = 1,
    predictions: int = PREDICTIONS,
    folder: Path = DATA,
    tell: Callable[[str], None] = lambda _: None,
    *,
    portion: Portion = WHOLE,
) -> dict[str, Figures]:
    """Return the figures of the recordings, by name, in the order in which they are given.

    Args:
        runs: the names of the recordings, or those that `less_their_truth` returns.
        jobs: how many processes replay them.
        predictions: how many predictions each search may ask for.
        folder: where the recordings are.
        tell: hears the name of each recording that is done.
        portion: which part of each recording is replayed.
    """
    # The largest first: none of them is left alone at the end.
    order = sorted(runs, key=lambda run: -path_of(run.split(LESS)[0], folder).stat().st_size)
    found = {}
    ask = partial(_replayed, predictions, folder, portion)
    for name, figures in results(ask, order, jobs, ordered=False):
        found[name] = figures
        tell(name)
    return {name: found[name] for name in runs}


def _replayed(predictions: int, folder: Path, portion: Portion, run: str) -> tuple[str, Figures]:
    name, _, less = run.partition(LESS)
    with unhurried_garbage():
        recording = portion.of(read(name, folder))
    return run, replay(recording, predictions, less)
