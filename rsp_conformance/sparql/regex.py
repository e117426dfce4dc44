"""Regular expressions of XPath, translated to Python's (F&O 5.6; XSD 1.1 part 2, appendix G)."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TypeAlias

from rsp_conformance.model.errors import Unsupported

Pattern: TypeAlias = re.Pattern[str]

_FLAGS = frozenset("smixq")
_SINGLE = {"n": "\\n", "r": "\\r", "t": "\\t"}
_LITERAL = frozenset("\\|.-^?*+{}()[]$")
_SPACE = " \\t\\n\\r"
_NOT_SPACE = "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f!-\U0010ffff"


class _Invalid(Exception):
    """The text is no regular expression of XPath."""


@lru_cache(maxsize=4096)
def compile_pattern(text: str, flags: str) -> Pattern | None:
    """The pattern TEXT under FLAGS (``smixq``), None where either is an error in XPath."""
    if not set(flags) <= _FLAGS:
        return None
    options = re.IGNORECASE if "i" in flags else 0
    if "q" in flags:
        return re.compile(re.escape(text), options)
    try:
        return re.compile(_Translation(text, flags).whole(), options)
    except (_Invalid, re.error):
        return None


def compile_replacement(
    text: str, groups: int, *, literal: bool = False
) -> Callable[[re.Match[str]], str] | None:
    r"""What REPLACE puts in place of a match; None where TEXT is an error.

    ``$N`` is a group (of GROUPS; the longest number that is one), ``\\$`` and ``\\\\`` stand for
    themselves. LITERAL takes the text as it is.
    """
    if literal:
        return lambda match: text
    parts: list[str | int] = []
    position = 0
    while position < len(text):
        character = text[position]
        position += 1
        if character == "\\":
            if text[position : position + 1] not in ("\\", "$"):
                return None
            parts.append(text[position])
            position += 1
        elif character == "$":
            digits = re.compile(r"\d+", re.ASCII).match(text, position)
            if digits is None:
                return None
            number = digits[0]
            while len(number) > 1 and int(number) > groups:
                number = number[:-1]
            position += len(number)
            parts.append(int(number) if int(number) <= groups else "")
        else:
            parts.append(character)
    return lambda match: "".join(
        part if isinstance(part, str) else match[part] or "" for part in parts
    )


class _Translation:
    """One pass over a pattern."""

    def __init__(self, text: str, flags: str) -> None:
        self.text = text
        self.position = 0
        self.flags = flags

    def whole(self) -> str:
        out: list[str] = []
        quantifiable = False
        while (character := self._next()) is not None:
            if character == "\\":
                out.append(self._escape())
                quantifiable = True
            elif character == "[":
                out.append(self._character_class())
                quantifiable = True
            elif character in "*+?{":
                if not quantifiable:
                    raise _Invalid
                out.append(self._quantifier(character))
                quantifiable = False
            elif character == "(":
                out.append(self._group())
                quantifiable = False
            elif character in "]}":
                raise _Invalid
            elif "x" in self.flags and character in " \t\n\r":
                continue
            else:
                out.append(self._plain(character))
                quantifiable = character not in "|^$"
        return "".join(out)

    def _next(self) -> str | None:
        if self.position >= len(self.text):
            return None
        self.position += 1
        return self.text[self.position - 1]

    def _peek(self, length: int = 1) -> str:
        return self.text[self.position : self.position + length]

    def _plain(self, character: str) -> str:
        multiline = "m" in self.flags
        if character == ".":
            return r"[\s\S]" if "s" in self.flags else r"[^\n\r]"
        if character == "^":
            return r"(?:\A|(?<=\n)(?!\Z))" if multiline else r"\A"
        if character == "$":
            return r"(?=\n|\Z)" if multiline else r"\Z"
        return character if character in "|)" else re.escape(character)

    def _group(self) -> str:
        if self._peek() != "?":
            return "("
        if self._peek(2) == "?:":
            self.position += 2
            return "(?:"
        raise _Invalid

    def _quantifier(self, character: str) -> str:
        if character == "{":
            end = self.text.find("}", self.position)
            body = self.text[self.position : end]
            if end < 0 or not re.fullmatch(r"\d+(,\d*)?", body, re.ASCII):
                raise _Invalid
            character = "{" + body + "}"
            self.position = end + 1
        if self._peek() == "?":
            self.position += 1
            return character + "?"
        return character

    def _escape(self) -> str:
        character = self._next()
        if character is None:
            raise _Invalid
        if character in "123456789":
            return f"(?:\\{character})"
        single = _single(character)
        return single if single is not None else f"[{self._ranges(character)}]"

    def _ranges(self, character: str) -> str:
        """The inside of a character class that a multi-character escape stands for."""
        if character in "sS":
            return _SPACE if character == "s" else _NOT_SPACE
        if character in "dD":
            return _category_ranges("Nd", character == "D")
        if character in "wW":
            return _category_ranges("PZC", character == "w")
        if character in "pP":
            match = re.compile(r"\{([A-Z][a-z]?)\}").match(self.text, self.position)
            if match is None:
                raise Unsupported("Unicode blocks in regular expressions")
            self.position = match.end()
            return _category_ranges(match[1], character == "P")
        if character in "iIcC":
            raise Unsupported(f"\\{character} in regular expressions")
        raise _Invalid

    def _character_class(self) -> str:
        """The rest of ``[...]``; a subtraction becomes a look-ahead."""
        negated = self._peek() == "^"
        if negated:
            self.position += 1
        body: list[str] = []
        while True:
            character = self._next()
            if character is None or character == "[":
                raise _Invalid
            if character == "]":
                if not body:
                    raise _Invalid
                return f"[{'^' if negated else ''}{''.join(body)}]"
            if character == "-" and self._peek() == "[" and body:
                self.position += 1
                subtracted = self._character_class()
                if self._next() != "]":
                    raise _Invalid
                return f"(?:(?!{subtracted})[{'^' if negated else ''}{''.join(body)}])"
            body.append(self._member(character))

    def _member(self, character: str) -> str:
        """One character, escape or range of a character class."""
        if character == "\\":
            escaped = self._next()
            if escaped is None:
                raise _Invalid
            single = _single(escaped)
            if single is None:
                return self._ranges(escaped)
            start = single
        else:
            start = re.escape(character)
        if self._peek() != "-" or self._peek(2) in ("-]", "-["):
            return start
        self.position += 1
        end = self._next()
        if end is None or end in "[]":
            raise _Invalid
        if end == "\\":
            escaped = self._next()
            single = None if escaped is None else _single(escaped)
            if single is None:
                raise _Invalid
            return f"{start}-{single}"
        return f"{start}-{re.escape(end)}"


def _single(character: str) -> str | None:
    """The escape of a single character, None where it is no such escape."""
    if character in _SINGLE:
        return _SINGLE[character]
    return re.escape(character) if character in _LITERAL else None


@cache
def _category_ranges(category: str, complement: bool) -> str:
    """The characters of a Unicode category, or of several of one letter, as class ranges."""
    several = len(category) > 2
    ranges: list[str] = []
    start = -1
    for code in range(sys.maxunicode + 2):
        inside = False
        if code <= sys.maxunicode:
            name = unicodedata.category(chr(code))
            inside = (name[0] in category if several else name.startswith(category)) != complement
        if inside and start < 0:
            start = code
        elif not inside and start >= 0:
            ranges.append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start = -1
    return "".join(ranges)
