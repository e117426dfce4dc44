"""The values of a law's metavariables."""

from __future__ import annotations

from typing import TypeAlias, cast

from rsp_conformance.model.algebra import Pattern
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import IRI

MetavariableValue: TypeAlias = "Pattern | Expression | Variable | IRI"
"""A value of a metavariable."""


class Binding(dict[str, MetavariableValue]):
    """The values of metavariables, in the order in which they were bound.

    Names that begin with P are patterns, with R conditions; C is an expression, v the variable that
    BIND assigns, n the name of a window or graph, m the name of another window, k a constant; t1
    and t2 are triple patterns. Bindings are hashable, so do not change one after it has been made.
    """

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))

    def extended(self, name: str, value: MetavariableValue) -> Binding | None:
        """Bind one more metavariable.

        Returns:
            This binding if ``name`` has this value already, a longer one if it had none, and None
            if it has another value.
        """
        if name in self:
            return self if self[name] == value else None
        return Binding(self, **{name: value})

    def pattern(self, name: str) -> Pattern:
        """Return the pattern that is the value of ``name``."""
        return cast("Pattern", self[name])

    def expression(self, name: str) -> Expression:
        """Return the condition or expression that is the value of ``name``."""
        return cast("Expression", self[name])
