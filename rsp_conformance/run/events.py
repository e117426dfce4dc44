"""What happens in a run of the suite, as values that a terminal, a report or a campaign can show.

A run hands every event to the listener that it was given, in the order in which things happen. An
event holds plain data, so it travels between processes and into files as JSON (`EVENTS`). What is
too large for that, a finding with its case, stands in the crash file that the event names.
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
"""What a property comes to.

``not tested`` is one with too few cases compared, ``skipped`` one that the engine does not declare,
``timed out`` one that was stopped from outside, such as by a time limit of pytest's;
``kit error`` is a bug of rsp-conformance, ``engine lost`` says that nothing more can be asked.
"""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins: what is tested, held to which profile, judged by whom, from which seed."""

    engine: str
    version: str
    profile: str
    judged_by: str
    seed: str


@dataclass(frozen=True, slots=True)
class PropertyStarted:
    """A property's turn has come; its cases may have been asked ahead."""

    property: str


@dataclass(frozen=True, slots=True)
class Working:
    """What is being done now for a property, in a few words; DONE of TOTAL where that is known."""

    property: str
    doing: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class CaseJudged:
    """The engine was asked a case of a property and judged on it, by the specification.

    ``kind`` is the kind of failure, empty for none; ``elements`` are the case's.
    """

    property: str
    outcome: Outcome
    kind: str
    elements: int


@dataclass(frozen=True, slots=True)
class FindingConfirmed:
    """A failure of a property, shrunk and confirmed.

    Attributes:
        kind: the kind of failure; stays the same from version to version.
        elements: how many elements the shrunk case has.
        file: the crash file, which holds everything; empty where none is written.
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
"""So a note begins on a property that failed and shows nothing new."""


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
        seconds: how long it took, without what was asked ahead.
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
        """What became of it, as one says that of a trial."""
        unasked = self.counts.get("unasked", 0)
        if self.verdict == "not tested" and unasked and unasked == sum(self.counts.values()):
            return Outcome.UNASKED
        return _OUTCOMES.get(self.verdict, Outcome.NOT_JUDGED)


@dataclass(frozen=True, slots=True)
class JudgesDisagree:
    """Found after a property has ended: the kit's own implementations differ on one of its cases.

    What was found of it before is taken back.
    """

    property: str
    message: str


@dataclass(frozen=True, slots=True)
class JudgeLost:
    """Found after a property has ended: the other judge, who was to confirm it, cannot be asked."""

    property: str
    message: str


@dataclass(frozen=True, slots=True)
class CauseSetAside:
    """A cause was found behind failures of a property (`diagnosis.cause.CAUSES`).

    What it explains is not searched again in this run.
    """

    property: str
    cause: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KnownCausesSeen:
    """What became of the known causes by the end of a run, by their ids.

    Those that were ``shown``, and those ``gone``: cases were asked in which they would have shown,
    and the engine was right.
    """

    shown: tuple[str, ...]
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CausesFound:
    """What stands behind the failures of a run, after its last property.

    ``causes`` are those of `rsp_conformance.diagnosis.cause` as JSON, those of most properties
    first; ``said`` is why none could be named, where that is so; ``predictions`` were asked, if
    that was too few to look for more.
    """

    causes: tuple[Mapping[str, Any], ...] = ()
    said: str = ""
    predictions: int = 0


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run has ended; ``seconds`` by what they were spent on."""

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
    | CauseSetAside
    | KnownCausesSeen
    | CausesFound
    | RunFinished
)
Listener: TypeAlias = Callable[[Event], None]

MOMENTARY = (Working, CaseJudged)
"""Events for whoever watches; the others sum them up."""

EVENTS: Final = Format({}, tag="event", named=True)
"""Events as JSON, their name under ``event``."""


def nobody(_: Event) -> None:
    """Listen to nothing."""
