"""Trying stretches of the stream on fresh engines: is the engine wrong there too?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from rsp_conformance.burnin.feeding import Feeding
from rsp_conformance.burnin.judging import Judging
from rsp_conformance.burnin.session import Backlog
from rsp_conformance.burnin.stream import Source
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.protocol import FeedLost
from rsp_conformance.spark.session import SparkHandle

SHORT: Final = 1_500
"""So many elements are one case, which the specification judges; more go in pieces, to Spark."""

PUSH: Final = 1_000
LONG_PIECE: Final = 10_000


@dataclass(slots=True)
class Trials:
    """Stretches of SOURCE before SUBJECT, under the query of CASE.

    ``until`` (``time.monotonic()``) is when no further trial should begin.
    """

    subject: EngineUnderTest
    case: Case
    dials: Dials
    source: Source
    spark: SparkHandle
    until: float
    tried: int = field(default=0)

    @property
    def over(self) -> bool:
        """Whether the time for trials has passed."""
        return time.monotonic() >= self.until

    def stretch(self, since: int, until: int) -> Case:
        """The case without elements that is registered at SINCE and compared until UNTIL."""
        return replace(self.case, registered=since, until=until)

    def wrong(self, since: int, until: int) -> Verdict | None:
        """The verdict on a stretch where it is wrong; None where it is right, or there is none.

        Of whatever kind: where a stretch begins decides whether an answer at another instant is
        one that is missing or one too many. A long stretch meets an engine whose process is new
        as well; for a short one a fresh state, as the protocol has it for every case, must do.
        """
        self.tried += 1
        case = self.stretch(since, until)
        if until - since <= 2 * SHORT:
            elements = self.source.between(since, until)
            if len(elements) <= SHORT:
                return if_wrong(verdict_on(self.ask(replace(case, elements=elements))))
        return if_wrong(self._long(case))

    def ask(self, case: Case) -> Observation:
        """Ask for a whole CASE in one piece."""
        return self.subject.ask(Stimulus(case))

    def _long(self, case: Case) -> Verdict | None:
        """The verdict in pieces, as on the whole stream; of a lost engine, up to there."""
        self.subject.engine.restart()
        first = self.source.first_of(self._pieces(case))
        with (
            Judging(self.spark, case, self.dials, first) as judging,
            Feeding(self.subject, case, self.dials) as feeding,
        ):
            backlog = Backlog(judging, LONG_PIECE)
            try:
                for elements in self._pieces(case):
                    observed = feeding.push(elements)
                    if feeding.incremental:
                        backlog.add(elements, observed)
                    if judging.lost:
                        break
                else:
                    last = feeding.close()
                    if not feeding.incremental:
                        last = backlog.replay(self._pieces(case), last)
                    backlog.end(last)
            except FeedLost as lost:
                backlog.stop(feeding.take(lost.failure.answers))
            standing = judging.settle()
        return None if standing is None else standing.verdict

    def _pieces(self, case: Case) -> Iterator[tuple[StreamElement, ...]]:
        for block in self.source.pieces(case.registered, case.until):
            for start in range(0, len(block), PUSH):
                yield block[start : start + PUSH]


def if_wrong(verdict: Verdict | None) -> Verdict | None:
    """VERDICT where it says wrong, else None."""
    return None if verdict is None or verdict.correct else verdict
