"""All failures between the kit and a driver, by the stage of the connection at which they occur.

1. **Start.** The command does not exist or may not be run: `EngineUnavailable`.
2. **Hello.** The driver answers that its engine cannot start (`EngineUnavailable`, with how
   to install it) or that it speaks no version that the kit speaks (`VersionMismatch`). If instead
   it ends or sends something else, it is killed and started again; the third failure in a row is
   `EngineBroken`, and so is the end of the time that all starts have together.
3. **Run.** The driver answers an error: the case is `unsupported`, `rejected` or `crashed`, and
   the connection stays open.
4. **Loss.** The driver ends (kind `died`), does not answer within the time limit (`timeout`) or
   sends a message that the protocol does not define (`ProtocolError`). It is killed with its
   children. If several cases were outstanding, each is rerun alone on a new driver.
5. **End.** The driver's input is closed; a driver that does not end soon after is killed.

Failures of stages 1 and 2 are raised, because without a hello no case can run. A failure of a
single case is not raised to the caller: it becomes a `Failure` value, see `messages`.
"""

from __future__ import annotations

from rsp_conformance.model.errors import last_words


class EngineError(Exception):
    """The base class of all errors of a connection.

    Attributes:
        kind: the kind of failure: one word, which stays the same from version to version.
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
    """The driver, or its engine, cannot be started (hello, error kind `unavailable`)."""

    kind = "unavailable"


class VersionMismatch(EngineError):
    """The driver speaks no version of the protocol that the kit speaks (error kind `version`)."""

    kind = "version"


class EngineBroken(EngineError):
    """Three hellos in a row failed, or none came in time; `__cause__` is the last failure."""


class Loss(EngineError):
    """An error that ends the engine's process and one case with it (stage 4).

    Args:
        kind: how the case fails. `died`: the driver ended, or closed its standard output,
            before it answered. `timeout`: it did not answer within the time limit, counted from
            sending. `crashed`: a Python engine in this process raised an exception.
            `protocol-error`: see `ProtocolError`. `too many rows`: see `Flood`.
        message: what is wrong, in one sentence.
        hint: what to do next; may be empty.
        stderr: the last lines of the driver's standard error.
    """

    def __init__(
        self, kind: str, message: str, *, hint: str = "", stderr: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, hint=hint, stderr=stderr)
        self.kind = kind


class ProtocolError(Loss):
    """The driver sent a message that the protocol does not define.

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
    """The driver sent more values than a reply may hold (kind `too many rows`); none was read."""

    def __init__(self, message: str) -> None:
        super().__init__("too many rows", message)
