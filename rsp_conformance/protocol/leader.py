"""A driver's process, and access to all processes that it starts."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from importlib import resources
from pathlib import Path
from typing import Final

import psutil

_SUPERVISOR: Final = Path(__file__).with_name("supervisor.py")
_END_GRACE: Final = 5.0
"""The seconds that a supervisor with nothing left to do may take to end. The limit only
keeps a stopped process from holding the kit."""


class Leader:
    """A driver's process, which leads a session of its own.

    On Linux a `supervisor` is its parent and a child of the kit; elsewhere it is the kit's own
    child. ``pid`` is its id, and that of its group; ``popen`` has its pipes.

    Args:
        command: as for `subprocess.Popen`.
        cwd: as for `subprocess.Popen`.
        env: as for `subprocess.Popen`.

    Raises:
        OSError, ValueError, IndexError: as Popen does, if the program cannot be started.
    """

    def __init__(
        self, command: Sequence[str], *, cwd: str | os.PathLike[str] | None, env: Mapping[str, str]
    ) -> None:
        self._supervisor: socket.socket | None = None
        self._status: int | None = None
        if sys.platform == "linux" and sys.executable:
            self._start_supervised(command, cwd, env)
        else:
            self.popen = _popen(command, cwd, env)
            self.pid = self.popen.pid
        # Identified by its start time too: its id may be reused once it has ended.
        self._root = psutil.Process(self.popen.pid)

    def _start_supervised(
        self, command: Sequence[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str]
    ) -> None:
        ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with ExitStack() as undo:
            undo.callback(ours.close)
            with theirs:
                own = (sys.executable, "-I", "-S", *_supervisor(), str(theirs.fileno()))
                self.popen = _popen((*own, command[0], *command[1:]), cwd, env, theirs.fileno())
            undo.enter_context(self.popen)
            undo.callback(ours.close)  # before the process is waited for
            said = int(ours.recv(64) or -errno.ECHILD)
            if said < 0:
                raise OSError(-said, os.strerror(-said), command[0])
            self.pid, self._supervisor = said, ours
            undo.pop_all()

    def poll(self) -> int | None:
        """Return the exit status as Popen does, or None while the process runs."""
        return self.wait(0.0)

    def wait(self, seconds: float) -> int | None:
        """Wait at most so many seconds for the exit status; None if the process still runs."""
        if self._status is None and self._supervisor is not None:
            self._supervisor.settimeout(seconds)
            with suppress(BlockingIOError, TimeoutError):
                said = self._supervisor.recv(64)
                # Nothing is received only if the supervisor itself was killed.
                status = int(said or signal.SIGKILL)
                self._status = os.waitstatus_to_exitcode(status)
        elif self._status is None:
            with suppress(subprocess.TimeoutExpired):
                self._status = self.popen.wait(seconds)
        return self._status

    def descendants(self) -> tuple[set[psutil.Process], bool]:
        """Return the process's living descendants, and whether these are certainly all."""
        with suppress(psutil.Error):
            found = set(self._root.children(recursive=True))
            return found, self._supervisor is not None and self.popen.poll() is None
        return set(), False

    def release(self) -> None:
        """Let go of a process that has ended; all its remaining descendants are killed."""
        if self._supervisor is not None:
            self._supervisor.close()
            try:
                self.popen.wait(_END_GRACE)
            except subprocess.TimeoutExpired:  # the driver has stopped it, perhaps
                self.popen.kill()
                self.popen.wait()


def _supervisor() -> tuple[str, ...]:
    """Return Python's arguments for the supervisor: its path, or its text in an archive."""
    if _SUPERVISOR.is_file():
        return (str(_SUPERVISOR),)
    return "-c", (resources.files(__package__) / _SUPERVISOR.name).read_text("utf-8")


def _popen(
    command: Sequence[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str], *passed: int
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=env,
        bufsize=0,
        start_new_session=True,
        pass_fds=passed,
    )
