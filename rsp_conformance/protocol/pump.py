"""Moves bytes between the kit and a driver's three pipes, in one thread that never blocks."""

from __future__ import annotations

import os
import selectors
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from typing import IO, Final

from rsp_conformance.protocol.lines import Line, LineBuffer, LineTooLong, Tail

_CHUNK: Final = 1 << 16
_HELD: Final = 16 * 1024 * 1024  # bytes of unread lines; beyond, the driver has to wait
_LINE_COST: Final = 128  # what an object costs, so that empty lines count too


class Pump:
    """The pipes of one process. `run` is the thread; all else is called from outside it.

    Lines wait in a queue of bounded size: while it is full, standard output is not read, and a
    driver that floods is held up by its own pipe. Standard error is always read, and only its
    tail is kept.
    """

    def __init__(self, popen: subprocess.Popen[bytes], line_limit: int) -> None:
        assert popen.stdin and popen.stdout and popen.stderr
        self._stdin: IO[bytes] = popen.stdin
        self._stdout: IO[bytes] = popen.stdout
        self._stderr: IO[bytes] = popen.stderr
        self.tail = Tail()
        self.overlong = False  # a line beyond the limit has come
        self.ended = False  # standard output has been closed
        self._buffer = LineBuffer(line_limit)
        self._lines: deque[Line] = deque()
        self._held = 0
        self._outbox: deque[memoryview] = deque()
        self._finish_input = False
        self._stop_at: float | None = None
        self._closed = False
        self._changed = threading.Condition()
        self._wake_read, self._wake_write = os.pipe()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        for end in (self._wake_read, self._wake_write):
            os.set_blocking(end, False)

    # --- from outside the thread -----------------------------------------------------------

    @property
    def partial(self) -> int:
        """How many bytes of an unfinished line have come."""
        return self._buffer.partial

    def write(self, line: bytes) -> None:
        """Queue bytes for standard input."""
        with self._changed:
            self._outbox.append(memoryview(line))
        self._wake()

    def finish_input(self) -> None:
        """Close standard input once the queue is written; drop all lines from now on."""
        with self._changed:
            self._finish_input = True
        self._wake()

    def next_line(self) -> Line | None:
        """The next line, if there is one."""
        with self._changed:
            if not self._lines:
                return None
            line = self._lines.popleft()
            full = self._held >= _HELD
            self._held -= len(line.text) + _LINE_COST
        if full:
            self._wake()
        return line

    def wait(self, seconds: float) -> None:
        """Until a line comes or the output ends, or so long."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self.ended or self.overlong, seconds)

    def stop(self, linger: float) -> None:
        """End the thread when the outputs have ended, or after so many seconds."""
        with self._changed:
            self._stop_at = time.monotonic() + linger
        self._wake()

    def _wake(self) -> None:
        with self._changed:
            if not self._closed:
                with suppress(BlockingIOError):  # full: it wakes anyway
                    os.write(self._wake_write, b"!")

    # --- the thread ------------------------------------------------------------------------

    def run(self) -> None:
        """Move bytes until stopped; closes all pipes."""
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._wake_read, selectors.EVENT_READ)
                while not self._stopped():
                    self._watch(selector)
                    for key, _ in selector.select(self._patience()):
                        self._serve(key.fileobj, selector)
        finally:
            with self._changed:
                self.ended = self._closed = True
                for stream in (self._stdin, self._stdout, self._stderr):
                    with suppress(OSError):
                        stream.close()
                os.close(self._wake_read)
                os.close(self._wake_write)
                self._changed.notify_all()

    def _stopped(self) -> bool:
        if self._stop_at is None:
            return False
        return (self.ended and self._stderr.closed) or time.monotonic() >= self._stop_at

    def _patience(self) -> float | None:
        return None if self._stop_at is None else max(0.0, self._stop_at - time.monotonic())

    def _watch(self, selector: selectors.BaseSelector) -> None:
        """Bring what is watched in line with what there is to do."""
        with self._changed:
            if self._finish_input and not self._outbox:
                _close(selector, self._stdin)
            writing = bool(self._outbox)
            reading = self._finish_input or (self._held < _HELD and not self.overlong)
        _set_watched(selector, self._stdin, selectors.EVENT_WRITE, writing)
        _set_watched(selector, self._stdout, selectors.EVENT_READ, reading)
        _set_watched(selector, self._stderr, selectors.EVENT_READ, True)

    def _serve(self, ready: object, selector: selectors.BaseSelector) -> None:
        if ready is self._stdin:
            self._write_some(selector)
        elif ready is self._stdout:
            self._read_lines(selector)
        elif ready is self._stderr:
            chunk = _read(self._stderr)
            if chunk:
                self.tail.feed(chunk)
            elif chunk is not None:
                _close(selector, self._stderr)
        else:
            os.read(self._wake_read, _CHUNK)

    def _write_some(self, selector: selectors.BaseSelector) -> None:
        with self._changed:
            if not self._outbox:
                return
            try:
                written = os.write(self._stdin.fileno(), self._outbox[0][:_CHUNK])
            except BlockingIOError:
                return
            except OSError:  # nobody reads any more; that it ended shows elsewhere
                self._outbox.clear()
                _close(selector, self._stdin)
                return
            self._outbox[0] = self._outbox[0][written:]
            if not self._outbox[0]:
                self._outbox.popleft()

    def _read_lines(self, selector: selectors.BaseSelector) -> None:
        chunk = _read(self._stdout)
        if chunk is None:
            return
        with self._changed:
            if not chunk:
                _close(selector, self._stdout)
                self.ended = True
            elif not self._finish_input and not self.overlong:
                self._keep(chunk)
            self._changed.notify_all()

    def _keep(self, chunk: bytes) -> None:
        now = time.monotonic()
        try:
            lines = self._buffer.feed(chunk)
        except LineTooLong:
            self.overlong = True
            return
        for line in lines:
            self._lines.append(Line(line, now))
            self._held += len(line) + _LINE_COST


def _read(stream: IO[bytes]) -> bytes | None:
    """What is there to read; empty at the end, None if there is nothing yet."""
    try:
        return os.read(stream.fileno(), _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _set_watched(
    selector: selectors.BaseSelector, stream: IO[bytes], events: int, wanted: bool
) -> None:
    if stream.closed:
        return
    watched = stream in selector.get_map()
    if wanted and not watched:
        selector.register(stream, events)
    elif watched and not wanted:
        selector.unregister(stream)


def _close(selector: selectors.BaseSelector, stream: IO[bytes]) -> None:
    if stream.closed:
        return
    with suppress(KeyError):
        selector.unregister(stream)
    stream.close()
