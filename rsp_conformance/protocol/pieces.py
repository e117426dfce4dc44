"""The operations `open`, `push` and `close` of a case that comes in pieces (docs/incremental.md).

`PiecewiseFeed` makes the requests and checks the replies; a driver's client or an engine in process
carries them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rsp_conformance.model.answers import Observed
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.protocol.feed import Feed, FeedLost
from rsp_conformance.protocol.messages import RunError, read_id, read_run
from rsp_conformance.protocol.outcomes import Failure, failure_of_error, failure_of_loss
from rsp_conformance.protocol.rows import RowMerger


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
