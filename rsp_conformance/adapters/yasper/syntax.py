"""The verdict of the engine's own parser on a query, before the engine gets the query.

`TPQueryFactory.parse` prints syntax errors and goes on with what it understood, and takes whatever
follows the query for its end. So the driver has the same grammar read the text first, and listens.
"""

from __future__ import annotations

from typing import Any

from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.adapters.yasper import names

_SHOWN = 3
"""The number of errors that are shown; later ones mostly follow from the first."""
_END_OF_INPUT = -1
"""The type of ANTLR's token at the end of the input (``Token.EOF``)."""


class Syntax:
    """The engine's grammar."""

    def __init__(self, java: Java) -> None:
        self._java = java
        self._characters = java.cls(names.CHARACTERS)
        self._upper_case = java.cls(names.UPPER_CASE)
        self._lexer = java.cls(names.LEXER)
        self._tokens = java.cls(names.TOKENS)
        self._parser = java.cls(names.PARSER)

    def read(self, query: str, background: str | None) -> str:
        """Return a query as it is registered.

        Args:
            query: the query in RSP-QL.
            background: the file with the background data, as FROM names it; None if there are none.

        Raises:
            Refused: it is no query, or not a SELECT.
        """
        listener = _Listener()
        heard = self._java.proxy(names.ERROR_LISTENER, listener)
        text = self._upper_case(self._characters.fromString(query), True)
        lexer = self._lexer(text)
        parser = self._parser(self._tokens(lexer))
        for recogniser in (lexer, parser):
            recogniser.removeErrorListeners()
            recogniser.addErrorListener(heard)
        unit = parser.queryUnit()
        last = parser.getCurrentToken()
        if not listener.errors and last.getType() != _END_OF_INPUT:
            place = f"line {last.getLine()}:{last.getCharPositionInLine()}"
            listener.errors.append(f"{place} text after the query's end")
        if listener.errors:
            raise Refused("rejected", "; ".join(listener.errors[:_SHOWN]))
        select = unit.query().selectQuery()
        if select is None:
            raise Refused("unsupported", "queries that are no SELECT")
        if background is None:
            return query
        end = int(select.selectClause().getStop().getStopIndex()) + 1
        return f"{query[:end]} FROM <{background}>{query[end:]}"


class _Listener:
    """ANTLR's ANTLRErrorListener; its methods bear the names of that interface."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def syntaxError(self, *found: Any) -> None:
        """Something cannot be read: recogniser, symbol, line, column, message, exception."""
        _, _, line, column, message, _ = found
        self.errors.append(f"line {line}:{column} {message}")

    def reportAmbiguity(self, *_: Any) -> None:
        """No error."""

    def reportAttemptingFullContext(self, *_: Any) -> None:
        """No error."""

    def reportContextSensitivity(self, *_: Any) -> None:
        """No error."""
