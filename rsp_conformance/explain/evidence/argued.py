"""The whole argument of a verdict: from which z, the first difference, and how other z differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from rsp_conformance.explain.argument import Alternatives, Argument, ByDial, Fact, FactKind
from rsp_conformance.explain.evidence import differences, evaluations, rows
from rsp_conformance.explain.evidence.evaluations import neighbours
from rsp_conformance.explain.evidence.readings import fitting_reading
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Divergence, Kind, Vector, Verdict
from rsp_conformance.model.windows import by_time
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.starts import legal_starts
from rsp_conformance.spec.trace import TraceStep, expectation_of


def argued(
    case: Case,
    dials: Dials,
    observed: Sequence[Observed],
    verdict: Verdict,
    by_dial: ByDial | None = None,
) -> Argument:
    """Find the argument for a verdict.

    Args:
        case: the case.
        dials: the dials in force.
        observed: the answers of the engine.
        verdict: the verdict on them.
        by_dial: finds the dials that would explain the answer, for a case that stands alone. In a
            run its other cases show the cause, and they refute most dials that fit one case.
    """
    situation = nearest(case, dials, observed, verdict)
    divergence = situation.divergence
    if verdict.correct or divergence is None:
        return Argument(situation, verdict.correct)
    found = by_dial(case, dials, observed, divergence) if by_dial else None
    facts = _facts(situation, divergence)
    step, received = situation.step, divergence.observed
    strict = found.settings(timing=False) if found else []
    if divergence.kind is Kind.ROWS and step is not None and received is not None and not strict:
        # A dial that explains everything makes a reading of this one evaluation idle.
        reading = fitting_reading(situation, step, received.content)
        if reading is not None and not _said(reading, facts):
            facts.append(reading)
    return Argument(situation, False, tuple(facts), alternatives(situation), found)


def _said(reading: Fact, facts: Sequence[Fact]) -> bool:
    if reading.kind == "no filter":
        return any(fact.kind == "excluded" for fact in facts)
    return reading.kind == "background of" and any(
        (fact.kind, fact.other) == ("other background", reading.t) for fact in facts
    )


def _facts(situation: Situation, divergence: Divergence) -> list[Fact]:
    """The facts about the first difference: what differs, and why."""
    expected, received, step = divergence.expected, divergence.observed, situation.step
    first = Fact(
        _first_difference(situation, divergence),
        expected=expected,
        received=received,
        count=len(situation.expected),
    )
    why: list[Fact] = []
    match divergence.kind:
        case Kind.ROWS if expected and received and step:
            why = rows.wrong_rows(situation, step, expected.content, received.content)
        case Kind.ORDER if expected and received:
            why = rows.wrong_order(situation, expected.content, received.content)
        case Kind.INSTANT if received and received is situation.stray:
            why = evaluations.stamped_astray(situation, received)
        case Kind.INSTANT if expected and received:
            why = evaluations.wrong_instant(situation, received)
        case Kind.MISSING if expected:
            why = evaluations.missing_answer(situation, expected)
        case Kind.EXTRA if received:
            why = evaluations.extra_answer(situation, received)
        case Kind.SILENT if expected:
            why = evaluations.silent(situation, expected)
    return [first, *why]


def _first_difference(situation: Situation, divergence: Divergence) -> FactKind:
    """The kind of fact that says how the received answer differs from the expected one."""
    expected, received, kind = divergence.expected, divergence.observed, divergence.kind
    if kind is Kind.SILENT:
        return "silent"
    if received is None:
        return "no answer"
    if expected is None:
        timeless = kind is Kind.INSTANT and received.t is None
        return "nothing more expected" if timeless else "not expected"
    if kind is Kind.ORDER:
        return "other order"
    if kind is Kind.INSTANT:
        same = difference(expected.content, received.content, situation.dials.numbers) is None
        return "same at another instant" if same else "other instant"
    return "other answer"


# --- the members of Z (Definition 26) ---

_PLAUSIBLE = (Kind.ORDER, Kind.ROWS, Kind.INSTANT, Kind.MISSING, Kind.EXTRA, Kind.SILENT)


def nearest(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> Situation:
    """Find the vector whose answer is nearest to the observed one, as a situation.

    The verdict names the first of several that are equally near. The plainest argument is made from
    the vector with the fewest differing rows at its first difference.

    Args:
        case: the case.
        dials: the dials in force.
        observed: the answers of the engine.
        verdict: the verdict on them.
    """
    expectation = expectation_of(verdict, case, dials)
    own = Situation(expectation, verdict.t0, observed, verdict)
    parted = own.divergence
    if verdict.correct or parted is None or parted.kind is Kind.SILENT or own.stray is not None:
        return own
    ranked = [(_distance(own, parted), verdict.t0)]
    for vector in own.others():
        comparison = own.compared(vector)
        other = comparison.divergence
        if other and comparison.rank == own.comparison.rank:
            ranked.append((_distance(own, other), vector))
    _, best = min(ranked, key=itemgetter(0))
    return own if best == verdict.t0 else Situation(expectation, best, observed, verdict)


def _distance(situation: Situation, divergence: Divergence) -> tuple[int, int]:
    """How plain the kind of difference is, and in how many rows the answers differ."""
    kind = _PLAUSIBLE.index(divergence.kind)
    expected, observed = divergence.expected, divergence.observed
    if expected is None or observed is None:
        return kind, 0
    found = differences.difference(expected.content, observed.content, situation.dials.numbers)
    return kind, len(found.missing) + len(found.extra) + 2 * len(found.changed)


def alternatives(situation: Situation) -> Alternatives:
    """How the answers of the other members of Z differ from the received answer."""
    legal = tuple(
        legal_starts(w, situation.case, situation.dials) for w in by_time(situation.windows)
    )
    groups: dict[Fact, tuple[Vector, ...]] = {}
    for vector in situation.others():
        steps = situation.expectation.trace(vector)
        divergence = situation.compared(vector).divergence
        if divergence is not None:
            departure = _how_it_differs(situation, divergence, steps)
            groups[departure] = (*groups.get(departure, ()), vector)
    departures = (replace(fact, vectors=vectors) for fact, vectors in groups.items())
    return Alternatives(legal, tuple(departures))


def _how_it_differs(
    situation: Situation, divergence: Divergence, steps: Sequence[TraceStep]
) -> Fact:
    """How Ans(Q_z), with the given steps, differs from the received answer."""
    expected = divergence.expected
    if expected is None:
        t = situation.place if divergence.t is None else divergence.t
        near = neighbours(situation.expected_of(steps), t)
        return Fact("expects elsewhere" if near else "expects nothing", t=t, instants=near)
    kinds: dict[Kind, FactKind] = {
        Kind.MISSING: "expects it missing",
        Kind.SILENT: "expects it missing",
        Kind.ORDER: "expects other order",
    }
    return Fact(kinds.get(divergence.kind, "expects"), t=expected.t, expected=expected)
