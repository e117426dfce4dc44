"""The whole argument of a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.argument import Argument, Claim, Fact, Parting
from rsp_conformance.explain.evidence import evaluations, rows
from rsp_conformance.explain.evidence.dials import search
from rsp_conformance.explain.evidence.readings import fitting_reading
from rsp_conformance.explain.evidence.starts import alternatives, nearest
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Evaluation, Observed
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
    claims = _claims(setting, divergence)
    step, given = setting.step, divergence.observed
    strict = found.settings(lenient=False)
    if divergence.kind is Kind.ROWS and step is not None and given is not None and not strict:
        # A dial that explains everything makes a reading of this one evaluation idle.
        reading = fitting_reading(setting, step, given.content)
        if reading is not None and not _said(reading, claims):
            claims.append(reading)
    return Argument(setting, False, tuple(claims), alternatives(setting), found)


def _said(reading: Fact, claims: Sequence[Claim]) -> bool:
    return reading.kind == "background of" and any(
        isinstance(claim, Fact) and (claim.kind, claim.other) == ("other background", reading.t)
        for claim in claims
    )


def _claims(setting: Setting, divergence: Divergence) -> list[Claim]:
    """What parts at the first place where answer and nearest query part, and why."""
    due, given, step = divergence.expected, divergence.observed, setting.step
    numbers = setting.dials.numbers
    same = due and given and difference(due.content, given.content, numbers) is None
    claims: list[Claim] = [Parting(divergence, bool(same), len(setting.due))]
    match divergence.kind, due, given:
        case Kind.ROWS, Evaluation(), Observed():
            if step is not None:
                claims += rows.wrong_rows(setting, step, due.content, given.content)
        case Kind.ORDER, Evaluation(), Observed():
            claims += rows.wrong_order(setting, due.content, given.content)
        case Kind.INSTANT, Evaluation(), Observed():
            claims += evaluations.wrong_instant(setting, given)
        case Kind.MISSING, Evaluation(), _:
            claims += evaluations.missing_answer(setting, due)
        case Kind.EXTRA, _, Observed():
            claims += evaluations.extra_answer(setting, given)
        case Kind.SILENT, Evaluation(), _:
            claims += evaluations.silent(setting, due)
    return claims
