"""A case that is fed piece by piece: what a caller holds while it lasts (docs/incremental.md).

`Engine.feed` opens one. `PiecewiseFeed` makes the requests `open`, `push` and `close` and has the
replies checked; `CollectedFeed` stands in where the engine takes whole cases only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Final, Self

from rsp_conformance.model.answers import Observed
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.protocol.messages import RunError, read_id, read_run
from rsp_conformance.protocol.outcomes import Failure, Outcome, failure_of_error, failure_of_loss
from rsp_conformance.protocol.rows import RowMerger

COLLECTED: Final = 1000
"""A collected case has the time limit once for so many elements."""


class FeedLost(Exception):
    """The case that was being fed has no whole answer, and the engine's process has been killed.

    Attributes:
        failure: what happened. Its ``answers`` are those since the last that a push gave; its
            ``element`` counts from the case's start.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Feed(ABC):
    """One case that an engine is being fed; a context manager, which gives an unclosed case up.

    Elements are the protocol's objects, in order of arrival over all pushes; `cause` of an answer
    counts them from the case's start.
    """

    def __init__(self) -> None:
        self._taken = 0
        self._over: str | None = None

    @property
    @abstractmethod
    def incremental(self) -> bool:
        """Whether answers come with the pushes; else all of them come with `close`."""

    @property
    def over(self) -> bool:
        """Whether nothing can be fed any more."""
        return self._over is not None

    def push(self, elements: Sequence[Mapping[str, Any]]) -> tuple[Observed, ...]:
        """Feed ELEMENTS; the answers since the last push.

        Raises:
            FeedLost: the engine died, was too slow, threw, refused, or broke the protocol.
            RuntimeError: this feed is over.
        """
        self._check()
        self._taken += len(elements)
        return self._guarded(lambda: self._push(elements))

    def close(self) -> tuple[Observed, ...]:
        """End the stream, and time passes to the case's `until`; the last answers.

        Raises:
            FeedLost, RuntimeError: as `push` does.
        """
        self._check()
        answers = self._guarded(self._close)
        self._over = "it was closed"
        return answers

    @abstractmethod
    def _push(self, elements: Sequence[Mapping[str, Any]]) -> tuple[Observed, ...]:
        """Feed ELEMENTS, which have been counted; raises `FeedLost` or what `_lose` knows."""

    @abstractmethod
    def _close(self) -> tuple[Observed, ...]:
        """End the stream; raises as `_push` does."""

    @abstractmethod
    def _lose(self, loss: EngineError) -> Failure:
        """Kill the engine's process for LOSS, which ends the case."""

    @abstractmethod
    def _give_up(self) -> None:
        """The case is wanted no more, though it has not ended."""

    def _check(self) -> None:
        if self._over is not None:
            raise RuntimeError(f"this feed is over: {self._over}")

    def _guarded(self, step: Callable[[], tuple[Observed, ...]]) -> tuple[Observed, ...]:
        """The step's answers; any failure ends the feed, an interrupt too."""
        try:
            return step()
        except EngineError as loss:
            self._over = loss.message
            raise FeedLost(self._lose(loss)) from loss
        except FeedLost as lost:
            self._over = lost.failure.message
            raise
        except BaseException:
            self._give_up()
            self._over = "it was interrupted"
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._over is None:
            self._give_up()
            self._over = "it was left without closing it"


class CollectedFeed(Feed):
    """For an engine that takes whole cases only: elements are collected, and run when it closes.

    Args:
        opening: the `open` request.
        run: runs a whole case, with so many times the time limit of one.
    """

    def __init__(
        self, opening: Mapping[str, Any], run: Callable[[Mapping[str, Any], float], Outcome]
    ) -> None:
        super().__init__()
        self._opening = opening
        self._run = run
        self._elements: list[Mapping[str, Any]] = []

    @property
    def incremental(self) -> bool:
        """All answers come with `close`."""
        return False

    def _push(self, elements: Sequence[Mapping[str, Any]]) -> tuple[Observed, ...]:
        self._elements += elements
        return ()

    def _close(self) -> tuple[Observed, ...]:
        elements, self._elements = self._elements, []
        request = {**self._opening, "op": "run", "pacing": "burst", "elements": elements}
        outcome = self._run(request, max(1.0, len(elements) / COLLECTED))
        if isinstance(outcome, Failure):
            raise FeedLost(outcome)
        return outcome.answers

    def _lose(self, loss: EngineError) -> Failure:
        # There is no engine to run (`run` makes failures of all else): no matter of this case.
        raise loss

    def _give_up(self) -> None:
        self._elements = []


class PiecewiseFeed(Feed):
    """A case that the engine takes piece by piece.

    The case is opened at once; what goes wrong with that is raised by the first push.

    Args:
        opening: the `open` request.
        exchange: sends a request and gives the reply, unchecked; raises `EngineError`.
        discard: ends the engine, for this reason; the last lines of its standard error.
        rows: whether answers are single rows (hello, `answers`).
    """

    def __init__(
        self,
        opening: Mapping[str, Any],
        exchange: Callable[[Mapping[str, Any]], object],
        discard: Callable[[str], tuple[str, ...]],
        *,
        rows: bool,
    ) -> None:
        super().__init__()
        self._id: str = opening["id"]
        self._exchange = exchange
        self._discard = discard
        self._rows = RowMerger() if rows else None
        self._unopened: FeedLost | None = None
        fields = {name: value for name, value in opening.items() if name not in {"op", "elements"}}
        try:
            self._ask("open", **{"pacing": "burst", **fields})
        except EngineError as loss:
            self._unopened = FeedLost(self._lose(loss))
        except FeedLost as lost:
            self._unopened = lost
        except BaseException:
            self._give_up()
            raise

    @property
    def incremental(self) -> bool:
        """Answers come with the pushes."""
        return True

    @property
    def over(self) -> bool:
        """Whether the engine has no more to do with the case."""
        return super().over or self._unopened is not None

    def dismiss(self, why: str) -> None:
        """The engine has gone from under the feed, because its owner wanted so."""
        self._over = self._over or why

    def _push(self, elements: Sequence[Mapping[str, Any]]) -> tuple[Observed, ...]:
        answers = self._ask("push", elements=list(elements))
        return answers if self._rows is None else self._rows.take(answers)

    def _close(self) -> tuple[Observed, ...]:
        answers = self._ask("close")
        return answers if self._rows is None else self._rows.rest(answers)

    def _lose(self, loss: EngineError) -> Failure:
        stderr = self._discard(loss.message)
        return self._with_held(failure_of_loss(loss, stderr))

    def _give_up(self) -> None:
        if self._unopened is None:
            self._discard("the case it was being fed is wanted no more")

    def _ask(self, op: str, **fields: Any) -> tuple[Observed, ...]:
        if self._unopened is not None:
            raise self._unopened
        message = self._exchange({"op": op, "id": self._id, **fields})
        read_id(message, (self._id,), "the id of the open case")
        reply = read_run(message, elements=self._taken, op=op)
        if isinstance(reply, RunError):
            stderr = self._discard(reply.message)
            raise FeedLost(self._with_held(failure_of_error(reply, stderr)))
        return reply.answers

    def _with_held(self, failure: Failure) -> Failure:
        """The failure with the row that was waiting for its neighbours, if one was."""
        if self._rows is None:
            return failure
        return replace(failure, answers=self._rows.rest(failure.answers))
