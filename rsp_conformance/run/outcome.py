"""The outcome of a run, gathered from its events, and the one rule by which it has passed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.run.events import (
    CauseDiscovered,
    CausesFound,
    Event,
    FindingConfirmed,
    JudgeLost,
    JudgesDisagree,
    KnownCausesSeen,
    PropertyFinished,
    PropertyStarted,
    PropertyVerdict,
    RunFinished,
    RunStarted,
)
from rsp_conformance.run.report import first_line

if TYPE_CHECKING:
    from rsp_conformance.run.xfails import Mark

BURN_IN = "burnin"
"""The name of the burn-in's property and of its mark; the test is ``rsp::test_burnin``."""

WRONG = {"failed", "timed out", "engine lost", "kit error"}
"""The verdicts on a property with which no run has passed."""


@dataclass(slots=True)
class RunOutcome:
    """How the properties of a run ended, what took its time, where judges disagreed.

    Attributes:
        finished: how each property ended, by its name.
        seconds: the seconds of all processes by the phase that took them.
        disagreements: how judges disagreed, by property.
        lost: why a judge who was to confirm could not be asked; empty if all could.
        discovered: the causes that were excluded on the way, by their ids, in that order.
        shown: the ids of the known causes that showed somewhere.
        missed: the ids of those that did not show in some process although their cases were asked.
        started: the beginning of the run.
        findings: the failures that are shown.
        causes: the causes at the end.
        unnamed: why no causes could be named, if that is so.
        too_few_predictions: how many were asked to name them, if more would have been needed.
    """

    finished: dict[str, PropertyFinished] = field(default_factory=dict)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    disagreements: dict[str, str] = field(default_factory=dict)
    lost: str = ""
    discovered: dict[str, Cause] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)
    started: RunStarted | None = None
    findings: list[FindingConfirmed] = field(default_factory=list)
    causes: tuple[Cause, ...] = ()
    unnamed: str = ""
    too_few_predictions: int = 0

    def take(self, events: Iterable[Event]) -> Self:
        """Add events."""
        for event in events:
            match event:
                case RunStarted():
                    self.started = self.started or event
                case PropertyStarted(name, again=True):
                    self._forget(name)
                case FindingConfirmed():
                    self.findings.append(event)
                case CausesFound(causes, said, predictions):
                    ids, named = [*self.discovered], map(_named, causes)
                    # The sort is stable: what was not discovered on the way stays as it was.
                    found = sorted(
                        named,
                        key=lambda c: (
                            not c.is_of_wrong_form,
                            not c.is_explained,
                            [*ids, c.id].index(c.id),
                        ),
                    )
                    self.causes, self.unnamed = tuple(found), said
                    self.too_few_predictions = predictions
                case PropertyFinished():
                    self.finished[event.property] = event
                case JudgesDisagree(name, message):
                    self.disagreements[name] = message
                    self._forget(name)
                    self._take_back(name, "kit error", message)
                case JudgeLost(name, message):
                    self.lost = message
                    self._take_back(name, "engine lost", message)
                case CauseDiscovered(_, cause):
                    self.discovered.setdefault(cause["id"], CAUSES.read(Cause, cause))
                case KnownCausesSeen(shown, gone):
                    self.shown.update(shown)
                    self.missed.update(gone)
                case RunFinished(seconds):
                    for phase, spent in seconds.items():
                        self.seconds[phase] += spent
        return self

    def _forget(self, name: str) -> None:
        """Drop the findings of a property: it is asked anew, or the judges differ on it."""
        self.findings = [own for own in self.findings if own.property != name]

    @property
    def told(self) -> list[str]:
        """The ids of all causes, by which they are numbered: those found on the way come first."""
        return [*dict.fromkeys([*self.discovered, *(cause.id for cause in self.causes)])]

    def kit_error(self, name: str, said: str) -> None:
        """Add a bug of rsp-conformance in a property."""
        self._take_back(name, "kit error", said)

    def _take_back(self, name: str, verdict: PropertyVerdict, said: str) -> None:
        known = self.finished.get(name, PropertyFinished(name, verdict))
        self.finished[name] = replace(known, verdict=verdict, note=first_line(said))

    @property
    def vacuous(self) -> bool:
        """Whether no property compared a case, nor found a known cause."""
        counts = (event.counts for event in self.finished.values())
        return not any(counted.get("compared") or counted.get("known") for counted in counts)

    @property
    def gone(self) -> list[str]:
        """The ids of known causes that no longer show, although their cases were asked."""
        return sorted(self.missed - self.shown)

    @property
    def not_judged(self) -> int:
        """The number of cases that went beyond the limits of the kit's own evaluation."""
        return sum(event.counts.get("not_judged", 0) for event in self.finished.values())

    def unmet(self, marks: Sequence[Mark]) -> list[Mark]:
        """The marks whose property ran, and which expected nothing that came."""
        ran = {name for name, event in self.finished.items() if event.counts} - {BURN_IN}
        met = {mark for event in self.finished.values() for mark in event.marks}
        return [mark for mark in marks if mark.concerns(ran) and str(mark) not in met]

    def passed(self, marks: Sequence[Mark] = (), *, strict: bool = False) -> bool:
        """Whether something was compared and nothing was wrong.

        Args:
            marks: the marks of expected failures.
            strict: whether, besides, the failure of every mark must come and no known cause may be
                gone.
        """
        wrong = any(event.verdict in WRONG for event in self.finished.values())
        return not (wrong or self.vacuous or (strict and (self.unmet(marks) or self.gone)))


def _named(document: Mapping[str, Any]) -> Cause:
    """The cause in a document, with its properties in the order of the suite."""
    # With the suite come its strategies, which whoever only judges does without.
    from rsp_conformance.run.properties import in_order

    cause: Cause = CAUSES.read(Cause, document)
    return replace(cause, properties=tuple(in_order(cause.properties)))
