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
from rsp_conformance.cells.token_forms import FORMS, OTHER_WRITINGS, forms
from rsp_conformance.text.parse import new_parser

NO_EVALUATION: Final = "a query without a window has no evaluation"

_OTHERWISE = re.compile(
    # Rules that stand for sugar alone, whatever their option is,
    r"^(collection|__collection\S*|blank_node_property_list|triples_node|__property_list\S*"
    r"|__object_list\S*|add_signed|signed_product|_registered|base_declaration) "
    # options that have names of their own,
    r"|-> (construct_where|rdf_type|add_signed)"
    # and those in which it is a part that can be written otherwise, or left out.
    r"|\b(SEMICOLON|DOT|triples_node|base_declaration|_registered|__property_list\S*"
    r"|__object_list\S*|OPEN_TERM|ASC|ANON)\b"
    r"|^where_clause := group|:= offset limit|ON iri LSQB|:= NIL -> empty_list"
    r"|:= LPAR path_one_in_set RPAR|REGISTER (STREAM_OPERATOR )?(AS|iri AS)$(?<!OPERATOR iri AS)"
    r"|:= LPAR RPAR|RPAR LBRACE __data_block_star_11|_star_\d+ := .* DOT\b"
)
"""The productions that write what another one writes as well, so that the algebra is the same."""
_REFUSED = re.compile(
    r"describe|service|SERVICE|DESCRIBE|SILENT|DISTINCT expression|^arguments := NIL"
    r"|LPAR DISTINCT STAR(?! RPAR -> aggregate)"
)
_ELSEWHERE = re.compile(r"computed|DURATION")


class Grammar:
    """The parser of RSP-QL, which says by which productions a text was read."""

    def __init__(self) -> None:
        self._met: set[str] = set()
        self._tokens: set[Token] = set()
        self._parser = new_parser("rsp_ql")
        # Lark has no public way to be called back by production: transformers are told a rule's
        # name, and are told nothing of those whose names begin with _ or ?.
        callbacks = self._parser.parser.parser.parser.callbacks
        for rule in list(callbacks):
            callbacks[rule] = self._noting(rule)
        self.productions = lru_cache(maxsize=256)(self._productions)

    def cells(self) -> Cells:
        """All productions and forms of tokens."""
        found = {name: _reason(name) for name in map(_name, self._parser.rules)}
        for kind, own in FORMS.items():
            for cell in (f"{kind}: {form}" for form in own):
                elsewhere = ELSEWHERE if kind == "DURATION" else ""
                found[cell] = WRITING if cell in OTHER_WRITINGS else elsewhere
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
    return WRITING if _OTHERWISE.search(production) else ""
