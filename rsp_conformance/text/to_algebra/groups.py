"""Groups: the translation of graph patterns to algebra (SPARQL 1.1, section 18.2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

from lark import Token

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    Service,
    SubSelect,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Expression, Operation
from rsp_conformance.model.terms import Term
from rsp_conformance.model.variables import in_scope
from rsp_conformance.text.to_algebra.context import RULES, Context, rule
from rsp_conformance.text.to_algebra.expressions import no_aggregate
from rsp_conformance.text.to_algebra.terms import variable_of
from rsp_conformance.text.to_algebra.triples import Block

UNIT = BGP()


@dataclass(frozen=True, slots=True)
class Group:
    """A group, its filters apart: they are OPTIONAL's condition where the group is its operand."""

    base: Pattern
    filters: tuple[Expression, ...] = ()

    @property
    def pattern(self) -> Pattern:
        """The group as a pattern, the filter written first innermost."""
        result = self.base
        for condition in self.filters:
            result = Filter(condition, result)
        return result

    @property
    def condition(self) -> Expression | None:
        """All filters as one condition."""
        if not self.filters:
            return None
        return reduce(lambda left, right: Operation("&&", (left, right)), self.filters)


@dataclass(frozen=True, slots=True)
class _Filter:
    condition: Expression


@dataclass(frozen=True, slots=True)
class _Optional:
    group: Group


@dataclass(frozen=True, slots=True)
class _Minus:
    group: Group


@dataclass(frozen=True, slots=True)
class _Bind:
    variable: Token
    expression: Expression


def join(left: Pattern, right: Pattern) -> Pattern:
    """A join, simplified where either side is the empty pattern."""
    if left == UNIT:
        return right
    return left if right == UNIT else Join(left, right)


def block_of_triples(context: Context, blocks: list[Block]) -> Pattern:
    """One basic graph pattern of neighbouring blocks, its labels its own."""
    context.blocks += 1
    for block in blocks:
        for token in block.labels:
            home, first = context.label_block.setdefault(str(token), (context.blocks, token))
            if home != context.blocks:
                context.error(
                    max(first, token, key=lambda place: place.start_pos or 0),
                    f"the blank node {token} stands in two basic graph patterns; "
                    "use a variable instead",
                    expected="a label of its own",
                )
    return BGP(tuple(triple for block in blocks for triple in block.triples))


@rule("group_graph_pattern")
def group_graph_pattern(context: Context, parts: list[Any]) -> Group:
    """``{ … }``: filters do not end a basic graph pattern, everything else does."""
    pattern: Pattern = UNIT
    filters: list[Expression] = []
    blocks: list[Block] = []
    for part in (*parts, UNIT):
        match part:
            case Block():
                blocks.append(part)
                continue
            case _Filter(condition):
                filters.append(condition)
                continue
        if blocks:
            pattern = join(pattern, block_of_triples(context, blocks))
            blocks = []
        match part:
            case _Optional(group):
                pattern = LeftJoin(pattern, group.base, group.condition)
            case _Minus(group):
                pattern = Minus(pattern, group.pattern)
            case _Bind(token, expression):
                pattern = _extend(context, pattern, token, expression)
            case _:
                pattern = join(pattern, part)
    return Group(pattern, tuple(filters))


def _extend(context: Context, pattern: Pattern, token: Token, expression: Expression) -> Pattern:
    variable = variable_of(token)
    if variable.name in in_scope(pattern):
        context.error(
            token,
            f"BIND cannot assign {token}: it is already in scope in this group; "
            "take another variable",
            expected="a variable that is not in scope",
        )
    return Extend(pattern, variable, expression)


@rule("group_or_union")
def group_or_union(context: Context, parts: list[Any]) -> Pattern:
    """``{ … } UNION { … }``, or a group alone."""
    patterns: list[Pattern] = [group.pattern for group in parts]
    return reduce(Union, patterns)


@rule("service")
def service(context: Context, parts: list[Any]) -> Service:
    """``SERVICE SILENT s { … }``."""
    silent = isinstance(parts[0], Token)
    name, group = parts[-2:]
    return Service(name, group.pattern, silent)


@rule("filter")
def filter_(context: Context, parts: list[Any]) -> _Filter:
    """``FILTER(…)``."""
    no_aggregate(context, parts[1], "in FILTER")
    return _Filter(parts[1])


@rule("bind")
def bind(context: Context, parts: list[Any]) -> _Bind:
    """``BIND(… AS ?v)``."""
    _, expression, token = parts
    no_aggregate(context, expression, "in BIND")
    return _Bind(token, expression)


# ------------------------------------------------------------------------------------ inline data


@rule("data_row")
def data_row(context: Context, parts: list[Any]) -> tuple[Token, tuple[Term | None, ...]]:
    """``(a b)``, with the place where it begins."""
    token, *values = parts
    return token, tuple(values)


@rule("data_one_variable")
def data_one_variable(context: Context, parts: list[Any]) -> Values:
    """``?x { a b }``."""
    token, *values = parts
    return Values((variable_of(token),), tuple((value,) for value in values))


@rule("data_block")
def data_block(context: Context, parts: list[Any]) -> Values:
    """``(?x ?y) { (a b) (c UNDEF) }``."""
    variables = tuple(variable_of(p) for p in parts if isinstance(p, Token) and p.type == "VAR")
    for position, variable in enumerate(variables):
        if variable in variables[:position]:
            context.error(
                parts[position],
                f"VALUES names {parts[position]} twice",
                expected="another variable",
            )
    rows: list[tuple[Term | None, ...]] = []
    for part in parts[len(variables) or (1 if parts and isinstance(parts[0], Token) else 0) :]:
        token, row = part
        if len(row) != len(variables):
            context.error(
                token,
                f"a row of VALUES has {len(row)} terms for {len(variables)} variables",
                expected=f"{len(variables)} terms",
            )
        rows.append(row)
    return Values(variables, tuple(rows))


# What the rules yield that check nothing.
RULES.update(
    {
        "group_of_subquery": lambda _, parts: Group(SubSelect(parts[0])),  # ``{ SELECT … }``
        "optional": lambda _, parts: _Optional(parts[0]),  # ``OPTIONAL { … }``
        "minus": lambda _, parts: _Minus(parts[0]),  # ``MINUS { … }``
        "graph": lambda _, parts: Graph(parts[0], parts[1].pattern),  # ``GRAPH g { … }``
        "window": lambda _, parts: Window(parts[0], parts[1].pattern),  # ``WINDOW w { … }``
        "undef": lambda _, parts: None,  # ``UNDEF``
        "inline_data": lambda _, parts: parts[0],  # ``VALUES …``
    }
)
