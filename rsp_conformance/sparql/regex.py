"""Translate regular expressions of XPath to Python's (F&O 5.6; XSD 1.1 part 2, appendix G).

A pattern is read token by token, and each token is written in Python's syntax. A text that XPath
does not allow is an error. XPath's editions differ on some patterns; such a pattern is translated
by one edition, and the point is left open.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import groupby
from typing import TypeAlias

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.sparql.open_points import REGEX_EDITION
from rsp_conformance.sparql.readings import leave_open

RegexPattern: TypeAlias = re.Pattern[str]

_FLAGS = frozenset("smixq")
_CHARACTER_ESCAPE = r"\\[nrt\\|.\-^?*+{}()\[\]$]"
_SEVERAL = r"\\[sSdDwW]|\\[pP]\{[A-Z][a-z]?\}"
_TOKEN = re.compile(
    rf"(?P<single>{_CHARACTER_ESCAPE})|(?P<several>{_SEVERAL})|(?P<class>\[\^?)"
    r"|(?P<group>\((?:\?:)?)|(?P<reference>\\[1-9]\d*)"
    r"|(?P<quantifier>(?:[?*+]|\{\d+(?:,\d*)?\})\??)|(?P<other>.)",
    re.ASCII | re.DOTALL,
)
_MEMBER = re.compile(
    rf"(?P<several>{_SEVERAL})|(?P<first>{_CHARACTER_ESCAPE}|[^\\\[\]])"
    rf"(?:-(?P<last>{_CHARACTER_ESCAPE}|[^\[\]]))?",
    re.DOTALL,
)
"""A character, an escape or a range in a class; a backslash alone as ``last`` is an error."""
_ANCHORS = frozenset("^$")
_NOT_QUANTIFIABLE = frozenset(("(", "(?:", "|")) | _ANCHORS
_BY_SUBJECT = frozenset(".") | _ANCHORS
"""Tokens on which the editions differ for some subjects."""
_FLAG_Q = "q"
_UNCAPTURED = "(?:"
_QUANTIFIED_ANCHOR = "^*"
_SPACE_IN_CLASS = "[ ]"
_ALWAYS_OPEN = frozenset((_FLAG_Q, _UNCAPTURED, _QUANTIFIED_ANCHOR, _SPACE_IN_CLASS))
"""Features on which the editions differ for every subject."""
_NAME = "group"
"""Group N of XPath is the group ``groupN`` of the Python pattern."""
_WHITE = " \t\n\r"
_SPACE = " \\t\\n\\r"
_NOT_SPACE = "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f!-\U0010ffff"


class _Invalid(Exception):
    """The text is not a regular expression of XPath."""


def compile_pattern(text: str, flags: str, subject: str) -> RegexPattern | None:
    """Compile a regular expression of XPath.

    If the editions of XPath differ on it for this subject, this is recorded as open.

    Args:
        text: The regular expression.
        flags: Letters of ``smixq``.
        subject: The text that it will be matched with.

    Returns:
        The pattern; None if XPath does not allow the expression or the flags.

    Raises:
        Unsupported: The expression uses Unicode blocks or the escapes for XML names.
    """
    compiled, met = _compiled(text, flags)
    if _is_open(met, flags, subject):
        leave_open(REGEX_EDITION)
    return compiled


def _is_open(met: frozenset[str], flags: str, subject: str) -> bool:
    r"""Whether the editions differ on a subject and a pattern with the features that were met.

    The dot matches ``\r`` in F&O 7.6.1, but not in XML Schema and F&O 3.1. Under the flag ``m``
    7.6.1 and 7.6.1.1 contradict each other on the position after a newline at the end.
    """
    return (
        not met.isdisjoint(_ALWAYS_OPEN)
        or ("." in met and "s" not in flags and "\r" in subject)
        or (not met.isdisjoint(_ANCHORS) and "m" in flags and subject.endswith("\n"))
    )


@lru_cache(maxsize=4096)
def _compiled(text: str, flags: str) -> tuple[RegexPattern | None, frozenset[str]]:
    """The pattern, and the features met in it on which the editions may differ."""
    if not set(flags) <= _FLAGS:
        return None, frozenset()
    options = re.IGNORECASE if "i" in flags else 0
    if "q" in flags:
        return re.compile(re.escape(text), options), frozenset((_FLAG_Q,))
    met: set[str] = set()
    try:
        if "x" in flags:
            text = _without_space(text, met)
        return re.compile(_translation(text, flags, met), options), frozenset(met)
    except (_Invalid, re.error):
        return None, frozenset(met)


def compile_replacement(
    text: str, groups: int, *, literal: bool = False
) -> Callable[[re.Match[str]], str] | None:
    r"""Compile the replacement of REPLACE to a function from a match to its text.

    ``$N`` is a group: the longest number that is not above `groups`; a group that the pattern does
    not have is empty. ``\\$`` and ``\\\\`` are a dollar and a backslash.

    Args:
        text: The replacement.
        groups: The number of groups of the pattern.
        literal: Take the text as it is (flag ``q``).

    Returns:
        The function; None if XPath does not allow the replacement.
    """
    if literal:
        return lambda match: text
    parts: list[str | int] = []
    position = 0
    while token := re.compile(r"\\[\\$]|\$[0-9]+|[^\\$]", re.DOTALL).match(text, position):
        position = token.end()
        number = token[0][1:]
        if not number.isdecimal():
            parts.append(token[0][-1])
            continue
        while len(number) > 1 and int(number) > groups:
            number = number[:-1]
            position -= 1
        parts.append(int(number) if int(number) <= groups else "")
    if position < len(text):
        return None
    return lambda match: "".join(
        part if isinstance(part, str) else match[part] or "" for part in parts
    )


def _without_space(text: str, met: set[str]) -> str:
    """The pattern without white space, also after a backslash; character classes keep theirs."""
    kept: list[str] = []
    depth, is_escaped = 0, False
    for character in text:
        if character in _WHITE:
            if not depth:
                continue
            met.add(_SPACE_IN_CLASS)
        elif not is_escaped:
            depth += (character == "[") - (character == "]" and depth > 0)
        is_escaped = character == "\\" and not is_escaped
        kept.append(character)
    return "".join(kept)


def _translation(text: str, flags: str, met: set[str]) -> str:
    """The pattern in Python's syntax; features on which editions may differ are added to `met`."""
    meanings, blind = _meanings(flags), "i" in flags
    out: list[str] = []
    before = "("
    quantifiable = False
    groups = position = 0
    while token := _TOKEN.match(text, position):
        position = token.end()
        written = token[0]
        match token.lastgroup:
            case "class":
                characters, position = _character_class(text, position, written, blind=blind)
                out.append(characters)
            case "single":
                out.append(_single(written))
            case "several":
                out.append(_class("[", "", _ranges(written), blind=blind))
            case "group" if written == "(":
                groups += 1
                out.append(f"(?P<{_NAME}{groups}>")
            case "group":
                met.add(_UNCAPTURED)
                out.append(written)
            case "reference":
                number = _number_of_group(written[1:], groups)
                position = token.start() + 1 + len(number)
                name = _NAME + number
                # A group that did not take part in the match counts as the empty text.
                out.append(f"(?({name})(?P={name}))")
            case "quantifier" if quantifiable:
                out.append(written)
            case "other" if written not in "?*+{}[]\\":
                if written in _BY_SUBJECT:
                    met.add(written)
                out.append(meanings.get(written) or re.escape(written))
            case kind:
                if kind == "quantifier" and before in _ANCHORS:
                    met.add(_QUANTIFIED_ANCHOR)
                raise _wrong(text, token.start())
        quantifiable = token.lastgroup != "quantifier" and written not in _NOT_QUANTIFIABLE
        before = written
    return "".join(out)


def _number_of_group(digits: str, groups: int) -> str:
    """The number of a group: the first digit, and further digits while it is not above `groups`."""
    number = digits[0]
    for digit in digits[1:]:
        if int(number + digit) > groups:
            break
        number += digit
    return number


def _meanings(flags: str) -> dict[str, str]:
    multiline = "m" in flags
    return {
        "|": "|",
        ")": ")",
        ".": r"[\s\S]" if "s" in flags else r"[^\n\r]",
        "^": r"(?:\A|(?<=\n)(?!\Z))" if multiline else r"\A",
        "$": r"(?=\n|\Z)" if multiline else r"\Z",
    }


def _character_class(text: str, position: int, opened: str, *, blind: bool) -> tuple[str, int]:
    """The rest of ``[...]`` and its end position; a subtraction becomes a look-ahead."""
    body, kept = "", ""
    while not text.startswith("]", position):
        if (body or kept) and text.startswith("-[", position):
            opening = "[^" if text.startswith("[^", position + 1) else "["
            start = position + 1 + len(opening)
            subtracted, position = _character_class(text, start, opening, blind=blind)
            if not text.startswith("]", position):
                raise _Invalid
            whole = _class(opened, body, kept, blind=blind)
            return f"(?:(?!{subtracted}){whole})", position + 1
        member = _MEMBER.match(text, position)
        if member is None or member["last"] == "\\":
            raise _wrong(text, position)
        position = member.end()
        if member["several"]:
            kept += _ranges(member["several"])
        else:
            last = member["last"]
            body += _single(member["first"]) + (f"-{_single(last)}" if last else "")
    if not body and not kept:
        raise _Invalid
    return _class(opened, body, kept, blind=blind), position + 1


def _class(opened: str, body: str, kept: str, *, blind: bool) -> str:
    r"""The class of the characters in `body` and `kept`, or of all others.

    Under the flag ``i`` (`blind`) characters and ranges (`body`) match both cases. The characters
    of escapes such as ``\\p{Lu}`` (`kept`) match only their own case (F&O 5.6.1.1).
    """
    if not blind or not kept:
        return f"{opened}{body}{kept}]"
    either = f"(?-i:[{kept}])" + (f"|[{body}]" if body else "")
    return f"(?:(?!{either})[\\s\\S])" if opened == "[^" else f"(?:{either})"


def _wrong(text: str, position: int) -> Exception:
    """The exception for a text that has no token at a position."""
    escape = text[position : position + 2]
    if escape in ("\\p", "\\P"):
        return Unsupported("Unicode blocks in regular expressions")
    if escape in ("\\i", "\\I", "\\c", "\\C"):
        return Unsupported(f"{escape} in regular expressions")
    return _Invalid()


def _single(written: str) -> str:
    """One character, or its escape, in Python's syntax."""
    return written if written in ("\\n", "\\r", "\\t") else re.escape(written[-1])


def _ranges(escape: str) -> str:
    """The inside of the character class that an escape for several characters denotes."""
    match escape[1]:
        case "s":
            return _SPACE
        case "S":
            return _NOT_SPACE
        case "d" | "D":
            return _category_ranges("Nd", escape[1] == "D")
        case "w" | "W":
            return _category_ranges("PZC", escape[1] == "w")
        case kind:
            return _category_ranges(escape[3:-1], kind == "P")


@cache
def _category_ranges(category: str, complement: bool) -> str:
    """The characters of one Unicode category, or of several with one letter, as class ranges."""
    several = len(category) > 2

    def inside(code: int) -> bool:
        name = unicodedata.category(chr(code))
        return (name[0] in category if several else name.startswith(category)) != complement

    ranges = [[*run] for wanted, run in groupby(range(sys.maxunicode + 1), inside) if wanted]
    return "".join(f"\\U{run[0]:08x}-\\U{run[-1]:08x}" for run in ranges)
