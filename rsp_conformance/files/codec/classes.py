"""What a dataclass says about its values: the types, defaults and descriptions of its fields."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import Field
from functools import cache
from itertools import pairwise
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from rsp_conformance.files.fields import MISSING


def pairs(keys: str | Mapping[str, str]) -> list[tuple[str, str]]:
    """Return keys with their fields."""
    if not isinstance(keys, str):
        return [*keys.items()]
    parts = (key.partition("=") for key in keys.split())
    return [(key, name or key) for key, _, name in parts]


def default_of(own: Field[Any]) -> Any:
    """Return the default of a field, or `MISSING`."""
    if own.default is not NO_DEFAULT:
        return own.default
    return MISSING if own.default_factory is NO_DEFAULT else own.default_factory()


def classes_of(hint: Any) -> list[type]:
    """Return the classes of the values of a type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return [kind for part in args for kind in classes_of(part)]
    if origin is Literal:
        return [type(value) for value in args]
    if origin is Annotated:
        return classes_of(args[0])
    return [origin or hint]


def hints_of(kind: type, names: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """Return the types of the fields of a class."""
    return get_type_hints(kind, localns=dict(names()), include_extras=True)


@cache
def descriptions(kind: type) -> Mapping[str, str]:
    """Return what a class says about its fields.

    It says so in texts below the fields, or in the section "Attributes" of its docstring.
    """
    if "Attributes:\n" in (kind.__doc__ or ""):
        return _listed(inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")[2])
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__[:-1]):
        try:
            (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        except (OSError, TypeError):
            continue  # A class without source, such as one of a base library.
        body = tree.body if isinstance(tree, ast.ClassDef) else []
        for own, text in pairwise(body):
            match own, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(said))),
                ):
                    found[name] = " ".join(said.split())
    return found


def _listed(section: str) -> dict[str, str]:
    """Return the entries of a section of a docstring: ``name: text``, continued by deeper lines."""
    found: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        entry = re.fullmatch(r" {4}(\w+): (.*)", line)
        if entry:
            name, found[entry[1]] = entry[1], entry[2]
        elif name and line.startswith(" " * 8):
            found[name] += " " + line.strip()
        elif line and not line.startswith(" "):
            break
    return found
