"""What became of the cases of a property, and whether that is enough to speak of a test."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rsp_conformance.causes.known import KnownCause
from rsp_conformance.suite.events import Listener, nobody

ENOUGH = 20
"""So many comparisons make a property tested (all of them, where fewer cases were asked for)."""

COUNTED = ("compared", "known", "unsupported", "vacuous", "not_judged", "unasked")
"""What becomes of a case: every one is counted once, as one of these."""


@dataclass(slots=True)
class Tally:
    """The cases of one property.

    Every case is counted once: ``compared`` (its answer was judged where something was due, or
    there was none to judge for a failure), ``vacuous`` (judged where nothing was due that could
    have been wrong, or not to be judged), ``known`` (wrong as known causes explain, which
    ``causes`` counts by their ids), ``unsupported`` (refused by the engine, for ``reasons``),
    ``not_judged`` (the kit's own evaluation went beyond a limit, see ``beyond``) or ``unasked``
    (for want of time or patience, see ``cut``).
    ``found`` counts cases compared whose wrong answer a cause explains that the run has found
    before, by its id. ``marked`` counts the failures that an xfail mark expects, ``untold`` the
    contradictions that accuse nobody, by the reason, ``grounds`` the trials compared, by the ground
    on which they were. ``lost`` counts cases that the driver did not survive or answer in time,
    ``hung`` the latter, and ``lost_seconds`` what they cost. ``judged`` counts cases, none of them
    vacuous, whose answers told something when they were asked ahead, and ``explained`` those of
    them that are wrong as causes known by then say. ``missed`` counts cases judged that were not
    asked ahead.
    """

    compared: int = 0
    known: int = 0
    vacuous: int = 0
    unsupported: int = 0
    not_judged: int = 0
    unasked: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    beyond: Counter[str] = field(default_factory=Counter)
    marked: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    untold: Counter[str] = field(default_factory=Counter)
    grounds: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    hung: int = 0
    judged: int = 0
    explained: int = 0
    lost_seconds: float = 0.0
    answered: int = 0
    missed: int = 0
    cut: str = ""

    @property
    def cases(self) -> int:
        """Those that told something, or would have if the engine had answered.

        A vacuous case is none of them, for another one was drawn in its place.
        """
        return self.compared + self.known + self.unsupported + self.not_judged + self.unasked

    def enter(
        self,
        *,
        unsupported: str | None,
        compared: bool,
        not_judged: str = "",
        known: Iterable[KnownCause] = (),
    ) -> None:
        """Count a case that was asked.

        UNSUPPORTED says why the engine did not take it, NOT_JUDGED which limit stopped the kit;
        KNOWN are the causes that explain a wrong answer.
        """
        causes = tuple(known)
        (self.found if any(c.found for c in causes) else self.causes).update(c.id for c in causes)
        if causes and not any(cause.found for cause in causes):
            self.known += 1
        elif unsupported is not None:
            self.unsupported += 1
            self.reasons[unsupported] += 1
        elif not_judged:
            self.not_judged += 1
            self.beyond[not_judged] += 1
        elif compared:
            self.compared += 1
        else:
            self.vacuous += 1

    def counts(self) -> dict[str, int]:
        """How many cases there were, by what became of them."""
        return {name: getattr(self, name) for name in COUNTED}

    @property
    def said(self) -> str:
        """How many cases known causes explain, and which; empty where there are none."""
        return f"{self.known} known: {', '.join(self.causes)}" if self.known else ""

    @property
    def left_out(self) -> str:
        """How many cases the kit did not judge, and why; empty where it judged all."""
        if not self.not_judged:
            return ""
        return f"{self.not_judged} not judged (the kit {self.beyond.most_common(1)[0][0]})"

    def too_few(self, asked_for: int) -> str | None:
        """Why this is no test, where ASKED_FOR cases were to be drawn; None where it is one.

        At least half of the cases have to be compared, and at least ENOUGH.
        """
        needed = max(min(ENOUGH, asked_for), -(-max(self.cases, asked_for) // 2))
        if self.compared >= needed:
            return None
        text = f"{self.compared} cases compared, {needed} needed"
        if self.unsupported:
            reason = self.reasons.most_common(1)[0][0] or "no reason given"
            text += f"; {self.unsupported} unsupported by the engine ({reason})"
        if self.not_judged:
            text += f"; {self.left_out}"
        if self.unasked:
            text += f"; {self.unasked} not asked ({self.cut})"
        excused = sum(self.untold.values())
        if excused:
            text += f"; {excused} say nothing ({self.untold.most_common(1)[0][0]})"
        if self.vacuous > excused:
            text += f"; {self.vacuous - excused} with nothing due"
        return text


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a run counts, by property, what its time is spent on, and who hears of events.

    ``seconds`` are of wall-clock time, by phase.
    """

    emit: Listener = nobody
    tallies: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def timed(self, phase: str, *, times: int = 1) -> Iterator[None]:
        """Add the time spent inside to PHASE, so many TIMES; -1: it is none of it."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] += times * (time.perf_counter() - started)
