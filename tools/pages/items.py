"""Reads from a page the blocks that take part, and the comments that say what each of them is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ALONE = ("copy", "files")
"""Comments of one line that are about no block."""
KINDS = ("file", "edit", "run", "output", "part", *ALONE)
"""What an item may be: each has exactly one of these comments."""
OPTIONS = ("quiet", "skip", "varies")
"""Comments that may accompany that of a kind."""

ROOT = Path(__file__).parents[2]

_READER = MarkdownIt("commonmark")


class PageError(Exception):
    """A page that cannot be written; the message names the page and the line."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that is meant for this command: its name, and what follows the colon."""

    name: str
    argument: str


@dataclass(frozen=True, slots=True)
class Item:
    """A block of a page with its comments, or a comment alone.

    Attributes:
        page: the file.
        line: the first line of its text, from 1.
        comments: those above it.
        language: the block's language; ``console`` if a comment contains the text.
        text: the content of the block or of the comment.
        shown: whether readers see the text.
        indent: the blanks before each line, in a list.
    """

    page: Path
    line: int
    comments: tuple[Comment, ...]
    language: str
    text: str
    shown: bool
    indent: str = ""

    @property
    def kind(self) -> Comment:
        """The comment that says what the item is.

        Raises:
            PageError: there are several such comments, or none, or the comment is unknown.
        """
        kinds = [comment for comment in self.comments if comment.name not in OPTIONS]
        if len(kinds) != 1 or kinds[0].name not in KINDS:
            found = ", ".join(comment.name for comment in kinds)
            raise self.error(f"expected one comment of {', '.join(KINDS)}, found {found or 'none'}")
        return kinds[0]

    def options(self, name: str) -> list[str]:
        """The arguments of all comments with a NAME of `OPTIONS`."""
        return [comment.argument for comment in self.comments if comment.name == name]

    def error(self, message: str, line: int | None = None) -> PageError:
        """An error that names the page and a line of it, the item's first by default."""
        return _error(self.page, self.line if line is None else line, message)


def items(page: Path) -> Iterator[Item]:
    """Read the items of a page, in order.

    Raises:
        PageError: a known comment has no block below it.
    """
    text = page.read_text("utf-8")
    lines = text.splitlines()
    above: list[Comment] = []
    below = 0
    for token in _READER.parse(text):
        if token.map is None or token.type not in ("html_block", "fence"):
            continue
        start, stop = token.map
        if start != below:
            _none_left(above, page, below)
            above = []
        below = stop
        if token.type == "fence":
            if above:
                indent = lines[start][: -len(lines[start].lstrip())]
                language = token.info.strip()
                yield Item(page, start + 2, (*above,), language, token.content, True, indent)
            above = []
        elif found := _comment(token):
            comment, body = found
            if comment.name in KINDS and (body is not None or comment.name in ALONE):
                yield Item(page, start + 2, (*above, comment), "console", body or "", False)
                above = []
            else:
                above.append(comment)
    _none_left(above, page, below)


def _none_left(above: list[Comment], page: Path, line: int) -> None:
    if any(comment.name in (*KINDS, *OPTIONS) for comment in above):
        raise _error(page, line, "expected a block of code right below the comment")


def _error(page: Path, line: int, message: str) -> PageError:
    shown = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
    return PageError(f"{shown}:{line}: {message}")


def _comment(token: Token) -> tuple[Comment, str | None] | None:
    """The comment that a token is, and the text below its first line if there is any."""
    content = token.content.strip()
    if not (content.startswith("<!--") and content.endswith("-->")):
        return None
    head, newline, body = content[4:-3].partition("\n")
    name, _, argument = head.partition(":")
    return Comment(name.strip(), argument.strip()), body if newline else None
