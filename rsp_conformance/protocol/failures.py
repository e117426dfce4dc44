"""What can go wrong between the kit and a driver, in the order of a connection's life.

1. **Start.** The command is not there or may not be run: `EngineUnavailable`.
2. **Hello.** The driver answers that its engine cannot start (`EngineUnavailable`, with how
   to install it) or that it speaks no version of ours (`VersionMismatch`). If instead it ends,
   hangs or babbles it is killed and started again; the third failure in a row is
   `EngineBroken`.
3. **Run.** The driver answers an error: the case is `unsupported`, `rejected` or `crashed`;
   the connection lives on.
4. **Loss.** The driver ends (kind `died`), does not answer within the time limit (`timeout`) or
   says what the protocol does not know (`ProtocolError`). It is killed with its children. Of
   several outstanding cases each is rerun alone on a new driver.
5. **End.** Its input is closed; a driver that does not end soon after is killed.

Stages 1 and 2 raise, for without a hello no case can run. What concerns one case is no
exception for the caller: it becomes a `Failure` value, see `messages`.
"""

from __future__ import annotations

from rsp_conformance.model.errors import last_words


class EngineError(Exception):
    """The root of all errors of a connection.

    Attributes:
        kind: the outcome kind, one word that stays the same from version to version.
        message: what is wrong, in one sentence.
        hint: what to do next; may be empty.
        stderr: the last lines of the driver's standard error.
    """

    kind: str = "broken"

    def __init__(self, message: str, *, hint: str = "", stderr: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.stderr = stderr

    @property
    def line(self) -> str:
        """The whole error in one line."""
        last = " | ".join(last_words(self.stderr, 3))
        parts = (self.message, self.hint, f"standard error ends: {last}" if last else "")
        return " ".join("; ".join(filter(None, parts)).split())

    def __str__(self) -> str:
        lines = [self.message, self.hint] if self.hint else [self.message]
        if self.stderr:
            lines.append("The last lines of its standard error:")
        return "\n".join([*lines, *(f"  {line}" for line in self.stderr)])


class EngineUnavailable(EngineError):
    """The driver cannot be started, or its engine cannot (hello, error kind `unavailable`)."""

    kind = "unavailable"


class VersionMismatch(EngineError):
    """The driver speaks no version of the protocol that the kit speaks (hello)."""

    kind = "version"


class EngineBroken(EngineError):
    """Three hellos in a row failed; `__cause__` is the last failure."""


class Loss(EngineError):
    """What costs the engine's process its life, and one case: KIND is the case's outcome (stage 4).

    `died`: the driver ended, or closed its standard output, before it answered. `timeout`: it did
    not answer within the time limit, counted from sending. `crashed`: a Python engine in this
    process raised an exception. `protocol-error`: see `ProtocolError`; `too many rows`: `Flood`.
    """

    def __init__(
        self, kind: str, message: str, *, hint: str = "", stderr: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, hint=hint, stderr=stderr)
        self.kind = kind


class ProtocolError(Loss):
    """The driver said what the protocol does not know.

    Attributes:
        field: the place in the message, such as `answers[2].t`; empty for a whole line.
        expected: what should be there.
        found: what was there, shortened.
    """

    def __init__(self, field: str, expected: str, found: str, *, hint: str = "") -> None:
        where = f"{field}: " if field else ""
        said = f"{where}expected {expected}, found {found}"
        super().__init__("protocol-error", said, hint=hint)
        self.field = field
        self.expected = expected
        self.found = found


class Flood(Loss):
    """The driver sent more than any answer holds; nothing of it was read (kind `too many rows`)."""

    def __init__(self, message: str) -> None:
        super().__init__("too many rows", message)
