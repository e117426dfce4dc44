"""A driver's process: its pipes, its children, its end.

The aim is that a driver leaves nothing behind and delays nobody, whatever it does.

The child leads a session of its own, so that its whole group can be killed and an interrupt at
the terminal reaches only the kit. Processes that it starts in further sessions are found by their
parents and ended too; on Linux a `supervisor` ensures that each of them has a parent. Elsewhere
they are found by an environment variable that they inherit; only a process that has lost its
parents and also cleared its environment is missed. One thread, `pump`, moves all bytes without
ever blocking: a child that floods, stalls or does not read its input delays nobody. Native Windows
has neither sessions nor process groups and is not supported.
"""

from __future__ import annotations

import os
import secrets
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import psutil

from rsp_conformance.ending import at_last
from rsp_conformance.protocol.failures import EngineUnavailable, Loss, ProtocolError
from rsp_conformance.protocol.leader import Leader
from rsp_conformance.protocol.pump import LINE_LIMIT, Line, Pump

_TERM_GRACE: Final = 0.5
"""The seconds between SIGTERM and SIGKILL. A driver has the end of its input before, so this is for
those that ignore it: the limit is the time that a user waits for each of them."""
_ROUNDS: Final = 5
"""The rounds of SIGKILL, for processes that start others while they are killed. One round suffices
for all others; the number bounds the wait for a process that never stops starting others."""
_END_GRACE: Final = 2.0
"""The seconds that a driver has to end after the end of its input: enough for the
shutdown hooks of a virtual machine."""
_MARK: Final = "RSP_CONFORMANCE_DRIVER"
"""The environment variable that marks a child; its value differs in every child."""
_LAST_WORDS: Final = 0.25
"""The seconds in which the pipes of a dead child may still deliver: its output is in the pipes
already, so this is for a machine on which the reading thread waits for a core."""


class Child:
    """One running driver, with its ``pipes``. Not for use by several threads.

    Args:
        command: the program and its arguments.
        cwd: as for `subprocess.Popen`; None inherits.
        env: as for `subprocess.Popen`; None inherits.

    Raises:
        EngineUnavailable: the program does not exist or may not be run.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._mark = f"{os.getpid()}-{secrets.token_hex(8)}"
        try:
            inherited = os.environ if env is None else env
            self._leader = Leader(command, cwd=cwd, env={**inherited, _MARK: self._mark})
        except (OSError, ValueError, IndexError) as error:
            shown = " ".join(command)
            raise EngineUnavailable(
                f"cannot start the driver `{shown}`: {error}",
                hint="Check the path and that the file may be executed.",
            ) from error
        self._scattered: list[psutil.Process] = []
        self._died_at: float | None = None
        self.pipes = Pump(self._leader.popen)
        self._thread = threading.Thread(
            target=self.pipes.run, name=f"driver-{self.pid}", daemon=True
        )
        self._thread.start()
        _running.add(self)

    @property
    def pid(self) -> int:
        """The process id, which is also the id of its group."""
        return self._leader.pid

    def receive(self, deadline: float) -> Line | None:
        """Return the next line, or None when `time.monotonic()` reaches the deadline.

        A line that has arrived is returned also after the deadline: compare its `at`.

        Raises:
            Loss: no more lines will come (kind `died`).
            ProtocolError: a line is longer than the limit; nothing after it is read.
        """
        while True:
            ended = self.pipes.ended  # read first, because a line may arrive before the end
            line = self.pipes.next_line()
            if line is not None:
                return line
            if self.pipes.overlong:
                limit = f"a line of at most {LINE_LIMIT} bytes"
                raise ProtocolError("", limit, "a longer one")
            if ended:
                raise Loss("died", f"the driver {self._how_it_ended()}")
            now = time.monotonic()
            if self._leader.poll() is not None:
                self._died_at = self._died_at or now
                if now - self._died_at > _LAST_WORDS:
                    raise Loss("died", f"the driver {self._how_it_ended()}")
            if now >= deadline:
                return None
            self.pipes.wait(min(deadline - now, 0.25 if self._died_at is None else 0.02))

    def alive(self) -> bool:
        """Whether the process runs and its standard output is open."""
        return self._leader.poll() is None and not self.pipes.ended

    def _how_it_ended(self) -> str:
        status = self._leader.wait(_LAST_WORDS)
        if status is None:
            return "closed its standard output"
        text = f"ended with exit status {status}"
        if status < 0:
            with suppress(ValueError):
                text = f"was ended by {signal.Signals(-status).name}"
        if self.pipes.buffer.partial:
            text += f", leaving {self.pipes.buffer.partial} bytes of a line without its end"
        return text

    def close(self) -> tuple[str, ...]:
        """End the input, wait for the driver to end, then kill the rest; return the stderr tail."""
        self.pipes.finish_input()
        self._leader.wait(_END_GRACE)
        return self.kill()

    def kill(self) -> tuple[str, ...]:
        """Kill and reap the process and all that it started; return the tail of its stderr."""
        self.pipes.finish_input()
        if self._signal(signal.SIGTERM):
            self._await_end(_TERM_GRACE)
            for _ in range(_ROUNDS):
                if not self._signal(signal.SIGKILL):
                    break
                self._await_end(_TERM_GRACE)
        self._leader.wait(_TERM_GRACE)
        self._leader.release()
        self.pipes.stop(_LAST_WORDS)
        self._thread.join(2.0)
        _running.discard(self)
        return self.pipes.tail.lines()

    def _await_end(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._leader.poll()  # reaps the leader, which would count as a member
            if not self._signal_group(0) and not any(map(_lives, self._scattered)):
                return
            time.sleep(0.005)

    def _signal(self, number: int) -> bool:
        """Signal the group and the child's processes outside it; return whether there were any."""
        self._scattered = self._outside()
        for process in self._scattered:
            with suppress(psutil.Error):
                process.send_signal(number)
        return self._signal_group(number) or bool(self._scattered)

    def _outside(self) -> list[psutil.Process]:
        """Return the processes that the child started in sessions of their own."""
        found, are_all = self._leader.descendants()
        for process in () if are_all else psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.environ().get(_MARK) == self._mark:
                    found.add(process)
        return [process for process in found if process.pid != self.pid and _lives(process)]

    def _signal_group(self, number: int) -> bool:
        """Signal the group; return whether it still has a member."""
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            return False
        except PermissionError:  # macOS reports this for a group of zombies
            return False
        return True


def _lives(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


_running: set[Child] = set()  # not weak references: unclosed children are ended, too


@at_last
def _kill_the_rest() -> None:
    """Kill, as a safety net, every process started here that is left when the interpreter ends."""
    for child in list(_running):
        if child._signal(signal.SIGKILL):
            child._leader.wait(_TERM_GRACE)
