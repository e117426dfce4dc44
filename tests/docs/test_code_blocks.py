"""Blocks of code on the pages are of the language that they say, and name what there is."""

from __future__ import annotations

import ast
import json
import tomllib
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query
from rsp_conformance.run.run_report import REPORTS, RunReport
from rsp_conformance.test_suite.case_files import SUITES, AnswersJson
from rsp_conformance.text.parse import parse_query
from tests.docs.markdown import ROOT, pages, tokens


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
    elif "legal" in document:
        assert SUITES.read(AnswersJson, document).legal
    else:
        PROFILES.read(Profile, document)


@of("toml")
def test_toml_is_read(block: Block) -> None:
    tomllib.loads(block.text)


@of("sparql")
def test_queries_are_read(block: Block) -> None:
    text = block.text if block.text.startswith("PREFIX : ") else f"PREFIX : <urn:x#>\n{block.text}"
    parse_query(text)
