"""Expressions of queries, as syntax (SPARQL 1.1, section 17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rsp_conformance.model.terms import IRI, Literal

if TYPE_CHECKING:
    from rsp_conformance.model.algebra import Pattern, TriplePattern


@dataclass(frozen=True, slots=True)
class Variable:
    """A query variable, without its question mark."""

    name: str

    def __repr__(self) -> str:
        return f"?{self.name}"


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator or built-in applied to arguments.

    ``name`` is one of ``|| && ! = != < > <= >= + - * /``, ``IN``, ``NOT IN`` (the first argument
    is looked for among the others), ``UNARY+``, ``UNARY-``, or a built-in's name in upper case
    as SPARQL writes it (``STR``, ``LANGMATCHES``, ``IF``, ``COALESCE``, ``REGEX``, ``ISIRI`` …).
    """

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call by IRI: a cast such as ``xsd:integer(?x)`` or an extension function."""

    function: IRI
    arguments: tuple[Expression, ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Exists:
    """``EXISTS { … }`` or ``NOT EXISTS { … }``."""

    pattern: Pattern
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate:
    """``COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT``; ``argument`` None is ``COUNT(*)``."""

    name: str
    argument: Expression | None
    distinct: bool = False
    separator: str | None = None


Expression: TypeAlias = (
    "Variable | IRI | Literal | TriplePattern | Operation | FunctionCall | Exists | Aggregate"
)
