"""Findings without a wrong answer to one case: answers that contradict each other, and failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rsp_conformance.explain.argument import ByDial
from rsp_conformance.explain.render.argument import because
from rsp_conformance.explain.render.folding import body_of
from rsp_conformance.explain.render.notation import Notation, capital, instant
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import printable
from rsp_conformance.model.finding import EngineFailure, Finding, FollowUpCase, RelationViolation
from rsp_conformance.sparql.compare.contents import difference


def stated_relation(violation: RelationViolation) -> str:
    """The relation in a sentence, and where it comes from."""
    return f"{capital(violation.statement.rstrip('.'))} ({violation.source})."


def differing(first: FollowUpCase, other: FollowUpCase, *, bare: bool = False) -> list[str]:
    """List how another case differs from the first: in its query, its streams, its times.

    Args:
        first: the first case.
        other: the other case.
        bare: whether only the lines of the query that the first one lacks are listed.
    """
    asked, lines = body_of(first.query_text), body_of(other.query_text)
    new = [line for line in lines if line not in asked]
    items = new if bare else [*_otherwise(asked, lines)]
    notation = Notation(other.case)
    before = len(items)
    for stream in other.case.streams:
        own = [e for e in other.case.elements if e.stream == stream]
        if own != [e for e in first.case.elements if e.stream == stream]:
            shown = ", ".join(notation.element(element) for element in own) or "no element"
            items.append(f"{notation.iri(stream)}: {shown}")
    if len(items) == before and other.case.elements != first.case.elements:
        items.append(f"arrivals across streams: {_arrivals(first.case, other.case, notation)}")
    if other.case.background != first.case.background:
        entries = [notation.background_entry(entry) for entry in other.case.background]
        items.append(f"background data: {'; '.join(entries) or 'none'}")
    times = (other.case.registered, other.case.until)
    if times != (first.case.registered, first.case.until):
        items.append(f"registered at {times[0]}, compared until {times[1]}")
    return items


def _arrivals(first: Case, other: Case, notation: Notation) -> str:
    """The elements of a case at each instant at which they come in another order."""
    shown = []
    for t in dict.fromkeys(e.t for e in other.elements):
        own = [e for e in other.elements if e.t == t]
        if own != [e for e in first.elements if e.t == t]:
            parts = (f"{notation.iri(e.stream)} {notation.element(e)}" for e in own)
            shown.append(", then ".join(parts))
    return "; ".join(shown)


def _otherwise(first: list[str], other: list[str]) -> list[str]:
    """The lines of another query; from WHERE on if all before that is the same."""
    if first == other:
        return []
    where = next((i for i, line in enumerate(other) if line.upper().startswith("WHERE")), 0)
    return other[where:] if first[:where] == other[:where] else other


def cannot_all_be_right(finding: Finding, violation: RelationViolation) -> list[str]:
    """Why the answers cannot all be right, and which of them the profile calls wrong."""
    sentences = [violation.contradiction.says]
    verdicts = [asked.verdict for asked in violation.cases]
    if all(verdict is None for verdict in verdicts):
        return [*sentences, "At least one of them is wrong, whatever each should be."]
    right = [a.label for a in violation.cases if a.verdict is not None and a.verdict.correct]
    wrong = [a for a in violation.cases if a.verdict is not None and not a.verdict.correct]
    if wrong:
        said = _quoted([asked.label for asked in wrong])
        verb = "is" if len(wrong) == 1 else "are"
        more = f"; {_quoted(right)} {'is' if len(right) == 1 else 'are'} right" if right else ""
        sentences.append(f"By profile {finding.profile.title} {said} {verb} wrong{more}.")
    return sentences


def why_wrong(
    finding: Finding, violation: RelationViolation, *, by_dial: ByDial | None
) -> tuple[str, str] | None:
    """Find the first case whose answer the profile calls wrong.

    Args:
        finding: the finding.
        violation: its violated relation.
        by_dial: as for ``argued``.

    Returns:
        The label of the case and why its answer is wrong; None if there is none.
    """
    for asked in violation.cases:
        if asked.verdict is not None and not asked.verdict.correct:
            dials = finding.dials
            if (unit := asked.variant.stimulus.unit) is not None:
                dials = replace(dials, unit=unit)
            found = because(asked.case, dials, asked.observed, asked.verdict, by_dial=by_dial)
            return asked.label, found
    return None


def _quoted(labels: Sequence[str]) -> str:
    return ", ".join(f"“{label}”" for label in labels)


# --- no answer to judge ---

_SAID = {
    "rejected": "The engine rejects the case.",
    "crashed": "No answer comes that can be compared: the engine, or its driver, reports an error.",
    "died": "The driver's process ends on this case, without a reply.",
    "timeout": "No reply comes for this case within the time limit.",
    "too many rows": "So many rows come for this case that they are not compared.",
    "protocol-error": "The protocol does not allow the driver's reply.",
    "unstable": "Two runs of this case give different answers, so none is judged.",
}


def failed(finding: Finding, failure: EngineFailure) -> list[str]:
    """The story of a failure without an answer, sentence by sentence."""
    said = [_SAID.get(failure.kind, f"The engine fails: {failure.kind}.")]
    if failure.message:
        said.append(f"It says: {_stopped(printable(failure.message.strip()))}")
    if failure.element is not None and failure.element < len(finding.case.elements):
        element = Notation(finding.case).element(finding.case.elements[failure.element])
        said.append(f"It refuses element {failure.element}, {element}.")
    if failure.kind == "unstable":
        said.append(runs_differ(finding))
    elif finding.observed:
        notation = Notation(finding.case)
        last = finding.observed[-1]
        number = len(finding.observed)
        which = "1 answer came," if number == 1 else f"{number} answers came, the last"
        said.append(f"Before that {which} {_at(last)}: {notation.content(last.content)}.")
    return said


def _stopped(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def runs_differ(finding: Finding) -> str:
    """The first answer in which two runs differ, as a sentence."""
    notation = Notation(finding.case)
    first, second = finding.observed, finding.again
    numbers = finding.dials.numbers
    for position, (one, other) in enumerate(zip(first, second, strict=False)):
        same = difference(one.content, other.content, numbers) is None
        if one.t == other.t and same:
            continue
        return (
            f"They part at answer {position + 1}: the first run gives "
            f"{notation.content(one.content)} {_at(one)}, the second "
            f"{notation.content(other.content)} {_at(other)}."
        )
    if len(first) != len(second):
        longer, name = (first, "first") if len(first) > len(second) else (second, "second")
        position = min(len(first), len(second))
        extra = longer[position]
        return (
            f"They agree for {position} answer{'' if position == 1 else 's'}; then the {name} run "
            f"alone gives {notation.content(extra.content)} {_at(extra)}."
        )
    return "What they give is the same by the time it is shown; how often it differs is not known."


def _at(answer: Observed) -> str:
    return "with no instant" if answer.t is None else f"at t={instant(answer.t)}"
