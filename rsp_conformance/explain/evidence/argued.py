"""The whole argument of a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.argument import Argument, Fact, FactKind
from rsp_conformance.explain.evidence import evaluations, rows
from rsp_conformance.explain.evidence.dials import search
from rsp_conformance.explain.evidence.readings import fitting_reading
from rsp_conformance.explain.evidence.starts import alternatives, nearest
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Divergence, Kind, Verdict


def argued(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> Argument:
    """The argument for VERDICT on OBSERVED, an answer to CASE under DIALS."""
    setting = nearest(case, dials, observed, verdict)
    divergence = setting.divergence
    if verdict.correct or divergence is None:
        return Argument(setting, verdict.correct)
    found = search(case, dials, observed, divergence)
    facts = _facts(setting, divergence)
    step, given = setting.step, divergence.observed
    strict = found.settings(lenient=False)
    if divergence.kind is Kind.ROWS and step is not None and given is not None and not strict:
        # A dial that explains everything makes a reading of this one evaluation idle.
        reading = fitting_reading(setting, step, given.content)
        if reading is not None and not _said(reading, facts):
            facts.append(reading)
    return Argument(setting, False, tuple(facts), alternatives(setting), found)


def _said(reading: Fact, facts: Sequence[Fact]) -> bool:
    return reading.kind == "background of" and any(
        (fact.kind, fact.other) == ("other background", reading.t) for fact in facts
    )


def _facts(setting: Setting, divergence: Divergence) -> list[Fact]:
    """What parts at the first place where answer and nearest query part, and why."""
    due, given, step = divergence.expected, divergence.observed, setting.step
    parting = Fact(_parting(setting, divergence), due=due, given=given, count=len(setting.due))
    why: list[Fact] = []
    match divergence.kind:
        case Kind.ROWS if due and given and step:
            why = rows.wrong_rows(setting, step, due.content, given.content)
        case Kind.ORDER if due and given:
            why = rows.wrong_order(setting, due.content, given.content)
        case Kind.INSTANT if due and given:
            why = evaluations.wrong_instant(setting, given)
        case Kind.MISSING if due:
            why = evaluations.missing_answer(setting, due)
        case Kind.EXTRA if given:
            why = evaluations.extra_answer(setting, given)
        case Kind.SILENT if due:
            why = evaluations.silent(setting, due)
    return [parting, *why]


def _parting(setting: Setting, divergence: Divergence) -> FactKind:
    """How what came departs from what is due."""
    due, given, kind = divergence.expected, divergence.observed, divergence.kind
    if kind is Kind.SILENT:
        return "silent"
    if given is None:
        return "no answer"
    if due is None:
        return "nothing more due" if kind is Kind.INSTANT else "not due"
    if kind is Kind.ORDER:
        return "other order"
    if kind is Kind.INSTANT:
        same = difference(due.content, given.content, setting.dials.numbers) is None
        return "same at another instant" if same else "other instant"
    return "other answer"
