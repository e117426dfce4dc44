"""Every command that a page shows can be run: programs, sub-commands, options and tests by name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
import typer
import yaml

from rsp_conformance.cli.main import app
from rsp_conformance.relations.registry import RELATIONS
from rsp_conformance.run.properties import AGAINST, PROPERTIES
from tests.builders.command_line import python
from tests.docs.markdown import ROOT, pages, tokens

PROGRAMS = ("rsp-conformance", "pytest", "make", "python")


class Command(NamedTuple):
    page: str
    line: str


def steps(value: Any) -> Iterator[str]:
    """What the steps of a workflow run, wherever they stand in VALUE."""
    if isinstance(value, dict):
        yield from value.get("run", "").splitlines()
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from steps(part)


def commands() -> Iterator[Command]:
    """The commands of all pages: in blocks, behind a prompt or without one, and in running text.

    Those of workflows, too.
    """
    for page in pages():
        name = str(page.relative_to(ROOT))
        for token, _ in tokens(page.read_text("utf-8")):
            if token.type == "fence" and token.info in ("", "console", "sh"):
                lines = token.content.replace("\\\n", " ").splitlines()
            elif token.type == "fence" and token.info == "yaml":
                lines = [*steps(yaml.safe_load(token.content))]
            elif token.type == "code_inline":
                lines = [token.content]
            else:
                continue
            for line in lines:
                shown = line.removeprefix("$ ")
                if shown.split(" ")[0] in PROGRAMS and " " in shown and not shown.endswith("…"):
                    yield Command(name, shown)


COMMANDS = sorted(set(commands()))


@cache
def pytest_help() -> str:
    return python("-m", "pytest", "--help", cwd=ROOT, timeout=120).well


def resolved(words: list[str]) -> tuple[Any, list[str]]:
    """The command that WORDS of `rsp-conformance` name, and what follows it."""
    found: Any = typer.main.get_command(app)
    while hasattr(found, "resolve_command") and words and not words[0].startswith("-"):
        with found.make_context("rsp-conformance", list(words), resilient_parsing=True) as context:
            _, found, words = found.resolve_command(context, words)
    return found, words


def options(words: list[str]) -> list[str]:
    """The names of the options among WORDS, without their values."""
    return [word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)]


def unknown(line: str) -> set[str]:
    """What there is not of what the command LINE names."""
    before_pipe = line.partition(" | ")[0].partition(" && ")[0]
    program, *words = shlex.split(before_pipe, comments=True)
    match program:
        case "make":
            targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
            return {word for word in words if "=" not in word} - set(targets)
        case "python" if words[0] == "-m":
            module = ROOT.joinpath(*words[1].split("."))
            return set() if module.is_dir() or module.with_suffix(".py").is_file() else {words[1]}
        case "pytest":
            # Its help has one of the two ways to write this.
            named = pytest_help().replace("--junit-xml", "--junitxml")
            return {o for o in options(words) if not re.search(rf"{o}\b", named)}
        case "rsp-conformance":
            found, rest = resolved(words)
            known = {name for parameter in found.params for name in parameter.opts}
            return set(options(rest)) - known - {"--help", "--version"}
    return set()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: f"{c.page}: {c.line}")
def test_the_command_is_there(command: Command) -> None:
    assert unknown(command.line) == set()


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("make nothing", "nothing"),
        ("python -m tests.nothing --only x", "tests.nothing"),
        ("pytest --engine=NAME --rsp-nothing", "--rsp-nothing"),
        ("rsp-conformance judge --query Q.rq --nothing", "--nothing"),
        ("rsp-conformance engines check --nothing ENGINE", "--nothing"),
    ],
)
def test_what_is_not_there_is_noticed(line: str, missing: str) -> None:
    assert unknown(line) == {missing}


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_the_tests_that_a_page_names_are_there(page: Any) -> None:
    known = {
        *(p.name for p in (*PROPERTIES, *AGAINST)),
        *(relation.property_name for relation in RELATIONS),
        "burnin",
    }
    named = set(re.findall(r"rsp::test_(\w+(?:\[\w+\])?)", page.read_text("utf-8")))
    assert named <= known
