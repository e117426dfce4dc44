"""Errors of queries as text: what cannot be read, and where; what a language cannot express."""

from __future__ import annotations

from functools import partial

from rsp_conformance.model.errors import KitError

WIDTH = 76
"""The number of characters that are shown of a longer line of the query: 80 columns
less an indentation."""


class QuerySyntaxError(ValueError):
    """A query that cannot be read.

    The first line of ``str()`` is the whole message; the lines after it show the place.

    Attributes:
        line: the line of the error, from 1.
        column: the column of the error, from 1.
        expected: what could have been there, in words.
        found: the text that is there.
    """

    def __init__(
        self,
        line: int,
        column: int,
        expected: str,
        found: str,
        *,
        message: str | None = None,
        source: str = "",
    ) -> None:
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
        self.message = message or f"expected {expected}, found {found}"
        self.source = source
        super().__init__(str(self))

    def __str__(self) -> str:
        head = f"line {self.line}, column {self.column}: {self.message}"
        return head + "".join(f"\n  {line}" for line in caret(self.source, self.line, self.column))

    def __reduce__(self) -> tuple[object, ...]:
        # Pickle would otherwise call the class with the message alone.
        kind = partial(type(self), message=self.message, source=self.source)
        return kind, (self.line, self.column, self.expected, self.found)


class UnsupportedSyntax(QuerySyntaxError):
    """Syntax of RSP-QL dialects that this kit refuses by name, such as windows by BGP."""


class NotExpressible(KitError, ValueError):
    """A query that a language, or a driver's dialect of it, cannot express.

    The message names the language and what it lacks, such as "CQELS-QL 2 has no VALUES". A case
    with such a query is unsupported and is not sent.
    """


def caret(source: str, line: int, column: int) -> tuple[str, ...]:
    """Return a line of the source and a caret below the place; nothing if there is no such line.

    Args:
        source: the text of the query.
        line: the number of the line, from 1.
        column: the column of the place in it, from 1.
    """
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not source.strip() or not 1 <= line <= len(lines):
        return ()
    text = lines[line - 1]
    start = max(0, min(column - WIDTH // 2, len(text) - WIDTH + 1)) if len(text) > WIDTH else 0
    shown = text[start : start + WIDTH].replace("\t", " ")
    return shown, " " * (column - 1 - start) + "^"
