"""The members of Z: the one to argue from, and why the others fit no better (Definition 26)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from rsp_conformance.explain.argument import Alternatives, Fact, FactKind
from rsp_conformance.explain.evidence.differences import difference
from rsp_conformance.explain.evidence.evaluations import neighbours
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Divergence, Kind, Vector, Verdict
from rsp_conformance.spec.starts import legal_starts
from rsp_conformance.spec.trace import TraceStep, expectation_of

_PLAUSIBLE = (Kind.ORDER, Kind.ROWS, Kind.INSTANT, Kind.MISSING, Kind.EXTRA, Kind.SILENT)


def nearest(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> Setting:
    """Setting under the vector whose answer is nearest to OBSERVED.

    The verdict names one of those that agree longest; where several do, the one that has the
    fewest other rows at the place where they part makes the plainest argument.
    """
    expectation = expectation_of(verdict, case, dials)
    own = Setting(expectation, verdict.t0, observed, verdict)
    parted = own.divergence
    if verdict.correct or parted is None or parted.kind is Kind.SILENT:
        return own
    ranked = [(_distance(own, parted), verdict.t0)]
    for vector in own.others():
        comparison = own.compared(expectation.trace(vector))
        other = comparison.divergence
        if other and other.t == parted.t and comparison.agreed >= own.comparison.agreed:
            ranked.append((_distance(own, other), vector))
    _, best = min(ranked, key=itemgetter(0))
    return own if best == verdict.t0 else Setting(expectation, best, observed, verdict)


def _distance(setting: Setting, divergence: Divergence) -> tuple[int, int]:
    """How plain the kind of departure is, and in how many rows the answers differ."""
    kind = _PLAUSIBLE.index(divergence.kind)
    expected, observed = divergence.expected, divergence.observed
    if expected is None or observed is None:
        return kind, 0
    found = difference(expected.content, observed.content, setting.dials.numbers)
    return kind, len(found.missing) + len(found.extra) + 2 * len(found.changed)


def alternatives(setting: Setting) -> Alternatives:
    """How the answers of the other members of Z depart from the one given."""
    legal = tuple(legal_starts(w, setting.case, setting.dials) for w in setting.windows)
    groups: dict[Fact, tuple[Vector, ...]] = {}
    for vector in setting.others():
        steps = setting.expectation.trace(vector)
        divergence = setting.compared(steps).divergence
        if divergence is not None:
            departure = _departure(setting, divergence, steps)
            groups[departure] = (*groups.get(departure, ()), vector)
    departures = (replace(fact, vectors=vectors) for fact, vectors in groups.items())
    return Alternatives(legal, tuple(departures))


def _departure(setting: Setting, divergence: Divergence, steps: Sequence[TraceStep]) -> Fact:
    """How Ans(Q_z), with these STEPS, departs from the answer given."""
    due = divergence.expected
    if due is None:
        t = setting.place if divergence.t is None else divergence.t
        near = neighbours(setting.due_of(steps), t)
        return Fact("expects elsewhere" if near else "expects nothing", t=t, instants=near)
    kinds: dict[Kind, FactKind] = {
        Kind.MISSING: "expects it missing",
        Kind.SILENT: "expects it missing",
        Kind.ORDER: "expects other order",
    }
    return Fact(kinds.get(divergence.kind, "expects"), t=due.t, due=due)
