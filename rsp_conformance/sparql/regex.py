"""Regular expressions of XPath, translated to Python's (F&O 5.6; XSD 1.1 part 2, appendix G)."""

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
"""What the editions differ on in some texts."""
_FLAG_Q = "q"
_UNCAPTURED = "(?:"
_QUANTIFIED_ANCHOR = "^*"
_SPACE_IN_CLASS = "[ ]"
_ALWAYS_OPEN = frozenset((_FLAG_Q, _UNCAPTURED, _QUANTIFIED_ANCHOR, _SPACE_IN_CLASS))
"""What they differ on in all."""
_NAME = "group"
_WHITE = " \t\n\r"
_SPACE = " \\t\\n\\r"
_NOT_SPACE = "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f!-\U0010ffff"


class _Invalid(Exception):
    """The text is no regular expression of XPath."""


def compile_pattern(text: str, flags: str, subject: str) -> RegexPattern | None:
    """The pattern TEXT under FLAGS (``smixq``), None where either is an error in XPath.

    That the editions of XPath differ on it, when it is matched with SUBJECT, is taken down.
    """
    compiled, met = _compiled(text, flags)
    if _is_open(met, flags, subject):
        leave_open(REGEX_EDITION)
    return compiled


def _is_open(met: frozenset[str], flags: str, subject: str) -> bool:
    r"""Whether the editions differ on SUBJECT and a pattern under FLAGS that has what was MET.

    The dot matches ``\r`` in F&O 7.6.1 and does not in XML Schema and F&O 3.1. Under the flag ``m``
    7.6.1 and 7.6.1.1 contradict each other on what follows a newline at the end.
    """
    return (
        not met.isdisjoint(_ALWAYS_OPEN)
        or ("." in met and "s" not in flags and "\r" in subject)
        or (not met.isdisjoint(_ANCHORS) and "m" in flags and subject.endswith("\n"))
    )


@lru_cache(maxsize=4096)
def _compiled(text: str, flags: str) -> tuple[RegexPattern | None, frozenset[str]]:
    """The pattern, and what was met in it that the editions may differ on."""
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
    r"""What REPLACE puts in place of a match; None where TEXT is an error.

    ``$N`` is a group (of GROUPS; the longest number that is one), ``\\$`` and ``\\\\`` stand for
    themselves. LITERAL takes the text as it is.
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
    """TEXT without white space, after a backslash too; but classes keep theirs."""
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
    """The pattern TEXT in Python's syntax; what is MET is added."""
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
                # A group that took no part stands for the empty text.
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
    """The first of DIGITS, and as many more as make the number of one of GROUPS."""
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
    """The rest of ``[...]``, and where it ends; a subtraction becomes a look-ahead."""
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
    r"""The class of the characters in BODY and KEPT, or of all others.

    Under the flag ``i`` (BLIND) characters and ranges have both cases, and what escapes such as
    ``\\p{Lu}`` stand for, KEPT, has its own alone (F&O 5.6.1.1).
    """
    if not blind or not kept:
        return f"{opened}{body}{kept}]"
    either = f"(?-i:[{kept}])" + (f"|[{body}]" if body else "")
    return f"(?:(?!{either})[\\s\\S])" if opened == "[^" else f"(?:{either})"


def _wrong(text: str, position: int) -> Exception:
    """What to raise for what is no token at POSITION of TEXT."""
    escape = text[position : position + 2]
    if escape in ("\\p", "\\P"):
        return Unsupported("Unicode blocks in regular expressions")
    if escape in ("\\i", "\\I", "\\c", "\\C"):
        return Unsupported(f"{escape} in regular expressions")
    return _Invalid()


def _single(written: str) -> str:
    """One character, or its escape, as Python writes it."""
    return written if written in ("\\n", "\\r", "\\t") else re.escape(written[-1])


def _ranges(escape: str) -> str:
    """The inside of a character class that an escape for several characters stands for."""
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
    """The characters of a Unicode category, or of several of one letter, as class ranges."""
    several = len(category) > 2

    def inside(code: int) -> bool:
        name = unicodedata.category(chr(code))
        return (name[0] in category if several else name.startswith(category)) != complement

    ranges = [[*run] for wanted, run in groupby(range(sys.maxunicode + 1), inside) if wanted]
    return "".join(f"\\U{run[0]:08x}-\\U{run[-1]:08x}" for run in ranges)
