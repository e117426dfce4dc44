"""The vector to argue from: among those that agree longest, the one that differs least there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from rsp_conformance.explain.differences import difference
from rsp_conformance.explain.evidence import Evidence
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Divergence, Kind, Vector, Verdict
from rsp_conformance.spec.correctness import rspql_queries

_PLAUSIBLE = (Kind.ORDER, Kind.ROWS, Kind.INSTANT, Kind.MISSING, Kind.EXTRA, Kind.SILENT)


def closest(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> Evidence:
    """Evidence under the vector whose answer is nearest to OBSERVED.

    The verdict names one of those that agree longest; where several do, the one that has the
    fewest other rows at the place where they part makes the plainest argument.
    """
    own = Evidence(case, dials, verdict.t0, observed, verdict)
    parted = own.divergence
    if verdict.correct or parted is None or parted.kind is Kind.SILENT:
        return own
    best: tuple[tuple[int, int], Vector] = (_distance(own, parted), verdict.t0)
    for vector in islice(rspql_queries(case, dials), own.affordable):
        if vector == verdict.t0:
            continue
        steps = own.steps_for(vector)
        comparison = own.compared(steps)
        if comparison.divergence is None or comparison.divergence.t != parted.t:
            continue
        if comparison.agreed < own.compared(own.steps).agreed:
            continue
        rank = _distance(own, comparison.divergence)
        if rank < best[0]:
            best = rank, vector
    if best[1] == verdict.t0:
        return own
    return Evidence(case, dials, best[1], observed, verdict)


def _distance(evidence: Evidence, divergence: Divergence) -> tuple[int, int]:
    """How plain the kind of departure is, and in how many rows the answers differ."""
    kind = _PLAUSIBLE.index(divergence.kind)
    expected, observed = divergence.expected, divergence.observed
    if expected is None or observed is None:
        return kind, 0
    found = difference(
        expected.content, observed.content, evidence.notation, evidence.dials.numbers
    )
    return kind, len(found.missing) + len(found.extra) + 2 * len(found.changed)
