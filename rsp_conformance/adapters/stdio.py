"""The loop of a driver that is written in Python: one JSON object per line (docs/protocol.md).

An engine is an object with a method for each operation, which takes the request and returns the
reply. If the engine does not take a case, the method raises `Refused`.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

OPERATIONS: Final = ("hello", "run")
"""The operations that every driver has."""


class Refused(Exception):
    """A case ends in an error of the protocol.

    Attributes:
        kind: `unsupported`, `rejected` or `crashed`.
        element: the index of the element that is refused; None if it is the query.
        answers: the answers of the engine up to there, as members of the reply.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        element: int | None = None,
        answers: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.element = element
        self.answers = answers

    def in_reply(self) -> dict[str, Any]:
        """Return the members of the reply that say so."""
        error: dict[str, Any] = {"kind": self.kind, "message": " ".join(str(self).split())}
        if self.element is not None:
            error["element"] = self.element
        return {"error": error} | ({"answers": list(self.answers)} if self.answers else {})


def claim_stdout() -> IO[str]:
    """Reserve standard output for the replies: all other output goes to standard error.

    The descriptor itself is replaced, so this includes native code and a JVM in this process.

    Returns:
        The stream for the replies.
    """
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


def serve(
    engine: object, requests: IO[str], replies: IO[str], operations: Sequence[str] = OPERATIONS
) -> None:
    """Answer every request until the input ends; no request ends the driver.

    Args:
        engine: an object with a method for each operation.
        requests: a request per line.
        replies: gets a reply per line.
        operations: the names of the operations.
    """
    for line in requests:
        if line.strip():
            replies.write(json.dumps(reply_to(engine, line, operations), ensure_ascii=False) + "\n")
            replies.flush()


def reply_to(engine: object, line: str, operations: Sequence[str]) -> dict[str, Any] | None:
    """Return the reply of an engine to a request; None if its method returns none yet.

    Args:
        engine: an object with a method for each operation.
        line: the request, a line of JSON.
        operations: the names of the operations that it has.
    """
    try:
        request = json.loads(line)
    except ValueError as error:
        return {
            "op": None,
            "error": {"kind": "rejected", "message": f"not a line of JSON: {error}"},
        }
    if not isinstance(request, dict):
        return {"op": None, "error": {"kind": "rejected", "message": "a request is an object"}}
    about = {key: request[key] for key in ("op", "id") if key in request}
    operation = request.get("op")
    if not isinstance(operation, str) or operation not in operations:
        message = f"unknown operation {operation!r}"
        return about | {"error": {"kind": "unsupported", "message": message}}
    try:
        reply: dict[str, Any] | None = getattr(engine, operation)(request)
    except Refused as error:
        return about | error.in_reply()
    except Exception as error:
        traceback.print_exc()
        return about | {"error": {"kind": "crashed", "message": said(error)}}
    return reply


def said(error: BaseException) -> str:
    """Return the class of `error` and its message, in one line.

    Java's messages begin with the class.
    """
    name, message = type(error).__name__, " ".join(str(error).split())
    repeats = message.replace("$", ".").startswith(name.replace("$", "."))
    return message if repeats else f"{name}: {message}".removesuffix(": ")


def end() -> None:
    """End the process at once, without waiting for threads that an engine has left running."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
