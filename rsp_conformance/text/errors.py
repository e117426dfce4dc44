"""Errors of queries as text: what cannot be read, and where; what a language cannot express."""

from __future__ import annotations

from functools import partial

from rsp_conformance.model.errors import KitError

WIDTH = 76
"""A longer line of the query is shown in part."""


class QuerySyntaxError(ValueError):
    """A query that cannot be read.

    ``line`` and ``column`` count from 1; ``expected`` says in words what could have stood there,
    ``found`` is the text that does. The first line of ``str()`` says it all; the lines after it
    show the place.
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
    """Something that RSP-QL dialects know and this kit refuses by name, such as ROWS windows."""


class NotExpressible(KitError, ValueError):
    """A query that a language, or the dialect of it that a driver asks for, cannot express.

    The message names the language and what it has not, such as "CQELS-QL 2 has no VALUES": a case
    with such a query is unsupported, and is not sent.
    """


def caret(source: str, line: int, column: int) -> tuple[str, ...]:
    """The offending line of SOURCE and a caret below the place; nothing where there is no line."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not source.strip() or not 1 <= line <= len(lines):
        return ()
    text = lines[line - 1]
    start = max(0, min(column - WIDTH // 2, len(text) - WIDTH + 1)) if len(text) > WIDTH else 0
    shown = text[start : start + WIDTH].replace("\t", " ")
    return shown, " " * (column - 1 - start) + "^"
