"""The expected and received answers, side by side in the order of their instants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rsp_conformance.explain.document import AnswerRow
from rsp_conformance.explain.evidence.pairing import cheapest_pairing
from rsp_conformance.explain.render.notation import Notation, instant
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.trace import TraceStep


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """An answer that is expected, received, or both if they agree.

    Attributes:
        step: the evaluation whose answer is expected.
        answer: the received answer.
        parts: whether it is the first difference.
    """

    step: TraceStep | None
    answer: Observed | None
    parts: bool = False


def aligned(situation: Situation) -> list[AnswerLine]:
    """Expected and received answers: those that agree at one stamp in one line, in order."""
    expected, received = situation.expected, _received(situation)
    pairs = cheapest_pairing(
        [1] * len(expected),
        [1] * len(received),
        lambda i, j: 0 if _agree(situation, expected[i], received[j]) else None,
        lambda i, j: _before(situation, expected[i], received[j]),
    )
    lines = [
        AnswerLine(None if i is None else expected[i], None if j is None else received[j])
        for i, j in pairs
    ]
    # Of two lines that part from each other the first is marked. Answers that were judged as one
    # are not among those listed; then it is the first that does not agree.
    first = next((line for line in lines if _is_first_difference(situation, line)), None)
    if first is None and situation.divergence is not None:
        first = next((line for line in lines if _is_alone(situation, line)), None)
    return [replace(line, parts=line is first) for line in lines]


def _is_first_difference(situation: Situation, line: AnswerLine) -> bool:
    """Whether the line has the answer or the evaluation of the first difference."""
    received = situation.divergence.observed if situation.divergence else None
    departs = ((line.answer, received), (line.step, situation.step))
    return any(own is not None and own is other for own, other in departs)


def _is_alone(situation: Situation, line: AnswerLine) -> bool:
    """Whether an answer is expected or received, and compared, but not both."""
    if line.step is not None:
        return line.answer is None
    return line.answer is not None and _kind(situation, line.answer) == "received"


def _received(situation: Situation) -> list[Observed]:
    if situation.dials.answer_time == "none":
        return list(situation.observed)

    def key(answer: Observed) -> tuple[bool, Fraction]:
        stamp = situation.stamp(answer)
        return stamp is None, Fraction(stamp or 0)

    return sorted(situation.observed, key=key)


def _agree(situation: Situation, step: TraceStep, answer: Observed) -> bool:
    dials = situation.dials
    if dials.answer_time != "none":
        stamp = situation.stamp(answer)
        if stamp is None:
            return False
        if abs(Fraction(stamp) - situation.stamp_of(step.t)) > dials.time_tolerance:
            return False
    return difference(step.evaluation.content, answer.content, dials.numbers) is None


def _before(situation: Situation, step: TraceStep, answer: Observed) -> bool:
    stamp = situation.stamp(answer)
    return stamp is None or situation.stamp_of(step.t) <= stamp


def time_of(situation: Situation, line: AnswerLine) -> str:
    """The instant of a line: ``t=10``, under ``arrival`` with that of the evaluation."""
    if line.step is None:
        assert line.answer is not None
        stamp = situation.stamp(line.answer)
        return "" if stamp is None else f"t={instant(stamp)}"
    stamp = situation.stamp_of(line.step.t)
    return f"t={stamp}" if stamp == line.step.t else f"t={stamp}, evaluated at {line.step.t}"


def answer_row(situation: Situation, line: AnswerLine) -> AnswerRow:
    """A line as it is shown: ``t=10``, ``expected``, ``{}``."""
    if line.step is not None:
        kind = "expected, received" if line.answer is not None else "expected"
        content = line.step.evaluation.content
    else:
        assert line.answer is not None
        kind, content = _kind(situation, line.answer), line.answer.content
    shown = Notation(situation.case).content(content)
    agreed = line.step is not None and line.answer is not None
    return AnswerRow(time_of(situation, line), kind, shown, line.parts, agreed)


def _kind(situation: Situation, answer: Observed) -> str:
    stamp = situation.stamp(answer)
    if situation.dials.answer_time == "none":
        return "received"
    if stamp is None:
        return "without a time"
    if stamp < situation.t_s:
        return "(too early)"
    return "received" if stamp <= situation.case.until else "(after until)"


def listed_answers(case: Case, answers: Sequence[Observed]) -> tuple[AnswerRow, ...]:
    """Answers without anything to compare them with."""
    notation = Notation(case)
    times = ["no t" if answer.t is None else f"t={instant(answer.t)}" for answer in answers]
    return tuple(
        AnswerRow(time, "", notation.content(answer.content))
        for time, answer in zip(times, answers, strict=True)
    )
