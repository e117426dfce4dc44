"""The other members of Z: why they fit no better (RSP-QL Definition 26)."""

from __future__ import annotations

from rsp_conformance.explain.argument import Alternatives, Departure
from rsp_conformance.explain.evidence.evaluations import neighbours
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.verdict import Kind, Vector
from rsp_conformance.spec.starts import legal_starts


def alternatives(setting: Setting) -> Alternatives:
    """How the answers of the other members of Z depart from the one given."""
    legal = tuple(legal_starts(w, setting.case, setting.dials) for w in setting.windows)
    groups: dict[Departure, tuple[Vector, ...]] = {}
    for vector in setting.others():
        steps = setting.expectation.trace(vector)
        divergence = setting.compared(steps).divergence
        if divergence is not None:
            at = setting.place if divergence.t is None else divergence.t
            near = neighbours(setting.due_of(steps), at) if divergence.expected is None else ()
            expected, kind = divergence.expected, divergence.kind
            kind = Kind.MISSING if kind is Kind.SILENT else kind
            told = kind if kind in {Kind.MISSING, Kind.ORDER} else None
            departure = Departure(expected, told, at, near)
            groups[departure] = (*groups.get(departure, ()), vector)
    return Alternatives(legal, tuple(groups.items()))
