"""Defects of query optimisers: patterns rewritten by what is no law, or parts lost on the way."""

from __future__ import annotations

from dataclasses import replace

from rsp_conformance.adapters.reference.defects.patterns import Rewriting
from rsp_conformance.model.algebra import Filter, LeftJoin, Pattern, Union, Window
from rsp_conformance.model.expressions import Expression, Operation
from rsp_conformance.model.terms import XSD_BOOLEAN, Literal


class FilterIntoOptional(Rewriting):
    """A FILTER of a group that ends with OPTIONAL is pushed into the OPTIONAL."""

    def change(self, pattern: Pattern) -> Pattern:
        """Restrict the right operand in place of the whole."""
        if not isinstance(pattern, Filter) or not isinstance(pattern.pattern, LeftJoin):
            return pattern
        inner = pattern.pattern
        return replace(inner, right=Filter(pattern.condition, inner.right))


class WindowFilterForgotten(Rewriting):
    """A FILTER that stands right behind WINDOW, outside of it, is forgotten."""

    def change(self, pattern: Pattern) -> Pattern:
        """The window alone."""
        forgotten = isinstance(pattern, Filter) and isinstance(pattern.pattern, Window)
        return pattern.pattern if forgotten and isinstance(pattern, Filter) else pattern


class LastFilterOnly(Rewriting):
    """Of several FILTERs of one group the last one alone is applied."""

    def change(self, pattern: Pattern) -> Pattern:
        """Leave out the filter below."""
        if isinstance(pattern, Filter) and isinstance(pattern.pattern, Filter):
            return Filter(pattern.condition, pattern.pattern.pattern)
        return pattern


class DisjunctionErrorFirst(Rewriting):
    """A disjunction whose first operand is an error is an error, whatever the second one is."""

    def change(self, pattern: Pattern) -> Pattern:
        """Evaluate operands from the left, and stop at an error."""
        if not isinstance(pattern, Filter):
            return pattern
        return Filter(_from_the_left(pattern.condition), pattern.pattern)


class InnerUnionLost(Rewriting):
    """Of a UNION whose second branch is a UNION again the last branch is lost."""

    def change(self, pattern: Pattern) -> Pattern:
        """Keep the first branch of the inner union."""
        if isinstance(pattern, Union) and isinstance(pattern.right, Union):
            return Union(pattern.left, pattern.right.left)
        return pattern


def _from_the_left(condition: Expression) -> Expression:
    if not isinstance(condition, Operation):
        return condition
    arguments = tuple(_from_the_left(argument) for argument in condition.arguments)
    if condition.name != "||":
        return Operation(condition.name, arguments)
    return Operation("IF", (arguments[0], Literal("true", XSD_BOOLEAN), arguments[1]))
