"""What a driver written in Python says and hears: one JSON object a line (docs/protocol.md).

An engine is an object with a method for each operation, which takes the request and gives the
reply. A case that the engine does not take ends in `Refused`.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

OPERATIONS: Final = ("hello", "run")
"""What every driver answers."""


class Refused(Exception):
    """A case that ends in an error of KIND: `unsupported`, `rejected` or `crashed`.

    Attributes:
        element: the index of the element that is refused; None where it is the query.
        answers: what the engine had answered before, as the protocol has it.
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
        """The members of the reply that say so."""
        error: dict[str, Any] = {"kind": self.kind, "message": " ".join(str(self).split())}
        if self.element is not None:
            error["element"] = self.element
        return {"error": error} | ({"answers": list(self.answers)} if self.answers else {})


def claim_stdout() -> IO[str]:
    """Standard output for the replies alone: what anyone else prints goes to standard error.

    The descriptor itself is taken away, so native code and a JVM in this process are caught too.
    """
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


def serve(
    engine: object, requests: IO[str], replies: IO[str], operations: Sequence[str] = OPERATIONS
) -> None:
    """Answer every request until the input ends; no request ends the driver."""
    for line in requests:
        if line.strip():
            replies.write(json.dumps(reply_to(engine, line, operations), ensure_ascii=False) + "\n")
            replies.flush()


def reply_to(engine: object, line: str, operations: Sequence[str]) -> dict[str, Any] | None:
    """The reply of ENGINE to a request; None where its method gives none yet."""
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
    """The class of ERROR and its message, in one line; Java's messages begin with the class."""
    name, message = type(error).__name__, " ".join(str(error).split())
    repeats = message.replace("$", ".").startswith(name.replace("$", "."))
    return message if repeats else f"{name}: {message}".removesuffix(": ")


def end() -> None:
    """End the process at once: threads that an engine has left running cannot hold it."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
