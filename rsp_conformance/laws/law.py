"""A law: two schemes that mean the same under a condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rsp_conformance.laws.binding import Binding
from rsp_conformance.laws.conditions import SideCondition, well_formed
from rsp_conformance.laws.schemes import Scheme, build, match, metavariables, operators, read
from rsp_conformance.model.algebra import Pattern, SubSelect
from rsp_conformance.model.walk import children, with_children

SETS, BAGS = "sets", "bags"
"""The semantics of solutions: without duplicates, or with them."""

BOTH = frozenset({SETS, BAGS})


@dataclass(frozen=True, slots=True)
class Law:
    """An equivalence of two schemes.

    Attributes:
        name: as the table has it; the property of it is ``rsp::test_law[name]``.
        statement: the law in the table's notation, ``left ≡ right``, without its condition.
        source: where it is printed.
        printed: the side condition as it is printed.
        missing: what has to be added to it.
        assumed: what all laws about expressions assume without saying so.
        holds_on: the semantics under which the law holds, all conditions given.
        printed_holds_on: the semantics of SPARQL's binding GRAPH and WINDOW under which it holds
            with the printed condition alone.
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
        """The metavariables of both sides, by their first appearance."""
        return tuple(
            dict.fromkeys((*metavariables(self.left_side), *metavariables(self.right_side)))
        )

    @property
    def operators(self) -> frozenset[type]:
        """The operators that the sides use."""
        return operators(self.left_side) | operators(self.right_side)

    @property
    def conditions(self) -> tuple[SideCondition, ...]:
        """The whole side condition."""
        return self.printed + self.missing + self.assumed

    @property
    def claim(self) -> str:
        """The statement with its condition, and the semantics if it needs sets."""
        stated = " and ".join(condition.text for condition in self.printed + self.missing)
        when = f" if {stated}" if stated else ""
        only = "" if BAGS in self.holds_on else ", for sets of solutions"
        return f"{self.statement}{when}{only}"

    def left(self, binding: Binding) -> Pattern:
        """The left side under BINDING; KeyError for a metavariable without a value."""
        return build(self.left_side, binding)

    def right(self, binding: Binding) -> Pattern:
        """The right side under BINDING."""
        return build(self.right_side, binding)

    def well_formed(self, binding: Binding) -> bool:
        """Whether both sides under BINDING can be written in SPARQL."""
        return well_formed(self.left(binding)) and well_formed(self.right(binding))

    def holds_for(self, binding: Binding, semantics: str = BAGS) -> bool:
        """Whether the law says that both sides under BINDING are equal under SEMANTICS."""
        return (
            semantics in self.holds_on
            and self.well_formed(binding)
            and all(condition.holds(binding) for condition in self.conditions)
        )

    def match(self, pattern: Pattern) -> Binding | None:
        """The binding under which PATTERN is the left side, whatever the condition says."""
        return match(self.left_side, pattern)


def rewritings(law: Law, pattern: Pattern, semantics: str = BAGS) -> Iterator[Pattern]:
    """PATTERN with the left side of LAW replaced by the right one, at one place at a time.

    Places within EXISTS and within subqueries are left alone, and so is a place where the
    condition is not satisfied. A law that needs sets is applied only where SEMANTICS is sets: the
    caller vouches that the whole query is asked with DISTINCT and nothing in between counts.
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
