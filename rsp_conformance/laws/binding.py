"""What the metavariables of a law stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, cast

from rsp_conformance.model.algebra import Pattern
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import IRI

Value: TypeAlias = "Pattern | Expression | Variable | IRI"


@dataclass(frozen=True, slots=True)
class Binding:
    """Metavariables with their values, in the order in which they were bound.

    Names beginning with P stand for patterns, with R for conditions; C is an expression, v the
    variable that BIND assigns, n the name of a window or graph, m that of another window, k a
    constant, t1 and t2 are triple patterns.
    """

    values: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, **values: Value) -> Binding:
        """A binding from keyword arguments."""
        return cls(tuple(values.items()))

    def __getitem__(self, name: str) -> Value:
        for known, value in self.values:
            if known == name:
                return value
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(known == name for known, _ in self.values)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.values)

    def extended(self, name: str, value: Value) -> Binding | None:
        """This binding with NAME bound to VALUE too; None where it stands for something else."""
        if name in self:
            return self if self[name] == value else None
        return Binding((*self.values, (name, value)))

    def pattern(self, name: str) -> Pattern:
        """The pattern that NAME stands for."""
        return cast("Pattern", self[name])

    def expression(self, name: str) -> Expression:
        """The condition or expression that NAME stands for."""
        return cast("Expression", self[name])
