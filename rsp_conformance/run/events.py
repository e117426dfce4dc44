"""The events of a run of the suite, as values that a terminal, a report or a campaign can show.

A run hands every event to its listener, in the order in which things happen. An event holds plain
data, so it travels between processes and into files as JSON (`EVENTS`). A finding with its case is
too large for that; it is in the crash file that the event names.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from rsp_conformance.files.codec import Format
from rsp_conformance.model.outcome import Outcome

PropertyVerdict: TypeAlias = Literal[
    "passed", "failed", "xfailed", "not tested", "skipped", "timed out", "kit error", "engine lost"
]
"""The verdict on a property.

``not tested`` is a property with too few compared cases, ``skipped`` one that the engine does not
declare, ``timed out`` one that was stopped from outside, such as by a time limit of pytest's; ``kit
error`` is a bug of rsp-conformance, ``engine lost`` says that nothing more can be asked."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins: the engine, the profile it is checked against, its judges, and the seed."""

    engine: str
    version: str
    profile: str
    judged_by: str
    seed: str


@dataclass(frozen=True, slots=True)
class PropertyStarted:
    """A property's turn has come; its cases may have been asked before.

    Attributes:
        property: the property.
        again: whether it has had its turn before in this run: what was told of that counts no more.
    """

    property: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Working:
    """The present work for a property.

    Attributes:
        property: the property.
        doing: the work, in a few words.
        done: how much is done, if that is known.
        total: of how much; 0 if it is not known.
    """

    property: str
    doing: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class CaseJudged:
    """A case of a property was asked and judged, by the reference model.

    Attributes:
        property: the property.
        outcome: the outcome.
        kind: the kind of failure; empty for none.
        elements: the number of the case's elements.
    """

    property: str
    outcome: Outcome
    kind: str
    elements: int


@dataclass(frozen=True, slots=True)
class FindingConfirmed:
    """A failure of a property, shrunk and confirmed.

    Attributes:
        property: the property.
        kind: the kind of failure; it stays the same from version to version.
        elements: the number of elements of the shrunk case.
        file: the crash file, which holds everything; empty if none is written.
        confirmed: who confirmed it and how often it came again, in one sentence.
        same_as: the property that found this counterexample before, or empty.
        headline: what is wrong, in a line: ``Missing at t=4: {?x=:a, ?y=:b}``.
    """

    property: str
    kind: str
    elements: int
    file: str
    confirmed: str
    same_as: str = ""
    headline: str = ""


_OUTCOMES: Final[Mapping[PropertyVerdict, Outcome]] = {
    "passed": Outcome.RIGHT,
    "failed": Outcome.WRONG,
    "engine lost": Outcome.FAILED,
    "xfailed": Outcome.WRONG,
    "skipped": Outcome.UNSUPPORTED,
}
AS_BEFORE = "wrong for causes that were found before"
"""The note on a property that failed and shows nothing new begins with this, ..."""
NOT_SHRUNK = "wrong, and not reduced"
"""... and with this if it fails otherwise, and the time of the run did not allow to show a case."""
UNBROKEN = "not contradicted: the engine gave no answer"
"""Is in the note on a law, or another relation, that failed by errors of the engine alone."""


@dataclass(frozen=True, slots=True)
class PropertyFinished:
    """A property has been tested, or has not.

    Attributes:
        property: its name.
        verdict: what it comes to.
        note: why, in a few words for a table; may be empty.
        reason: why, in a sentence, where it was not tested.
        counts: cases by what became of them; empty where none was drawn.
        causes: the ids of the causes of its failures, as far as they are known by then.
        marks: the marks of expected failures that were met.
        seconds: how long it took, without prefetched cases.
        missing: the features that the engine does not declare, for want of which it was skipped.
        grounds: of two engines, how many cases were compared on which ground.
        excuses: how many cases of several answers say nothing, by the reason.
        lost: how many cases cost the driver its life or as much time.
        losses: these cases by their kind of failure (`asking.LOST`).
    """

    property: str
    verdict: PropertyVerdict
    note: str = ""
    reason: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    causes: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    seconds: float = 0.0
    missing: tuple[str, ...] = ()
    grounds: Mapping[str, int] = field(default_factory=dict)
    excuses: Mapping[str, int] = field(default_factory=dict)
    lost: int = 0
    losses: Mapping[str, int] = field(default_factory=dict)

    @builtins.property
    def outcome(self) -> Outcome:
        """Its outcome, in the terms for a trial."""
        unasked = self.counts.get("unasked", 0)
        if self.verdict == "not tested" and unasked and unasked == sum(self.counts.values()):
            return Outcome.UNASKED
        return _OUTCOMES.get(self.verdict, Outcome.NOT_JUDGED)


@dataclass(frozen=True, slots=True)
class JudgesDisagree:
    """The kit's own implementations differ on a case of a property; found after the property ended.

    The findings of the property are taken back.
    """

    property: str
    message: str


@dataclass(frozen=True, slots=True)
class JudgeLost:
    """The other judge, who was to confirm a property, can't be asked.

    That was found after the property had ended.
    """

    property: str
    message: str


@dataclass(frozen=True, slots=True)
class CauseDiscovered:
    """A cause was found behind failures of a property (`diagnosis.cause.CAUSES`).

    What it explains is not searched again in this run.
    """

    property: str
    cause: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KnownCausesSeen:
    """The known causes at the end of a run, by their ids.

    Attributes:
        shown: the causes that showed.
        gone: the causes that did not, although cases were asked in which they would have shown.
    """

    shown: tuple[str, ...]
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CausesFound:
    """The causes of a run's failures, after its last property.

    Attributes:
        causes: `rsp_conformance.diagnosis.cause` as JSON, the causes of most properties first.
        said: why none could be named, if that is so.
        predictions: how many predictions were asked, if they were too few to look for more.
    """

    causes: tuple[Mapping[str, Any], ...] = ()
    said: str = ""
    predictions: int = 0


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run has ended; its seconds by the phase that took them."""

    seconds: Mapping[str, float]


Event: TypeAlias = (
    RunStarted
    | PropertyStarted
    | Working
    | CaseJudged
    | FindingConfirmed
    | PropertyFinished
    | JudgesDisagree
    | JudgeLost
    | CauseDiscovered
    | KnownCausesSeen
    | CausesFound
    | RunFinished
)
Listener: TypeAlias = Callable[[Event], None]

MOMENTARY = (Working, CaseJudged)
"""Events for those who watch a run; the others sum them up."""

EVENTS: Final = Format({}, tag="event", named=True)
"""Events as JSON, their name under ``event``."""


def nobody(_: Event) -> None:
    """Listen to nothing."""
