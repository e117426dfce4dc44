"""What becomes of one case: a `Reply`, or a `Failure` that says which kind and why.

The kinds `unsupported`, `rejected` and `crashed` are the driver's own words, `died`, `timeout`
and `protocol-error` the client's. All are verdicts of their own, never "wrong answer"
(section "run", On failure).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from rsp_conformance.model.answers import Observed
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.protocol.messages import Hello, Reply, RunError, read_run
from rsp_conformance.protocol.rows import merge_rows

FailureKind = Literal["unsupported", "rejected", "crashed", "died", "timeout", "protocol-error"]

_HINTS: dict[str, str] = {
    "unsupported": "Drop the feature from the hello if the engine never does this.",
    "rejected": "Look at the query as it was printed, and at the dialect in the hello.",
    "crashed": "The engine threw.",
    "died": "The driver must outlive its engine's errors and answer them as `crashed`.",
    "timeout": "The case took longer than the time limit, counted from sending it.",
    "protocol-error": "The driver broke the protocol; the engine itself may be right.",
}


@dataclass(frozen=True)
class Failure:
    """A case without a whole answer.

    Attributes:
        kind: which failure; stays the same from version to version.
        message: what happened, in one sentence.
        hint: what to do next.
        element: the index of the element that the engine refused, if it was one.
        answers: the answers before a crash.
        stderr: the last lines of the driver's standard error, for all but `unsupported` and
            `rejected`.
    """

    kind: FailureKind
    message: str
    hint: str = ""
    element: int | None = None
    answers: tuple[Observed, ...] = ()
    stderr: tuple[str, ...] = ()


Outcome = Reply | Failure
"""What `run` gives for a case."""


def outcome_of(
    message: Mapping[str, Any],
    request: Mapping[str, Any],
    hello: Hello,
    stderr: Callable[[], tuple[str, ...]],
) -> Outcome:
    """The outcome of REQUEST that the engine of HELLO replies by MESSAGE.

    STDERR gives the last lines of its standard error. Raises ProtocolError as `read_run` does.
    """
    elements, pacing = len(request.get("elements", ())), request.get("pacing", "burst")
    reply = read_run(message, elements=elements, pacing=pacing)
    if isinstance(reply, RunError):
        return failure_of_error(reply, stderr())
    if hello.answers == "rows":
        return replace(reply, answers=merge_rows(reply.answers))
    return reply


def failure_of_error(error: RunError, stderr: tuple[str, ...]) -> Failure:
    """The failure that a driver answered."""
    return Failure(
        kind=error.kind,
        message=error.message,
        hint=_HINTS[error.kind],
        element=error.element,
        answers=error.answers,
        stderr=stderr if error.kind == "crashed" else (),
    )


def failure_of_loss(loss: EngineError, stderr: tuple[str, ...]) -> Failure:
    """The failure of the one case to blame for a lost connection."""
    return Failure(
        kind=cast(FailureKind, loss.kind),
        message=loss.message,
        hint=loss.hint or _HINTS[loss.kind],
        stderr=loss.stderr or stderr,
    )
