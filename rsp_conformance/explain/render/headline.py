"""What is wrong with an answer, in a few words: ``at 4 {?x=:a, ?y=:b} is missing``."""

from __future__ import annotations

import re

from rsp_conformance.explain.argument import AnswerPart
from rsp_conformance.explain.evidence.argued import nearest
from rsp_conformance.explain.evidence.differences import difference, settled
from rsp_conformance.explain.render.layout import cut, shorten, unglued
from rsp_conformance.explain.render.notation import SituationNotation, instant
from rsp_conformance.explain.situation import Situation
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Content, Truth, is_empty
from rsp_conformance.model.errors import printable
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.model.verdict import Divergence, Kind

HEADLINE = 60
"""The columns of a headline: those behind ``FAILED rsp::test_windows -``, and some more."""
_ONE = {"is_": "is", "comes": "comes", "is_too_many": "is one too many"}
_SEVERAL = {"is_": "are", "comes": "come", "is_too_many": "are too many"}
"""What is said of an answer of one row, and of several."""
_SAID = {
    "rejected": "refused: {}",
    "crashed": "the engine's error: {}",
    "died": "{}",
    "protocol-error": "no reply of the protocol: {}",
    "too many rows": "{}",
}


def headline(finding: Finding, width: int = HEADLINE) -> str:
    """What is wrong, in one line of at most WIDTH columns and without a stop at its end.

    It is what the report of FINDING begins with, and what a list of failures says of it.
    """
    if finding.violation is not None:
        says = finding.violation.contradiction.says or finding.violation.statement
        text = re.sub("^At t=", "at ", says)
    elif finding.failure is not None:
        text = _failed(finding.failure)
    else:
        text = _wrong(finding, width)
    return cut(" ".join(printable(unglued(text)).split()).rstrip("."), width)


def _failed(failure: EngineFailure) -> str:
    message = next(iter(failure.message.strip().splitlines()), "")
    if failure.kind == "unstable":
        return "two runs of one case give different answers"
    if failure.kind == "timeout":
        limit = re.search(r"\d\S* s\b", message)
        return f"no answer within {limit[0] if limit else 'the time limit'}"
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
            return _Parting(situation, width).said(found)
    except LimitExceeded:
        return finding.kind


class _Parting:
    """Says where the answers of a SETTING part, in about WIDTH columns."""

    def __init__(self, situation: Situation, width: int) -> None:
        self._setting = situation
        self._notation = SituationNotation(situation)
        self._width = width

    def said(self, found: Divergence) -> str:
        """What departs there from what is due."""
        due, given = found.expected, found.observed
        if due is None:
            said = "{} {comes}" if found.kind is Kind.INSTANT else "{} {is_too_many}"
            stamp = None if given is None else self._setting.stamp(given)
            at = "with no instant " if stamp is None else f"at {instant(stamp)} "
            return self._with(at + said, given.content) if given else found.kind.value
        at = f"at {self._setting.due_stamp(due.t)} "
        if found.kind is Kind.ORDER:
            return f"{at}the rows are right, and their order is not"
        if found.kind is Kind.SILENT:
            steps = (step.evaluation for step in self._setting.due)
            filled = next((own for own in steps if not is_empty(own.content)), due)
            at = f"at {self._setting.due_stamp(filled.t)}"
            came = "no answer counts" if self._setting.observed else "no answer comes"
            first = next(iter(self._setting.stamps), None)
            came += "" if first is None else f" (first at {instant(first)})"
            return self._with(f"{came}: {at} {{}} {{is_}} due", filled.content)
        if given is None:
            return self._with(f"{at}{{}} {{is_}} missing", due.content)
        if found.kind is Kind.INSTANT:
            stamp = self._setting.stamp(given)
            where = "with no instant" if stamp is None else f"at {instant(stamp)}"
            return self._with(f"{at}{{}} {{is_}} due, and {{comes}} {where}", due.content)
        return at + self._rows(due.content, given.content, self._width - len(at))

    def _rows(self, due: Content, given: Content, room: int) -> str:
        """Which row of two answers differs, and how many more do."""
        if isinstance(due, Truth) or type(due) is not type(given):
            texts = (self._notation.content(own) for own in (due, given))
            return "{} is due, not {}".format(*(shorten(unglued(t), room // 3) for t in texts))
        found = difference(due, given, self._setting.dials.numbers)
        if found.joint:
            return "no renaming of blank nodes makes all rows agree"
        otherwise = self._setting.otherwise_due
        found, _ = settled(found, due, otherwise, self._setting.dials.numbers)
        number = len(found.missing) + len(found.extra) + len(found.changed)
        more = f", and {number - 1} more" if number > 1 else ""
        room -= len(more)
        if found.missing:
            return f"{self._part(found.missing[0], room - 11)} is missing{more}"
        if found.extra:
            return f"{self._part(found.extra[0], room - 16)} is one too many{more}"
        wanted, other = found.changed[0]
        differing = wanted.differing(other)
        cells = (self._part(own.cells(differing), room // 2 - 8) for own in (wanted, other))
        return "{} is due, not {}".format(*cells) + more

    def _part(self, part: AnswerPart, room: int) -> str:
        return shorten(unglued(self._notation.part(part)), max(room, 12))

    def _with(self, template: str, content: Content) -> str:
        """TEMPLATE with CONTENT, of which so much is shown as there is room for."""
        words = _SEVERAL if len(self._notation.rows(content)) > 1 else _ONE
        room = max(self._width - len(template.format("", **words)), 12)
        if is_empty(content):
            return template.format("the empty answer", **words)
        text = unglued(self._notation.content(content, limit=2, room=room - 11))
        return template.format(shorten(text, room), **words)
