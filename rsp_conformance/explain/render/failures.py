"""Failures without an answer to judge: what happened, and what the driver said last."""

from __future__ import annotations

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.render.layout import printable
from rsp_conformance.explain.render.notation import Notation, instant
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.finding import EngineFailure, Finding

_SAID = {
    "rejected": "The engine rejects the case.",
    "crashed": "The engine throws on this case.",
    "died": "The driver's process ends on this case, without a reply.",
    "timeout": "No reply comes for this case within the time limit.",
    "protocol-error": "The driver's reply is none that the protocol allows.",
    "unstable": "Two runs of this case give different answers, so none is judged.",
}


def failed(finding: Finding, failure: EngineFailure) -> list[str]:
    """What happened, sentence by sentence."""
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
