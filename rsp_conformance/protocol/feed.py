"""A case that is fed piece by piece: what a caller holds while it lasts (docs/protocol.md).

`Engine.feed` opens one. It makes the requests `open`, `push` and `close`; `by_pieces` puts them to
the engine, and `collected` stands in where the engine takes whole cases only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn, Self

from rsp_conformance.model.answers import Observed
from rsp_conformance.protocol.failures import EngineError, Loss
from rsp_conformance.protocol.messages import (
    Failure,
    Outcome,
    Reply,
    RowMerger,
    failure_of_loss,
    read_id,
    read_run,
)

COLLECTED: Final = 1000
"""A collected case has the time limit once for so many elements."""

Ask = Callable[[Mapping[str, Any], int], Outcome]
"""Puts one request of a feed to the engine, after so many elements since the case's start.

Raises EngineError.
"""


class FeedLost(Exception):
    """The case that was being fed has no whole answer, and the engine's process has been killed.

    Attributes:
        failure: what happened. Its ``answers`` are those since the last that a push gave; its
            ``element`` counts from the case's start.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Feed:
    """One case that an engine is being fed; a context manager, which gives an unclosed case up.

    Elements are the protocol's objects, in order of arrival over all pushes; `cause` of an answer
    counts them from the case's start. The case is opened by the first push, or by `close`.

    Args:
        opening: the `open` request.
        ask: puts requests to the engine.
        discard: ends the engine, for this reason; the last lines of its standard error.
        rows: whether answers are single rows (hello, `answers`).
        incremental: whether answers come with the pushes; else all of them come with `close`.
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
        """Whether nothing can be fed any more."""
        return bool(self._over)

    def push(self, elements: Sequence[Mapping[str, Any]]) -> tuple[Observed, ...]:
        """Feed ELEMENTS; the answers since the last push.

        Raises:
            FeedLost: the engine died, was too slow, threw, refused, or broke the protocol.
            RuntimeError: this feed is over.
        """
        answers = self._ask("push", elements=list(elements))
        return answers if self._rows is None else self._rows.take(answers)

    def close(self) -> tuple[Observed, ...]:
        """End the stream, and time passes to the case's `until`; the last answers.

        Raises:
            FeedLost, RuntimeError: as `push` does.
        """
        answers = self._ask("close")
        self._over = "it was closed"
        return answers if self._rows is None else self._rows.rest(answers)

    def dismiss(self, why: str) -> None:
        """The engine has gone from under the feed, because its owner wanted so."""
        self._over = self._over or why

    def _ask(self, op: str, **fields: Any) -> tuple[Observed, ...]:
        """The answers to a request; any failure ends the feed, an interrupt too."""
        if self._over:
            raise RuntimeError(f"this feed is over: {self._over}")
        try:
            if self._opening is not None:
                opening, self._opening = self._opening, None
                self._put(opening)
            self._taken += len(fields.get("elements", ()))
            return self._put({"op": op, "id": self._id, **fields})
        except FeedLost:
            raise
        except Loss as loss:
            self._lose(failure_of_loss(loss))
        except EngineError as error:
            self._over = error.message  # there is no engine any more: no matter of this case
            raise
        except BaseException:
            self._give_up("it was interrupted")
            raise

    def _put(self, message: Mapping[str, Any]) -> tuple[Observed, ...]:
        outcome = self._engine(message, self._taken)
        return outcome.answers if isinstance(outcome, Reply) else self._lose(outcome)

    def _lose(self, failure: Failure) -> NoReturn:
        self._over = failure.message
        failure = failure.with_stderr(self._discard(failure.message))
        if self._rows is not None:
            # With the row that was waiting for its neighbours, if one was.
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
    """Ask an engine that takes cases piece by piece; EXCHANGE gives its reply, unchecked."""

    def ask(message: Mapping[str, Any], elements: int) -> Outcome:
        reply = exchange(message)
        read_id(reply, (message["id"],), "the id of the open case")
        return read_run(reply, elements=elements, op=message["op"])

    return ask


def collected(run: Callable[..., Outcome]) -> Ask:
    """Collect elements, and have them RUN as one whole case when it is closed."""
    case: dict[str, Any] = {}

    def ask(message: Mapping[str, Any], taken: int) -> Outcome:
        if message["op"] == "open":
            case.update(message, op="run", elements=[])
        elif message["op"] == "push":
            case["elements"] += message["elements"]
        else:
            return run(case, patience=max(1.0, taken / COLLECTED))
        return Reply(message["id"], ())

    return ask
