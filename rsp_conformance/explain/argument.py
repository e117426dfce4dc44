"""A verdict as an argument in prose."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.explain.alternatives import alternatives
from rsp_conformance.explain.dials import Explanations, search
from rsp_conformance.explain.evidence import Evidence
from rsp_conformance.explain.layout import counted, listed, unglued
from rsp_conformance.explain.why import why
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Verdict


def because(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> str:
    """Why the answer is correct or wrong, in one paragraph without line breaks."""
    evidence = Evidence(case, dials, verdict.t0, observed, verdict)
    if verdict.correct:
        return unglued(right(evidence))
    parts = [*wrong(evidence), explained(search(case, dials, observed))]
    return unglued(" ".join(part for part in parts if part))


def right(evidence: Evidence) -> str:
    """Which vector makes the answer right."""
    number = len(evidence.due)
    verb, pronoun = ("is", "it") if number == 1 else ("are", "they")
    due = f"{counted(number, 'answer')} {verb} due, and {pronoun} came"
    if not number:
        due = "nothing is due, and nothing else came"
    span = f"from t_s={evidence.t_s} to {evidence.case.until}"
    starts = evidence.notation.starts(evidence.starts)
    if not starts:
        return f"The answer is right: {span} {due}."
    return f"{starts} makes the answer right: {span} {due}."


def wrong(evidence: Evidence) -> list[str]:
    """The argument without the dials: what parts, why, and that no other vector helps."""
    divergence = evidence.divergence
    if divergence is None:
        return ["The answer is wrong, but nothing was found where it parts."]
    return [*why(evidence, divergence), alternatives(evidence)]


def explained(explanations: Explanations) -> str:
    """Which single dial would make the answer right."""
    settings = [f"{dial} {value}" for dial, value in explanations.found]
    if not settings:
        if not explanations.complete:
            return (
                f"None of the first {explanations.tried} settings of a single dial explains it; "
                "the others were not tried."
            )
        return "No single dial explains it, so it looks like a defect."
    if len(settings) == 1:
        return f"One dial explains it: with {settings[0]} the answer is right."
    others = listed(settings[1:], limit=5, last="or")
    return f"One dial explains it: with {settings[0]} the answer is right. So it is with {others}."
