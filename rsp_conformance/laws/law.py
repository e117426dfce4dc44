"""Laws: two schemes that mean the same under a condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rsp_conformance.laws.binding import Binding
from rsp_conformance.laws.conditions import SideCondition, well_formed
from rsp_conformance.laws.schemes import Scheme, build, match, metavariables, operators, read
from rsp_conformance.model.algebra import Pattern, SubSelect
from rsp_conformance.model.walk import children, with_children

SETS, BAGS = "sets", "bags"
"""The semantics of solutions: without duplicates (sets), or with them (bags)."""

BOTH = frozenset({SETS, BAGS})
"""Sets and bags."""


@dataclass(frozen=True, slots=True)
class Law:
    """An equivalence of two schemes.

    Attributes:
        name: the name in the table; the law's property is ``rsp::test_law[name]``.
        statement: the law in the table's notation, ``left ≡ right``, without its condition.
        source: where the law is printed.
        printed: the side condition as it is printed.
        missing: conditions that have to be added because the printed law is false without them.
        assumed: conditions that all laws about expressions assume without saying so.
        holds_on: the semantics (sets, bags) under which the law holds if all conditions hold.
        printed_holds_on: the semantics under which it holds with the printed condition alone, if
            GRAPH and WINDOW bind their variable as in SPARQL.
    """

    name: str
    statement: str
    source: str
    printed: tuple[SideCondition, ...] = ()
    missing: tuple[SideCondition, ...] = ()
    assumed: tuple[SideCondition, ...] = ()
    holds_on: frozenset[str] = BOTH
    printed_holds_on: frozenset[str] = BOTH

    @property
    def left_side(self) -> Scheme:
        """The scheme on the left."""
        return read(self.statement.partition(" ≡ ")[0])

    @property
    def right_side(self) -> Scheme:
        """The scheme on the right."""
        return read(self.statement.partition(" ≡ ")[2])

    @property
    def metavariables(self) -> tuple[str, ...]:
        """The metavariables of both sides, in the order of their first appearance."""
        return tuple(
            dict.fromkeys((*metavariables(self.left_side), *metavariables(self.right_side)))
        )

    @property
    def operators(self) -> frozenset[type]:
        """The operators that the two sides use."""
        return operators(self.left_side) | operators(self.right_side)

    @property
    def conditions(self) -> tuple[SideCondition, ...]:
        """The whole side condition: printed, missing and assumed."""
        return self.printed + self.missing + self.assumed

    @property
    def claim(self) -> str:
        """The statement with its condition, and the semantics if the law holds for sets only."""
        stated = " and ".join(condition.text for condition in self.printed + self.missing)
        when = f" if {stated}" if stated else ""
        only = "" if BAGS in self.holds_on else ", for sets of solutions"
        return f"{self.statement}{when}{only}"

    def left(self, binding: Binding) -> Pattern:
        """Build the left side under a binding.

        Raises:
            KeyError: a metavariable has no value.
        """
        return build(self.left_side, binding)

    def right(self, binding: Binding) -> Pattern:
        """Build the right side under a binding.

        Raises:
            KeyError: a metavariable has no value.
        """
        return build(self.right_side, binding)

    def well_formed(self, binding: Binding) -> bool:
        """Return whether both sides under ``binding`` can be written in SPARQL."""
        return well_formed(self.left(binding)) and well_formed(self.right(binding))

    def holds_for(self, binding: Binding, semantics: str = BAGS) -> bool:
        """Return whether the law makes both sides equal under this binding and semantics."""
        return (
            semantics in self.holds_on
            and self.well_formed(binding)
            and all(condition.holds(binding) for condition in self.conditions)
        )

    def match(self, pattern: Pattern) -> Binding | None:
        """Find the binding under which ``pattern`` is the left side.

        The side condition is not checked.

        Returns:
            The binding, or None if the pattern does not have the left side's shape.
        """
        return match(self.left_side, pattern)


def rewritings(law: Law, pattern: Pattern, semantics: str = BAGS) -> Iterator[Pattern]:
    """Yield a pattern rewritten by a law, from left to right, at one place at a time.

    Places within EXISTS and within subqueries are left alone, and so are places at which the law's
    condition does not hold.

    Args:
        law: the law to apply.
        pattern: the pattern to rewrite.
        semantics: a law that needs sets is applied only under ``SETS``. The caller vouches that the
            whole query has DISTINCT and that nothing in between counts solutions.
    """
    binding = law.match(pattern)
    if binding is not None and law.holds_for(binding, semantics):
        yield law.right(binding)
    if isinstance(pattern, SubSelect):
        return
    operands = children(pattern)
    for place, operand in enumerate(operands):
        for new in rewritings(law, operand, semantics):
            yield with_children(pattern, (*operands[:place], new, *operands[place + 1 :]))
