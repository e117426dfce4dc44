"""The headline of a failure: what is wrong, in a few words: ``Missing at t=4: {?x=:a, ?y=:b}``."""

from __future__ import annotations

import re

from rsp_conformance.explain.argument import AnswerPart
from rsp_conformance.explain.evidence.argued import nearest
from rsp_conformance.explain.evidence.differences import difference, settled
from rsp_conformance.explain.render.layout import cut, shorten, unglued
from rsp_conformance.explain.render.notation import SituationNotation, instant
from rsp_conformance.explain.situation import Situation
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Content, Evaluation, Observed, Truth, is_empty
from rsp_conformance.model.errors import printable
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.model.verdict import Divergence, Kind

HEADLINE = 60
"""The columns of a headline: those after ``FAILED rsp::test_windows -``, and some more."""
_SAID = {
    "rejected": "Refused: {}",
    "crashed": "The engine's error: {}",
    "died": "{}",
    "protocol-error": "No reply of the protocol: {}",
    "too many rows": "{}",
}


def headline(finding: Finding, width: int = HEADLINE) -> str:
    """Say what is wrong in one line, without a full stop.

    The report of a finding begins with it, and a list of failures shows it.

    Args:
        finding: the finding.
        width: the most columns.
    """
    if finding.violation is not None:
        text = finding.violation.contradiction.says or finding.violation.statement
    elif finding.failure is not None:
        text = _failed(finding.failure)
    else:
        text = _wrong(finding, width)
    return cut(" ".join(printable(unglued(text)).split()).rstrip("."), width)


def _failed(failure: EngineFailure) -> str:
    message = next(iter(failure.message.strip().splitlines()), "")
    if failure.kind == "unstable":
        return "Two runs of one case give different answers"
    if failure.kind == "timeout":
        limit = re.search(r"\d\S* s\b", message)
        return f"No answer within {limit[0] if limit else 'the time limit'}"
    return _SAID.get(failure.kind, f"{failure.kind}: {{}}").format(message or failure.kind)


def _wrong(finding: Finding, width: int) -> str:
    verdict = finding.verdict
    if verdict is None or verdict.divergence is None:
        return finding.kind
    try:
        with limited():
            # The report argues from the same member of Z.
            situation = nearest(finding.case, finding.dials, finding.observed, verdict)
            found = situation.divergence or verdict.divergence
            return _FirstDifference(situation, width).said(found)
    except LimitExceeded:
        return finding.kind


class _FirstDifference:
    """Writes the first difference of a situation, in about so many columns."""

    def __init__(self, situation: Situation, width: int) -> None:
        self._situation = situation
        self._notation = SituationNotation(situation)
        self._width = width

    def said(self, found: Divergence) -> str:
        """How the received answer differs there from the expected one."""
        expected, received = found.expected, found.observed
        if expected is None:
            return (
                self._with(f"Unexpected{self._received(received)}: {{}}", received)
                if received
                else ""
            )
        at = f"t={self._situation.stamp_of(expected.t)}"
        if found.kind is Kind.ORDER:
            return f"Wrong order at {at}: the rows are right"
        if found.kind is Kind.SILENT:
            steps = (step.evaluation for step in self._situation.expected)
            filled = next((own for own in steps if not is_empty(own.content)), expected)
            came = "No answer counts" if self._situation.observed else "No answer"
            at = f"t={self._situation.stamp_of(filled.t)}"
            return self._with(f"{came}: {{}} expected at {at}", filled)
        if received is None:
            return self._with(f"Missing at {at}: {{}}", expected)
        if found.kind is Kind.INSTANT:
            return self._with(
                f"{{}} expected at {at}, received{self._received(received)}", expected
            )
        return self._rows(at, expected.content, received.content)

    def _received(self, received: Observed) -> str:
        """When an answer was received: `` at t=4``."""
        stamp = self._situation.stamp(received)
        return " without a time" if stamp is None else f" at t={instant(stamp)}"

    def _rows(self, at: str, due: Content, given: Content) -> str:
        """Which row of two answers differs, and how many more do."""
        if isinstance(due, Truth) or type(due) is not type(given):
            head = f"Wrong answer at {at}: "
            room = (self._width - len(head) - len(", expected ")) // 2
            texts = (self._notation.content(own) for own in (given, due))
            return head + ", expected ".join(shorten(unglued(t), room) for t in texts)
        found = difference(due, given, self._situation.dials.numbers)
        if found.joint:
            return f"Wrong at {at}: no renaming of blank nodes makes all rows agree"
        otherwise = self._situation.otherwise_expected
        found, _ = settled(found, due, otherwise, self._situation.dials.numbers)
        number = len(found.missing) + len(found.extra) + len(found.changed)
        more = f", and {number - 1} more" if number > 1 else ""
        if found.missing or found.extra:
            head = f"{'Missing' if found.missing else 'Unexpected'} at {at}: "
            (part, *_) = found.missing or found.extra
            return head + self._part(part, self._width - len(head) - len(more)) + more
        wanted, other = found.changed[0]
        names = wanted.differing(other)
        head = f"Wrong {'value' if len(names) == 1 else 'values'} at {at}: "
        room = (self._width - len(head) - len(more) - len(" is , expected ")) // 2
        if len(names) > 1:
            cells = (self._part(own.cells(names), room) for own in (other, wanted))
            return head + ", expected ".join(cells) + more
        (received,), (expected,) = other.cells(names).row, wanted.cells(names).row
        terms = (
            shorten(unglued(self._notation.term(t)), max(room - 2, 12))
            for t in (received, expected)
        )
        return f"{head}?{names[0]} is " + ", expected ".join(terms) + more

    def _part(self, part: AnswerPart, room: int) -> str:
        return shorten(unglued(self._notation.part(part)), max(room, 12))

    def _with(self, template: str, answer: Evaluation | Observed) -> str:
        """Fill an answer into the template, as much of it as fits."""
        if is_empty(answer.content):
            empty = "an empty answer" if not template.startswith("{") else "Empty answer"
            return template.format(empty)
        room = max(self._width - len(template.format("")), 12)
        text = unglued(self._notation.content(answer.content, limit=2, room=room - 11))
        return template.format(shorten(text, room))
