"""What could have stood at a place, in words rather than in names of tokens."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Lark

_WORDS = {
    "VAR": "a variable",
    "IRIREF": "an IRI",
    "PNAME": "an IRI",
    "PNAME_NS": "a prefix such as ex:",
    "STRING": "a literal",
    "NUMBER": "a literal",
    "SIGNED_NUMBER": "a literal",
    "BOOLEAN": "a literal",
    "INTEGER": "a whole number",
    "LANGTAG": "a language tag",
    "BLANK_NODE_LABEL": "a blank node",
    "ANON": "a blank node",
    "BUILTIN": "a function",
    "AGGREGATE": "an aggregate",
    "GROUP_CONCAT": "an aggregate",
    "COMPARISON": "an operator",
    "DURATION": "a duration such as PT5S",
    "LENGTH": "a length such as 5s",
    "NAME": "a name",
    "REGISTERED": "QUERY or STREAM",
    "ORDER_AFTER": "ASC or DESC",
    "STREAM_OPERATOR": "RSTREAM, ISTREAM or DSTREAM",
    "A": "'a'",
    "NIL": "'()'",
    "$END": "the end of the query",
}
# The first of these whose tokens are all possible stands for all of them.
_GROUPS: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (words, frozenset(tokens.split()))
    for words, tokens in (
        ("an expression", "VAR NUMBER BUILTIN LPAR STRING BANG"),
        ("a condition in brackets", "BUILTIN IRIREF LPAR EXISTS"),
        ("a triple", "VAR IRIREF LSQB BLANK_NODE_LABEL FILTER"),
        ("a term", "VAR IRIREF STRING BLANK_NODE_LABEL"),
        ("a property", "VAR IRIREF A"),
        ("a variable or an IRI", "VAR IRIREF"),
        ("an IRI or a literal", "IRIREF STRING"),
    )
)
_EXPRESSION = "VAR IRIREF PNAME STRING NUMBER SIGNED_NUMBER BOOLEAN BUILTIN AGGREGATE GROUP_CONCAT"
_TERM = "VAR IRIREF PNAME STRING NUMBER SIGNED_NUMBER BOOLEAN BLANK_NODE_LABEL ANON NIL"
_COVERED = {
    "an expression": f"{_EXPRESSION} LPAR BANG PLUS DASH EXISTS NOT OPEN_TRIPLE OPEN_TERM",
    "a condition in brackets": "BUILTIN AGGREGATE GROUP_CONCAT IRIREF PNAME LPAR EXISTS NOT",
    "a triple": f"{_TERM} LSQB LPAR OPEN_TRIPLE OPEN_TERM",
    "a term": f"{_TERM} LSQB LPAR OPEN_TRIPLE OPEN_TERM",
    "a property": "VAR IRIREF PNAME A CIRCUMFLEX BANG LPAR",
    "a variable or an IRI": "VAR IRIREF PNAME",
    "an IRI or a literal": (
        "IRIREF PNAME STRING NUMBER SIGNED_NUMBER BOOLEAN OPEN_TRIPLE OPEN_TERM"
    ),
}
_PATTERNS = frozenset("OPTIONAL MINUS GRAPH SERVICE FILTER BIND VALUES WINDOW".split())
_OPERATORS = frozenset("OR AND COMPARISON IN NOT PLUS DASH STAR SLASH SIGNED_NUMBER".split())
_PATH_OPERATORS = frozenset("STAR PLUS SLASH VBAR QUESTION_MARK".split())
_FORMS = frozenset("SELECT ASK CONSTRUCT DESCRIBE".split())
MOST = 5
"""So many possibilities are listed, and no more."""


def in_words(parser: Lark, tokens: Iterable[str]) -> str:
    """``a variable, an IRI or 'WHERE'`` for the names of the tokens that could have come."""
    left = set(tokens)
    names: list[str] = []
    for words, needed in _GROUPS:
        if needed <= left:
            names.append(words)
            left -= set(_COVERED[words].split())
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
