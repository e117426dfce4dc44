"""The session of a burn-in: the engine is fed to the end, or as far as it gets."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Final

from rsp_conformance.burnin.config import BurnInConfig, BurnInProgress, NotRun, Tell
from rsp_conformance.burnin.feeding import Feeding
from rsp_conformance.burnin.judging import Chunk, Judging
from rsp_conformance.burnin.metrics import PushMeasure, growing_latency, usage
from rsp_conformance.burnin.query import default_query
from rsp_conformance.burnin.stream import Source
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import query_features
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.protocol import Engine, FeedLost
from rsp_conformance.protocol.messages import Failure

LATE: Final = 10
"""An engine's answers may come so many pushes after what is answered."""

ENDS: Final = "answers come at the end"


@dataclass(slots=True)
class BurnInSession:
    """What one burn-in knows while it lasts; ``feed`` goes through it once.

    ``case`` has no elements: they come from ``source``. ``reached`` is the instant of the last of
    ``elements`` that the engine has taken, ``failure`` how it was lost, if it was. ``whole`` says
    that the stream was fed to its end.
    """

    config: BurnInConfig
    subject: EngineUnderTest
    case: Case
    dials: Dials
    source: Source
    tell: Tell
    samples: list[PushMeasure] = field(default_factory=list)
    engine_bytes: int = 0
    elements: int = 0
    answers: int = 0
    telling: int = 0
    reached: int = 0
    failure: Failure | None = None
    whole: bool = False
    started: float = field(default_factory=time.perf_counter)

    @classmethod
    def prepare(cls, config: BurnInConfig, engine: Engine, tell: Tell) -> BurnInSession:
        """Meet ENGINE, and make the case and its stream.

        Raises:
            NotRun: there is nothing to ask, or to feed.
            EngineError: there is no engine.
            ValueError: query, profile and dials do not fit together.
        """
        subject = EngineUnderTest.meet(engine, config.profile, dict(config.dials))
        query = config.query or default_query(subject.features, subject.profile)
        dials = subject.profile.resolve(query_features(query))
        windows = query.sliding_windows(dials.unit)
        if not windows:
            raise NotRun("the query has no window over a stream: there is nothing to feed it")
        source = Source(
            config.seed,
            config.size,
            query.streams(),
            width=max(window.width for window in windows),
            numbers="typed-literals" in subject.features,
        )
        until = source.last + max(window.width + window.slide for window in windows)
        case = Case(query, until=until, streams=source.streams)
        return cls(config, subject, case, dials, source, tell)

    def feed(self, judging: Judging) -> None:
        """Feed the engine until the end, or until it is lost or wrong; all is handed to JUDGING."""
        with Feeding(self.subject, self.case, self.dials) as feeding:
            backlog = Backlog(judging, self.config.chunk)
            try:
                for elements in self._pushes(judging):
                    observed = self._push(feeding, elements)
                    if feeding.incremental:
                        backlog.add(elements, observed)
                    self.say("" if feeding.incremental else ENDS, judging)
                    if judging.lost and not self.config.keep_going:
                        return
                last = feeding.close()
                self._note(feeding)
                self.whole = True
                if not feeding.incremental:
                    last = backlog.replay(self.source.chunks(self.config.chunk), last)
                backlog.end(last)
            except FeedLost as lost:
                self.failure = lost.failure
                backlog.stop(feeding.take(lost.failure.answers))
                if not feeding.incremental:
                    self.elements, self.reached = 0, self.case.registered

    def _pushes(self, judging: Judging) -> Iterator[tuple[StreamElement, ...]]:
        """The stream in pushes.

        Where latency seems to grow, the last ones wait until the judge is idle, so that they can
        be compared with those of a fresh engine (``control``).
        """
        config = self.config
        last = config.size - config.push * config.compared_pushes
        for start in range(0, config.size, config.push):
            if start >= last > start - config.push and growing_latency(self.samples):
                judging.settle()
            yield self.source.elements(start, start + config.push)

    def _push(self, feeding: Feeding, elements: tuple[StreamElement, ...]) -> tuple[Observed, ...]:
        observed, sample = timed_push(feeding, elements, self.subject.engine)
        self.engine_bytes = max(self.engine_bytes, sample.memory or 0)
        self._note(feeding)
        if feeding.incremental:
            self.samples.append(sample)
        return observed

    def _note(self, feeding: Feeding) -> None:
        self.elements, self.reached = feeding.elements, feeding.reached
        self.answers, self.telling = feeding.answers, feeding.telling

    def say(self, doing: str = "", judging: Judging | None = None) -> None:
        """Tell how far this is."""
        standing = None if judging is None else judging.standing
        self.tell(
            BurnInProgress(
                self.elements,
                self.config.size,
                self.reached,
                self.answers,
                None if standing is None else len(standing.alive),
                self.elements / (time.perf_counter() - self.started),
                (self.samples[-1].memory or 0) if self.samples else 0,
                doing,
            )
        )


def timed_push(
    feeding: Feeding, elements: tuple[StreamElement, ...], engine: Engine
) -> tuple[tuple[Observed, ...], PushMeasure]:
    """Push ELEMENTS; what ENGINE answered, and what that took."""
    pid = engine.pid()
    before = None if pid is None else usage(pid)
    began = time.perf_counter()
    observed = feeding.push(elements)
    wall = time.perf_counter() - began
    work = memory = None
    if pid is not None and before is not None:
        after = usage(pid)
        work, memory = max(0.0, after.work - before.work), after.memory
    sample = PushMeasure(feeding.elements, len(elements), len(observed), wall, work, memory)
    return observed, sample


class Backlog:
    """What the judge has not been given yet; it gets about CHUNK elements at once.

    An engine may be late with its answers. So a chunk is judged up to the end of the last push
    after which the engine has answered for a later instant, or that lies LATE pushes back; that
    instant excluded, for further elements may come at it.
    """

    def __init__(self, judging: Judging, chunk: int) -> None:
        self._judging = judging
        self._chunk = chunk
        self._elements: list[StreamElement] = []
        self._observed: list[Observed] = []
        self._upto: int | None = None
        self._ends: deque[int] = deque()
        self._answered: int | Fraction | None = None
        self._sure: int | None = None

    def add(self, elements: tuple[StreamElement, ...], observed: tuple[Observed, ...]) -> None:
        """Take a push and the answers that it brought."""
        self._elements += elements
        self._note(observed)
        self._ends.append(elements[-1].t)
        while self._ends and (len(self._ends) > LATE or self._passed(self._ends[0])):
            self._sure = self._ends.popleft()
        if len(self._elements) >= self._chunk:
            self._hand_over()

    def _note(self, observed: tuple[Observed, ...]) -> None:
        self._observed += observed
        for answer in observed:
            if answer.t is not None and (self._answered is None or answer.t > self._answered):
                self._answered = answer.t

    def _passed(self, t: int) -> bool:
        return self._answered is not None and t < self._answered

    def replay(
        self, pieces: Iterable[tuple[StreamElement, ...]], observed: tuple[Observed, ...]
    ) -> tuple[Observed, ...]:
        """Give all elements to the judge, and all answers with the first of them.

        For an engine that has answered nothing before the end; what is left of the answers.
        """
        for elements in pieces:
            self.add(elements, observed)
            observed = ()
        return observed

    def end(self, observed: tuple[Observed, ...]) -> None:
        """The stream has ended, and so have the answers."""
        self._note(observed)
        self._submit(None)

    def stop(self, observed: tuple[Observed, ...]) -> None:
        """Nothing more will come, though the stream has not ended."""
        self._note(observed)
        if self._answered is not None and self._ends:
            # Answers come in order, so none is missing before the last one.
            last = min(floor(self._answered), self._ends[-1])
            self._sure = max(self._sure or 0, last)
        self._hand_over()

    def _hand_over(self) -> None:
        if self._sure is not None and (self._upto is None or self._sure - 1 > self._upto):
            self._upto = self._sure - 1
            self._submit(self._upto)

    def _submit(self, upto: int | None) -> None:
        self._judging.submit(Chunk(tuple(self._elements), tuple(self._observed), upto))
        self._elements, self._observed = [], []
