"""A case that is fed piece by piece (docs/protocol.md).

`Engine.feed` opens it and returns a `Feed`, which makes the requests `open`, `push` and `close`.
`by_pieces` sends them to the engine; `collected` replaces it if the engine accepts whole cases
only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NoReturn, Self

from rsp_conformance.model.answers import Observed
from rsp_conformance.protocol.failures import EngineError, Loss, ProtocolError
from rsp_conformance.protocol.messages import (
    Failure,
    Reply,
    Response,
    RowMerger,
    failure_of_loss,
    read_id,
    read_run,
)

COLLECTED: Final = 1000
"""The number of elements per time limit of a collected case."""

Ask = Callable[[Mapping[str, Any], int], Response]
"""Sends a request of a feed to the engine and returns the response, or raises EngineError.

Its second argument is the number of elements since the case's start.
"""


class FeedLost(Exception):
    """The case that was being fed has no whole answer, and the engine's process has been killed.

    Attributes:
        failure: what happened. Its ``answers`` are those since the last answer that a push
            returned; its ``element`` counts from the case's start.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Feed:
    """A case that an engine is being fed; leaving this context manager abandons an unclosed case.

    Elements are the protocol's objects, in order of arrival over all pushes. The `cause` of an
    answer counts them from the case's start. The first push opens the case, or `close` if there
    is no push.

    Args:
        opening: the `open` request.
        ask: sends requests to the engine.
        discard: ends the engine, for the given reason, and returns the last lines of its standard
            error.
        rows: whether answers are single rows (hello, `answers`).
        incremental: whether answers come with the pushes; if not, all of them come with `close`.
    """

    def __init__(
        self,
        opening: Mapping[str, Any],
        ask: Ask,
        discard: Callable[[str], tuple[str, ...]],
        *,
        rows: bool = False,
        incremental: bool = True,
    ) -> None:
        fields = {name: value for name, value in opening.items() if name != "elements"}
        self._opening: dict[str, Any] | None = {"pacing": "burst", **fields, "op": "open"}
        self._id: str = opening["id"]
        self._engine = ask
        self._discard = discard
        self._rows = RowMerger() if rows else None
        self.incremental = incremental
        self._taken = 0
        self._over = ""

    @property
    def over(self) -> bool:
        """Whether the feed has ended and accepts no more elements."""
        return bool(self._over)

    def push(self, elements: Sequence[Mapping[str, Any]]) -> tuple[Observed, ...]:
        """Feed elements and return the answers since the last push.

        Raises:
            FeedLost: the engine died, was too slow, crashed, refused, or broke the protocol.
            RuntimeError: this feed is over.
        """
        return self._ask("push", elements=list(elements))

    def close(self) -> tuple[Observed, ...]:
        """End the stream, let time pass to the case's `until`, and return the last answers.

        Raises:
            FeedLost, RuntimeError: as `push` does.
        """
        answers = self._ask("close")
        self._over = "it was closed"
        return answers

    def dismiss(self, why: str) -> None:
        """End the feed because the owner of its engine ended the engine."""
        self._over = self._over or why

    def _ask(self, op: str, **fields: Any) -> tuple[Observed, ...]:
        """Return the answers to a request; any failure ends the feed, also an interrupt."""
        if self._over:
            raise RuntimeError(f"this feed is over: {self._over}")
        try:
            if self._opening is not None:
                opening, self._opening = self._opening, None
                self._put(opening)
            self._taken += len(fields.get("elements", ()))
            answers = self._put({"op": op, "id": self._id, **fields})
            if self._rows is None:
                return answers
            return self._rows.rest(answers) if op == "close" else self._rows.take(answers)
        except FeedLost:
            raise
        except Loss as loss:
            self._lose(failure_of_loss(loss))
        except EngineError as error:
            self._over = error.message  # the engine is gone, whatever the case
            raise
        except BaseException:
            self._give_up("it was interrupted")
            raise

    def _put(self, message: Mapping[str, Any]) -> tuple[Observed, ...]:
        response = self._engine(message, self._taken)
        return response.answers if isinstance(response, Reply) else self._lose(response)

    def _lose(self, failure: Failure) -> NoReturn:
        self._over = failure.message
        failure = failure.with_stderr(self._discard(failure.message))
        if self._rows is not None:
            # With the rows that were waiting for their neighbours, if they can be joined.
            with suppress(ProtocolError):
                failure = replace(failure, answers=self._rows.rest(failure.answers))
        raise FeedLost(failure)

    def _give_up(self, why: str) -> None:
        if not self._over:
            self._discard("the case it was being fed is wanted no more")
            self._over = why

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._give_up("it was left without closing it")


def by_pieces(exchange: Callable[[Mapping[str, Any]], object]) -> Ask:
    """Return an `Ask` for an engine that takes cases piece by piece.

    Args:
        exchange: sends a request and returns the unchecked reply.
    """

    def ask(message: Mapping[str, Any], elements: int) -> Response:
        reply = exchange(message)
        read_id(reply, (message["id"],), "the id of the open case")
        return read_run(reply, elements=elements, op=message["op"])

    return ask


def collected(run: Callable[..., Response]) -> Ask:
    """Return an `Ask` that collects elements and runs them as one whole case when it is closed.

    Args:
        run: runs a whole case, as `Engine.run` does.
    """
    case: dict[str, Any] = {}

    def ask(message: Mapping[str, Any], taken: int) -> Response:
        if message["op"] == "open":
            case.update(message, op="run", elements=[])
        elif message["op"] == "push":
            case["elements"] += message["elements"]
        else:
            return run(case, patience=max(1.0, taken / COLLECTED))
        return Reply(message["id"], ())

    return ask
