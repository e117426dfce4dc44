"""A driver that takes cases piece by piece, and goes wrong at the push that its case's id names.

    piecewise.py [--rows] [--whole]

`die.2` dies at the second push, `hang.0` when it is opened, `crashed.close` when it is closed. Each
element is answered at once, at its own instant, and the end by an answer of its own.
"""

import json
import os
import sys
import time
from typing import Any, NoReturn


def leave() -> NoReturn:
    """End the process, with last words."""
    sys.stderr.write("the last words\n")
    sys.stderr.flush()
    os._exit(3)


class Piecewise:
    """The engine; usable in process as well."""

    def __init__(self, rows: bool = False, whole: bool = False) -> None:
        self.rows, self.whole = rows, whole
        self.id, self.count, self.pushes = "", 0, 0

    def hello(self, request: dict[str, Any]) -> dict[str, Any]:
        """Say what this is."""
        return {
            "op": "hello",
            "protocol": 1,
            "engine": "piecewise",
            "version": "0",
            "language": "rsp-ql",
            "profile": "rsp-ql",
            "features": ["select"],
            "answers": "rows" if self.rows else "evaluations",
            **({} if self.whole else {"pieces": True}),
        }

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer a whole case."""
        self.open(request)
        answers = self.push(request)["answers"] + self.close(request)["answers"]
        return {"op": "run", "id": request["id"], "answers": answers}

    def open(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin."""
        assert "elements" not in request or request["op"] == "run"
        self.id, self.count, self.pushes = request["id"], 0, 0
        return self.misdeed("0", request) or {"op": "open", "id": self.id}

    def push(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer each element."""
        self.pushes += 1
        answers = []
        for element in request["elements"]:
            answers.append(self.answer(element["t"], self.count))
            self.count += 1
        reply = {"op": "push", "id": self.id, "answers": answers}
        return self.misdeed(str(self.pushes), request) or reply

    def close(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer the end."""
        reply = {"op": "close", "id": self.id, "answers": [self.answer(99, "end")]}
        return self.misdeed("close", request) or reply

    def answer(self, t: int, cause: int | str) -> dict[str, Any]:
        """The answer about one element."""
        row = {"x": {"type": "literal", "value": str(cause)}}
        return {"t": t, "cause": cause, "solutions": [row]}

    def misdeed(self, now: str, request: dict[str, Any]) -> dict[str, Any] | None:
        """What goes wrong now, if anything does."""
        kind, _, when = self.id.partition(".")
        if when != now:
            return None
        about = {"op": request["op"], "id": self.id}
        answers = [self.answer(5, self.count - 1)] if self.count else []
        match kind:
            case "die":
                leave()
            case "hang":
                time.sleep(1000)
            case "raise":
                raise ZeroDivisionError("by nothing")
            case "crashed":
                error = {"kind": "crashed", "message": "it threw"}
                return {**about, "answers": answers, "error": error}
            case "rejected":
                error = {"kind": "rejected", "message": "no", "element": self.count - 1}
                return {**about, "error": error}
            case "unsupported":
                return {**about, "error": {"kind": "unsupported", "message": "no such query"}}
            case "other-id":
                return {**about, "id": "somebody-else", "answers": []}
            case "other-op":
                return {**about, "op": "run", "answers": []}
            case "no-answers":
                return about
            case "future":
                return {**about, "answers": [self.answer(5, self.count)]}
            case "end-too-soon":
                return {**about, "answers": [self.answer(5, "end")]}
        return None


def main() -> None:
    """Be the driver."""
    engine = Piecewise("--rows" in sys.argv, "--whole" in sys.argv)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(getattr(engine, request["op"])(request)), flush=True)


if __name__ == "__main__":
    main()
