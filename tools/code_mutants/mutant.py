"""Mutants of a file: cosmic-ray's operators make them, and text finds their place again.

A mutant is the lines that it replaces, with those around them, and so can be put into a later
version of the file, or into the file at another place, as long as these lines are still there.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

AROUND = 3
"""Lines before and after a change that say where it belongs; two leave twins in this code."""
LEFT_OUT = ("VariableReplacer", "VariableInserter", "ReplaceBinaryOperator_BitOr")
"""Operators that draw by themselves, or find little but unions of types."""


@dataclass(frozen=True)
class Mutant:
    """Lines of a file, and what replaces them."""

    room: str
    path: str
    line: int
    operator: str
    before: str
    after: str
    around: tuple[str, str]
    """The lines above and below."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before.strip()}  ->  {self.after.strip()}"

    def applied(self, source: str) -> str | None:
        """The mutated source, or None if the place is not there, or not there alone."""
        above, below = self.around
        for old, new in (
            (above + self.before + below, above + self.after + below),
            (above + self.before, above + self.after),
            (self.before + below, self.after + below),
        ):
            if source.count(old) == 1:
                return source.replace(old, new)
        return None


def drawn(tree: Path, room: str, paths: list[str], count: int, random: Random) -> list[Mutant]:
    """COUNT mutants of the files at PATHS in TREE, each place as likely as another."""
    operators = _operators()
    places: dict[tuple[str, Any], list[tuple[str, int]]] = {}
    for path in paths:
        parsed = list(ast_nodes(get_ast((tree / path).read_text("utf-8"))))
        for name, operator in operators.items():
            spans = [span for node in parsed for span in operator.mutation_positions(node)]
            for occurrence, span in enumerate(spans):
                places.setdefault((path, span[0]), []).append((name, occurrence))
    order = sorted(places)
    random.shuffle(order)
    found: list[Mutant] = []
    for path, start in order:
        name, occurrence = random.choice(places[path, start])
        source = (tree / path).read_text("utf-8")
        mutated = mutate_code(source, operators[name], occurrence)
        if mutated is not None and _differs(source, mutated):
            mutant = _mutant(room, path, name, source, mutated)
            if mutant.applied(source) == mutated:
                found.append(mutant)
        if len(found) == count:
            break
    return found


@cache
def _operators() -> dict[str, Any]:
    """The operators by their names; each is looked up among the packages that are installed."""
    names = (name.removeprefix("core/") for name in sorted(operator_names()))
    return {n: get_operator(f"core/{n}")() for n in names if not n.startswith(LEFT_OUT)}


def _mutant(room: str, path: str, name: str, source: str, mutated: str) -> Mutant:
    old, new = source.splitlines(keepends=True), mutated.splitlines(keepends=True)
    changes = [c for c in SequenceMatcher(None, old, new, False).get_opcodes() if c[0] != "equal"]
    first, last = changes[0][1], changes[-1][2]
    after = "".join(new[changes[0][3] : changes[-1][4]])
    around = "".join(old[max(0, first - AROUND) : first]), "".join(old[last : last + AROUND])
    return Mutant(room, path, first + 1, name, "".join(old[first:last]), after, around)


def _differs(source: str, mutated: str) -> bool:
    """Whether the mutated source compiles, and does something else as far as its text tells."""
    try:
        return _done(ast.parse(source)) != _done(ast.parse(mutated))
    except SyntaxError:
        return False


def _done(tree: ast.AST) -> str:
    """TREE without annotations, which nobody reads at run time, slots and caches."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign | ast.arg):
            node.annotation = ast.Constant(value=None)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.decorator_list = []
            if isinstance(node, ast.FunctionDef):
                node.returns = None
    return ast.dump(tree)
