"""Answers that are missing, extra, or all missing: why the query is evaluated, or is not."""

from __future__ import annotations

from fractions import Fraction

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.differences import parts
from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.layout import counted, listed
from rsp_conformance.explain.notation import instant
from rsp_conformance.explain.provenance import Provenance
from rsp_conformance.explain.why.origins import missing_origin
from rsp_conformance.explain.why.phrases import (
    answered,
    are_due,
    due_at,
    evaluated,
    neighbours,
    not_evaluated,
    under,
    windows_at,
)
from rsp_conformance.model.answers import Observed, Truth, is_empty
from rsp_conformance.model.verdict import Divergence


def missing_answer(evidence: Evidence, divergence: Divergence) -> list[str]:
    """An evaluation was due and no answer came for it."""
    expected = divergence.expected
    assert expected is not None
    place = due_at(evidence, expected.t)
    due = are_due(evidence, expected.content)
    sentences = [f"{place[0].upper()}{place[1:]}, {due}{under(evidence)}, and no answer comes."]
    if evidence.step is not None:
        sentences += _argued(evidence, evidence.step)
    around = _around(evidence, expected.t)
    return sentences + ([around] if around else [])


def _argued(evidence: Evidence, step: Step) -> list[str]:
    """Why there is an evaluation, and where its first row comes from."""
    sentences = [evaluated(evidence, step)]
    content = step.evaluation.content
    if is_empty(content):
        if evidence.dials.empty_answers:
            sentences.append("Its answer has no rows, and empty answers are given here.")
        return [*sentences, *windows_at(evidence, step)]
    if content == Truth(False):
        return [*sentences, "There is no solution, so ASK is false.", *windows_at(evidence, step)]
    part = parts(content, evidence.notation, evidence.dials.numbers)[0]
    provenance = Provenance(evidence, step.moment, step.contents, part)
    origin = missing_origin(evidence, provenance, part.text)
    return [*sentences, *(origin or windows_at(evidence, step))]


def _around(evidence: Evidence, t: int) -> str:
    """What the engine answers next to T."""
    if evidence.dials.answer_time == "none":
        count = len(evidence.observed)
        return f"The engine gives {counted(count, 'answer')} in all."
    stamp = evidence.due_stamp(t)
    stamped = [(s, a) for a in evidence.observed if (s := evidence.stamp(a)) is not None]
    later = min((s for s, _ in stamped if s > stamp), default=None)
    earlier = max((s for s, _ in stamped if s < stamp), default=None)
    if earlier is None or later is None:
        near = later if earlier is None else earlier
        word = "next" if earlier is None else "last"
        return "" if near is None else f"The engine's {word} answer is at {instant(near)}."
    return f"The engine's answers next to it are at {instant(earlier)} and {instant(later)}."


def extra_answer(evidence: Evidence, divergence: Divergence) -> list[str]:
    """An answer came where no evaluation was due."""
    answer = divergence.observed
    assert answer is not None
    given = evidence.notation.brief(answer.content)
    place = answered(evidence, answer)
    sentences = [
        f"{place[0].upper()}{place[1:]} the engine answers {given}, and "
        f"nothing is due there{under(evidence)}."
    ]
    stamp = evidence.stamp(answer)
    if evidence.dials.answer_time == "none" or stamp is None:
        number = len(evidence.due)
        verb = "is" if number == 1 else "are"
        sentences.append(f"{counted(number, 'answer') if number else 'None'} {verb} due in all.")
    elif stamp != int(stamp):
        sentences.append(f"{instant(stamp)} is no whole instant, and time is counted in those.")
    elif evidence.dials.answer_time == "arrival":
        sentences.append(_no_stamp(evidence, int(stamp)))
    else:
        sentences += _no_evaluation(evidence, int(stamp))
    elsewhere = _due_elsewhere(evidence, answer, stamp)
    return sentences + ([elsewhere] if elsewhere else [])


def _no_evaluation(evidence: Evidence, t: int) -> list[str]:
    here = [step for step in evidence.steps if step.t == t]
    reported = [step for step in here if step.reported]
    if reported:
        dropped = " is" if len(reported) == 1 else "s are"
        return [
            f"{len(reported)} answer{dropped} due at {t}, and as many have come before this one."
        ]
    if here:
        return [
            evaluated(evidence, here[0]),
            "But its answer has no rows, and under empty_answers no it is not given.",
        ]
    sentences = [not_evaluated(evidence, t)]
    near = neighbours(evidence.due, t)
    if not near:
        return [*sentences, "No answer is due at all."]
    return [*sentences, f"Next to it answers are due {near.removeprefix('evaluates ')}."]


def _no_stamp(evidence: Evidence, stamp: int) -> str:
    steps = [s for s in evidence.due if evidence.due_stamp(s.t) == stamp]
    if steps:
        instants = listed([str(s.t) for s in steps])
        word = "evaluation" if len(steps) == 1 else "evaluations"
        return f"The {word} at {instants} alone can carry the stamp {stamp}."
    stamps = sorted({evidence.due_stamp(s.t) for s in evidence.due})
    if not stamps:
        return "No evaluation carries that stamp, for none is due."
    return f"No evaluation carries that stamp; those due carry {listed([str(s) for s in stamps])}."


def _due_elsewhere(evidence: Evidence, answer: Observed, stamp: int | Fraction | None) -> str:
    """Whether the same answer is due at another instant."""
    same = [
        step
        for step in evidence.due
        if difference(step.evaluation.content, answer.content, evidence.dials.numbers) is None
        and evidence.due_stamp(step.t) != stamp
    ]
    if not same or is_empty(answer.content):
        return ""
    where = listed([str(step.t) for step in same])
    return f"The same answer is due at {where}."


def silent(evidence: Evidence, divergence: Divergence) -> list[str]:
    """Nothing was answered in the compared range, and something was due."""
    expected = divergence.expected
    assert expected is not None
    last = evidence.case.until
    number = len(evidence.due)
    due = evidence.notation.brief(expected.content)
    verb = "is" if number == 1 else "are"
    which = "it is" if number == 1 else "the first is"
    came = "No answer comes"
    if evidence.observed:
        number_given = len(evidence.observed)
        came = f"None of the {number_given} answers given counts"
        if number_given == 1:
            came = "The only answer given does not count"
    sentences = [
        f"{came} from t_s={evidence.t_s} to {last}, and {counted(number, 'answer')} {verb} due"
        f"{under(evidence)}: {which} {due} {due_at(evidence, expected.t)}."
    ]
    filled = next((s for s in evidence.due if not is_empty(s.evaluation.content)), None)
    if is_empty(expected.content) and filled is not None:
        rows = evidence.notation.brief(filled.evaluation.content)
        sentences.append(f"The first with rows is {rows} {due_at(evidence, filled.t)}.")
        return sentences + _argued(evidence, filled)
    if evidence.step is not None:
        sentences += _argued(evidence, evidence.step)
    return sentences
