"""Links of pages have the right form; the site's build says which lead nowhere (test_site.py)."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.docs.markdown import ROOT, links, pages, plain_text

each_page = pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))

HOST = re.compile(r"([a-z0-9-]+\.)+[a-z]{2,}")
MENTION = re.compile(r"\b(?:docs|fixtures|tests)/[\w/.-]*\.md\b|(?<![/\w])[A-Z]{4,}\.md\b")
"""A page that running text, code or a comment names by its path."""
MOVED = re.compile(r"^ +(docs/[\w-]+\.md): \S+\.md(?:#\S+)?$", re.MULTILINE)
"""A page that the site leads on from, in its configuration."""


def complaint(target: str) -> str | None:
    """What is wrong with a link to TARGET, if it is an address; None where it is in order."""
    address = urlsplit(target)
    if not address.scheme:
        return f"{target}: an address begins with https" if address.netloc else None
    if address.scheme != "https":
        return f"{target}: an address begins with https"
    good = HOST.fullmatch(address.netloc) and not re.search(r"\s", target)
    return None if good else f"{target}: no address"


def complaints(text: str) -> list[str]:
    """All that is wrong with the form of the links of TEXT."""
    found = [(link.line, complaint(link.target)) for link in links(text)]
    said = [f"line {line}: {what}" for line, what in found if what]
    if "](" in plain_text(text) or re.search(r"\]\[\w*\]", plain_text(text)):
        said.append("a link is not closed, or its reference is not defined")
    return said


@each_page
def test_links_are_well_formed(page: Path) -> None:
    assert complaints(page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "[not encrypted](http://www.w3.org/TR/)",
        "[no scheme](//www.w3.org/TR/)",
        "[no host](https://somewhere)",
        "[no address](https://a b.org)",
        "[never closed](dials.md",
        "[no reference][nowhere]",
    ],
)
def test_what_is_malformed_is_noticed_outside_of_code(text: str) -> None:
    assert complaints(text)
    assert complaints(f"`{text}`\n\n```\n{text}\n```\n") == []


@pytest.mark.parametrize("folder", ["rsp_conformance", "tests", "docs", "."])
def test_pages_that_text_and_code_name_are_there(folder: str) -> None:
    moved = set(MOVED.findall((ROOT / "mkdocs.yml").read_text("utf-8")))
    sources = (ROOT / folder).glob("*.*") if folder == "." else (ROOT / folder).rglob("*.*")
    missing = {
        f"{source.relative_to(ROOT)}: {name}"
        for source in sources
        if source.suffix in (".py", ".md", ".toml", ".yml", ".lark", ".json")
        if "node_modules" not in source.parts
        for name in MENTION.findall(source.read_text("utf-8"))
        if not (ROOT / name).exists() and not (source.parent / name).exists()
        if source.name != "mkdocs.yml" or name not in moved
    }
    assert missing == set()
