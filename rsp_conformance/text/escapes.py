r"""Escapes: ``\n`` in strings (SPARQL 1.1, 19.7), ``\uXXXX`` anywhere in a query (19.2).

The standard replaces ``\uXXXX`` before it reads the query. Here an escape of a quote, a backslash
or a line end stays until its string is read, in which it means that character. ``\\u0041`` in a
string is a backslash and five letters.
"""

from __future__ import annotations

import re

_IN_QUERY = re.compile(r"\\\\|\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_IN_STRING = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_LETTERS = dict(zip("tbnrf\"'\\", "\t\b\n\r\f\"'\\", strict=True))
_STAYS = frozenset("\"'\\\n\r")
_WRITTEN = {char: f"\\{letter}" for letter, char in _LETTERS.items()}
NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
"""Matches a character that no IRI can contain."""
_TO_WRITE = re.compile(r'[\\"\x00-\x1f\x7f]')


def decode(code: str) -> str:
    """Return the character of a hexadecimal code point.

    Raises:
        ValueError: the code point is not a character.
    """
    point = int(code, 16)
    if point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
        raise ValueError(f"U+{code.upper()} is no character")
    return chr(point)


def replace_code_points(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Replace the code point escapes of a query.

    Returns:
        The text, and how the replacements move what follows: pairs of an index in the result and
        the number of characters by which the original is ahead from there on.

    Raises:
        ValueError: an escape is not a character; the message names it.
    """
    if "\\u" not in text and "\\U" not in text:
        return text, []
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    length = ahead = last = 0
    for match in _IN_QUERY.finditer(text):
        code = match[1] or match[2]
        if code is None or (char := decode(code)) in _STAYS:
            continue
        pieces += (text[last : match.start()], char)
        length += match.start() - last + 1
        last = match.end()
        ahead += len(match[0]) - 1
        moved.append((length, ahead))
    return "".join((*pieces, text[last:])), moved


def unescape(text: str) -> str:
    """Return the characters that the inside of a quoted string means.

    Raises:
        ValueError: an escape is unknown.
    """
    if "\\" not in text:
        return text

    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        if code is not None:
            return decode(code)
        try:
            return _LETTERS[match[3]]
        except KeyError:
            raise ValueError(f"\\{match[3]} is no escape") from None

    return _IN_STRING.sub(character, text)


def escape(text: str) -> str:
    """Return a text as it may be written between double quotes, on one line."""
    return _TO_WRITE.sub(lambda m: _WRITTEN.get(m[0]) or f"\\u{ord(m[0]):04X}", text)


def escape_iri(text: str) -> str:
    r"""Return an IRI as N-Triples writes it between angle brackets, with ``\uXXXX`` if needed."""
    return NOT_IN_IRI.sub(lambda m: f"\\u{ord(m[0]):04X}", text)
