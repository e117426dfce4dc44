"""Expressions that look at data: those with EXISTS get their test when there is a dataset.

An expression without EXISTS is compiled once. One with EXISTS has its patterns compiled once, and
itself again for every scope that it is evaluated in; so that a compiled query holds no state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from rsp_conformance.model.algebra import Pattern, SubSelect
from rsp_conformance.model.expressions import Exists, Expression
from rsp_conformance.model.walk import subexpressions
from rsp_conformance.spark.worker.expressions import (
    Evaluator,
    Frame,
    Test,
    compile_expression,
    compile_test,
)
from rsp_conformance.spark.worker.scope import Scope
from rsp_conformance.sparql.relation import Row

Evaluation: TypeAlias = Callable[[Scope], list[Row]]
"""A compiled pattern."""
LateEvaluator: TypeAlias = Callable[[Scope], Evaluator]
LateTest: TypeAlias = Callable[[Scope], Test]
PatternsCompiler: TypeAlias = Callable[[Pattern], Evaluation]


def late_expression(
    expression: Expression, frame: Frame, compile_pattern: PatternsCompiler
) -> LateEvaluator:
    """EXPRESSION as a function that wants the scope before the row."""
    patterns = _compiled(expression, compile_pattern)
    if patterns is None:
        evaluator = compile_expression(expression, frame)
        return lambda scope: evaluator
    return lambda scope: compile_expression(expression, _within(frame, patterns, scope))


def late_test(expression: Expression, frame: Frame, compile_pattern: PatternsCompiler) -> LateTest:
    """EXPRESSION's effective boolean value as a function that wants the scope before the row."""
    patterns = _compiled(expression, compile_pattern)
    if patterns is None:
        test = compile_test(expression, frame)
        return lambda scope: test
    return lambda scope: compile_test(expression, _within(frame, patterns, scope))


def _compiled(
    expression: Expression, compile_pattern: PatternsCompiler
) -> dict[int, Evaluation] | None:
    """The patterns of the EXISTS in EXPRESSION, by the identity of the EXISTS."""
    return {
        id(part): compile_pattern(_sufficient(part.pattern))
        for part in subexpressions(expression)
        if isinstance(part, Exists)
    } or None


def _sufficient(pattern: Pattern) -> Pattern:
    """A pattern that has a solution if PATTERN has one, without choices that do not matter to that.

    A subquery's LIMIT of at least one row, and its REDUCED, leave a row where there is one.
    """
    if isinstance(pattern, SubSelect) and not pattern.query.offset and pattern.query.limit != 0:
        return SubSelect(replace(pattern.query, limit=None, reduced=False))
    return pattern


def _within(frame: Frame, patterns: dict[int, Evaluation], scope: Scope) -> Frame:
    """FRAME, in which EXISTS is evaluated over the active graph of SCOPE (18.6)."""

    def test_of(expression: Exists) -> Test:
        evaluate = patterns[id(expression)]
        if expression.negated:
            return lambda row: not evaluate(scope.correlated(row))
        return lambda row: bool(evaluate(scope.correlated(row)))

    return replace(frame, exists=test_of)
