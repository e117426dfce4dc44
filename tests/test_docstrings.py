"""A function that raises an exception of its own says so in its docstring (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "rsp_conformance"
ROOMS = (
    *("model", "spec", "sparql", "text", "strategies", "laws", "metamorphic"),
    *("differential", "lars", "files", "protocol", "adapters", "cli"),
)
EXEMPT = {
    "adapters/reference/oxigraph/expressions.py:Expressions.value": "only a bug of the kit",
}
"""Functions whose exception is nobody's to catch, each with the reason."""

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


def test_docstrings_name_what_is_raised() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}:{name}"
        for room in ROOMS
        for path in (PACKAGE / room).rglob("*.py")
        for name in silent(path.read_text("utf-8"), room)
    }
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
