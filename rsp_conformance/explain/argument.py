"""A verdict as an argument in prose."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.explain.alternatives import alternatives
from rsp_conformance.explain.closest import closest
from rsp_conformance.explain.dials import Explanations, search
from rsp_conformance.explain.evidence import Evidence
from rsp_conformance.explain.hypotheses import reading
from rsp_conformance.explain.layout import counted, listed, unglued
from rsp_conformance.explain.why import why
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Kind, Verdict


def because(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> str:
    """Why the answer is correct or wrong, in one paragraph without line breaks."""
    evidence = closest(case, dials, observed, verdict)
    if verdict.correct:
        return unglued(right(evidence))
    found = search(case, dials, observed, evidence.divergence)
    parts = [*wrong(evidence, found), explained(found)]
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
        return f"The answer is right: {span}, {due}."
    return f"{starts} makes the answer right: {span}, {due}."


def wrong(evidence: Evidence, found: Explanations) -> list[str]:
    """The argument without the dials: what parts, why, and that no other vector helps.

    The last sentence is about the other vectors, and empty where the query has no window.
    """
    divergence = evidence.divergence
    if divergence is None:
        return ["The answer is wrong, but nothing was found where it parts.", ""]
    sentences = why(evidence, divergence)
    given = divergence.observed
    if divergence.kind is Kind.ROWS and evidence.step is not None and given is not None:
        # A dial that explains everything makes a reading of this one evaluation idle.
        fitting = None if found.strict else reading(evidence, evidence.step, given.content)
        condition = (fitting or "").partition("what comes out ")[2].rstrip(".")
        if fitting and not (condition and any(condition in said for said in sentences)):
            sentences.append(fitting)
    return [*sentences, alternatives(evidence)]


def explained(found: Explanations) -> str:
    """Which single dial would make the answer right."""
    strict = [f"{dial} {value}" for dial, value in found.strict]
    lenient = [f"{dial} {value}" for dial, value in found.lenient]
    if strict:
        one = f"One dial explains it: with {strict[0]} the answer is right."
        others = listed(strict[1:], limit=5, last="or")
        rest = f" {_untried(found)}" if found.untried else ""
        return (f"{one} So it is with {others}." if others else one) + rest
    if lenient:
        rest = f" {_untried(found)}" if found.untried else ""
        return (
            f"The instants alone are at fault: with {listed(lenient, last='or')} "
            f"the answer is right, and no other single dial explains it.{rest}"
        )
    if found.untried:
        return f"No single dial of the {found.tried} settings tried explains it. {_untried(found)}"
    return "No single dial explains it, so it looks like a defect."


def _untried(found: Explanations) -> str:
    be = "was" if found.untried == 1 else "were"
    return f"{counted(found.untried, 'more setting')} {be} too costly to try."
