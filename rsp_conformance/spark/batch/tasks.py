"""Tasks: a case under dials, with the answers of an engine."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Vector


@dataclass(frozen=True, slots=True)
class Task:
    """One case of a batch.

    Attributes:
        key: names the task in the results; unique in a batch.
        case: the case.
        dials: the dials in force.
        observed: the answers of an engine; None if only Ans(Q) is wanted.
        t0: the only vector that is asked for; None for all of Z.
    """

    key: str
    case: Case
    dials: Dials
    observed: tuple[Observed, ...] | None = None
    t0: Vector | None = None
