"""Where prose uses a retired word.

The vocabulary has one word for each thing (docs/concepts.md#glossary), and a word that once named
the same thing under another name, or two things, is retired: ``retired.toml`` has them as patterns.
Prose is what a person reads: a page without its code, a comment, a docstring, and a text of
several words in Python, which is a message. Names of options, files and JSON keys are code, so
they keep their spelling.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rsp_conformance.model.tables import read_table

_TABLE: Final = read_table(__name__, "retired.toml")
PLACES: Final = tuple(_TABLE["places"])
"""Files and folders, from the project's root, in which the words are looked for, ..."""
LATER: Final = tuple(_TABLE["later"])
"""... except in these."""

_FENCE = re.compile(r"^\s*(```|~~~)")
_CODE = re.compile(r"``.*?``|`[^`]*`|\]\([^)]*\)|<https?:[^>]*>")
_BLANK_BETWEEN = re.compile(r"[a-z]{2,} [a-z]{2,}")
"""A text of several words: a message, not a key."""


@dataclass(frozen=True, slots=True)
class Retired:
    """A retired word.

    Attributes:
        pattern: what finds it.
        instead: what to write.
        why: what is wrong with it.
        unless: a pattern for lines in which it is right, such as a paper's own term.
        exempt: files in which it is right.
    """

    pattern: re.Pattern[str]
    instead: str
    why: str = ""
    unless: re.Pattern[str] | None = None
    exempt: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A retired word in a line of prose."""

    path: Path
    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        """As a compiler says it."""
        return f"{self.path}:{self.line}: {self.text!r}: write {self.instead}"


def retired_words() -> tuple[Retired, ...]:
    """The table, in its order."""
    return tuple(
        Retired(
            re.compile(row["pattern"], re.IGNORECASE),
            row["instead"],
            row.get("why", ""),
            re.compile(row["unless"]) if "unless" in row else None,
            tuple(row.get("exempt", ())),
        )
        for row in _TABLE["retired"]
    )


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of prose in a file, with their numbers."""
    text = path.read_text("utf-8")
    return python_prose(text) if path.suffix == ".py" else page_prose(text)


def page_prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a page in Markdown, without blocks of code and without what is code in them."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            yield number, _CODE.sub(" ", line)


def python_prose(text: str) -> Iterator[tuple[int, str]]:
    """Comments, docstrings and texts of several words in a module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], _CODE.sub(" ", token.string)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if not _BLANK_BETWEEN.search(node.value):
                continue
            for offset, line in enumerate(node.value.splitlines()):
                yield node.lineno + offset, _CODE.sub(" ", line)


def found_in(
    root: Path, places: Iterable[str] = PLACES, later: Iterable[str] = LATER
) -> Iterator[Found]:
    """The retired words in prose, file by file.

    Args:
        root: the folder of the project.
        places: files and folders in it.
        later: files and folders in these that are left out.
    """
    words = retired_words()
    left_out = tuple(later)
    for place in places:
        for path in sorted(_files(root / place)):
            shown = path.relative_to(root)
            if any(shown.is_relative_to(own) for own in left_out):
                continue
            for number, line in prose_of(path):
                for word in words:
                    if str(shown) in word.exempt or (word.unless and word.unless.search(line)):
                        continue
                    for match in word.pattern.finditer(line):
                        yield Found(shown, number, match[0], word.instead)


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    else:
        for suffix in ("*.py", "*.md"):
            yield from (p for p in place.rglob(suffix) if "node_modules" not in p.parts)
