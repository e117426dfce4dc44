"""Docstrings of functions in Google style (CONTRIBUTING.md).

A function that raises an exception of its own says so. No docstring names a parameter in capitals
within a sentence, such as "Write RUN into FOLDER".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "rsp_conformance"
ROOMS = (
    *("model", "spec", "sparql", "text", "strategies", "laws", "relations"),
    *("lars", "files", "protocol", "adapters", "cli"),
    *("explain", "judge", "diagnosis", "run", "pages", "plugin", "spark"),
    *("burnin", "campaigns", "cells", "test_suite", "results.py"),
)
EXEMPT = {
    "adapters/reference/oxigraph/expressions.py:Expressions.value": "only a bug of the kit",
}
"""Functions whose exception is nobody's to catch, each with the reason."""

KEYWORDS = {
    *("A", "IRI", "X", "Y"),
    *("BASE", "COMPUTED", "DISTINCT", "EXISTS", "GROUP", "MINUS"),
    *("LIMIT", "NAMED", "OFFSET", "ORDER", "STREAM", "VALUES"),
}
"""Words in capitals that are a language's own, although a parameter may be called so."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(body: list[ast.stmt], outer: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the public functions of a module, and the public methods of its public classes."""
    for node in body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            if isinstance(node, ast.ClassDef):
                yield from functions(node.body, f"{node.name}.")
            else:
                yield f"{outer}{node.name}", node


def raises(function: Function) -> bool:
    """Return whether a function raises by itself, not in a function within it or again."""
    left: list[ast.AST] = [*function.body]
    while left:
        node = left.pop()
        if isinstance(node, ast.Raise) and node.exc is not None:
            return True
        if not isinstance(node, ast.ClassDef | Function | ast.Lambda):
            left += ast.iter_child_nodes(node)
    return False


def silent(source: str, room: str) -> Iterator[str]:
    """Yield the functions of a module in a room that raise an exception and do not say so.

    The docstring of a command is its help, so it names exit statuses.
    """
    word = r"\b[Rr]aises?\b" + (r"|[Ee]xit status" if room == "cli" else "")
    for name, function in functions(ast.parse(source).body):
        if raises(function) and not re.search(word, ast.get_docstring(function) or ""):
            yield name


def modules() -> Iterator[tuple[str, str, str]]:
    """Yield each module: its path within the package, its room and its text."""
    for room in ROOMS:
        place = PACKAGE / room
        for path in [place] if place.is_file() else place.rglob("*.py"):
            yield path.relative_to(PACKAGE).as_posix(), room, path.read_text("utf-8")


def test_docstrings_name_what_is_raised() -> None:
    found = {f"{module}:{name}" for module, room, text in modules() for name in silent(text, room)}
    assert found == EXEMPT.keys()


@pytest.mark.parametrize(
    ("source", "room", "names"),
    [
        ('def f():\n    """F."""\n    raise ValueError', "model", ["f"]),
        ('def f():\n    """F raises ValueError."""\n    raise ValueError', "model", []),
        ("class C:\n    def f(self):\n        raise ValueError", "model", ["C.f"]),
        ("class _C:\n    def f(self):\n        raise ValueError", "model", []),
        ("def f():\n    def g():\n        raise ValueError", "model", []),
        ("def f():\n    try: g()\n    except ValueError: raise", "model", []),
        ('def f():\n    """F. Exit status: 0."""\n    raise ValueError', "model", ["f"]),
        ('def f():\n    """F. Exit status: 0."""\n    raise ValueError', "cli", []),
    ],
)
def test_silence_is_noticed(source: str, room: str, names: list[str]) -> None:
    assert list(silent(source, room)) == names


def shouted(source: str) -> Iterator[str]:
    """Yield the functions of a module whose docstrings name a parameter in capitals."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, Function):
            continue
        own = node.args
        named = [*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg]
        names = {one.arg for one in named if one is not None} - {"_"}
        capitals = {name.upper() for name in names} - KEYWORDS
        said = re.sub(r"``?[^`]*``?", "", ast.get_docstring(node) or "")
        if capitals.intersection(re.findall(r"\w+", said)):
            yield node.name


def test_docstrings_name_no_parameter_in_capitals() -> None:
    # The docstrings of commands name arguments as the help writes them.
    found = {
        f"{module}:{name}"
        for module, room, text in modules()
        if room != "cli"
        for name in shouted(text)
    }
    assert not found


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('def f(run):\n    """Write RUN."""', ["f"]),
        ('def f(run):\n    """Write a run."""', []),
        ('def f(*, few=False):\n    """Draw; with FEW less."""', ["f"]),
        ('class _C:\n    def _f(self, t):\n        """At T."""', ["_f"]),
        ('def f(t):\n    """At ``T``."""', []),
        ('def f(group):\n    """Its GROUP BY."""', []),
        ("def f(run):\n    pass", []),
    ],
)
def test_capitals_are_noticed(source: str, names: list[str]) -> None:
    assert list(shouted(source)) == names
