"""Graph patterns as algebra (SPARQL 1.1, section 18.2; RSP-QL Definition 16 adds WINDOW).

The parser yields the translation of SPARQL 1.1, 18.2.2, after simplification: a join with the empty
pattern is left out. The printer writes each of these trees so that it parses back to itself. A
blank node in a triple pattern is a variable that no solution shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term

if TYPE_CHECKING:
    from rsp_conformance.model.paths import Path
    from rsp_conformance.model.query import Query


@dataclass(frozen=True, slots=True)
class TriplePattern:
    """A triple with variables; subject or object may be a quoted triple pattern."""

    subject: PatternTerm
    predicate: IRI | Variable | Path
    object: PatternTerm


PatternTerm: TypeAlias = "IRI | BlankNode | Literal | Variable | TriplePattern"


@dataclass(frozen=True, slots=True)
class BGP:
    """A basic graph pattern; without triples it has one solution, the empty one."""

    triples: tuple[TriplePattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Join:
    """Both sides, with compatible solutions."""

    left: Pattern
    right: Pattern


@dataclass(frozen=True, slots=True)
class LeftJoin:
    """``left OPTIONAL { right FILTER condition }``; the condition sees both sides."""

    left: Pattern
    right: Pattern
    condition: Expression | None = None


@dataclass(frozen=True, slots=True)
class Union:
    """The solutions of either side."""

    left: Pattern
    right: Pattern


@dataclass(frozen=True, slots=True)
class Minus:
    """Solutions of the left side with no compatible one, sharing a variable, on the right."""

    left: Pattern
    right: Pattern


@dataclass(frozen=True, slots=True)
class Filter:
    """Solutions for which the condition is true; an error is not true.

    Several FILTERs of one group are nested; the first one in the text is innermost.
    """

    condition: Expression
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Extend:
    """``BIND(expression AS variable)``; an error leaves the variable unbound."""

    pattern: Pattern
    variable: Variable
    expression: Expression


@dataclass(frozen=True, slots=True)
class Graph:
    """``GRAPH name { … }``."""

    name: IRI | Variable
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Window:
    """``WINDOW name { … }``: the pattern over the window's dataset alone (SEMANTICS 4)."""

    name: IRI | Variable
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Values:
    """Inline data; None in a row is UNDEF."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[Term | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Service:
    """``SERVICE [SILENT] name { … }``: parsed, and refused by name in evaluation."""

    name: IRI | Variable
    pattern: Pattern
    silent: bool = False


@dataclass(frozen=True, slots=True)
class SubSelect:
    """A subquery, a SELECT without streaming operator or dataset."""

    query: Query


Pattern: TypeAlias = (
    BGP
    | Join
    | LeftJoin
    | Union
    | Minus
    | Filter
    | Extend
    | Graph
    | Window
    | Values
    | Service
    | SubSelect
)
