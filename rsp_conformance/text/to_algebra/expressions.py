"""Expressions (SPARQL 1.1, section 17)."""

from __future__ import annotations

from typing import Any

from lark import Token

from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.walk import subexpressions
from rsp_conformance.text.builtin_functions import ARGUMENTS, SPELLING, says_arguments
from rsp_conformance.text.to_algebra.context import RULES, Context, rule
from rsp_conformance.text.to_algebra.terms import number_of, string_of

_BINARY = {
    "or_": "||",
    "and_": "&&",
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
}
_UNARY = {"not_": "!", "positive": "UNARY+", "negative": "UNARY-"}


def _operation(name: str) -> None:
    @rule(name)
    def read(context: Context, parts: list[Any]) -> Operation:
        return Operation(operators[name], tuple(parts))


operators = _BINARY | _UNARY
for _name in operators:
    _operation(_name)


@rule("add_signed")
def add_signed(context: Context, parts: list[Any]) -> Operation:
    """``?x -1 * ?y``, which is ``?x - 1 * ?y``."""
    left, right = parts
    sign, unsigned = _without_sign(right)
    return Operation(sign, (left, unsigned))


def _without_sign(product: Token | Operation) -> tuple[str, Expression]:
    """The sign of a product's first factor, and the product without it."""
    if isinstance(product, Operation):
        first, second = product.arguments
        if isinstance(first, Token | Operation):
            sign, unsigned = _without_sign(first)
            return sign, Operation(product.name, (unsigned, second))
    text = str(product)
    return text[0], number_of(text[1:])


@rule("arguments")
def arguments(context: Context, parts: list[Any]) -> tuple[tuple[Expression, ...], bool]:
    """A function's arguments, and whether DISTINCT stands before them."""
    return (
        tuple(part for part in parts if not isinstance(part, Token)),
        any(isinstance(part, Token) and part.type == "DISTINCT" for part in parts),
    )


@rule("function_call")
def function_call(context: Context, parts: list[Any]) -> FunctionCall:
    """A call by IRI."""
    function, (values, distinct) = parts
    return FunctionCall(function, values, distinct)


@rule("builtin")
def builtin(context: Context, parts: list[Any]) -> Operation:
    """A built-in function with as many arguments as it takes."""
    token, values = parts
    name = str(token).upper()
    least, most = ARGUMENTS[name]
    if not least <= len(values) <= most:
        takes = says_arguments(name)
        context.error(token, f"{SPELLING[name]} takes {takes}, not {len(values)}", expected=takes)
    if name == "BOUND" and not isinstance(values[0], Variable):
        context.error(token, "BOUND takes a variable", expected="a variable")
    return Operation(name, tuple(values))


# ------------------------------------------------------------------------------------- aggregates


def first_aggregate(context: Context, expression: Expression) -> Token | None:
    """Where the first aggregate within EXPRESSION was written, or None."""
    for part in subexpressions(expression):
        if isinstance(part, Aggregate):
            return next(token for known, token in context.aggregates if known is part)
    return None


def no_aggregate(context: Context, expression: Expression, where: str) -> None:
    """Refuse an aggregate within EXPRESSION, which stands in WHERE."""
    if (token := first_aggregate(context, expression)) is not None:
        context.error(
            token,
            f"an aggregate cannot stand {where}; "
            "it belongs in SELECT, HAVING or ORDER BY, or in a subquery",
            expected="an expression without aggregates",
        )


def _aggregate(
    context: Context,
    token: Token,
    argument: Expression | None,
    distinct: bool,
    separator: str | None,
) -> Aggregate:
    if argument is not None:
        no_aggregate(context, argument, "within an aggregate")
    result = Aggregate(str(token).upper(), argument, distinct, separator)
    context.aggregates.append((result, token))
    return result


@rule("aggregate")
def aggregate(context: Context, parts: list[Any]) -> Aggregate:
    """``SUM(DISTINCT ?x)``, ``COUNT(*)``."""
    token, *rest = parts
    distinct = isinstance(rest[0], Token) and rest[0].type == "DISTINCT"
    argument = rest[-1]
    if isinstance(argument, Token):
        if str(token).upper() != "COUNT":
            context.error(argument, f"only COUNT takes *, not {token}", expected="an expression")
        argument = None
    return _aggregate(context, token, argument, distinct, None)


@rule("group_concat")
def group_concat(context: Context, parts: list[Any]) -> Aggregate:
    """``GROUP_CONCAT(?x; SEPARATOR=", ")``."""
    token, *rest = parts
    distinct = isinstance(rest[0], Token)
    separator = None
    if isinstance(rest[-1], Token):
        separator = string_of(context, rest[-1])
        rest.pop()
    return _aggregate(context, token, rest[-1], distinct, separator)


# What the rules yield that check nothing.
RULES.update(
    {
        # ``a < b`` and its like
        "comparison": lambda _, parts: Operation(str(parts[1]), (parts[0], parts[2])),
        # The ``-1`` of ``?x -1``, whose sign is the operator
        "signed_number": lambda _, parts: parts[0],
        # ``(a, b)`` or ``()``
        "expression_list": lambda _, parts: [part for part in parts if not isinstance(part, Token)],
        "in_": lambda _, parts: Operation("IN", (parts[0], *parts[1])),  # ``a IN (b, c)``
        # ``a NOT IN (b, c)``
        "not_in": lambda _, parts: Operation("NOT IN", (parts[0], *parts[1])),
        "exists": lambda _, parts: Exists(parts[0].pattern),  # ``EXISTS { … }``
        # ``NOT EXISTS { … }``
        "not_exists": lambda _, parts: Exists(parts[0].pattern, negated=True),
    }
)
