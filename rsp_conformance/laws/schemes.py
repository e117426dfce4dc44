"""Schemes: patterns with metavariables, built by substitution and recognised by matching."""

from __future__ import annotations

from dataclasses import dataclass, fields
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
class Node:
    """An operator of the algebra, or of expressions, with schemes in place of its fields.

    Fields without a part have their default: ``Node(LeftJoin, (P1, P2))`` is Pérez' OPT, which
    has no condition.
    """

    operator: type
    parts: tuple[Scheme, ...]


Scheme: TypeAlias = "Metavariable | Node | str | tuple[Scheme, ...]"
"""A text stands for itself: it is an operation's name."""


def conjunction(left: Scheme, right: Scheme) -> Node:
    """``left ∧ right``."""
    return Node(Operation, ("&&", (left, right)))


def disjunction(left: Scheme, right: Scheme) -> Node:
    """``left ∨ right``."""
    return Node(Operation, ("||", (left, right)))


def equal(left: Scheme, right: Scheme) -> Node:
    """``left = right``."""
    return Node(Operation, ("=", (left, right)))


def basic(*triples: Scheme) -> Node:
    """A basic graph pattern of so many triple patterns."""
    return Node(BGP, (triples,))


def join(left: Scheme, right: Scheme) -> Node:
    """``left AND right``."""
    return Node(Join, (left, right))


def union(left: Scheme, right: Scheme) -> Node:
    """``left UNION right``."""
    return Node(Union, (left, right))


def optional(left: Scheme, right: Scheme) -> Node:
    """``left OPT right``; a FILTER of the right operand sees the right operand alone."""
    return Node(LeftJoin, (left, right))


def restricted(pattern: Scheme, condition: Scheme) -> Node:
    """``pattern FILTER condition``."""
    return Node(Filter, (condition, pattern))


def bound(pattern: Scheme, expression: Scheme, variable: Scheme) -> Node:
    """``pattern BIND expression AS variable``."""
    return Node(Extend, (pattern, variable, expression))


def graph(name: Scheme, pattern: Scheme) -> Node:
    """``GRAPH name pattern``."""
    return Node(Graph, (name, pattern))


def window(name: Scheme, pattern: Scheme) -> Node:
    """``WINDOW name pattern``."""
    return Node(Window, (name, pattern))


def build(scheme: Scheme, binding: Binding) -> Pattern:
    """The pattern that SCHEME is under BINDING; KeyError for a metavariable without a value."""
    return cast("Pattern", _build(scheme, binding))


def _build(scheme: Scheme, binding: Binding) -> Any:
    match scheme:
        case Metavariable(name):
            return binding[name]
        case Node(operator, parts):
            return operator(*(_build(part, binding) for part in parts))
        case tuple():
            return tuple(_build(part, binding) for part in scheme)
        case _:
            return scheme


def match(scheme: Scheme, value: Any, binding: Binding | None = None) -> Binding | None:
    """The binding under which SCHEME is VALUE, BINDING extended; None where there is none."""
    so_far = Binding() if binding is None else binding
    match scheme:
        case Metavariable(name):
            return so_far.extended(name, value)
        case Node(operator, parts):
            if type(value) is not operator:
                return None
            names = [field.name for field in fields(operator)]
            if any(
                getattr(value, field.name) != field.default
                for field in fields(operator)[len(parts) :]
            ):
                return None
            here = tuple(getattr(value, name) for name in names[: len(parts)])
            return _match_all(parts, here, so_far)
        case tuple():
            if not isinstance(value, tuple) or len(value) != len(scheme):
                return None
            return _match_all(scheme, value, so_far)
        case _:
            return so_far if scheme == value else None


def _match_all(
    schemes: tuple[Scheme, ...], values: tuple[Any, ...], binding: Binding
) -> Binding | None:
    found: Binding | None = binding
    for scheme, value in zip(schemes, values, strict=True):
        found = match(scheme, value, found)
        if found is None:
            return None
    return found


def metavariables(scheme: Scheme) -> tuple[str, ...]:
    """The metavariables of SCHEME, by their first appearance."""
    names = [part.name for part in within(scheme) if isinstance(part, Metavariable)]
    return tuple(dict.fromkeys(names))


def operators(scheme: Scheme) -> frozenset[type]:
    """The operators that SCHEME uses."""
    return frozenset(part.operator for part in within(scheme) if isinstance(part, Node))


_INFIX: dict[type, str] = {Join: "AND", Union: "UNION", LeftJoin: "OPT"}
_CONNECTIVE = {"&&": "∧", "||": "∨"}


def written(scheme: Scheme) -> str:
    """SCHEME in the table's notation: ``(P1 UNION P2) AND P3``."""
    return _written(scheme, outermost=True)


def _written(scheme: Scheme, *, outermost: bool = False) -> str:
    if isinstance(scheme, Metavariable):
        return f"?{scheme.name}" if scheme.name == "v" else scheme.name
    assert isinstance(scheme, Node)
    parts = scheme.parts
    if scheme.operator is Operation:
        name, arguments = parts
        assert isinstance(name, str)
        assert isinstance(arguments, tuple)
        text = f" {_CONNECTIVE.get(name, name)} ".join(_written(argument) for argument in arguments)
    elif scheme.operator is BGP:
        (triples,) = parts
        assert isinstance(triples, tuple)
        text = " . ".join(_written(triple) for triple in triples)
    elif scheme.operator is Filter:
        text = f"{_written(parts[1])} FILTER {_written(parts[0])}"
    elif scheme.operator is Extend:
        text = f"{_written(parts[0])} BIND {_written(parts[2])} AS {_written(parts[1])}"
    elif scheme.operator in (Graph, Window):
        text = f"{scheme.operator.__name__.upper()} {_written(parts[0])} {_written(parts[1])}"
    else:
        text = f" {_INFIX[scheme.operator]} ".join(_written(part) for part in parts)
    return text if outermost else f"({text})"
