"""How the kit's own process ends when it is told to: soon, whatever it is computing.

SIGTERM and SIGHUP raise `Ended` in the main thread, as SIGINT raises KeyboardInterrupt. Python does
so between two instructions, in whatever waits, and in a regular expression that backtracks; but a
library that computes on its own, such as pyoxigraph with a long query, hears of nothing, and one
that calls back may swallow what is raised. So the signals are read a second time, by a thread, from
where Python's handler in C writes them down (`watched`); if the work has not ended GRACE seconds
later, the thread ends what was started (`at_last`) and the process. It needs the interpreter's lock
for that, which whatever here computes for long gives away.

What is raised in a function that the garbage collector calls gets lost, and Python prints it with
all that led there (Hypothesis has such a function, and a signal that comes during a collection is
handled in it). So there a signal raises nothing, and is sent once more a moment later (`AGAIN`).
Where the work ends by itself and what was raised has got lost elsewhere, it is raised again
(``insisting``): Python 3.11 makes a SystemError of it while it parses.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType

from rsp_conformance import limits

GRACE = 3.5
"""Seconds in which what is done with closing engines and Spark ends by itself."""
AGAIN = 0.02
"""Seconds until a signal comes again that came while the garbage collector called: it calls for
microseconds."""
BEYOND_LIMIT = 2
"""The exit status where an evaluation went beyond its limit and could not be stopped."""

_ENDING = (signal.SIGTERM, signal.SIGHUP)
_last: list[Callable[[], None]] = []
_ours: set[int] = set()
_came: list[int] = []
_OVER = b"\0"
"""Stands for no signal: nobody reads behind it."""


class Ended(KeyboardInterrupt):
    """SIGTERM or SIGHUP came."""


def status() -> int | None:
    """128 and the number of the SIGTERM or SIGHUP that came; None where none did."""
    return 128 + _came[0] if _came else None


def at_last(end: Callable[[], None]) -> Callable[[], None]:
    """Have END called at the latest when the process ends; it waits for little."""
    owner = os.getpid()

    def own() -> None:
        if os.getpid() == owner:  # and not in a fork
            end()

    _last.append(own)
    atexit.register(own)
    return end


@contextmanager
def raising() -> Iterator[None]:
    """Within it SIGTERM and SIGHUP raise Ended; one that somebody else handles stays theirs.

    SIGINT raises KeyboardInterrupt as before.
    """
    _came.clear()
    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            for number in _ENDING:
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, _raise)
                    _ours.add(number)
                    stack.callback(_ours.discard, number)
                    stack.callback(signal.signal, number, signal.SIG_DFL)
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, _interrupt)
                stack.callback(signal.signal, signal.SIGINT, signal.default_int_handler)
        yield


def _raise(number: int, frame: FrameType | None) -> None:
    if _is_collecting(frame):
        _send_again(number)
        return
    _came.append(number)
    raise Ended(signal.Signals(number).name)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _is_collecting(frame):
        _send_again(number)
    else:
        signal.default_int_handler(number, frame)


def _is_collecting(frame: FrameType | None) -> bool:
    """Whether a frame belongs to a function that the garbage collector calls, or calls from it."""
    codes = {getattr(called, "__code__", None) for called in gc.callbacks}
    while frame is not None:
        if frame.f_code in codes:
            return True
        frame = frame.f_back
    return False


def _send_again(number: int) -> None:
    timer = threading.Timer(AGAIN, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()


@contextmanager
def watched(*, insisting: bool = False) -> Iterator[None]:
    """Within it work is left GRACE seconds after a signal, if need be by ending the process.

    After a SIGTERM or SIGHUP that raises Ended the process itself is ended in that time. Where
    somebody reads the numbers of signals already, nothing is done. If INSISTING, work that ends
    otherwise than by the KeyboardInterrupt that a signal has raised ends by one all the same.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    left = threading.Event()
    came: list[int] = []
    thread = threading.Thread(target=_watch, args=(reader, left, came), daemon=True)
    thread.start()
    try:
        with ExitStack() as stack:
            stack.callback(os.close, writer)
            stack.callback(os.write, writer, _OVER)  # which ends the thread
            stack.callback(left.set)
            if threading.current_thread() is threading.main_thread():
                before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
                stack.callback(signal.set_wakeup_fd, before)
                if before != -1:
                    signal.set_wakeup_fd(before)
            yield
    finally:
        if insisting:
            thread.join()
            if any(map(_raises, came)) and not isinstance(sys.exception(), KeyboardInterrupt):
                raise KeyboardInterrupt


class Deferral:
    """Signals that end the process and wait until what is begun is done: ``came`` are theirs."""

    def __init__(self) -> None:
        self.came: list[int] = []
        self._is_lifted = False

    def note(self, number: int, frame: FrameType | None) -> None:
        """The handler of such a signal; ``status`` knows of it as well."""
        self.came.append(number)
        if number in _ours:
            _came.append(number)
        if self._is_lifted:
            raise KeyboardInterrupt

    @contextmanager
    def lifted(self) -> Iterator[None]:
        """Within it what has come, or comes, is raised."""
        self._is_lifted = True
        try:
            if self.came:
                raise KeyboardInterrupt
            yield
        finally:
            self._is_lifted = False


@contextmanager
def deferred() -> Iterator[Deferral]:
    """Within it signals that would end what the main thread does raise nothing."""
    deferral = Deferral()
    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            for number in filter(_raises, (signal.SIGINT, *_ENDING)):
                stack.callback(signal.signal, number, signal.signal(number, deferral.note))
        yield deferral


def _raises(number: int) -> bool:
    """Whether the signal NUMBER is to end what the main thread does."""
    if number == signal.SIGINT:
        return signal.getsignal(number) in (signal.default_int_handler, _interrupt)
    return number in _ours


def _watch(reader: int, left: threading.Event, came: list[int]) -> None:
    with os.fdopen(reader, "rb", buffering=0) as numbers:
        while (number := numbers.read(1)) not in (b"", _OVER):
            came.append(number[0])
            threading.Thread(target=_enforce, args=(number[0], left), daemon=True).start()


def _enforce(number: int, left: threading.Event) -> None:
    """End the process where it does not obey the signal NUMBER in time."""
    if number in _ours:
        time.sleep(GRACE)
        _end(128 + number)
    elif number == signal.SIGINT:
        if not left.wait(GRACE):
            _end(128 + number)
    elif number == signal.SIGVTALRM:
        limit = limits.running()
        if limit is not None and not _ends(limit.left):
            said = f"rsp-conformance: {limit.exceeded}, and nothing else could stop it\n"
            os.write(2, said.encode())
            _end(BEYOND_LIMIT)


def _ends(left: threading.Event) -> bool:
    """Whether LEFT is set within GRACE seconds of processor time, however busy the machine."""
    last = time.process_time() + GRACE
    while time.process_time() < last:
        if left.wait(0.05):
            return True
    return left.is_set()


def _end(status: int) -> None:
    for end in reversed(_last):
        with suppress(Exception):
            end()
    os._exit(status)
