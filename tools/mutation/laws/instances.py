"""The rows of the law table and the cases that each is measured on."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from rsp_conformance.laws import BAGS, HEURISTICS, LAWS, SETS, Law
from rsp_conformance.model.dials import Dials
from rsp_conformance.strategies.cases import GENERATED
from rsp_conformance.strategies.laws import LawCase, law_cases
from tests.builders.drawing import draw_many

FEATURES = GENERATED | {"uncertainty"}

DIALS = {
    SETS: Dials(window_content="set", r2s="set"),
    BAGS: Dials(window_content="bag", r2s="bag"),
}
"""Sets and bags all the way: contents of windows, solutions (DISTINCT or not), streams."""


@dataclass(frozen=True, slots=True)
class Row:
    """A law, with its whole condition or only with what is printed of it."""

    law: Law
    as_printed: bool = False

    @property
    def title(self) -> str:
        """How the table calls it."""
        return f"{self.law.name} as printed" if self.as_printed else self.law.name

    def claimed(self, semantics: str) -> bool:
        """Whether the law, so read, is said to hold under SEMANTICS."""
        return semantics in (self.law.printed_holds_on if self.as_printed else self.law.holds_on)


ROWS: tuple[Row, ...] = (
    *(Row(law) for law in LAWS),
    *(Row(law, as_printed=True) for law in LAWS if not law.printed_holds_on),
    *(Row(law) for law in HEURISTICS),
)
"""The eighteen, those of them that lack a condition as they are printed, and their kin."""


def instances(row: Row, semantics: str, number: int) -> list[LawCase]:
    """Up to NUMBER different cases of ROW, the same ones every time."""
    distinct = semantics == SETS
    strategy = law_cases(row.law, FEATURES, DIALS[semantics], distinct=distinct)
    if row.as_printed:
        broken = law_cases(row.law, FEATURES, DIALS[semantics], distinct=distinct, satisfied=False)
        strategy = st.one_of(strategy, broken)
    return list(dict.fromkeys(draw_many(strategy, 2 * number)))[:number]
