r"""The token of a query text that an error is about.

The parser's lexer knows what may follow, and takes no more of the text than that: of ``LIMIT 5.5``
it takes ``5``, and stops at ``.5``. A message about ``.5`` helps nobody. So an error names the
whole token around its place, as a reader of the text sees it, whatever may follow: ``5.5``,
``DISTINCTx``, ``"a string"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rsp_conformance.model.errors import printable

_TOKEN = re.compile(
    # Names may contain some characters that are not letters: U+00B7, accents, joiners and ties.
    r"""
    (?P<blank> [ \t\r\n]+ | \#[^\r\n]* )
  | <[^<>"{}|^`\\\x00-\x20]*>                             # an IRI
  | \"{3}(?:\"{0,2}(?:[^"\\]|\\.))*\"{3} | '{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
  | "(?:[^"\\\n\r]|\\[^\n\r])*"          | '(?:[^'\\\n\r]|\\[^\n\r])*'
  | [?$][\w\xB7\u0300-\u036F\u200C\u200D\u203F\u2040]+ | @[a-zA-Z]+(?:-[a-zA-Z0-9]+)*
  | (?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+\w* | \d+\.\d\w* | \.\d\w*
  | (?:_|[^\W\d_](?:[\w.-]*[\w-])?|):                     # a prefix, and a local name
    (?:(?:[\w:.\-\xB7\u0300-\u036F\u200C\u200D\u203F\u2040]|%[0-9A-Fa-f]{2}|\\\S)*
       (?:[\w:\-\xB7\u0300-\u036F\u200C\u200D\u203F\u2040]|%[0-9A-Fa-f]{2}|\\\S))?
  | \w+
  | <<\( | \)>> | << | >> | \^\^ | \|\| | && | != | <= | >= | \{\| | \|\}
  | .
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNED = re.compile(r"[+-](?=[.\d])(?:\d*\.?\d*)(?:[eE][+-]?\d+)?")
_ESCAPE = re.compile(
    r"\\(?:[\\'\"tbnrf]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|(?P<wrong>\\.)", re.DOTALL
)
LONGEST_SHOWN = 40
"""The number of characters of a token that are shown: half a line of 80."""


def token_around(text: str, index: int) -> tuple[int, str]:
    """Return the start of the token that contains `index`, and the token.

    If a blank begins there, the next token is returned; if only blanks follow, the token is empty.
    """
    for match in _TOKEN.finditer(text):
        if match.end() > index and (match["blank"] is None or match.start() < index):
            signed = _SIGNED.match(text, index) if match.start() == index else None
            return match.start(), (signed or match)[0]
    return len(text.rstrip()), ""


def tokens(text: str) -> Iterator[str]:
    """Yield all tokens of a text, blanks and comments included: joined they are the text."""
    return (match[0] for match in _TOKEN.finditer(text))


def shown(token: str) -> str:
    """Return a token as a message quotes it: on one line, shortened, a string in its own quotes."""
    line, *more = re.split("[\r\n]", token)
    if more or len(line) > LONGEST_SHOWN:
        line = line[: LONGEST_SHOWN - 1] + "…"
    line = printable(line)
    return line if line[:1] in ("'", '"') and len(token) > 1 else f"'{line}'"


def wrong_string(token: str) -> str | None:
    """Return what is wrong with a token that begins like a string; None if nothing is."""
    if token[:1] not in ("'", '"'):
        return None
    if len(token) == 1:
        return "the string that begins here is not closed"
    wrong = next((match["wrong"] for match in _ESCAPE.finditer(token) if match["wrong"]), None)
    return f"the string holds {wrong}, and there is no such escape" if wrong else None
