"""Describe in words, instead of names of tokens, what could have been at a place."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Lark

from rsp_conformance.model.tables import read_table

_TABLE = read_table(__name__, "expectations.toml")
_WORDS: dict[str, str] = _TABLE["words"]
_PATTERNS = frozenset("OPTIONAL MINUS GRAPH SERVICE FILTER BIND VALUES WINDOW".split())
_OPERATORS = frozenset("OR AND COMPARISON IN NOT PLUS DASH STAR SLASH SIGNED_NUMBER".split())
_PATH_OPERATORS = frozenset("STAR PLUS SLASH VBAR QUESTION_MARK".split())
_FORMS = frozenset("SELECT ASK CONSTRUCT DESCRIBE".split())
MOST = 5
"""The number of possibilities that are listed: more would not fit into a line."""


def in_words(parser: Lark, tokens: Iterable[str]) -> str:
    """Return the tokens that could have come, in words: ``a variable, an IRI or 'WHERE'``.

    Args:
        parser: the parser that defines the tokens.
        tokens: their names.
    """
    left = set(tokens)
    names: list[str] = []
    for group in _TABLE["groups"]:
        if left.issuperset(group["when"].split()):
            names.append(group["words"])
            left.difference_update(group["covers"].split())
            break
    if "a term" in names:
        left -= _PATH_OPERATORS
    if left >= _FORMS:
        names.append("SELECT, ASK, CONSTRUCT or DESCRIBE")
        left -= _FORMS
    if len(left & _PATTERNS) > 3:
        names.append("a graph pattern")
        left -= _PATTERNS | {"LBRACE"}
    if "OR" in left:
        names.append("an operator")
        left -= _OPERATORS
    texts = {_text(parser, name) for name in left}
    names += sorted(texts, key=lambda text: (text.startswith("'"), text))
    names = list(dict.fromkeys(names))
    if len(names) > MOST:
        names = [*names[: MOST - 1], "…"]
        return ", ".join(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _text(parser: Lark, name: str) -> str:
    if name in _WORDS:
        return _WORDS[name]
    terminal = parser.get_terminal(name)
    return f"'{terminal.pattern.value}'" if terminal.pattern.type == "str" else name.lower()
