"""Schemes: patterns with metavariables.

``read`` parses the table's notation, ``build`` substitutes values for the metavariables, and
``match`` finds the values under which a scheme is a given pattern.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, TypeAlias, cast

from rsp_conformance.laws.binding import Binding
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    Union,
    Window,
)
from rsp_conformance.model.expressions import Operation
from rsp_conformance.model.walk import within


@dataclass(frozen=True, slots=True)
class Metavariable:
    """A place in a scheme that a binding fills."""

    name: str


@dataclass(frozen=True, slots=True)
class SchemeNode:
    """An operator of the algebra or of expressions, with schemes as its fields.

    Fields without a part have their default: ``SchemeNode(LeftJoin, (P1, P2))`` is Pérez' OPT,
    which has no condition.
    """

    operator: type
    parts: tuple[Scheme, ...]


Scheme: TypeAlias = "Metavariable | SchemeNode | str | tuple[Scheme, ...]"
"""A scheme. A string is the name of an operation and matches itself only."""


# The table's notation

_OPERATIONS = {"∧": "&&", "∨": "||", "=": "="}
"""The table's signs, with the operators of SPARQL."""


@cache
def read(text: str) -> Scheme:
    """Parse a scheme in the table's notation, such as ``(P1 UNION P2) AND P3``.

    Every operand is in brackets or a single word: ``?v`` or the name of a metavariable.

    Raises:
        ValueError: the text is not a scheme.
    """
    return _read(re.findall(r"[()]|[^\s()]+", text))


def _read(tokens: list[str]) -> Scheme:
    """Read the scheme up to a closing bracket or the end, and consume its tokens."""
    items: list[Any] = []
    while tokens and (token := tokens.pop(0)) != ")":
        items.append(_read(tokens) if token == "(" else token)
    match [Metavariable(i.removeprefix("?")) if _is_name(i) else i for i in items]:
        case [alone]:
            return cast("Scheme", alone)
        case ["GRAPH" | "WINDOW" as word, name, pattern]:
            return SchemeNode(Graph if word == "GRAPH" else Window, (name, pattern))
        case [left, "AND", right]:
            return SchemeNode(Join, (left, right))
        case [left, "UNION", right]:
            return SchemeNode(Union, (left, right))
        case [left, "OPT", right]:
            return SchemeNode(LeftJoin, (left, right))
        case [pattern, "FILTER", condition]:
            return SchemeNode(Filter, (condition, pattern))
        case [pattern, "BIND", expression, "AS", variable]:
            return SchemeNode(Extend, (pattern, variable, expression))
        case [first, ".", second]:
            return SchemeNode(BGP, ((first, second),))
        case [left, str(sign), right] if sign in _OPERATIONS:
            return SchemeNode(Operation, (_OPERATIONS[sign], (left, right)))
    raise ValueError(f"no scheme of the table's notation: {items}")


def _is_name(item: Any) -> bool:
    """Return whether an item names a metavariable.

    A letter, perhaps with a digit, or a variable.
    """
    return isinstance(item, str) and re.fullmatch(r"\??[A-Za-z]\d?", item) is not None


# Building and matching


def build(scheme: Scheme, binding: Binding) -> Pattern:
    """Substitute the values of a binding for the metavariables of a scheme.

    Raises:
        KeyError: a metavariable has no value.
    """
    return cast("Pattern", _build(scheme, binding))


def _build(scheme: Scheme, binding: Binding) -> Any:
    match scheme:
        case Metavariable(name):
            return binding[name]
        case SchemeNode(operator, parts):
            return operator(*(_build(part, binding) for part in parts))
        case tuple():
            return tuple(_build(part, binding) for part in scheme)
        case _:
            return scheme


def match(scheme: Scheme, value: Any, binding: Binding | None = None) -> Binding | None:
    """Find the binding under which a scheme is a given value.

    Args:
        scheme: the scheme.
        value: a pattern, or a part of one.
        binding: values that are already known; the result extends them.

    Returns:
        The binding, or None if no binding makes the scheme this value.
    """
    found: Binding | None = Binding() if binding is None else binding
    assert found is not None
    match scheme:
        case Metavariable(name):
            return found.extended(name, value)
        case SchemeNode(operator, schemes):
            if type(value) is not operator:
                return None
            own, others = fields(operator)[: len(schemes)], fields(operator)[len(schemes) :]
            if any(getattr(value, field.name) != field.default for field in others):
                return None
            values = tuple(getattr(value, field.name) for field in own)
        case tuple() as schemes:
            if not isinstance(value, tuple) or len(value) != len(schemes):
                return None
            values = value
        case _:
            return found if scheme == value else None
    for part, inner in zip(schemes, values, strict=True):
        if found is not None:
            found = match(part, inner, found)
    return found


def metavariables(scheme: Scheme) -> tuple[str, ...]:
    """Return the metavariables of a scheme, in the order of their first appearance."""
    names = [part.name for part in within(scheme) if isinstance(part, Metavariable)]
    return tuple(dict.fromkeys(names))


def operators(scheme: Scheme) -> frozenset[type]:
    """Return the operators that a scheme uses."""
    return frozenset(part.operator for part in within(scheme) if isinstance(part, SchemeNode))
