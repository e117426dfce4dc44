"""Moves bytes between the kit and a driver's three pipes, in one thread that never blocks.

The kit trusts nothing that a driver writes. Unread lines, an unfinished line and the stored part of
standard error are all bounded, so a driver that floods cannot fill the kit's memory.
"""

from __future__ import annotations

import io
import os
import selectors
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import IO, Final, NamedTuple, cast

from rsp_conformance.model.errors import names_error, printable

LINE_LIMIT: Final = 64 * 1024 * 1024
"""The longest line, in bytes, that a driver may send: far beyond the answers to any case, and
still a line that the kit can hold in memory several times."""

_CHUNK: Final = 1 << 16
"""The bytes of one read or write: the capacity of a pipe on Linux."""
_HELD: Final = 16 * 1024 * 1024
"""The bytes of unread lines beyond which the driver has to wait. It bounds the memory that a driver
can fill with lines to which nobody listens; a longer line is still read as a whole."""
_LINE_COST: Final = 128
"""The bytes that a line costs beside its text (its object, its time, its place in the queue),
rounded up, so that a flood of empty lines is bounded too."""


class Line(NamedTuple):
    """A whole line from the driver and the time of its arrival (`time.monotonic`)."""

    text: bytes
    at: float


class LineTooLong(Exception):
    """A line exceeded the limit before it ended."""


class LineBuffer:
    """Collects bytes and returns whole lines, without their line feed."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._open = bytearray()

    @property
    def partial(self) -> int:
        """The number of bytes of the unfinished line."""
        return len(self._open)

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the lines that end in this chunk.

        Raises:
            LineTooLong: a line exceeds the limit.
        """
        *ended, rest = chunk.split(b"\n")
        lines: list[bytes] = []
        for piece in ended:
            self._grow(piece)
            lines.append(bytes(self._open))
            self._open.clear()
        self._grow(rest)
        return lines

    def _grow(self, piece: bytes) -> None:
        if len(self._open) + len(piece) > self._limit:
            self._open.clear()
            raise LineTooLong
        self._open += piece


class Tail:
    """The last lines of a stream of text, each cut to a width, for a terminal.

    The first line since the last ``mark`` that names an error is kept as well, in front of the
    others, if it is not among them. ``count`` is the number of lines that have ended.
    """

    def __init__(self, lines: int = 40, width: int = 500) -> None:
        self._lines: deque[str] = deque(maxlen=lines)
        self._most = lines
        self._width = width
        self._cause: str | None = None
        self._cause_at = 0
        self._open = b""
        self.count = 0

    def feed(self, chunk: bytes) -> None:
        """Add the next bytes of the stream."""
        *ended, rest = chunk.split(b"\n")
        self.count += len(ended)
        if len(ended) > self._most:
            cut = ended[: -self._most] if self._cause is None else []
            named = (piece for piece in cut if names_error(piece.decode("latin-1")))
            ended, self._open = [*islice(named, 1), *ended[-self._most :]], b""
        for piece in ended:
            self._take(piece)
            line, self._open = self._text(), b""
            if self._cause is None and names_error(line):
                self._cause, self._cause_at = line, self.count
            self._lines.append(line)
        self._take(rest)

    def _take(self, piece: bytes) -> None:
        # Four bytes make a character at most, so this much is enough for the width.
        self._open = (self._open + piece[: 4 * self._width])[: 4 * self._width]

    def _text(self) -> str:
        return printable(self._open.decode("utf-8", "replace").rstrip("\r")[: self._width])

    def mark(self) -> int:
        """Begin anew to look for a line that names an error; return how many lines have ended."""
        self._cause = None
        return self.count

    def lines(self, since: int = 0) -> tuple[str, ...]:
        """Return the last lines, an unfinished line included.

        Args:
            since: return only the lines after so many; 0 returns all that are kept.
        """
        rest, last = self._text(), tuple(self._lines)
        if since:
            last = last[max(0, len(last) - (self.count - since)) :]
        last = (*last, rest) if rest else last
        cause = self._cause if self._cause_at > since else None
        return last if cause is None or cause in last else (cause, *last)


class Pump:
    """The pipes of one process. `run` is the thread; all else is called from outside it.

    Lines wait in a queue of bounded size. While it is full, standard output is not read, so a
    driver that floods is blocked by its own pipe. Standard error is always read, and only its
    tail is kept.
    """

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdin and popen.stdout and popen.stderr
        self._stdin, self._stdout, self._stderr = popen.stdin, popen.stdout, popen.stderr
        self.tail = Tail()
        self.overlong = False  # a line beyond the limit has come
        self.ended = False  # standard output has been closed
        self.buffer = LineBuffer()
        self._lines: deque[Line] = deque()
        self._held = 0
        self._outbox: deque[memoryview] = deque()
        self._finish_input = False
        self._stop_at: float | None = None
        self._closed = False
        self._changed = threading.Condition()
        self._wake_read, self._wake_write = os.pipe()
        streams = (self._stdin, self._stdout, self._stderr)
        for end in (*(stream.fileno() for stream in streams), self._wake_read, self._wake_write):
            os.set_blocking(end, False)

    # --- from outside the thread -----------------------------------------------------------

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
        """Return the next line, or None if there is none yet."""
        with self._changed:
            if not self._lines:
                return None
            line = self._lines.popleft()
            if self._held >= _HELD:
                self._wake()
            self._held -= len(line.text) + _LINE_COST
        return line

    def wait(self, seconds: float) -> None:
        """Wait until a line comes or the output ends, but at most so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self.ended or self.overlong, seconds)

    def stop(self, linger: float) -> None:
        """End the thread when the outputs have ended, or after so many seconds."""
        with self._changed:
            self._stop_at = time.monotonic() + linger
            self._wake()

    def _wake(self) -> None:
        if not self._closed:
            with suppress(BlockingIOError):  # full: it wakes anyway
                os.write(self._wake_write, b"!")

    # --- the thread ------------------------------------------------------------------------

    def run(self) -> None:
        """Move bytes until stopped, then close all pipes."""
        try:
            while not self._stopped():
                for move in self._ready():
                    move()
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

    def _ready(self) -> list[Callable[[], None]]:
        """Wait until bytes can be moved, and return the functions that move them."""
        watched: list[tuple[IO[bytes] | int, int, Callable[[], None]]]
        watched = [(self._wake_read, selectors.EVENT_READ, self._drain)]
        with self._changed:
            if self._finish_input and not self._outbox:
                self._stdin.close()
            if self._outbox and not self._stdin.closed:
                watched.append((self._stdin, selectors.EVENT_WRITE, self._write_some))
            has_room = self._held < _HELD and not self.overlong
            # First, because lines written there before a reply belong to the same case.
            if not self._stderr.closed:
                watched.append((self._stderr, selectors.EVENT_READ, self._read_errors))
            if not self._stdout.closed and (self._finish_input or has_room):
                watched.append((self._stdout, selectors.EVENT_READ, self._read_lines))
            left = None if self._stop_at is None else max(0.0, self._stop_at - time.monotonic())
        with selectors.PollSelector() as selector:
            for stream, event, move in watched:
                selector.register(stream, event, move)
            return [key.data for key, _ in selector.select(left)]

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._wake_read, _CHUNK)

    def _write_some(self) -> None:
        with self._changed:
            try:
                written = os.write(self._stdin.fileno(), self._outbox[0][:_CHUNK])
            except BlockingIOError:
                return
            except OSError:  # nobody reads any more; the end is noticed elsewhere
                self._outbox.clear()
                self._stdin.close()
                return
            self._outbox[0] = self._outbox[0][written:]
            if not self._outbox[0]:
                self._outbox.popleft()

    def _read_errors(self) -> None:
        if chunk := _read(self._stderr):
            self.tail.feed(chunk)

    def _read_lines(self) -> None:
        chunk = _read(self._stdout)
        with self._changed:
            self.ended = self._stdout.closed
            if chunk and not self._finish_input and not self.overlong:
                self._keep(chunk)
            self._changed.notify_all()

    def _keep(self, chunk: bytes) -> None:
        now = time.monotonic()
        try:
            lines = self.buffer.feed(chunk)
        except LineTooLong:
            self.overlong = True
            return
        for line in lines:
            self._lines.append(Line(line, now))
            self._held += len(line) + _LINE_COST


def _read(stream: IO[bytes]) -> bytes:
    """Return the bytes that can be read now; close a stream that has ended."""
    try:
        chunk = cast(io.RawIOBase, stream).read(_CHUNK)
    except OSError:
        chunk = b""
    if chunk is None:
        return b""  # nothing yet
    if not chunk:
        stream.close()
    return chunk
