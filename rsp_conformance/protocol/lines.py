"""Bytes of a driver cut into lines, without trusting it: memory stays bounded."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

LINE_LIMIT: Final = 64 * 1024 * 1024
"""The longest line, in bytes, that a driver may send."""


@dataclass(frozen=True, slots=True)
class Line:
    """A whole line from the driver and when it came (`time.monotonic`)."""

    text: bytes
    at: float


class LineTooLong(Exception):
    """A line grew beyond the limit before it ended."""


class LineBuffer:
    """Collects bytes and gives whole lines, without their line feed."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    @property
    def partial(self) -> int:
        """How many bytes of a line without its end have come."""
        return self._size

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that end in this chunk; raises `LineTooLong`."""
        *ended, rest = chunk.split(b"\n")
        lines: list[bytes] = []
        for piece in ended:
            self._grow(piece)
            lines.append(b"".join(self._parts))
            self._parts, self._size = [], 0
        if rest:
            self._grow(rest)
        return lines

    def _grow(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            self._parts.clear()
            raise LineTooLong
        self._parts.append(piece)


class Tail:
    """The last lines of a stream of text, each cut to a width."""

    def __init__(self, lines: int = 40, width: int = 500) -> None:
        self._lines: deque[str] = deque(maxlen=lines)
        self._width = width
        self._open = b""

    def feed(self, chunk: bytes) -> None:
        """Take more of the stream."""
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._take(piece)
            self._lines.append(self._text())
            self._open = b""
        self._take(rest)

    def _take(self, piece: bytes) -> None:
        # Four bytes make a character at most, so this much is enough for the width.
        self._open = (self._open + piece[: 4 * self._width])[: 4 * self._width]

    def _text(self) -> str:
        return self._open.decode("utf-8", "replace").rstrip("\r")[: self._width]

    def lines(self) -> tuple[str, ...]:
        """The last lines, an unfinished one included."""
        rest = self._text()
        return (*self._lines, rest) if rest else tuple(self._lines)
