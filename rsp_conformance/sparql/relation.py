"""Relations: the solutions of a query's pattern and solution modifiers at one instant."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rsp_conformance.model.terms import Literal, Term
from rsp_conformance.sparql.readings import Choices, Ledger

Row: TypeAlias = tuple[Term | None, ...]
"""A solution as the terms of a relation's variables, in their order; None is unbound."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Solutions after the modifiers, before the streaming operator and the query form.

    Attributes:
        variables: The projected variables of a SELECT; all in-scope variables of an ASK or
            CONSTRUCT.
        rows: The solutions, each with the terms of the variables in their order.
        ties: As in `model.answers.Rows`: None for a multiset, else for each row the number of its
            group of tied rows, ascending.
        undetermined: The ids of the points that leave the solutions themselves open
            (``open_points``): LIMIT or OFFSET that cuts through tied rows, REDUCED with duplicates,
            SAMPLE among different values, the order within GROUP_CONCAT. The rows are then one
            legal choice of many.
        choices: The choices that were met, each decided by a reading (``readings``).
        computed: The numbers whose digits or form are open.
    """

    variables: tuple[str, ...]
    rows: list[Row]
    ties: tuple[int, ...] | None = None
    undetermined: tuple[str, ...] = ()
    choices: Choices = field(default=(), compare=False)
    computed: frozenset[Literal] = field(default=frozenset(), compare=False)

    @property
    def determined(self) -> bool:
        """Whether SPARQL allows no other solutions, under the readings that were taken."""
        return not self.undetermined

    def noted(self, ledger: Ledger) -> Relation:
        """The same solutions with the open points that the ledger of their evaluation recorded."""
        if not (ledger.met or ledger.left_open or ledger.computed):
            return self
        return replace(
            self,
            undetermined=tuple(dict.fromkeys((*self.undetermined, *ledger.left_open))),
            choices=ledger.choices,
            computed=frozenset(ledger.computed),
        )
