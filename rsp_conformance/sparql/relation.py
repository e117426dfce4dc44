"""Relations: what a query's pattern and solution modifiers yield at one instant."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rsp_conformance.model.terms import Literal, Term
from rsp_conformance.sparql.readings import Choices, Ledger

Row: TypeAlias = tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Solutions after the modifiers, before the streaming operator and the query form.

    ``variables`` are the projected ones of a SELECT, and all in-scope ones of an ASK or CONSTRUCT.
    ``ties`` are those of ``model.answers.Rows``: None for a multiset, else the number of the
    group of tied rows, row by row and ascending.

    ``undetermined`` has the ids of the points that leave the solutions themselves open
    (``open_points``): LIMIT or OFFSET that cuts through tied rows, REDUCED with duplicates, SAMPLE
    among different values, the order within GROUP_CONCAT. The rows are then one legal choice of
    many. ``choices`` are those that were met and taken in one way of a few (``readings``), and
    ``computed`` the numbers whose digits or form are open.
    """

    variables: tuple[str, ...]
    rows: list[Row]
    ties: tuple[int, ...] | None = None
    undetermined: tuple[str, ...] = ()
    choices: Choices = field(default=(), compare=False)
    computed: frozenset[Literal] = field(default=frozenset(), compare=False)

    @property
    def determined(self) -> bool:
        """Whether SPARQL allows these solutions only."""
        return not self.undetermined

    def noted(self, ledger: Ledger) -> Relation:
        """The same with what LEDGER says of its evaluation."""
        if not (ledger.met or ledger.left_open or ledger.computed):
            return self
        return replace(
            self,
            undetermined=tuple(dict.fromkeys((*self.undetermined, *ledger.left_open))),
            choices=ledger.choices,
            computed=frozenset(ledger.computed),
        )
