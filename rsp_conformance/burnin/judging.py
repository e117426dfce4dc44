"""The judge beside the engine: while one chunk is judged on Spark, the next is being answered."""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping
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
        self._chunks: queue.Queue[Chunk | None] = queue.Queue(_WAITING)
        self._standing: Standing | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="burnin-judge", daemon=True)
        self._thread.start()

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
        self._check()
        self._chunks.put(chunk)

    def settle(self) -> Standing | None:
        """Wait until everything that was submitted is judged; how the case stands then."""
        self._chunks.join()
        self._check()
        return self._standing

    def __enter__(self) -> Judging:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            # Nobody waits for verdicts any more.
            self._error = self._error or RuntimeError("given up")
        self._chunks.put(None)
        self._thread.join()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        while True:
            chunk = self._chunks.get()
            try:
                if chunk is None:
                    return
                if self._error is None and not self.lost:
                    self._standing = self._judged(chunk)
            except BaseException as error:  # handed to whoever submits or waits
                self._error = error
            finally:
                self._chunks.task_done()

    def _judged(self, chunk: Chunk) -> Standing:
        if chunk.upto is None:
            return self._judge.finish(chunk.elements, chunk.observed)
        return self._judge.take(chunk.elements, chunk.observed, chunk.upto)
