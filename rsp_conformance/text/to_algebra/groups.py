"""Groups: the translation of graph patterns to algebra (SPARQL 1.1, section 18.2.2)."""

from __future__ import annotations

from collections.abc import Callable
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
from rsp_conformance.text.to_algebra.terms import Block, variable_of

UNIT = BGP()  # the empty pattern, which changes nothing in a join


@dataclass(frozen=True, slots=True)
class Group:
    """A group, its filters separate: in OPTIONAL they are the condition of the left join."""

    base: Pattern = UNIT
    filters: tuple[Expression, ...] = ()

    @property
    def pattern(self) -> Pattern:
        """The group as a pattern; the filter written first is innermost."""
        return reduce(lambda inner, condition: Filter(condition, inner), self.filters, self.base)

    @property
    def condition(self) -> Expression | None:
        """All filters as one condition, or None."""
        if not self.filters:
            return None
        return reduce(lambda left, right: Operation("&&", (left, right)), self.filters)


@dataclass(frozen=True, slots=True)
class _Filter:
    condition: Expression


def join(left: Pattern, right: Pattern) -> Pattern:
    """Return a join, simplified if either side is the empty pattern."""
    if left == UNIT:
        return right
    return left if right == UNIT else Join(left, right)


def block_of_triples(context: Context, blocks: list[Block]) -> Pattern:
    """Return neighbouring blocks as one basic graph pattern; its labels may not occur in others."""
    context.blocks += 1
    for token in (token for block in blocks for token in block.labels):
        home, first = context.label_block.setdefault(str(token), (context.blocks, token))
        if home != context.blocks:
            context.error(
                max(first, token, key=lambda place: place.start_pos or 0),
                f"the blank node {token} occurs in two basic graph patterns; "
                "use a variable instead",
                expected="a label of its own",
            )
    return BGP(tuple(triple for block in blocks for triple in block.triples))


@rule
def group_graph_pattern(context: Context, *parts: Any) -> Group:
    """``{ … }``: filters do not end a basic graph pattern, everything else does.

    A part is a block of triples, a filter, a pattern to be joined, or for OPTIONAL, MINUS and BIND
    a function of the pattern before it.
    """
    pattern: Pattern = UNIT
    filters: list[Expression] = []
    blocks: list[Block] = []
    for part in (*parts, UNIT):
        if isinstance(part, Block):
            blocks.append(part)
        elif isinstance(part, _Filter):
            filters.append(part.condition)
        else:
            if blocks:
                pattern = join(pattern, block_of_triples(context, blocks))
                blocks = []
            pattern = part(pattern) if callable(part) else join(pattern, part)
    return Group(pattern, tuple(filters))


@rule
def service(context: Context, *parts: Any) -> Service:
    """``SERVICE SILENT s { … }``."""
    name, group = parts[-2:]
    return Service(name, group.pattern, isinstance(parts[0], Token))


@rule
def filter_(context: Context, _: Token, condition: Expression) -> _Filter:
    """``FILTER(…)``.

    Args:
        context: the state of reading.
        _: the word ``FILTER``.
        condition: the condition.
    """
    no_aggregate(context, condition, "in FILTER")
    return _Filter(condition)


@rule
def bind(
    context: Context, _: Token, expression: Expression, token: Token
) -> Callable[[Pattern], Pattern]:
    """``BIND(… AS ?v)``.

    Args:
        context: the state of reading.
        _: the word ``BIND``.
        expression: computes the value.
        token: the variable, the place for an error if it is already in scope.

    Returns:
        A function that extends the pattern before BIND.
    """
    no_aggregate(context, expression, "in BIND")
    variable = variable_of(token)

    def extended(pattern: Pattern) -> Pattern:
        if variable.name in in_scope(pattern):
            context.error(
                token,
                f"BIND cannot assign {token}: it is already in scope in this group; "
                "take another variable",
                expected="a variable that is not in scope",
            )
        return Extend(pattern, variable, expression)

    return extended


@rule
def data_block(context: Context, *parts: Any) -> Values:
    """``(?x ?y) { (a b) (c UNDEF) }``, and without variables ``() { () }``."""
    names = [part for part in parts if isinstance(part, Token) and part.type == "VAR"]
    for position, name in enumerate(names):
        if name in names[:position]:
            context.error(name, f"VALUES names {name} twice", expected="another variable")
    rows: list[tuple[Term | None, ...]] = []
    for token, *row in (part for part in parts if isinstance(part, tuple)):
        if len(row) != len(names):
            context.error(
                token,
                f"a row of VALUES has {len(row)} terms for {len(names)} variables",
                expected=f"{len(names)} terms",
            )
        rows.append(tuple(row))
    return Values(tuple(map(variable_of, names)), tuple(rows))


# Rules that check nothing.
RULES.update(
    {
        "group_of_subquery": lambda _, query: Group(SubSelect(query)),
        "group_or_union": lambda _, *groups: reduce(Union, [group.pattern for group in groups]),
        "optional": lambda _, group: lambda left: LeftJoin(left, group.base, group.condition),
        "minus": lambda _, group: lambda left: Minus(left, group.pattern),
        "graph": lambda _, name, group: Graph(name, group.pattern),
        "window": lambda _, name, group: Window(name, group.pattern),
        "undef": lambda *_: None,
        "data_row": lambda _, *parts: parts,  # ``(a b)``, after the token where it begins
        "data_one_variable": lambda _, token, *terms: Values(  # ``?x { a b }``
            (variable_of(token),), tuple((term,) for term in terms)
        ),
    }
)
