"""Regular expressions of XPath, written as Rust's, which pyoxigraph has (F&O 5.6).

The two differ in what an escape means, in what may be written at all, in what ``$1`` stands for in
a replacement, and in that XPath replaces no match of nothing. So a pattern is read by XSD's grammar
(XSD 1.1 part 2, appendix G) and written out; what Rust has no words for is refused by name, and so
is a case of letters that Unicode does not map one to one, as of İ and ß, on which engines differ.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import pyoxigraph as ox

from rsp_conformance.model.errors import Unsupported

_ESCAPED = frozenset("\\|.-^?*+{}()[]$")
_SPACES = " \t\n\r"
_NO_SPACES = dict.fromkeys(map(ord, _SPACES))
_SPACE_IN_CLASS = re.compile(rf"\[(?:[^\[\]]|\[[^\[\]]*\])*[{_SPACES}]")
_SEVERAL = {
    "s": r"[ \t\n\r]",
    "S": r"[^ \t\n\r]",
    "d": r"\p{Nd}",
    "D": r"\P{Nd}",
    "w": r"[^\p{P}\p{Z}\p{C}]",
    "W": r"[\p{P}\p{Z}\p{C}]",
}
_CATEGORIES = frozenset(
    "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po Z Zs Zl Zp S Sm Sc Sk So "
    "C Cc Cf Co Cn".split()
)
_QUANTIFIER = re.compile(r"(?:[?*+]|\{([0-9]+)(?:,([0-9]*))?\})\??")
_LINE_ENDS = (r"\A", r"\z", "(?m:^)", "(?m:$)")
_LONGEST = 200
"""The greatest number of repetitions in a pattern. Rust refuses to compile a pattern of more than
some megabytes, which longer repetitions can reach."""


class Translated(NamedTuple):
    """A pattern of Rust's, and what its text must not hold lest the two differ."""

    text: str
    groups: int
    ignores_case: bool = False
    has_dot: bool = False
    has_line_ends: bool = False

    def check(self, subject: str) -> None:
        """Check that engines agree about the answer on a text.

        Raises:
            Unsupported: it differs from engine to engine.
        """
        if self.ignores_case and not all(map(_is_regular, subject)):
            raise Unsupported("the case of letters like İ and ß in regular expressions")
        if self.has_dot and "\r" in subject:
            raise Unsupported("a carriage return where a regular expression has a dot")
        if self.has_line_ends and subject.endswith("\n"):
            raise Unsupported("^ or $ under the flag m, of a text that ends a line")


class _Invalid(Exception):
    """The text is no regular expression."""


@lru_cache(maxsize=1024)
def matches(subject: str, pattern: str, flags: str) -> bool | None:
    """REGEX (fn:matches); None is an error.

    Args:
        subject: the text that is searched.
        pattern: the regular expression.
        flags: the flags: letters of ``smixq``; any other is an error.

    Raises:
        Unsupported: the answer differs from engine to engine.
    """
    translated = translate(pattern, flags)
    if translated is None:
        return None
    translated.check(subject)
    found = _asked(f"REGEX({ox.Literal(subject)}, {ox.Literal(translated.text)})")
    return None if found is None else found == "true"


@lru_cache(maxsize=1024)
def replaced(subject: str, pattern: str, replacement: str, flags: str) -> str | None:
    """REPLACE (fn:replace); None is an error, as for a pattern that matches the empty text.

    Args:
        subject: the text in which matches are replaced.
        pattern: the regular expression.
        replacement: the text for each match, with ``$1`` for a group.
        flags: the flags: letters of ``smixq``; any other is an error.

    Raises:
        Unsupported: the answer differs from engine to engine.
    """
    translated = translate(pattern, flags)
    if translated is None or matches("", pattern, flags) is not False:
        return None
    instead = replacement.replace("$", "$$") if "q" in flags else _instead(replacement, translated)
    if instead is None:
        return None
    translated.check(subject)
    terms = ", ".join(map(str, map(ox.Literal, (subject, translated.text, instead))))
    return _asked(f"REPLACE({terms})")


def _asked(expression: str) -> str | None:
    """Return the library's value of `expression`."""
    results = ox.Store().query(f"SELECT ({expression} AS ?value) {{}}")
    assert isinstance(results, ox.QuerySolutions)
    (solution,) = results
    found = solution[0]
    return found.value if isinstance(found, ox.Literal) else None


@lru_cache(maxsize=1024)
def translate(pattern: str, flags: str) -> Translated | None:
    """Translate a regular expression into the syntax of Rust; None if it or a flag is an error.

    Raises:
        Unsupported: engines or Rust read the expression differently.
    """
    if not set(flags) <= set("smixq"):
        return None
    ignores_case = "i" in flags
    if ignores_case and not all(map(_is_regular, pattern)):
        raise Unsupported("the case of letters like İ and ß in regular expressions")
    start = "(?i)" if ignores_case else ""
    if "q" in flags:
        return Translated(start + "".join(map(_literal, pattern)), 0, ignores_case)
    reader = _Reader(pattern, flags)
    try:
        text = reader.read()
    except _Invalid:
        return None
    return Translated(
        start + text, reader.groups, ignores_case, reader.has_dot, reader.has_line_ends
    )


class _Reader:
    """Reads a pattern from its start to its end."""

    def __init__(self, text: str, flags: str) -> None:
        self.groups = 0
        self.has_dot = self.has_line_ends = False
        self._text, self._flags = _unspaced(text) if "x" in flags else text, flags
        self._at = 0
        self._open = 0

    def read(self) -> str:
        """Return the pattern, written as Rust's.

        Raises:
            Unsupported: a part of the pattern has no equivalent in Rust.
            _Invalid: it is no regular expression.
        """
        out: list[str] = []
        quantifiable = False
        while self._at < len(self._text):
            if quantifier := _QUANTIFIER.match(self._text, self._at):
                if out and out[-1] in _LINE_ENDS:
                    raise Unsupported("a quantifier after ^ or $ in regular expressions")
                out.append(self._quantifier(quantifier, quantifiable))
                quantifiable = False
            else:
                written = self._atom()
                out.append(written)
                quantifiable = written not in ("(", "(?:", "|", *_LINE_ENDS)
        if self._open:
            raise _Invalid
        return "".join(out)

    def _quantifier(self, found: re.Match[str], quantifiable: bool) -> str:
        if not quantifiable:
            raise _Invalid
        if any(int(count) > _LONGEST for count in found.groups() if count):
            raise Unsupported(f"more than {_LONGEST} repetitions in regular expressions")
        self._at = found.end()
        return found[0]

    def _atom(self) -> str:
        character = self._text[self._at]
        self._at += 1
        match character:
            case "[":
                return self._class()
            case "\\":
                return self._escape()
            case "(":
                self._open += 1
                if self._text.startswith("?:", self._at):
                    self._at += 2
                    return "(?:"
                self.groups += 1
                return "("
            case ")":
                self._open -= 1
                if self._open < 0:
                    raise _Invalid
                return ")"
            case "|":
                return "|"
            case ".":
                self.has_dot |= "s" not in self._flags
                return "(?s:.)" if "s" in self._flags else "."
            case "^":
                self.has_line_ends |= "m" in self._flags
                return "(?m:^)" if "m" in self._flags else r"\A"
            case "$":
                self.has_line_ends |= "m" in self._flags
                return "(?m:$)" if "m" in self._flags else r"\z"
        if character in "?*+{}]":
            raise _Invalid
        return _literal(character)

    def _escape(self) -> str:
        """Return the text behind a backslash: a character, or a class of characters."""
        escape = self._text[self._at : self._at + 1]
        self._at += 1
        if escape in _ESCAPED:
            return _literal(escape)
        if escape in ("n", "r", "t"):
            return "\\" + escape
        if escape in _SEVERAL:
            return _SEVERAL[escape]
        if escape in ("p", "P"):
            return self._category(escape)
        if escape in ("i", "I", "c", "C"):
            raise Unsupported(f"\\{escape} in regular expressions")
        if escape.isdecimal():
            raise Unsupported("back-references in regular expressions")
        raise _Invalid

    def _category(self, escape: str) -> str:
        name = re.compile(r"\{([A-Za-z0-9-]+)\}").match(self._text, self._at)
        if name is None:
            raise _Invalid
        if name[1] not in _CATEGORIES:
            raise Unsupported("Unicode blocks in regular expressions")
        if "i" in self._flags:
            raise Unsupported("Unicode categories under the flag i of regular expressions")
        self._at = name.end()
        return f"\\{escape}{{{name[1]}}}"

    def _class(self) -> str:
        """Return the rest of ``[...]``."""
        negated = self._text.startswith("^", self._at)
        self._at += negated
        members: list[str] = []
        subtracted = ""
        while not self._text.startswith("]", self._at):
            if members and self._text.startswith("-[", self._at):
                self._at += 2
                subtracted = f"--{self._class()}"
                if not self._text.startswith("]", self._at):
                    raise _Invalid
            else:
                members.append(self._member())
        self._at += 1
        if not members:
            raise _Invalid
        whole = f"[{'^' if negated else ''}{''.join(members)}]"
        return f"[{whole}{subtracted}]" if subtracted else whole

    def _member(self) -> str:
        """Return a character, an escape or a range."""
        first, is_several = self._bound()
        follows = self._text[self._at + 1 : self._at + 2]
        if is_several or not self._text.startswith("-", self._at) or follows in ("", "[", "]"):
            return first
        self._at += 1
        last, is_several = self._bound()
        if is_several:
            raise _Invalid
        return f"{first}-{last}"

    def _bound(self) -> tuple[str, bool]:
        character = self._text[self._at : self._at + 1]
        if character in ("", "[", "]"):
            raise _Invalid
        self._at += 1
        if character != "\\":
            return _literal(character), False
        escape = self._text[self._at : self._at + 1]
        return self._escape(), escape not in _ESCAPED and escape not in ("n", "r", "t")


def _unspaced(pattern: str) -> str:
    """`pattern` as the flag ``x`` has it read, without space wherever it stands."""
    unescaped = re.sub(rf"\\([{_SPACES}]*)[^{_SPACES}]", r"\1", pattern)
    if _SPACE_IN_CLASS.search(unescaped):
        raise Unsupported("space in a class under the flag x of regular expressions")
    return pattern.translate(_NO_SPACES)


def _literal(character: str) -> str:
    """`character` as Rust reads it, within a class and without."""
    is_mark = character.isascii() and character.isprintable() and not character.isalnum()
    return f"\\{character}" if is_mark and character not in " \"<>'" else character


@lru_cache(maxsize=4096)
def _is_regular(character: str) -> bool:
    """Return whether a character has no case, or exactly one other character as its case."""
    lower, upper = character.lower(), character.upper()
    if lower == upper == character:
        return True
    one_each = len(lower) == len(upper) == 1 and character in (lower, upper)
    return one_each and lower.upper() == upper and upper.lower() == lower


def _instead(replacement: str, pattern: Translated) -> str | None:
    r"""`replacement` in Rust's words: ``$N`` is a group, ``\$`` and ``\\`` are themselves.

    Of the digits after ``$`` as many are the number as make one of a group; a first digit that
    makes none stands for nothing.
    """
    out: list[str] = []
    at = 0
    while at < len(replacement):
        character = replacement[at]
        following = replacement[at + 1 : at + 2]
        if character == "\\":
            if following not in ("\\", "$"):
                return None
            out.append("$$" if following == "$" else "\\")
            at += 2
        elif character == "$":
            digits = re.compile("[0-9]+").match(replacement, at + 1)
            if digits is None:
                return None
            number = digits[0]
            while len(number) > 1 and int(number) > pattern.groups:
                number = number[:-1]
            out.append(f"${{{number}}}" if int(number) <= pattern.groups else "")
            at += 1 + len(number)
        else:
            out.append(character)
            at += 1
    return "".join(out)
