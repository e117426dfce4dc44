"""Schemes: patterns with metavariables, built by substitution and recognised by matching."""

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
    """A place of a scheme that a binding fills."""

    name: str


@dataclass(frozen=True, slots=True)
class SchemeNode:
    """An operator of the algebra, or of expressions, with schemes in place of its fields.

    Fields without a part have their default: ``Node(LeftJoin, (P1, P2))`` is Pérez' OPT, which
    has no condition.
    """

    operator: type
    parts: tuple[Scheme, ...]


Scheme: TypeAlias = "Metavariable | SchemeNode | str | tuple[Scheme, ...]"
"""A text stands for itself: it is an operation's name."""


# The table's notation

_OPERATIONS = {"∧": "&&", "∨": "||", "=": "="}


@cache
def read(text: str) -> Scheme:
    """The scheme that TEXT writes in the table's notation: ``(P1 UNION P2) AND P3``.

    Every operand is in brackets or one word, ``?v`` or the name of a metavariable.
    """
    return _read(re.findall(r"[()]|[^\s()]+", text))


def _read(tokens: list[str]) -> Scheme:
    """The scheme up to a closing bracket or the end; its TOKENS are taken away."""
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
    """Whether ITEM is a metavariable's name: a letter with a digit perhaps, or a variable."""
    return isinstance(item, str) and re.fullmatch(r"\??[A-Za-z]\d?", item) is not None


# Building and matching


def build(scheme: Scheme, binding: Binding) -> Pattern:
    """The pattern that SCHEME is under BINDING; KeyError for a metavariable without a value."""
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
    """The binding under which SCHEME is VALUE, BINDING extended; None where there is none."""
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
    """The metavariables of SCHEME, by their first appearance."""
    names = [part.name for part in within(scheme) if isinstance(part, Metavariable)]
    return tuple(dict.fromkeys(names))


def operators(scheme: Scheme) -> frozenset[type]:
    """The operators that SCHEME uses."""
    return frozenset(part.operator for part in within(scheme) if isinstance(part, SchemeNode))
