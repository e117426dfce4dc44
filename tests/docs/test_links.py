"""Every link of every page leads somewhere: files, headings, and addresses of the right form."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.markdown import ROOT, anchors_of, links, pages, plain_text

each_page = pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))

EXAMPLES = ROOT / "rsp_conformance" / "examples"
HOST = re.compile(r"([a-z0-9-]+\.)+[a-z]{2,}")
MENTION = re.compile(r"\b(?:docs|fixtures|tests)/[\w/.-]*\.md\b|\b[A-Z]{4,}\.md\b")
"""A page that running text, code or a comment names by its path."""


def broken(target: str, page: Path) -> str | None:
    """What is wrong with a link of PAGE to TARGET; None where it is in order."""
    address = urlsplit(target)
    if address.scheme:
        if address.scheme != "https":
            return f"{target}: an address begins with https"
        good = HOST.fullmatch(address.netloc) and not re.search(r"\s", target)
        return None if good else f"{target}: no address"
    if address.netloc or target.startswith("/"):
        return f"{target}: a path from the page, please"
    found = (page.parent / unquote(address.path)).resolve() if address.path else page
    if not found.is_relative_to(ROOT) or not found.exists():
        return f"{target}: there is no such file"
    if address.fragment:
        if found.suffix != ".md":
            return f"{target}: only pages have headings"
        if address.fragment not in anchors_of(found):
            return f"{target}: {found.name} has no such heading"
    return None


def complaints(text: str, page: Path) -> list[str]:
    """All that is wrong with the links of TEXT, which stands on PAGE."""
    found = [(link.line, broken(link.target, page)) for link in links(text)]
    said = [f"line {line}: {what}" for line, what in found if what]
    if "](" in plain_text(text) or re.search(r"\]\[\w*\]", plain_text(text)):
        said.append("a link is not closed, or its reference is not defined")
    return said


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    assert complaints(page.read_text("utf-8"), page) == []


@pytest.mark.parametrize(
    "text",
    [
        "[no such page](nowhere.md)",
        "[no such heading](dials.md#nothing)",
        "[no such heading here](#nothing)",
        "[above the repository](../../elsewhere.md)",
        "[from the root](/docs/dials.md)",
        "[a heading of code](../conftest.py#top)",
        "[not encrypted](http://www.w3.org/TR/)",
        "[no host](https://somewhere)",
        "[no address](https://a b.org)",
        "[never closed](dials.md",
        "[no reference][nowhere]",
        "| a | table |\n|---|---|\n| with | [a link](nowhere.md) |",
        "![no such picture](nowhere.png)",
        "[defined far away][far]\n\n[far]: nowhere.md",
    ],
)
def test_what_is_broken_is_noticed(text: str) -> None:
    assert complaints(text, ROOT / "docs" / "glossary.md")


def test_links_in_code_are_none() -> None:
    text = "`[code](nowhere.md)`\n\n```\n[a block](nowhere.md)\n```\n"
    assert complaints(text, ROOT / "docs" / "glossary.md") == []


def test_the_readme_leads_to_every_page() -> None:
    readme = ROOT / "README.md"
    led_to = {(ROOT / link.target).resolve() for link in links(readme.read_text("utf-8"))}
    own = [page for page in pages() if page.parent in (ROOT, ROOT / "docs", EXAMPLES)]
    assert set(own) - led_to == {readme, ROOT / "docs" / "README.md"}


@pytest.mark.parametrize("folder", ["rsp_conformance", "tests", "docs", "."])
def test_pages_that_text_and_code_name_are_there(folder: str) -> None:
    sources = (ROOT / folder).glob("*.*") if folder == "." else (ROOT / folder).rglob("*.*")
    missing = {
        f"{source.relative_to(ROOT)}: {name}"
        for source in sources
        if source.suffix in (".py", ".md", ".toml", ".yml", ".lark", ".json")
        if "node_modules" not in source.parts
        for name in MENTION.findall(source.read_text("utf-8"))
        if not (ROOT / name).exists() and not (source.parent / name).exists()
    }
    assert missing == set()
