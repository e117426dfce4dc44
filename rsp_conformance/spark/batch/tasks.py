"""What is judged: a case under dials, with what an engine answered."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Vector


@dataclass(frozen=True, slots=True)
class Task:
    """One case of a batch.

    ``key`` names the task in the results and is unique in a batch. ``observed`` is what an engine
    answered, None where only Ans(Q) is wanted. ``first_appended`` is the index that the first
    element appended after the case's own has for ``Observed.cause`` (decision 22); None means
    right after the last one. ``t0`` asks about this vector alone instead of about all of Z.
    """

    key: str
    case: Case
    dials: Dials
    observed: tuple[Observed, ...] | None = None
    first_appended: int | None = None
    t0: Vector | None = None

    @property
    def appended_from(self) -> int:
        """The least ``cause`` that is an appended element."""
        return len(self.case.elements) if self.first_appended is None else self.first_appended
