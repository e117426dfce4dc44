"""Expressions as text, with no more parentheses than precedence requires."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from rsp_conformance.model import algebra
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
from rsp_conformance.text.printer.terms import TermPrinter, is_bare

_OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(7)
"""How tightly the forms of expressions bind, loosest first (SPARQL 1.1, 19.8)."""

_BINARY: dict[str, tuple[int, int, int]] = {
    "||": (_OR, _OR, _AND),
    "&&": (_AND, _AND, _RELATION),
    **dict.fromkeys(("=", "!=", "<", ">", "<=", ">="), (_RELATION, _SUM, _SUM)),
    **dict.fromkeys("+-", (_SUM, _SUM, _PRODUCT)),
    **dict.fromkeys("*/", (_PRODUCT, _PRODUCT, _UNARY)),
}
"""How tightly each operator binds, and how tightly its left and right operands must bind."""

_SIGNS = {"!": "!", "UNARY+": "+", "UNARY-": "-"}


def is_call(expression: Expression) -> bool:
    """Return whether an expression is a call, which needs no brackets of its own."""
    return isinstance(expression, FunctionCall) or (
        isinstance(expression, Operation) and expression.name in SPELLING
    )


@dataclass(frozen=True, slots=True)
class ExpressionPrinter(TermPrinter):
    """Writes expressions; subclasses write the pattern of EXISTS."""

    @abstractmethod
    def group(self, head: str, pattern: algebra.Pattern) -> list[str]:
        """Return `head` and the group that `pattern` is."""

    def expression(self, expression: Expression, least: int = _OR) -> str:
        """Return an expression, in parentheses if it binds less tightly than `least`."""
        text, binding = self._expression(expression)
        return text if binding >= least else f"({text})"

    def _expression(self, expression: Expression) -> tuple[str, int]:
        match expression:
            case Variable() | IRI() | Literal() | algebra.TriplePattern():
                return self.term(expression), _PRIMARY
            case Operation(name, (left, right)) if name in _BINARY:
                binding, of_left, of_right = _BINARY[name]
                first, second = self._operand_of(left, of_left), self._operand_of(right, of_right)
                # A sign before a digit makes one token with it, which reads as the operator.
                space = "" if self.layout.signs and name in "+-" and second[0].isdigit() else " "
                return f"{first} {name}{space}{second}", binding
            case Operation(name, (inner,)) if name in _SIGNS:
                text = self._operand_of(inner, _PRIMARY)
                # `-1` would be the number itself, and `--1` is hard to read.
                if name != "!" and isinstance(inner, Literal) and is_bare(inner):
                    text = f"({text})"
                return _SIGNS[name] + text, _UNARY
            case Operation("IN" | "NOT IN" as name, (first, *rest)):
                return f"{self.expression(first, _SUM)} {name} {self._list(rest)}", _RELATION
            case Operation(name, arguments) if name in SPELLING:
                return SPELLING[name] + self._list(arguments), _PRIMARY
            case Operation(name, arguments):
                raise ValueError(
                    f"there is no operator or function {name!r} of {len(arguments)} arguments"
                )
            case FunctionCall(function, arguments, distinct):
                listed = self._list(arguments, "DISTINCT " if distinct else "")
                return self.iri(function.value) + listed, _PRIMARY
            case Exists(pattern, negated):
                head = "NOT EXISTS" if negated else "EXISTS"
                return "\n".join(self.group(head, pattern)), _PRIMARY
            case Aggregate(name, argument, distinct, separator):
                inside = "DISTINCT " if distinct else ""
                inside += "*" if argument is None else self.expression(argument)
                if separator is not None:
                    inside += f'; SEPARATOR="{escape(separator)}"'
                return f"{name}({inside})", _PRIMARY

    def _operand_of(self, expression: Expression, least: int) -> str:
        text = self.expression(expression, least)
        return f"({text})" if self.layout.brackets else text

    def _list(self, expressions: Sequence[Expression], first: str = "") -> str:
        return f"({first}{', '.join(map(self.expression, expressions))})"

    def constraint(self, expression: Expression) -> str:
        """Return an expression as FILTER, HAVING, ORDER BY take it: a call, or in parentheses."""
        text = self.expression(expression)
        bare = is_call(expression) or isinstance(expression, (Exists, Aggregate))
        return text if bare else f"({text})"
