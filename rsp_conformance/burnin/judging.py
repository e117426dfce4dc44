"""The judge beside the engine: while one chunk is judged on Spark, the next is being answered."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.long_judge import LongJudge, Standing

_WAITING: Final = 2
"""So many chunks wait at most; then the engine waits for the judge."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Elements and answers since the chunk before; all is known up to the instant ``upto``.

    ``upto`` None says that this is the last chunk, and all is known up to the case's end.
    """

    elements: tuple[StreamElement, ...]
    observed: tuple[Observed, ...]
    upto: int | None


class Judging:
    """Definition 26 for one long case, in a thread of its own; leave the context to end it.

    Raises Unsupported or ValueError, when made, for a case that the plan does not judge in pieces.
    """

    def __init__(
        self, spark: SparkHandle, case: Case, dials: Dials, first: Mapping[IRI, int]
    ) -> None:
        self._judge = LongJudge(spark, case, dials, first=first)
        self._standing: Standing | None = None
        self._failed = False
        self._thread = ThreadPoolExecutor(1, "burnin-judge")
        self._waiting: deque[Future[None]] = deque()

    @property
    def standing(self) -> Standing | None:
        """How the case stands after the last chunk that has been judged; None before the first."""
        return self._standing

    @property
    def lost(self) -> bool:
        """Whether no t0 vector is left that makes the answers right."""
        return self._standing is not None and not self._standing.alive

    def submit(self, chunk: Chunk) -> None:
        """Have CHUNK judged; waits while too many others do. Raises what judging has raised."""
        while self._waiting and (len(self._waiting) > _WAITING or self._waiting[0].done()):
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(self._take, chunk))

    def settle(self) -> Standing | None:
        """Wait until everything that was submitted is judged; how the case stands then."""
        while self._waiting:
            self._waiting.popleft().result()
        return self._standing

    def __enter__(self) -> Judging:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # After an error nobody waits for verdicts any more.
        self._thread.shutdown(cancel_futures=kind is not None)

    def _take(self, chunk: Chunk) -> None:
        if self._failed or self.lost:
            return
        self._failed = True  # until it has not: nothing is judged after an error
        if chunk.upto is None:
            self._standing = self._judge.finish(chunk.elements, chunk.observed)
        else:
            self._standing = self._judge.take(chunk.elements, chunk.observed, chunk.upto)
        self._failed = False
