r"""Write a printed query differently, token by token, without changing its meaning.

These are the differences that do not depend on the context of a token: strings in other quotes and
with other escapes, ``$x``, keywords in lower case, no dot before a closing brace, comments, and
IRIs relative to a BASE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rsp_conformance.model.expressions import Operation
from rsp_conformance.model.iris import is_absolute, resolve
from rsp_conformance.model.layout import PLAIN, QUOTES, Layout
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.terms import IRI, Literal
from rsp_conformance.model.walk import within
from rsp_conformance.text.escapes import escape, unescape
from rsp_conformance.text.tokens import tokens

_KEYWORD = re.compile(r"(?!P[\dT])[A-Za-z_]*[A-Z][A-Za-z_]*\d*")
"""Matches a keyword, not a duration such as PT5S; `a` and `true` have only one form."""
_COMMENTS = ("# { ?x } .", "#", '# "it\'s" <http://', "# } WHERE {")
"""Comments that confuse a reader without support for comments."""


_OPERATORS = frozenset(own.value for own in StreamOperator)
"""These keep their letters: SPARQL has its keywords in any case (19.8), and no text says so of
RSP-QL's operators. YASPER reads ``rstream``, and never answers."""


def relaid(text: str, layout: Layout, base: str | None = None) -> str:
    """Return a text of the printer in another layout.

    Args:
        text: the text, as the printer writes it.
        layout: the layout.
        base: IRIs below this IRI are written relative to it; None writes all in full.
    """
    if layout == PLAIN and base is None:
        return text
    written = list(_written(text, layout, base))
    if layout.dots == 1:
        written = list(_without_last_dots(written))
    laid = "".join(written)
    if layout.comments and "\n" in laid and "\n" not in "".join(_strings(written)):
        lines = laid.removesuffix("\n").split("\n")
        ends = (_COMMENTS[number % len(_COMMENTS)] for number in range(len(lines)))
        laid = "".join(f"{line} {end}\n" for line, end in zip(lines, ends, strict=True))
    return laid


def base_for(query: Query) -> str | None:
    """Return an IRI to which IRIs of a query can be relative; None if BASE would change it."""
    made = (isinstance(part, Operation) and part.name in ("IRI", "URI") for part in within(query))
    if query.base is not None or any(made) or not all(map(is_absolute, _iris(query))):
        return None
    spaces = (namespace for _, namespace in query.prefixes if namespace.endswith("/"))
    return next(spaces, "http://ex.org/")


def _iris(query: Query) -> Iterator[str]:
    """Yield all IRIs that a query writes; a BASE would change IRIs without a scheme."""
    for window in query.windows:
        yield from (window.name.value, window.stream.value)
    for part in within(query):
        if isinstance(part, IRI):
            yield part.value
        elif isinstance(part, Literal):
            yield part.datatype


def _written(text: str, layout: Layout, base: str | None) -> Iterator[str]:
    before = ""
    for token in tokens(text):
        if token[0] == '"' and len(token) > 1:
            yield _string(token, layout)
        elif token[0] == "?" and len(token) > 1 and layout.dollar:
            yield f"${token[1:]}"
        elif token[0] == "<" and len(token) > 2 and base is not None:
            # The IRIs that BASE and PREFIX declare are written in full.
            declares = before.upper() == "BASE" or before.endswith(":")
            yield token if declares else _relative(token, base)
        elif layout.lower and _KEYWORD.fullmatch(token) and token.upper() not in _OPERATORS:
            yield token.lower()
        else:
            yield token
        before = token if token.strip() else before


def _string(token: str, layout: Layout) -> str:
    """Return the string of a token in the quotes of a layout."""
    quotes, value = QUOTES[layout.quotes], unescape(token[1:-1])
    text = escape(value).replace('\\"', '"').replace(quotes[0], f"\\{quotes[0]}")
    if layout.escapes and value[:1].isalpha() and text[:1] == value[:1]:
        point = ord(value[0])
        text = (f"\\u{point:04X}" if point <= 0xFFFF else f"\\U{point:08X}") + text[1:]
    if len(quotes) == 3:
        # Long quotes may contain a line end as it is.
        text = re.sub(r"(?<!\\)((?:\\\\)*)\\n", r"\1\n", text)
    return f"{quotes}{text}{quotes}"


def _relative(token: str, base: str) -> str:
    iri = token[1:-1]
    rest = iri.removeprefix(base)
    fits = rest and rest != iri and resolve(rest, base) == iri
    return f"<{rest}>" if fits else token


def _without_last_dots(written: list[str]) -> Iterator[str]:
    for place, token in enumerate(written):
        following = next((other for other in written[place + 1 :] if other.strip()), "")
        if token != "." or following != "}":
            yield token


def _strings(written: list[str]) -> Iterator[str]:
    return (token for token in written if token[0] in "\"'")
