"""Defects of pattern evaluation: another pattern is evaluated than was asked."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.model.algebra import Filter, Join, LeftJoin, Pattern, SubSelect, Union, Window
from rsp_conformance.model.expressions import Operation, Variable
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.terms import XSD_BOOLEAN, Literal
from rsp_conformance.model.variables import in_scope
from rsp_conformance.model.walk import rewritten_pattern


class Rewriting(Behaviour):
    """Evaluates another pattern than the one that was asked."""

    def rewritten(self) -> Query:
        """The query with the pattern changed everywhere."""
        return replace(self.query, pattern=rewritten_pattern(self.query.pattern, self.change))

    def change(self, pattern: Pattern) -> Pattern:
        """What is evaluated in place of PATTERN, whose parts have been changed already."""
        raise NotImplementedError


class OptionalAsJoin(Rewriting):
    """OPTIONAL leaves out solutions without a match."""

    def change(self, pattern: Pattern) -> Pattern:
        """Join in place of the left join."""
        if not isinstance(pattern, LeftJoin):
            return pattern
        joined = Join(pattern.left, pattern.right)
        return joined if pattern.condition is None else Filter(pattern.condition, joined)


class FilterErrorTrue(Rewriting):
    """A FILTER that errs lets the solution pass."""

    def change(self, pattern: Pattern) -> Pattern:
        """Take true for an error."""
        if not isinstance(pattern, Filter):
            return pattern
        passes = Operation("COALESCE", (pattern.condition, Literal("true", XSD_BOOLEAN)))
        return Filter(passes, pattern.pattern)


class UnionDedup(Rewriting):
    """UNION drops the solutions that both sides have."""

    def change(self, pattern: Pattern) -> Pattern:
        """Make the union DISTINCT."""
        if not isinstance(pattern, Union):
            return pattern
        variables = tuple(Projection(Variable(name)) for name in sorted(in_scope(pattern)))
        return SubSelect(Query(pattern, projection=variables, distinct=True))


class WindowVariableUnbound(Rewriting):
    """``WINDOW ?x`` ranges over the windows and leaves ?x unbound, as the paper prints it."""

    def change(self, pattern: Pattern) -> Pattern:
        """A union over the windows' names."""
        if not isinstance(pattern, Window) or not isinstance(pattern.name, Variable):
            return pattern
        branches: list[Pattern] = [
            Window(window.name, pattern.pattern) for window in self.query.windows if window.named
        ]
        return reduce(Union, branches) if branches else pattern
