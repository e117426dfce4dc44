"""The session of a burn-in: the engine is fed to the end, or as far as it gets.

Latency that rises while the stream lasts may be the machine's doing. So the last pushes are given
to a fresh engine as well, while nothing is judged either time: only where the old engine is slower
than the fresh one on the same elements has it grown slower.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from rsp_conformance.burnin.config import BurnInConfig, BurnInProgress, NotRun, Tell
from rsp_conformance.burnin.feeding import Elements, Feeding, Judging
from rsp_conformance.burnin.metrics import Growth, PushMeasure, growing_latency
from rsp_conformance.burnin.query import default_query
from rsp_conformance.burnin.stream import LEAST_SPAN, Source
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.windows import by_time
from rsp_conformance.protocol import Engine, EngineError, FeedLost

ENDS: Final = "answers come at the end"

SLOWER: Final = 1.5
"""So many times as long an element takes at least, where latency has grown."""


@dataclass(slots=True)
class BurnInSession:
    """What one burn-in knows while it lasts; ``feed`` goes through it once.

    ``case`` has no elements: they come from ``source``.
    """

    config: BurnInConfig
    subject: EngineUnderTest
    case: Case
    dials: Dials
    source: Source
    tell: Tell
    samples: list[PushMeasure] = field(default_factory=list)
    engine_bytes: int = 0
    started: float = field(default_factory=time.perf_counter)
    feeding: Feeding = field(init=False)

    @classmethod
    def prepare(
        cls, config: BurnInConfig, engine: Engine, tell: Tell = lambda _: None
    ) -> BurnInSession:
        """Meet an engine, and make the case and its stream.

        Raises:
            NotRun: there is nothing to ask, or to feed.
            EngineError: there is no engine.
            ValueError: query, profile and dials do not fit together.
        """
        subject = EngineUnderTest.meet(engine, config.profile, dict(config.dials))
        query = config.query or default_query(subject.features, subject.profile)
        dials = subject.profile.dials(query)
        if not query.windows:
            raise NotRun("the query has no window over a stream: there is nothing to feed it")
        windows = by_time(query.resolved_windows(dials))
        source = Source(
            config.seed,
            config.size,
            query.streams(),
            width=max((window.width for window in windows), default=LEAST_SPAN),
            numbers="typed-literals" in subject.features,
        )
        until = source.last + max((own.reach for own in windows), default=1)
        case = Case(query, until=until, streams=source.streams)
        return cls(config, subject, case, dials, source, tell)

    def feed(self, judging: Judging) -> None:
        """Feed the engine until the end, or until it is lost or wrong; the judge gets all."""

        def after(sample: PushMeasure) -> bool:
            self.engine_bytes = max(self.engine_bytes, sample.memory or 0)
            if self.feeding.incremental:
                self.samples.append(sample)
            self.say("" if self.feeding.incremental else ENDS, judging)
            return judging.lost and not self.config.keep_going

        self.feeding = Feeding(self.subject, self.case, self.dials, judging)
        with self.feeding:
            self.feeding.feed(lambda: self._pushes(judging), after)

    def _pushes(self, judging: Judging) -> Iterator[Elements]:
        """The stream in pushes.

        Where latency seems to grow, the last ones wait until the judge is idle, so that they can
        be compared with those of a fresh engine.
        """
        config = self.config
        last = -(-config.size // config.push) - config.compared_pushes
        for number, elements in enumerate(self.source.chunks(config.push)):
            if number == last and growing_latency(self.samples):
                judging.settle()
            yield elements

    def say(self, doing: str = "", judging: Judging | None = None) -> None:
        """Tell how far this is."""
        standing = None if judging is None else judging.standing
        self.tell(
            BurnInProgress(
                self.feeding.elements,
                self.config.size,
                self.feeding.reached,
                self.feeding.answers,
                None if standing is None else len(standing.alive),
                self.feeding.elements / (time.perf_counter() - self.started),
                (self.samples[-1].memory or 0) if self.samples else 0,
                doing,
            )
        )


def latency_grown(session: BurnInSession) -> Growth | None:
    """The growth of latency over the whole session, where a fresh engine bears it out."""
    growth = growing_latency(session.samples)
    if growth is None or not session.feeding.whole:
        return None
    count = session.config.compared_pushes
    old = _latency(session.samples[-count:], growth.clock)
    new = _latency(_fresh(session, count), growth.clock)
    if old is None or new is None or old < SLOWER * new:
        return None
    return replace(growth, control=new)


def _latency(samples: Sequence[PushMeasure], clock: str) -> float | None:
    """Return the seconds per element over all samples; None if they are not known."""
    spent = [sample.seconds(clock) for sample in samples]
    known = [s for s in spent if s is not None]
    pushed = sum(sample.pushed for sample in samples)
    return sum(known) / pushed if pushed and len(known) == len(samples) else None


def _fresh(session: BurnInSession, count: int) -> Sequence[PushMeasure]:
    """Return the last pushes on a fresh engine, which has warmed up on as many."""
    config, source = session.config, session.source
    start = max(0, config.size - 2 * count * config.push)
    case = replace(session.case, registered=source.elements(start, start + 1)[0].t)
    try:
        session.subject.engine.restart()
        with Feeding(session.subject, case, session.dials, id="control") as feeding:
            found = [feeding.push(elements) for elements in source.chunks(config.push, start)]
    except (FeedLost, EngineError):
        return ()
    return found[-count:]
