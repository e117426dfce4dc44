"""Answers that are right and come with a wrong instant, or without one."""

from __future__ import annotations

from fractions import Fraction

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.layout import listed
from rsp_conformance.explain.notation import instant
from rsp_conformance.explain.why.phrases import (
    answered,
    are_due,
    due_at,
    evaluated,
    not_evaluated,
    under,
)
from rsp_conformance.model.verdict import Divergence


def wrong_instant(evidence: Evidence, divergence: Divergence) -> list[str]:
    """The content that was due came, at another instant or without one."""
    answer, expected = divergence.observed, divergence.expected
    assert answer is not None
    if expected is None:
        given = evidence.notation.brief(answer.content)
        return [f"The engine answers {given} with no instant, and nothing more is due."]
    stamp = evidence.stamp(answer)
    place = due_at(evidence, expected.t)
    due = are_due(evidence, expected.content)
    sentences = [f"{place[0].upper()}{place[1:]}, {due}{under(evidence)}."]
    same = difference(expected.content, answer.content, evidence.dials.numbers) is None
    given = "the same" if same else evidence.notation.brief(answer.content)
    how = "with no instant" if stamp is None else answered(evidence, answer)
    sentences.append(f"The engine gives {given}, but {how}.")
    if evidence.step is None:
        return sentences
    sentences.append(evaluated(evidence, evidence.step))
    if evidence.dials.answer_time == "evaluation" and stamp is not None and stamp == int(stamp):
        absent = not_evaluated(evidence, int(stamp))
        sentences += [absent] if absent else []
    if stamp is not None:
        sentences += _hints(evidence, evidence.step, stamp)
    return sentences


def _hints(evidence: Evidence, step: Step, stamp: int | Fraction) -> list[str]:
    """What the instant given is, where it is something."""
    due = evidence.due_stamp(step.t)
    found = []
    late = stamp - due
    word = "later" if late > 0 else "earlier"
    for window, content in zip(evidence.windows, step.contents, strict=True):
        name = evidence.notation.iri(window.name)
        if abs(late) == window.slide:
            found.append(f"one slide of {name} {word}")
        if content.instance is not None and stamp == content.instance.opens:
            found.append(f"where the window of {name} opens")
        if content.instance is not None and stamp == content.instance.closes:
            found.append(f"where the window of {name} closes")
    arrivals = [e.t for e in evidence.case.elements]
    following = next((t for t in arrivals if t > due), None)
    preceding = next((t for t in reversed(arrivals) if t <= due), None)
    if stamp == following:
        found.append("when the next element comes")
    if stamp == preceding:
        found.append("when the last element came")
    if evidence.windows and stamp == due - evidence.case.registered and late:
        found.append("the instant counted from the registration")
    if not found:
        return []
    return [f"{instant(stamp)} is {listed(found)}."]
