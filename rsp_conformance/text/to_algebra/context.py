"""The state that the rules share while one query is read: its text, prefixes and blank nodes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from lark import Token

from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.iris import resolve
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.terms import IRI, BlankNode
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.languages import Language

_LOCAL_ESCAPE = re.compile(r"\\(.)")
_LABEL = re.compile(r"_:([\w.\-]+)")
_LINE_END = re.compile(r"\r\n|\n|\r")


class Context:
    """The state of reading one query."""

    def __init__(
        self, source: str, text: str, moved: list[tuple[int, int]], language: Language
    ) -> None:
        self.source = source
        self.text = text
        self._moved = moved
        self.language = language
        self.prefixes: dict[str, str] = {}
        self.base: str | None = None
        self._iris: dict[str, IRI] = {}
        self._labels: set[str] | None = None
        self._fresh = 0
        self.pending_labels: list[Token] = []
        """Blank node labels read since the last block of triples ended."""
        self.blocks = 0
        self.label_block: dict[str, tuple[int, Token]] = {}
        """The basic graph pattern in which each label occurs, and a place in it."""
        self.windows: list[WindowDeclaration] = []
        """The windows declared so far in the other languages' clauses (``continuous``)."""
        self.operator: StreamOperator | None = None
        """The streaming operator that REGISTER or the query form names."""
        self.aggregates: list[tuple[Aggregate, Token]] = []
        """Every aggregate and where it was written."""

    def place(self, index: int) -> tuple[int, int]:
        """Return line and column in the source, both from 1, of an index in the text."""
        at = bisect_right(self._moved, index, key=lambda move: move[0]) - 1
        if at >= 0:
            index += self._moved[at][1]
        line, start = 1, 0
        for end in _LINE_END.finditer(self.source, 0, index):
            line, start = line + 1, end.end()
        return line, index - start + 1

    def error(
        self,
        token: Token,
        message: str,
        *,
        expected: str = "",
        kind: type[QuerySyntaxError] = QuerySyntaxError,
    ) -> NoReturn:
        """Raise an error at a token with a message.

        Args:
            token: the token.
            message: what is wrong.
            expected: what could have been there, in words.
            kind: the class of the error.

        Raises:
            QuerySyntaxError: always, or the class `kind` of it.
        """
        line, column = self.place(token.start_pos or 0)
        raise kind(line, column, expected, str(token), message=message, source=self.source)

    def iri(self, token: Token) -> IRI:
        """Return the IRI that a token writes in full or with a prefix."""
        text = str(token)
        known = self._iris.get(text)
        if known is None:
            known = self._iris[text] = IRI(self._expand(token, text))
        return known

    def _expand(self, token: Token, text: str) -> str:
        if text.startswith("<"):
            return resolve(text[1:-1], self.base)
        prefix, _, local = text.partition(":")
        namespace = self.prefixes.get(prefix)
        if namespace is None:
            self.error(
                token,
                f"the prefix {prefix}: is not declared; add PREFIX {prefix}: <…>",
                expected="a declared prefix",
            )
        return namespace + _LOCAL_ESCAPE.sub(r"\1", local)

    def declare(self, prefix: str, namespace: str) -> None:
        """Declare a prefix; a later declaration of the same prefix replaces it."""
        self.prefixes[prefix] = namespace
        self._iris.clear()

    def rebase(self, base: str) -> None:
        """Declare a base; it is resolved against the base before."""
        self.base = resolve(base, self.base)
        self._iris.clear()

    def fresh_blank_node(self) -> BlankNode:
        """Return a blank node whose label does not occur in the query."""
        if self._labels is None:
            self._labels = set(_LABEL.findall(self.text))
        while True:
            label = f"b{self._fresh}"
            self._fresh += 1
            if label not in self._labels:
                return BlankNode(label)


Rule = TypeVar("Rule", bound=Callable[..., Any])
RULES: dict[str, Callable[..., Any]] = {}
"""The reader of each rule of the grammar: a function of the context and of the parts as read."""


def rule(read: Rule) -> Rule:
    """Register a function as the reader of the grammar's rule of the same name."""
    RULES[read.__name__.rstrip("_")] = read
    return read
