"""Where a long stream goes wrong: the shortest stretch that still shows it.

The search grows stretches backwards from the divergence until a fresh engine errs on one as it did
on the whole, then bisects for the latest start, and ends them where the divergence is. A short
stretch is a trial of the run: asked with its patience, judged, and taken note of. What is short in
the end is minimised further (``minimise``); a long stretch is the finding itself, for the fault
needs its history.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from rsp_conformance.burnin.feeding import Elements, Feeding, Judging
from rsp_conformance.burnin.session import BurnInSession
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding, Shown
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.model.windows import CountWindow, SlidingWindow
from rsp_conformance.run.naming import Naming
from rsp_conformance.run.properties import LONG_STREAM
from rsp_conformance.run.record import Record
from rsp_conformance.run.trials import Drawn, trial_of
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.long_judge import LongJudge

SHORT: Final = 1_500
"""So many elements are one case, which the reference model judges; more go in pieces, to Spark."""

PUSH: Final = 1_000
LONG_PIECE: Final = 10_000

_GROWTH: Final = 4
_FINE: Final = 100
"""The start of a long stretch is found to this part of its length."""


@dataclass(frozen=True, slots=True)
class WrongStretch:
    """A part of the stream, from instant ``since`` to ``until``, on which the engine is wrong.

    A fresh engine registered at ``since`` shows it, given the ``elements`` of the stretch; one
    registered ``step`` instants later does not, or was not tried for want of time (None).

    Attributes:
        shown: the case that was made of it, if it is short, confirmed and written down.
        causes: what explains it (`diagnosis.cause.CAUSES`).
        said: why nothing is shown of a short stretch, in a sentence.
        dispute: what the kit's own judges differ on: then it reports nothing against the engine.
    """

    since: int
    until: int
    elements: int
    step: int | None = None
    shown: tuple[Shown, ...] = ()
    causes: tuple[Mapping[str, Any], ...] = ()
    said: str = ""
    dispute: str = ""

    @property
    def finding(self) -> Finding | None:
        """What is wrong with the case that was made of it."""
        return self.shown[0].finding if self.shown else None

    @property
    def kept(self) -> int:
        """The elements without which it does not show, as far as that was found out."""
        return self.elements if self.finding is None else len(self.finding.case.elements)


@dataclass(frozen=True, slots=True)
class Search:
    """What came of looking for the shortest stretch: none where the engine was not wrong again.

    ``tried`` fresh engines were fed; ``cut`` says that the time for it was over, ``trouble`` that
    there was no engine any more, and why.
    """

    stretch: WrongStretch | None
    tried: int
    cut: bool
    trouble: str = ""


@dataclass(slots=True)
class Trials:
    """Stretches of a session's stream before fresh engines: is the engine wrong there too?

    ``until`` (``time.monotonic()``) is when no further trial should begin.

    Attributes:
        naming: takes note of the short ones, as of a run's trials.
        tried: how many there were.
        records: those of the short ones, by their trial.
    """

    session: BurnInSession
    spark: SparkHandle
    naming: Naming
    until: float
    tried: int = 0
    records: dict[str, Record] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether the time for trials has passed, or the engine's time."""
        return time.monotonic() >= self.until or bool(self.lost)

    @property
    def lost(self) -> str:
        """Why the engine is asked no further, in a few words; empty as long as it is."""
        return self.naming.worker.asker.ends(LONG_STREAM.name)

    def wrong(self, since: int, until: int) -> Verdict | None:
        """The verdict on a stretch where it is wrong; None where it is right, or there is none.

        Of whatever kind: where a stretch begins decides whether an answer at another instant is
        one that is missing or one too many. A long stretch meets an engine whose process is new
        as well; for a short one a fresh state, as the protocol has it for every case, must do.
        """
        self.tried += 1
        case = replace(self.session.case, registered=since, until=until)
        if until - since <= 2 * SHORT:
            elements = self.session.source.between(since, until)
            if len(elements) <= SHORT:
                return self.if_wrong(replace(case, elements=elements))
        verdict = self._long(case)
        return None if verdict is None or verdict.correct else verdict

    def if_wrong(self, case: Case) -> Verdict | None:
        """Return the verdict on a whole case in one piece if it is wrong."""
        record = self.asked(case)
        if record.outcome is not Outcome.WRONG:
            return None
        return self.naming.worker.judging.verdict(record.observations[0])

    def asked(self, case: Case) -> Record:
        """Return the record of a case in one piece; it is smaller than the stream that failed."""
        drawn = Drawn(LONG_STREAM.name, 0, b"", trial_of(LONG_STREAM, case))
        key = drawn.trial.digest
        if key not in self.records:
            (record,) = self.naming.worker.judged(LONG_STREAM, [drawn])
            self.records[key] = replace(record, why="smaller")
            self.naming.ledger.add(self.records[key])
            self.naming.diagnosis.add([self.records[key]])
        return self.records[key]

    def _long(self, case: Case) -> Verdict | None:
        """The verdict in pieces, as on the whole stream; of a lost engine, up to there."""
        subject, dials = self.session.subject, self.session.dials
        subject.engine.restart()
        first = self.session.source.first_of(self._pieces(case))
        judge = LongJudge(self.spark, case, dials, first=first)
        with (
            Judging(judge, LONG_PIECE) as judging,
            Feeding(subject, case, dials, judging) as feeding,
        ):
            feeding.feed(lambda: self._pieces(case), lambda _: judging.lost)
            standing = judging.settle()
        return None if standing is None else standing.verdict

    def _pieces(self, case: Case) -> Iterator[Elements]:
        for block in self.session.source.pieces(case.registered, case.until):
            for start in range(0, len(block), PUSH):
                yield block[start : start + PUSH]


def locate(trials: Trials, verdict: Verdict, reached: int) -> WrongStretch | None:
    """Find the shortest stretch that errs as the stream did; None if none errs again.

    Args:
        trials: asks and judges stretches.
        verdict: the verdict on the stream.
        reached: an instant by which the divergence had been seen.
    """
    divergence = verdict.divergence
    assert divergence is not None
    place = reached if divergence.t is None else int(divergence.t)
    session = trials.session
    windows = session.case.query.resolved_windows(session.dials)
    # About one element comes an instant, so a window by count looks back to as many instants.
    moving = [own for own in windows if isinstance(own, SlidingWindow | CountWindow)]
    reach = max((own.reach for own in moving), default=1)
    begun = _latest_start(trials, place, reach)
    if begun is None:
        return None
    found, place = begun
    # Ended at its divergence, where that is enough to see it.
    if place < found.until and trials.wrong(found.since, place) is not None:
        found = replace(found, until=place)
    return replace(found, elements=session.source.count(found.since, found.until))


def _latest_start(trials: Trials, place: int, reach: int) -> tuple[WrongStretch, int] | None:
    """The latest start that errs, up to behind the divergence, and where it diverges then."""
    until = min(place + reach, trials.session.case.until)
    right, length = place, 2 * reach
    while True:
        since = max(0, place - length)
        verdict = trials.wrong(since, until)
        if verdict is not None:
            break
        if since == 0 or trials.over:
            return None
        right, length = since, length * _GROWTH
    step = None
    while right - since > max(1, (place - since) // _FINE if place - since > SHORT else 1):
        if trials.over:
            break
        middle = (since + right) // 2
        tried = trials.wrong(middle, until)
        if tried is None:
            right = middle
        else:
            since, verdict = middle, tried
    else:
        step = right - since
    return WrongStretch(since, until, 0, step), _place(verdict, until)


def _place(verdict: Verdict, until: int) -> int:
    divergence = verdict.divergence
    return until if divergence is None or divergence.t is None else int(divergence.t)


def is_short(stretch: WrongStretch) -> bool:
    """Whether the stretch is one case that can be run as such, and minimised."""
    return stretch.elements <= SHORT and stretch.until - stretch.since <= 2 * SHORT
