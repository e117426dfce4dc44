"""Expressions that look at data: those with EXISTS get their test when there is a dataset.

An expression without EXISTS is compiled once. An expression with EXISTS has its patterns compiled
once, and itself again for every dataset that it is evaluated in, so a compiled query holds no
state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias, TypeVar

from rsp_conformance.model.algebra import Pattern, SubSelect
from rsp_conformance.model.expressions import Exists, Expression
from rsp_conformance.model.walk import subexpressions
from rsp_conformance.spark.worker.active_dataset import ActiveDataset
from rsp_conformance.spark.worker.expressions import Evaluator, Frame, Test
from rsp_conformance.sparql.open_points import SUBSTITUTED
from rsp_conformance.sparql.readings import aside, leave_open
from rsp_conformance.sparql.relation import Row
from rsp_conformance.sparql.substitution import Substitutions, substitutions

Compiled = TypeVar("Compiled")
PatternEvaluation: TypeAlias = Callable[[ActiveDataset], list[Row]]
"""A compiled pattern."""
LateEvaluator: TypeAlias = Callable[[ActiveDataset], Evaluator]
LateTest: TypeAlias = Callable[[ActiveDataset], Test]
PatternsCompiler: TypeAlias = Callable[[Pattern], PatternEvaluation]


def late(
    compiled: Callable[[Expression, Frame], Compiled],
    expression: Expression,
    frame: Frame,
    compile_pattern: PatternsCompiler,
) -> Callable[[ActiveDataset], Compiled]:
    """Compile an expression to a function that wants the dataset first.

    Args:
        compiled: compiles the expression to a term or a test.
        expression: the expression.
        frame: the frame of its rows.
        compile_pattern: compiles the patterns of EXISTS.
    """
    patterns = {
        id(part): _Tested(substitutions(_sufficient(part.pattern)), frame.slots, compile_pattern)
        for part in subexpressions(expression)
        if isinstance(part, Exists)
    }
    if patterns:
        return lambda dataset: compiled(expression, _within(frame, patterns, dataset))
    once = compiled(expression, frame)
    return lambda dataset: once


def _sufficient(pattern: Pattern) -> Pattern:
    """A pattern that has a solution if another has one, without choices that do not matter to that.

    A subquery's LIMIT of at least one row, and its REDUCED, leave a row if there is one.
    """
    if isinstance(pattern, SubSelect) and not pattern.query.offset and pattern.query.limit != 0:
        return SubSelect(replace(pattern.query, limit=None, reduced=False))
    return pattern


class _Tested:
    """The compiled pattern of an EXISTS, and the patterns that others read in its place."""

    def __init__(
        self, known: Substitutions, slots: Mapping[str, int], compile_pattern: PatternsCompiler
    ) -> None:
        self._known = known
        self._readings = [compile_pattern(pattern) for pattern in known.patterns]
        self._slots = {name: slots[name] for name in (*known.names, *known.nodes) if name in slots}

    def holds(self, dataset: ActiveDataset, row: Row) -> bool:
        """Whether there are solutions for a row; if other readings disagree, that is noted."""
        inside = dataset.correlated(row)
        found = bool(self._readings[0](inside))
        if not dataset.aside and self._slots and self._differs(found, inside, row):
            leave_open(SUBSTITUTED)
        return found

    def _differs(self, found: bool, inside: ActiveDataset, row: Row) -> bool:
        given = {
            name: term for name, slot in self._slots.items() if (term := row[slot]) is not None
        }
        others = self._known.others(given)
        if not others:
            return False
        with aside():
            return any(
                bool(self._readings[number](inside.read_otherwise(loose=loose))) is not found
                for number, loose in others
            )


def _within(frame: Frame, patterns: dict[int, _Tested], dataset: ActiveDataset) -> Frame:
    """A frame in which EXISTS is evaluated over the active graph of a dataset (18.6)."""

    def test_of(expression: Exists) -> Test:
        tested = patterns[id(expression)]
        if expression.negated:
            return lambda row: not tested.holds(dataset, row)
        return lambda row: tested.holds(dataset, row)

    return replace(frame, exists=test_of)
