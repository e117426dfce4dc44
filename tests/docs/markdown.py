"""The pages of the repository as readers of Markdown see them: their links, headings and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FOLDERS = ("docs", "rsp_conformance", "tools/bench")

_READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def pages() -> list[Path]:
    """All pages: those at the root, and those in the folders that hold any."""
    found = [*ROOT.glob("*.md")]
    for folder in FOLDERS:
        found += (p for p in (ROOT / folder).rglob("*.md") if "node_modules" not in p.parts)
    return sorted(found)


@dataclass(frozen=True)
class Link:
    """A link or an image of a page: where it leads, and the line of its paragraph."""

    target: str
    line: int


def tokens(text: str) -> Iterator[tuple[Token, int]]:
    """Every token of TEXT, those of paragraphs too, with the line on which its block begins."""
    for block in _READER.parse(text):
        line = block.map[0] + 1 if block.map else 0
        yield block, line
        for token in block.children or ():
            yield token, line


def links(text: str) -> list[Link]:
    """The links and images of TEXT."""
    wanted = {"link_open": "href", "image": "src"}
    return [
        Link(str(token.attrs[wanted[token.type]]), line)
        for token, line in tokens(text)
        if token.type in wanted
    ]


def plain_text(text: str) -> str:
    """The running text of TEXT: no code, no targets of links."""
    return "\n".join(token.content for token, _ in tokens(text) if token.type == "text")


def headings(text: str) -> list[str]:
    """The headings of TEXT as they are read, without their mark-up."""
    parsed = _READER.parse(text)
    return [
        "".join(t.content for t in content.children or () if t.type in ("text", "code_inline"))
        for opening, content in pairwise(parsed)
        if opening.type == "heading_open"
    ]


def tables(text: str) -> list[list[list[str]]]:
    """The tables of TEXT: rows of cells, the head first, each cell as it is written."""
    found: list[list[list[str]]] = []
    for token in _READER.parse(text):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and found and token.level >= 4:
            found[-1][-1].append(token.content)
    return found


def fenced(text: str, language: str = "") -> list[str]:
    """The code blocks of TEXT that are marked with LANGUAGE."""
    return [
        token.content
        for token in _READER.parse(text)
        if token.type == "fence" and token.info.strip() == language
    ]


def section(text: str, heading: str) -> str:
    """The part of TEXT under a HEADING, up to the next one of its rank or above."""
    opening = re.search(rf"^(#+) {re.escape(heading)}$", text, re.MULTILINE)
    assert opening, f"no heading {heading}"
    rest = text[opening.end() :]
    closing = re.search(rf"^#{{1,{len(opening[1])}}} ", rest, re.MULTILINE)
    return rest[: closing.start()] if closing else rest
