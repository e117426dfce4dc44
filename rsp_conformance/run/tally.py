"""The trials of a property by their outcome, and whether they make a test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.run.record import Record

ENOUGH = 20
"""So many comparisons make a property tested; all of them if fewer cases were asked for."""
COUNTED = ("compared", "known", "unsupported", "vacuous", "not_judged", "unasked")
"""The names of counts in documents; each trial is counted once."""


@dataclass(slots=True)
class Tally:
    """The trials of one property that were drawn.

    Attributes:
        compared: trials whose answers, or lack of answers, were compared with the expected ones.
        known: trials that are wrong as known causes explain; ``causes`` counts these by their ids.
        unsupported: trials that the engine refused, for ``reasons``.
        vacuous: trials in which nothing was expected that could have been wrong, or that are not to
            be judged.
        not_judged: trials for which the kit's own evaluation exceeded a limit (``beyond``), or
            whose judges differ.
        unasked: trials left out for lack of time or patience.
        reasons: the reasons of unsupported trials.
        beyond: the limits that were exceeded.
        causes: the trials that given causes explain, by their ids.
        found: the compared trials that causes explain which this run has found, by their ids.
        excuses: the contradictions that call nobody wrong, by their reason.
        grounds: the compared trials, by the ground on which they were.
        cut: why no more was asked.
    """

    compared: int = 0
    known: int = 0
    unsupported: int = 0
    vacuous: int = 0
    not_judged: int = 0
    unasked: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    beyond: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    excuses: Counter[str] = field(default_factory=Counter)
    grounds: Counter[str] = field(default_factory=Counter)
    cut: str = ""

    @property
    def cases(self) -> int:
        """The number of trials that told something, or would have if the engine had answered.

        A vacuous trial does not count, because another trial was drawn in its place.
        """
        return self.compared + self.known + self.unsupported + self.not_judged + self.unasked

    def enter(self, record: Record, causes: Iterable[KnownCause] = ()) -> None:
        """Count a trial.

        Args:
            record: its record.
            causes: the known causes that explain it, if the engine is wrong in it.
        """
        explaining = tuple(causes)
        given = explaining and not any(cause.found for cause in explaining)
        (self.causes if given else self.found).update(cause.id for cause in explaining)
        match record.outcome:
            case Outcome.WRONG | Outcome.FAILED if given:
                self.known += 1
            case Outcome.WRONG | Outcome.FAILED | Outcome.RIGHT:
                self.compared += 1
                if record.ground:
                    self.grounds[record.ground] += 1
            case Outcome.UNSUPPORTED:
                self.unsupported += 1
                self.reasons[record.reason] += 1
            case Outcome.NOT_JUDGED | Outcome.DISPUTED:
                self.not_judged += 1
                self.beyond[record.reason] += 1
            case Outcome.UNASKED:
                self.unasked += record.is_test
            case Outcome.VACUOUS | Outcome.EXCUSED:
                self.vacuous += 1
        if record.reason and record.outcome in (Outcome.RIGHT, Outcome.EXCUSED):
            self.excuses[record.reason] += 1

    def counts(self) -> dict[str, int]:
        """Return the numbers of trials by their outcome."""
        return {name: getattr(self, name) for name in COUNTED}

    @property
    def said(self) -> str:
        """How many trials given causes explain, and which causes; empty if there are none."""
        return f"{self.known} known: {', '.join(self.causes)}" if self.known else ""

    @property
    def left_out(self) -> str:
        """The number of trials that the kit did not judge, and why; empty if it judged all."""
        if not self.not_judged:
            return ""
        return f"{self.not_judged} not judged (the kit {self.beyond.most_common(1)[0][0]})"

    @property
    def refusal(self) -> str:
        """The reason that the engine gave most often for unsupported trials."""
        return self.reasons.most_common(1)[0][0] or "no reason given"

    def too_few(self, wanted: int) -> str | None:
        """Return why the trials make no test, or None if they do.

        At least half of the trials have to be compared, and at least `ENOUGH`; for a property that
        was cut short, half of the trials that were asked.

        Args:
            wanted: the number of trials that were to be drawn.
        """
        asked = self.cases - self.unasked if self.cut else max(self.cases, wanted)
        half = -(-asked // 2)
        needed = max(min(ENOUGH, wanted), half)
        if self.compared >= needed:
            return None
        text = f"{self.compared} cases compared, {needed} needed"
        if self.unsupported:
            text += f"; {self.unsupported} unsupported by the engine ({self.refusal})"
        if self.not_judged:
            text += f"; {self.left_out}"
        if self.unasked:
            text += f"; {self.unasked} not asked ({self.cut})"
        elif self.cut:
            text += f"; {self.cut}"
        excused = sum(self.excuses.values())
        if excused:
            text += f"; {excused} say nothing ({self.excuses.most_common(1)[0][0]})"
        if self.vacuous > excused:
            text += f"; {self.vacuous - excused} with nothing due"
        return text
