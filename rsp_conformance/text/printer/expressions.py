"""Expressions as text, with no more parentheses than precedence asks for (SPARQL 1.1, 19.8)."""

from __future__ import annotations

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.terms import IRI, Literal
from rsp_conformance.text.builtin_functions import SPELLING
from rsp_conformance.text.escapes import escape
from rsp_conformance.text.printer.style import Style
from rsp_conformance.text.printer.terms import is_bare, term_text

OR, AND, RELATION, SUM, PRODUCT, UNARY, PRIMARY = range(7)
"""How tightly the forms of expressions bind, loosest first."""

_BINARY: dict[str, tuple[int, int, int]] = {
    "||": (OR, OR, AND),
    "&&": (AND, AND, RELATION),
    **dict.fromkeys(("=", "!=", "<", ">", "<=", ">="), (RELATION, SUM, SUM)),
    **dict.fromkeys("+-", (SUM, SUM, PRODUCT)),
    **dict.fromkeys("*/", (PRODUCT, PRODUCT, UNARY)),
}
"""Of each operator: how it binds, and how tightly its left and right operands must."""

_UNARY = {"!": "!", "UNARY+": "+", "UNARY-": "-"}


def expression_text(expression: Expression, style: Style, least: int = OR) -> str:
    """An expression, in parentheses where it binds less tightly than LEAST."""
    text, binding = _expression(expression, style)
    return text if binding >= least else f"({text})"


def _expression(expression: Expression, style: Style) -> tuple[str, int]:
    match expression:
        case Variable() | IRI() | Literal() | TriplePattern():
            return term_text(expression, style), PRIMARY
        case Operation(name, (left, right)) if name in _BINARY:
            binding, left_least, right_least = _BINARY[name]
            parts = (
                expression_text(left, style, left_least),
                expression_text(right, style, right_least),
            )
            return f" {name} ".join(parts), binding
        case Operation(name, (inner,)) if name in _UNARY:
            text = expression_text(inner, style, PRIMARY)
            # `-1` would be the number itself, and `--1` read badly.
            if name != "!" and isinstance(inner, Literal) and is_bare(inner):
                text = f"({text})"
            return _UNARY[name] + text, UNARY
        case Operation("IN" | "NOT IN" as name, (first, *rest)):
            return f"{expression_text(first, style, SUM)} {name} {_list(rest, style)}", RELATION
        case Operation(name, arguments) if name in SPELLING:
            return SPELLING[name] + _list(arguments, style), PRIMARY
        case Operation(name, arguments):
            raise ValueError(
                f"there is no operator or function {name!r} of {len(arguments)} arguments"
            )
        case FunctionCall(function, arguments, distinct):
            listed = _list(arguments, style, "DISTINCT " if distinct else "")
            return style.iri(function.value) + listed, PRIMARY
        case Exists(pattern, negated):
            from rsp_conformance.text.printer.patterns import group_text

            return group_text("NOT EXISTS" if negated else "EXISTS", pattern, style), PRIMARY
        case Aggregate(name, argument, distinct, separator):
            inside = "DISTINCT " if distinct else ""
            inside += "*" if argument is None else expression_text(argument, style)
            if separator is not None:
                inside += f'; SEPARATOR="{escape(separator)}"'
            return f"{name}({inside})", PRIMARY


def _list(
    expressions: tuple[Expression, ...] | list[Expression], style: Style, first: str = ""
) -> str:
    return f"({first}{', '.join(expression_text(e, style) for e in expressions)})"


def constraint_text(expression: Expression, style: Style) -> str:
    """An expression as FILTER, HAVING and ORDER BY take it: a call, or in parentheses."""
    match expression:
        case FunctionCall() | Exists() | Aggregate():
            return expression_text(expression, style)
        case Operation(name, _) if name in SPELLING:
            return expression_text(expression, style)
        case _:
            return f"({expression_text(expression, style)})"
