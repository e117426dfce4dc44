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
    answered, None where only Ans(Q) is wanted. ``t0`` asks about this vector alone instead of about
    all of Z.
    """

    key: str
    case: Case
    dials: Dials
    observed: tuple[Observed, ...] | None = None
    t0: Vector | None = None
