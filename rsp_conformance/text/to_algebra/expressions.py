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

_OPERATORS = {
    **{"or_": "||", "and_": "&&", "add": "+", "subtract": "-", "multiply": "*", "divide": "/"},
    **{"not_": "!", "positive": "UNARY+", "negative": "UNARY-"},
}


@rule
def add_signed(context: Context, left: Expression, right: Token | Operation) -> Operation:
    """``?x -1 * ?y``, which is ``?x - 1 * ?y``.

    Args:
        context: the state of reading.
        left: the operand before the sign.
        right: the number with its sign, or a product that begins with such a number.
    """
    sign, unsigned = _without_sign(right)
    return Operation(sign, (left, unsigned))


def _without_sign(product: Token | Operation) -> tuple[str, Expression]:
    """Return the sign of a product's first factor, and the product without it."""
    if isinstance(product, Operation):
        first, second = product.arguments
        if isinstance(first, Token | Operation):
            sign, unsigned = _without_sign(first)
            return sign, Operation(product.name, (unsigned, second))
    text = str(product)
    return text[0], number_of(text[1:])


@rule
def function_call(context: Context, function: Any, arguments: list[Any]) -> FunctionCall:
    """Return a call by IRI.

    Args:
        context: the state of reading.
        function: the IRI of the function.
        arguments: the arguments, after the word ``DISTINCT`` if it is written.
    """
    distinct = bool(arguments) and isinstance(arguments[0], Token)
    return FunctionCall(function, tuple(arguments[distinct:]), distinct)


@rule
def builtin(context: Context, token: Token, arguments: list[Expression]) -> Operation:
    """Return a built-in function; it must have as many arguments as it takes.

    Args:
        context: the state of reading.
        token: the name of the function, in any case of letters.
        arguments: the arguments.
    """
    name = str(token).upper()
    least, most = ARGUMENTS[name]
    if not least <= len(arguments) <= most:
        takes = says_arguments(name)
        context.error(
            token, f"{SPELLING[name]} takes {takes}, not {len(arguments)}", expected=takes
        )
    if name == "BOUND" and not isinstance(arguments[0], Variable):
        context.error(token, "BOUND takes a variable", expected="a variable")
    return Operation(name, tuple(arguments))


# Aggregates


def no_aggregate(context: Context, expression: Expression, where: str) -> None:
    """Refuse an aggregate within an expression.

    Args:
        context: the state of reading, with the places of all aggregates.
        expression: the expression.
        where: completes the message, such as ``in FILTER``.

    Raises:
        QuerySyntaxError: the expression contains an aggregate.
    """
    for part in subexpressions(expression):
        if isinstance(part, Aggregate):
            context.error(
                next(token for known, token in context.aggregates if known is part),
                f"an aggregate cannot stand {where}; "
                "it belongs in SELECT, HAVING or ORDER BY, or in a subquery",
                expected="an expression without aggregates",
            )


@rule
def aggregate(context: Context, token: Token, *parts: Any) -> Aggregate:
    """``SUM(DISTINCT ?x)``, ``COUNT(*)``, ``GROUP_CONCAT(?x; SEPARATOR=", ")``."""
    words = {part.type: part for part in parts if isinstance(part, Token)}
    argument = next((part for part in parts if not isinstance(part, Token)), None)
    name = str(token).upper()
    if "STAR" in words and name != "COUNT":
        star = words["STAR"]
        context.error(star, f"only COUNT takes *, not {token}", expected="an expression")
    if argument is not None:
        no_aggregate(context, argument, "within an aggregate")
    separator = string_of(context, words["STRING"]) if "STRING" in words else None
    result = Aggregate(name, argument, "DISTINCT" in words, separator)
    context.aggregates.append((result, token))
    return result


def _operation(name: str) -> Any:
    return lambda _, *operands: Operation(name, operands)


# Rules that check nothing.
RULES.update({rule: _operation(name) for rule, name in _OPERATORS.items()})
RULES.update(
    {
        "comparison": lambda _, left, sign, right: Operation(str(sign), (left, right)),
        # ``(DISTINCT a, b)``, or ``()``, which is one token
        "arguments": lambda _, *parts: [
            part for part in parts if not (isinstance(part, Token) and part.type == "NIL")
        ],
        "expression_list": lambda _, *parts: [p for p in parts if not isinstance(p, Token)],
        "in_": lambda _, first, others: Operation("IN", (first, *others)),
        "not_in": lambda _, first, others: Operation("NOT IN", (first, *others)),
        "exists": lambda _, group: Exists(group.pattern),
        "not_exists": lambda _, group: Exists(group.pattern, negated=True),
    }
)
