"""What the metavariables of a law stand for."""

from __future__ import annotations

from typing import TypeAlias, cast

from rsp_conformance.model.algebra import Pattern
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import IRI

MetavariableValue: TypeAlias = "Pattern | Expression | Variable | IRI"


class Binding(dict[str, MetavariableValue]):
    """Metavariables with their values, in the order in which they were bound.

    Names beginning with P stand for patterns, with R for conditions; C is an expression, v the
    variable that BIND assigns, n the name of a window or graph, m that of another window, k a
    constant, t1 and t2 are triple patterns. Immutable by contract.
    """

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))

    def extended(self, name: str, value: MetavariableValue) -> Binding | None:
        """This binding with NAME bound to VALUE too; None where it stands for something else."""
        if name in self:
            return self if self[name] == value else None
        return Binding(self, **{name: value})

    def pattern(self, name: str) -> Pattern:
        """The pattern that NAME stands for."""
        return cast("Pattern", self[name])

    def expression(self, name: str) -> Expression:
        """The condition or expression that NAME stands for."""
        return cast("Expression", self[name])
