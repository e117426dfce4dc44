"""The answers due and given, side by side in the order of their instants."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.layout import cut, wrap
from rsp_conformance.explain.notation import instant
from rsp_conformance.model.answers import Observed


@dataclass(frozen=True, slots=True)
class Line:
    """One answer due, given, or both where they agree; ``away`` is the distance in the list."""

    step: Step | None
    answer: Observed | None
    parts: bool = False


def aligned(evidence: Evidence) -> list[Line]:
    """Answers due and given that agree at one stamp stand together, all others alone, in order."""
    due, given = list(evidence.due), _given(evidence)
    table = [[0] * (len(given) + 1) for _ in range(len(due) + 1)]
    same: dict[tuple[int, int], bool] = {}
    for i in range(len(due) - 1, -1, -1):
        for j in range(len(given) - 1, -1, -1):
            same[i, j] = _agree(evidence, due[i], given[j])
            best = max(table[i + 1][j], table[i][j + 1])
            table[i][j] = max(best, table[i + 1][j + 1] + 1) if same[i, j] else best
    lines: list[Line] = []
    i = j = 0
    while i < len(due) or j < len(given):
        if (
            i < len(due)
            and j < len(given)
            and same[i, j]
            and (table[i][j] == table[i + 1][j + 1] + 1)
        ):
            lines.append(Line(due[i], given[j]))
            i, j = i + 1, j + 1
        elif (
            j == len(given)
            or (
                i < len(due)
                and table[i][j] == table[i + 1][j]
                and _before(evidence, due[i], given[j])
            )
            or (i < len(due) and table[i][j] != table[i][j + 1])
        ):
            lines.append(Line(due[i], None))
            i += 1
        else:
            lines.append(Line(None, given[j]))
            j += 1
    found = [_marked(evidence, line) for line in lines]
    first = next((i for i, line in enumerate(found) if line.parts), None)
    # Of two lines that part from each other the first is marked.
    return [replace(line, parts=i == first) for i, line in enumerate(found)]


def _marked(evidence: Evidence, line: Line) -> Line:
    divergence = evidence.divergence
    if divergence is None:
        return line
    here = line.answer is not None and line.answer is divergence.observed
    if divergence.expected is not None and line.step is not None:
        here = here or line.step is evidence.step
    return Line(line.step, line.answer, here)


def _given(evidence: Evidence) -> list[Observed]:
    if evidence.dials.answer_time == "none":
        return list(evidence.observed)

    def key(answer: Observed) -> Fraction:
        stamp = evidence.stamp(answer)
        return Fraction(evidence.case.until + 1 if stamp is None else stamp)

    return sorted(evidence.observed, key=key)


def _agree(evidence: Evidence, step: Step, answer: Observed) -> bool:
    dials = evidence.dials
    if dials.answer_time != "none":
        stamp = evidence.stamp(answer)
        if stamp is None:
            return False
        if abs(Fraction(stamp) - evidence.due_stamp(step.t)) > dials.time_tolerance:
            return False
    return difference(step.evaluation.content, answer.content, dials.numbers) is None


def _before(evidence: Evidence, step: Step, answer: Observed) -> bool:
    stamp = evidence.stamp(answer)
    return stamp is None or evidence.due_stamp(step.t) <= stamp


def time_of(evidence: Evidence, line: Line) -> str:
    """``t=10``, under ``arrival`` with the instant of the evaluation in brackets."""
    if line.step is None:
        assert line.answer is not None
        stamp = evidence.stamp(line.answer)
        return "" if stamp is None else f"t={instant(stamp)}"
    stamp = evidence.due_stamp(line.step.t)
    return f"t={stamp}" if stamp == line.step.t else f"t={stamp} ({line.step.t})"


def rendered(evidence: Evidence, line: Line, width: int, column: int = 7) -> list[str]:
    """``t=10  due    {}``, in at most two lines; COLUMN is the width of the instants."""
    if line.step is not None:
        kind = "due, given" if line.answer is not None else "due"
        content = line.step.evaluation.content
    else:
        assert line.answer is not None
        kind, content = _kind(evidence, line.answer), line.answer.content
    text = evidence.notation.content(content)
    if line.parts:
        text += "  <- here they part"
    lines = wrap(text, width, first=f"  {time_of(evidence, line):<{column}} {kind:<13} ")
    # Where both agree one line is enough to recognise the answer.
    most = 1 if line.step is not None and line.answer is not None else 2
    if len(lines) > most:
        lines = [*lines[: most - 1], cut(f"{lines[most - 1]} …", width)]
    return lines


def _kind(evidence: Evidence, answer: Observed) -> str:
    stamp = evidence.stamp(answer)
    if evidence.dials.answer_time == "none":
        return "given"
    if stamp is None:
        return "no instant"
    if stamp < evidence.t_s:
        return "(before t_s)"
    return "given" if stamp <= evidence.case.until else "(after until)"
