"""Links and blocks of code on the pages have the right form; the site says which lead nowhere."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query
from rsp_conformance.run.run_report import REPORTS, RunReport
from rsp_conformance.test_suite.case_files import SUITES, CaseAnswersJson
from rsp_conformance.text.parse import parse_query
from tests.docs.markdown import ROOT, links, pages, plain_text, tokens

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


# --- Blocks of code are of the language that they say, and name what there is ---------------------


class Block(NamedTuple):
    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


BLOCKS = [
    Block(page, line, token.info.strip(), token.content)
    for page in pages()
    for token, line in tokens(page.read_text("utf-8"))
    if token.type == "fence"
]
LANGUAGES = {"", "console", "ini", "json", "python", "sh", "sparql", "text", "toml", "trig", "yaml"}


def of(*languages: str) -> pytest.MarkDecorator:
    """A test of every block in LANGUAGES."""
    found = [block for block in BLOCKS if block.language in languages]
    assert found
    return pytest.mark.parametrize("block", found, ids=str)


def test_every_block_says_its_language_or_none() -> None:
    assert {block.language for block in BLOCKS} <= LANGUAGES


@of("python")
def test_python_compiles_and_imports_what_there_is(block: Block) -> None:
    # What is indented is a line to put into a mapping.
    tree = ast.parse(f"{{{block.text}}}" if block.text.startswith(" ") else block.text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rsp_conformance"):
            module = import_module(str(node.module))
            missing = [alias.name for alias in node.names if not hasattr(module, alias.name)]
            assert missing == []


@of("json")
def test_json_is_a_profile_a_query_or_a_result(block: Block) -> None:
    """Every page that shows JSON by itself shows one of these, or legal answers."""
    document = json.loads(block.text)
    if document.get("type") == "Query":
        ALGEBRA.read(Query, document)
    elif "rsp_report" in document:
        REPORTS.read(RunReport, document)
    elif "under" in document:
        assert SUITES.read(CaseAnswersJson, document).under
    else:
        PROFILES.read(Profile, document)


@of("toml")
def test_toml_is_read(block: Block) -> None:
    tomllib.loads(block.text)


@of("sparql")
def test_queries_are_read(block: Block) -> None:
    text = block.text if block.text.startswith("PREFIX : ") else f"PREFIX : <urn:x#>\n{block.text}"
    parse_query(text)
