"""The whole argument of a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.argument import Argument, Claim, Parting, Reading, WouldComeAt
from rsp_conformance.explain.evidence.dials import search
from rsp_conformance.explain.evidence.evaluations import (
    extra_answer,
    missing_answer,
    silent,
    wrong_instant,
)
from rsp_conformance.explain.evidence.readings import fitting_reading
from rsp_conformance.explain.evidence.rows import wrong_order, wrong_rows
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
    claims = _claims(setting, divergence)
    step, given = setting.step, divergence.observed
    if divergence.kind is Kind.ROWS and step is not None and given is not None and not found.strict:
        # A dial that explains everything makes a reading of this one evaluation idle.
        reading = fitting_reading(setting, step, given.content)
        if reading is not None and not _said(reading, claims):
            claims.append(reading)
    return Argument(setting, False, tuple(claims), alternatives(setting), found)


def _said(reading: Reading, claims: Sequence[Claim]) -> bool:
    return reading.what == "background of" and any(
        isinstance(claim, WouldComeAt) and claim.other == reading.t for claim in claims
    )


def _claims(setting: Setting, divergence: Divergence) -> list[Claim]:
    """What parts at the first place where answer and nearest query part, and why."""
    expected, observed, step = divergence.expected, divergence.observed, setting.step
    same = (
        expected is not None
        and observed is not None
        and difference(expected.content, observed.content, setting.dials.numbers) is None
    )
    claims: list[Claim] = [Parting(divergence, same, len(setting.due))]
    match divergence.kind:
        case Kind.ROWS:
            assert expected is not None and observed is not None
            if step is not None:
                claims += wrong_rows(setting, step, expected.content, observed.content)
        case Kind.ORDER:
            assert expected is not None and observed is not None
            claims += wrong_order(setting, expected.content, observed.content)
        case Kind.INSTANT:
            assert observed is not None
            claims += [] if expected is None else wrong_instant(setting, observed)
        case Kind.MISSING:
            assert expected is not None
            claims += missing_answer(setting, expected)
        case Kind.EXTRA:
            assert observed is not None
            claims += extra_answer(setting, observed)
        case Kind.SILENT:
            assert expected is not None
            claims += silent(setting, expected)
    return claims
