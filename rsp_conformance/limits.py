"""What an evaluation of the kit's own may take: processor time, memory, and depth.

The limit of time is a timer of the kernel's, whose signal Python handles between two instructions,
and also inside a regular expression that backtracks. It counts the process's own processor time, so
a busy machine makes no case too long. Python hands signals to the main thread alone: in another one
memory and depth are limited, and time is not.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import lru_cache
from types import FrameType
from typing import Final

from rsp_conformance.model.errors import KitError

SECONDS = 60.0
"""The processor time that judging or explaining one case may take, unless the user says else."""
MEMORY = min(4 << 30, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
"""The bytes that it may need besides; limited on Linux alone."""
STACK = 4_000
"""The calls that may stand within each other, in the main thread."""

_AGAIN = 0.25  # seconds until a signal comes again that a library's callback has swallowed
_seconds: ContextVar[float] = ContextVar("seconds", default=SECONDS)


class LimitExceeded(KitError):
    """An evaluation of the kit's own took more than it may: the case is not judged.

    ``what`` says what it took too much of.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"the kit's own evaluation of this case {what}: not judged")
        self.what = what

    def __reduce__(self) -> tuple[type[LimitExceeded], tuple[str]]:
        return type(self), (self.what,)


class _TimeIsUp(BaseException):
    """Raised wherever the evaluation is; no handler for errors takes it for one of its own."""


class Limit:
    """One evaluation under way; ``left`` is set when it has ended, however it ended."""

    def __init__(self, seconds: float) -> None:
        self.exceeded = LimitExceeded(f"took longer than {seconds:g} s")
        self.left = threading.Event()
        self.is_over = False

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        if not self.is_over:
            raise _TimeIsUp


_running: list[Limit] = []


def running() -> Limit | None:
    """The limit of time that is in force in the main thread."""
    return _running[0] if _running else None


def seconds() -> float:
    """The processor time that an evaluation may take here."""
    return _seconds.get()


def allow(seconds: float) -> None:
    """Let every evaluation of this context take SECONDS of processor time."""
    _seconds.set(seconds)


def limited() -> AbstractContextManager[None]:
    """Evaluate a case within; raises LimitExceeded where that takes too much.

    Inside another such context the outer one's limits hold.
    """
    return nullcontext() if _running else _limited()


@contextmanager
def _limited() -> Iterator[None]:
    try:
        if threading.current_thread() is threading.main_thread():
            # Time innermost: its end must not keep the cap on memory from being taken off.
            with _capped(), _deep(), _timed(_seconds.get()):
                yield
        else:
            with _capped():
                yield
    except MemoryError:
        # What it has left may stay until the collector comes by: the next case has its own room.
        _taken.cache_clear()
        raise LimitExceeded(f"needed more than {MEMORY / (1 << 30):.2g} GB of memory") from None
    except RecursionError:
        raise LimitExceeded("went deeper than Python's stack") from None


@contextmanager
def _timed(seconds: float) -> Iterator[None]:
    limit = Limit(seconds)
    before, shown = signal.signal(signal.SIGVTALRM, limit._signalled), sys.unraisablehook

    def show(lost: sys.UnraisableHookArgs) -> None:
        # Raised in a finaliser it is lost, which nobody has to read: the signal comes again.
        if lost.exc_type is not _TimeIsUp:
            shown(lost)

    try:
        sys.unraisablehook = show
        try:
            _running.append(limit)
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
            yield
        finally:
            limit.is_over = True
    except _TimeIsUp:
        raise limit.exceeded from None
    finally:
        limit.is_over = True
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        _running.clear()
        signal.signal(signal.SIGVTALRM, before)
        sys.unraisablehook = shown
        limit.left.set()


_capping: Final = threading.Lock()
_caps: Final[list[tuple[int, int]]] = []
"""What the limit was before the cap that holds, once for each thread that evaluates under it."""


@contextmanager
def _capped() -> Iterator[None]:
    """Have the system refuse memory beyond MEMORY more than there is now, where it can.

    The cap is the process's. So the last thread to leave takes it off, whichever set it: a thread
    that restored what it had found would leave the cap of another one behind, for good.
    """
    if sys.platform != "linux":
        yield
        return
    with _capping:
        # Made here: where there is no memory left the end must need none.
        before = _caps[0] if _caps else resource.getrlimit(resource.RLIMIT_DATA)
        if not _caps:
            known = [limit for limit in before if limit != resource.RLIM_INFINITY]
            cap = min([_taken(int(time.monotonic())) + MEMORY, *known])
            resource.setrlimit(resource.RLIMIT_DATA, (cap, before[1]))
        _caps.append(before)
    try:
        yield
    finally:
        with _capping:
            _caps.pop()
            if not _caps:
                resource.setrlimit(resource.RLIMIT_DATA, before)


@contextmanager
def _deep() -> Iterator[None]:
    """Give Python's stack room for the longest chains that a query may hold, wherever this is."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, STACK))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@lru_cache(maxsize=1)
def _taken(second: int) -> int:
    """The bytes of data that this process has; read anew each SECOND, for that takes its time."""
    with open("/proc/self/statm", "rb") as counts:
        return int(counts.read().split()[5]) * resource.getpagesize()
