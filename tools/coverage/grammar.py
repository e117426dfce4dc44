"""Table 1: the productions of RSP-QL's grammar, and the forms of its tokens.

A production is a rule of the LALR grammar with one of its options, such as "optional := OPTIONAL
group_graph_pattern". The parser says which ones a text was reduced by, for it calls back for each;
no tree is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from functools import lru_cache
from typing import Any, Final

from lark import Token
from lark.exceptions import UnexpectedInput

from rsp_conformance.cells.cell import ELSEWHERE, REFUSED, WRITING, Cells
from rsp_conformance.text.parse import new_parser
from tools.coverage.token_forms import FORMS, forms

NO_EVALUATION: Final = "a query without a window has no evaluation"
NOTHING_MADE: Final = "legal, and every answer is empty: nothing is constructed"
NIL_TOKEN: Final = "() is one token there, whatever blanks are in it"

_READ_ALONE = re.compile(
    # what the texts of the W3C community group write otherwise,
    r"streaming_|window_named_last|merged_stream|FROM (NAMED )?GRAPH|tumbling|_range_from_now"
    r"|span_back|^until|SLIDE|TUMBLING|ON iri|RANGE TRIPLES|:= UNBOUNDED$"
    # and REGISTER without an operator or a name, or with STREAM and QUERY.
    r"|_registered|REGISTER (STREAM_OPERATOR )?(AS|iri AS)$(?<!OPERATOR iri AS)"
)
"""The productions that the kit reads and never writes, having another one of the same algebra."""
_NIL = re.compile(r":= LPAR RPAR|LPAR RPAR LBRACE")
_REFUSED = re.compile(
    r"describe|service|SERVICE|DESCRIBE|SILENT|DISTINCT expression|^arguments := NIL"
    r"|LPAR DISTINCT STAR(?! RPAR -> aggregate)"
)
_ELSEWHERE = re.compile(r"computed|DURATION|OPEN_TERM|window_in_default|unbounded")


class Grammar:
    """The parser of RSP-QL, which says by which productions a text was read."""

    def __init__(self) -> None:
        self._met: set[str] = set()
        self._tokens: set[Token] = set()
        self._parser = new_parser("rsp_ql")
        # Lark has no public way to be called back by production: transformers learn a rule's
        # name, and learn nothing of those whose names begin with _ or ?.
        callbacks = self._parser.parser.parser.parser.callbacks
        for rule in list(callbacks):
            callbacks[rule] = self._noting(rule)
        self.productions = lru_cache(maxsize=256)(self._productions)

    def cells(self) -> Cells:
        """All productions and forms of tokens."""
        found = {name: _reason(name) for name in map(_name, self._parser.rules)}
        for kind, own in FORMS.items():
            for cell in (f"{kind}: {form}" for form in own):
                found[cell] = ELSEWHERE if kind == "DURATION" else ""
        return found

    def _productions(self, text: str) -> Set[str]:
        """The cells that the query TEXT meets; none if it is no RSP-QL."""
        self._met.clear()
        self._tokens.clear()
        try:
            self._parser.parse(text)
        except UnexpectedInput:
            return frozenset()
        return self._met.union(*(forms(token.type, str(token)) for token in self._tokens))

    def _noting(self, rule: Any) -> Callable[[list[Any]], None]:
        """What is to be called when RULE has reduced its parts, which are tokens or nothing."""
        name, met, tokens = _name(rule), self._met, self._tokens
        telling = [place for place, symbol in enumerate(rule.expansion) if symbol.name in FORMS]

        def noting(parts: list[Any]) -> None:
            met.add(name)
            for place in telling:
                tokens.add(parts[place])

        return noting


def _name(rule: Any) -> str:
    alias = f" -> {rule.alias}" if rule.alias else ""
    return f"{rule.origin.name} := {' '.join(s.name for s in rule.expansion)}{alias}"


def _reason(production: str) -> str:
    """Why no case meets PRODUCTION."""
    if production == "datasets := ":
        return NO_EVALUATION
    if _REFUSED.search(production) and "-> aggregate" not in production:
        return REFUSED
    if _ELSEWHERE.search(production):
        return ELSEWHERE
    if production == "construct_template := LBRACE RBRACE":
        return NOTHING_MADE
    if _NIL.search(production):
        return NIL_TOKEN
    return WRITING if _READ_ALONE.search(production) else ""
