"""A long case on its way through an engine, with the judge beside it.

While one chunk is judged on Spark, the next is being answered.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from math import floor
from typing import Final, Self, TypeAlias

from rsp_conformance.burnin.metrics import PushMeasure, usage
from rsp_conformance.files.cases import ELEMENTS, ELEMENTS_1_2
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Observed, is_empty
from rsp_conformance.model.appended import appended
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.protocol import FeedLost
from rsp_conformance.protocol.messages import Failure
from rsp_conformance.protocol.requests import run_request
from rsp_conformance.spark.stream.long_judge import LongJudge, Standing

Elements: TypeAlias = tuple[StreamElement, ...]

LATE: Final = 10
"""An engine's answers may come so many pushes after what is answered."""

_WAITING: Final = 2
"""So many chunks wait at most; then the engine waits for the judge."""


class Judging:
    """Definition 26 for one long case, by a judge in a thread of its own; a context, which ends it.

    The judge gets about ``chunk`` elements at once. An engine may be late with its answers. So a
    chunk is judged up to the end of the last push after which the engine has answered for a later
    instant, or that lies `LATE` pushes back; that instant excluded, for further elements may come
    at it.

    ``standing`` is how the case stands after the last chunk that has been judged; None before.
    """

    def __init__(self, judge: LongJudge, chunk: int) -> None:
        self.standing: Standing | None = None
        self._judge = judge
        self._chunk = chunk
        self._failed = False
        self._thread = ThreadPoolExecutor(1, "burnin-judge")
        self._waiting: deque[Future[None]] = deque()
        self._elements: list[StreamElement] = []
        self._observed: list[Observed] = []
        self._upto: int | None = None
        self._ends: deque[int] = deque()
        self._answered: int | Fraction | None = None
        self._sure: int | None = None

    @property
    def lost(self) -> bool:
        """Whether no t0 vector is left that makes the answers right."""
        return self.standing is not None and not self.standing.alive

    def add(self, elements: Elements, observed: Iterable[Observed]) -> None:
        """Take a push and the answers that it brought; raises what judging has raised."""
        self._elements += elements
        self._note(observed)
        self._ends.append(elements[-1].t)
        answered = -1 if self._answered is None else self._answered
        while self._ends and (len(self._ends) > LATE or self._ends[0] < answered):
            self._sure = self._ends.popleft()
        if len(self._elements) >= self._chunk:
            self._hand_over()

    def end(self, observed: Iterable[Observed]) -> None:
        """The stream has ended, and so have the answers."""
        self._note(observed)
        self._submit(partial(self._judge.finish, tuple(self._elements), tuple(self._observed)))

    def stop(self, observed: Iterable[Observed]) -> None:
        """Nothing more will come, though the stream has not ended."""
        self._note(observed)
        if self._answered is not None and self._ends:
            # Answers come in order, so none is missing before the last one.
            last = min(floor(self._answered), self._ends[-1])
            self._sure = max(self._sure or 0, last)
        self._hand_over()

    def settle(self) -> Standing | None:
        """Wait until everything that was handed over is judged; how the case stands then."""
        while self._waiting:
            self._waiting.popleft().result()
        return self.standing

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # After an error nobody waits for verdicts any more.
        self._thread.shutdown(cancel_futures=kind is not None)

    def _note(self, observed: Iterable[Observed]) -> None:
        for answer in observed:
            self._observed.append(answer)
            if answer.t is not None and (self._answered is None or answer.t > self._answered):
                self._answered = answer.t

    def _hand_over(self) -> None:
        if self._sure is None or (self._upto is not None and self._sure - 1 <= self._upto):
            return
        self._upto = self._sure - 1
        elements, observed = tuple(self._elements), tuple(self._observed)
        self._submit(partial(self._judge.take, elements, observed, self._upto))
        self._elements, self._observed = [], []

    def _submit(self, judge: Callable[[], Standing]) -> None:
        while self._waiting and (len(self._waiting) > _WAITING or self._waiting[0].done()):
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(self._judged, judge))

    def _judged(self, judge: Callable[[], Standing]) -> None:
        if self._failed or self.lost:
            return
        self._failed = True  # until it has not: nothing is judged after an error
        self.standing = judge()
        self._failed = False


class Feeding:
    """One case, whose elements come in pieces, before an engine with a fresh state.

    ``case`` has no elements. ``elements`` have been taken by the engine, the last of them at
    instant ``reached`` (the registration before the first), and ``answers`` have come, of which
    ``non_empty`` had rows. ``failure`` is how the engine was lost, if it was; ``whole`` says that
    the stream was fed to its end. ``judging`` is given everything, if it is there. Leaving the
    context gives the case up.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        case: Case,
        dials: Dials,
        judging: Judging | None = None,
        *,
        id: str = "burnin",
    ) -> None:
        opening = run_request(
            case,
            dials,
            id=id,
            query_text=subject.query_text(case),
            triple_terms=subject.triple_terms,
            algebra=subject.hello.algebra,
        )
        self.elements = 0
        self.reached = case.registered
        self.answers = 0
        self.non_empty = 0
        self.failure: Failure | None = None
        self.whole = False
        self._subject = subject
        self._case = case
        self._judging = judging
        self._feed = subject.engine.feed(opening)

    @property
    def incremental(self) -> bool:
        """Whether answers come with every push; else all of them come when it is closed."""
        return self._feed.incremental

    def feed(
        self,
        pushes: Callable[[], Iterable[Elements]],
        after: Callable[[PushMeasure], object] = lambda _: None,
    ) -> None:
        """Feed pushes and end the stream; stop if the engine is lost, or if ``after`` says so.

        Args:
            pushes: makes the pushes, each a tuple of elements.
            after: called after each push; the feeding ends if it returns something true.
        """
        try:
            for elements in pushes():
                if after(self.push(elements)):
                    return
            self._close(pushes)
        except FeedLost as lost:
            self.failure = lost.failure
            if not self.incremental:
                self.elements, self.reached = 0, self._case.registered
            rest = self._counted(lost.failure.answers)
            if self._judging is not None:
                self._judging.stop(rest)

    def push(self, elements: Elements) -> PushMeasure:
        """Hand over elements, and return what that took.

        Raises:
            FeedLost: the engine is lost.
        """
        form = ELEMENTS_1_2 if self._subject.triple_terms else ELEMENTS
        written = form.write(tuple[StreamElement, ...], elements)
        pid = self._subject.engine.pid()
        before = None if pid is None else usage(pid)
        began = time.perf_counter()
        observed = self._feed.push(written)
        wall = time.perf_counter() - began
        work = memory = None
        if pid is not None and before is not None:
            now = usage(pid)
            work, memory = max(0.0, now.work - before.work), now.memory
        self.elements += len(elements)
        self.reached = elements[-1].t
        self._counted(observed)
        if self._judging is not None and self.incremental:
            self._judging.add(elements, observed)
        return PushMeasure(self.elements, len(elements), len(observed), wall, work, memory)

    def _close(self, pushes: Callable[[], Iterable[Elements]]) -> None:
        """End the stream, as the kit ends every stream for this engine."""
        last: tuple[Observed, ...] = ()
        if self._subject.hello.advances == "elements":
            # They are no elements of the case, but they count where answers name their cause.
            end = ELEMENTS.write(tuple[StreamElement, ...], appended(self._case, self.reached))
            last = self._counted(self._feed.push(end))
        last += self._counted(self._feed.close())
        self.whole = True
        if self._judging is None:
            return
        if not self.incremental:
            # Nothing was answered before: all answers are there with the first elements.
            for elements in pushes():
                self._judging.add(elements, last)
                last = ()
        self._judging.end(last)

    def _counted(self, answers: tuple[Observed, ...]) -> tuple[Observed, ...]:
        self.answers += len(answers)
        self.non_empty += sum(not is_empty(answer.content) for answer in answers)
        return answers

    def __enter__(self) -> Self:
        self._feed.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._feed.__exit__(*error)
