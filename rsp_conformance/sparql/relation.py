"""Relations: what a query's pattern and solution modifiers yield at one instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rsp_conformance.model.terms import Term

Row: TypeAlias = tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Solutions after the modifiers, before the streaming operator and the query form.

    ``variables`` are the projected ones of a SELECT, and all in-scope ones of an ASK or CONSTRUCT.
    ``ties`` are those of ``model.answers.Rows``: None for a multiset, else the number of the
    group of tied rows, row by row and ascending.

    ``undetermined`` says, as reasons to be read, where SPARQL leaves the solutions themselves
    open: LIMIT or OFFSET that cuts through tied rows, REDUCED with duplicates, SAMPLE among
    different values, the order within GROUP_CONCAT. The rows are then one legal choice of many.
    """

    variables: tuple[str, ...]
    rows: list[Row]
    ties: tuple[int, ...] | None = None
    undetermined: tuple[str, ...] = ()

    @property
    def determined(self) -> bool:
        """Whether SPARQL allows these solutions only."""
        return not self.undetermined
