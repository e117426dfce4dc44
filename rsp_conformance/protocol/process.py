"""A driver's process: its pipes, its children, its end.

The child leads a session of its own, so that its whole group can be killed and an interrupt at
the terminal reaches the kit alone. One thread, `pump`, moves all bytes without ever blocking:
a child that floods, stalls or does not read its input delays nobody. Native Windows has neither
sessions nor process groups and is not supported.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from rsp_conformance.protocol.failures import EngineUnavailable, Loss, ProtocolError
from rsp_conformance.protocol.pump import LINE_LIMIT, Line, Pump

_TERM_GRACE: Final = 0.5  # seconds between SIGTERM and SIGKILL
_END_GRACE: Final = 2.0  # seconds a driver has to end after the end of its input
_LAST_WORDS: Final = 0.25  # seconds a dead child's pipes may still bring something


class Child:
    """One running driver, with its ``pipes``. Not for use by several threads.

    Args:
        command: the program and its arguments.
        cwd, env: as for `subprocess.Popen`; None inherits.

    Raises:
        EngineUnavailable: the program is not there or may not be run.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        try:
            self._popen = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=None if env is None else dict(env),
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            shown = " ".join(command)
            raise EngineUnavailable(
                f"cannot start the driver `{shown}`: {error}",
                hint="Check the path and that the file may be executed.",
            ) from error
        self._died_at: float | None = None
        self.pipes = Pump(self._popen)
        self._thread = threading.Thread(
            target=self.pipes.run, name=f"driver-{self._popen.pid}", daemon=True
        )
        self._thread.start()
        _running.add(self)

    @property
    def pid(self) -> int:
        """The process id, which is also the id of its group."""
        return self._popen.pid

    def receive(self, deadline: float) -> Line | None:
        """The next line, or None when `time.monotonic()` reaches the deadline.

        A line that is there is given also after the deadline: compare its `at`.

        Raises:
            Loss: no more lines will come (kind `died`).
            ProtocolError: a line is beyond the limit; nothing after it is read.
        """
        while True:
            ended = self.pipes.ended  # first, for a line may slip in before the end
            line = self.pipes.next_line()
            if line is not None:
                return line
            if self.pipes.overlong:
                limit = f"a line of at most {LINE_LIMIT} bytes"
                raise ProtocolError("", limit, "a longer one")
            if ended:
                raise Loss("died", f"the driver {self._how_it_ended()}")
            now = time.monotonic()
            if self._popen.poll() is not None:
                self._died_at = self._died_at or now
                if now - self._died_at > _LAST_WORDS:
                    raise Loss("died", f"the driver {self._how_it_ended()}")
            if now >= deadline:
                return None
            self.pipes.wait(min(deadline - now, 0.25 if self._died_at is None else 0.02))

    def alive(self) -> bool:
        """Whether the process runs and its standard output is open."""
        return self._popen.poll() is None and not self.pipes.ended

    def _how_it_ended(self) -> str:
        try:
            status = self._popen.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        text = f"ended with exit status {status}"
        if status < 0:
            with suppress(ValueError):
                text = f"was ended by {signal.Signals(-status).name}"
        if self.pipes.buffer.partial:
            text += f", leaving {self.pipes.buffer.partial} bytes of a line without its end"
        return text

    def close(self) -> tuple[str, ...]:
        """End the input and wait for the driver to end, then kill what is left; the stderr tail."""
        self.pipes.finish_input()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_END_GRACE)
        return self.kill()

    def kill(self) -> tuple[str, ...]:
        """Kill the process and its whole group, and reap it; the last lines of its stderr."""
        self.pipes.finish_input()
        if self._signal_group(signal.SIGTERM):
            self._await_group(_TERM_GRACE)
            self._signal_group(signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_TERM_GRACE)
        self.pipes.stop(_LAST_WORDS)
        self._thread.join(2.0)
        _running.discard(self)
        return self.pipes.tail.lines()

    def _await_group(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._popen.poll()  # reaps the leader, which would count as a member
            if not self._signal_group(0):
                return
            time.sleep(0.005)

    def _signal_group(self, number: int) -> bool:
        """Signal the group; whether it still has a member."""
        try:
            os.killpg(self._popen.pid, number)
        except ProcessLookupError:
            return False
        except PermissionError:  # macOS says so of a group of zombies
            return False
        return True


_running: weakref.WeakSet[Child] = weakref.WeakSet()
_owner = os.getpid()


@atexit.register
def _kill_the_rest() -> None:
    """The safety net: nothing that was started here outlives this interpreter."""
    for child in list(_running) if os.getpid() == _owner else ():
        if child._signal_group(signal.SIGKILL):
            with suppress(subprocess.TimeoutExpired):
                child._popen.wait(_TERM_GRACE)
