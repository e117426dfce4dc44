"""A cause: what stands behind failures of an engine, and how far that is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rsp_conformance.causes.evidence import Answered
from rsp_conformance.causes.hypothesis import MUTANTS, Hypothesis
from rsp_conformance.files.fields import as_int, as_list, as_object, as_text, get

UNEXPLAINED = "?-"
"""What the identity of a cause begins with that no hypothesis explains."""
CONTRADICTED = 100
"""So many answers a cause explains for each right one that it contradicts, or it is none, ..."""
CONTRADICTED_YET = 10
"""... and so many where other causes may not have been found yet."""


DECIDES: Mapping[str, str] = {
    "bounds": "which ends of a window belong to it",
    "window": "which window is evaluated at t",
    "t0": "where windows start",
    "report": "when the query is evaluated",
    "report_windows": "for which windows a policy that names none must hold",
    "content_change": "what counts as a change of content",
    "tick": "one evaluation per instant, or one per element",
    "stream_operators": "operators that queries may write",
    "r2s": "how IStream and DStream subtract",
    "window_content": "whether duplicates in a window count",
    "windows_in": "windows are named, or merged into the default graph",
    "empty_answers": "whether answers without rows are reported",
    "answer_time": "what the timestamp of an answer is",
    "trigger": "which arrival closes a window",
    "numbers": "when two numbers are the same",
    "time_tolerance": "how far timestamps may be off",
    "clock": "whose arrivals make time pass for a window",
    "literals": "whether `01` and `1` stay two terms",
    "empty_group": "what an aggregate without GROUP BY gives over no solution",
    "graph_variable": "whether `GRAPH ?g` outside WINDOW ranges over named windows too",
}
"""What a dial decides, in the words of docs/dials.md."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause of failures of one engine.

    Attributes:
        id: its name, which stays the same from run to run: that of its hypothesis, or UNEXPLAINED
            and the fingerprint of failures that nothing explains.
        hypothesis: what about the engine predicts its answers; empty for the unexplained.
        alternatives: other hypotheses that no case has told from it.
        properties: the properties whose failures it explains.
        explains: answers that are wrong, and as it predicts.
        open: wrong answers on which it bears, and which it does not predict either.
        contradicts: answers that are right and of which it predicts others.
        passing: right answers on which it was held.
        asked: wrong answers of which it was asked whether it bears on them.
        wrong: all wrong answers of the run.
        right: all right answers of the run.
        file: the crash file of its smallest case; may be empty.
        elements: how many stream elements that case has.
        text: what is wrong, in one sentence.
        unshrunk: its smallest case, where that was not shrunk; stays in this process.
    """

    id: str
    hypothesis: Hypothesis = Hypothesis()
    alternatives: tuple[Hypothesis, ...] = ()
    properties: tuple[str, ...] = ()
    explains: int = 0
    open: int = 0
    contradicts: int = 0
    passing: int = 0
    asked: int = 0
    wrong: int = 0
    right: int = 0
    file: str = ""
    elements: int = 0
    text: str = ""
    unshrunk: Answered | None = field(default=None, compare=False, repr=False)

    @property
    def is_explained(self) -> bool:
        """Whether a hypothesis stands behind it."""
        return bool(self.hypothesis)

    @property
    def mutants(self) -> tuple[str, ...]:
        """The mutants of its hypothesis."""
        return self.hypothesis.mutants

    @property
    def dials(self) -> Mapping[str, str]:
        """The dials of its hypothesis."""
        return dict(self.hypothesis.dials)

    def to_json(self) -> dict[str, Any]:
        """The cause as a report's JSON has it; ``cause_from_json`` gives it back."""
        return {
            "id": self.id,
            "mutants": list(self.mutants),
            "dials": dict(self.dials),
            "alternatives": [
                {"mutants": list(other.mutants), "dials": dict(other.dials)}
                for other in self.alternatives
            ],
            "properties": list(self.properties),
            "explains": self.explains,
            "open": self.open,
            "contradicts": self.contradicts,
            "passing": self.passing,
            "asked": self.asked,
            "wrong": self.wrong,
            "right": self.right,
            "smallest": {"file": self.file, "elements": self.elements},
            "text": self.text,
        }


def cause_from_json(document: Mapping[str, Any]) -> Cause:
    """The cause that DOCUMENT writes; ValueError, one line, where it is none."""
    smallest = as_object(get(document, "smallest"), "smallest")
    others = as_list(document.get("alternatives", []), "alternatives")
    counts = ("explains", "open", "contradicts", "passing", "asked", "wrong", "right")
    numbers: dict[str, Any] = {n: as_int(document.get(n, 0), n, least=0) for n in counts}
    return Cause(
        id=as_text(get(document, "id"), "id"),
        hypothesis=_hypothesis(document),
        alternatives=tuple(_hypothesis(as_object(one, "alternatives")) for one in others),
        properties=_texts(document, "properties"),
        file=as_text(smallest.get("file", ""), "smallest.file"),
        elements=as_int(smallest.get("elements", 0), "smallest.elements", least=0),
        text=as_text(document.get("text", ""), "text"),
        **numbers,
    )


def text_of(hypothesis: Hypothesis, *rivals: Hypothesis) -> str:
    """What is wrong with an engine if HYPOTHESIS is true, in a sentence, or else one of RIVALS."""
    dials = [
        f"it answers as with {dial} = {value} ({DECIDES.get(dial, 'a dial')})"
        for dial, value in hypothesis.dials
    ]
    said = [MUTANTS[name].summary.rstrip(".") for name in hypothesis.mutants] + dials
    others = [f" Or {own}, which no case tells from it: {text_of(own)}" for own in rivals]
    return "; ".join(said) + "." + "".join(others)


def _hypothesis(document: Mapping[str, Any]) -> Hypothesis:
    dials = as_object(document.get("dials", {}), "dials")
    turned = {name: as_text(value, f"dials.{name}") for name, value in dials.items()}
    return Hypothesis.of(turned, _texts(document, "mutants"))


def _texts(document: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(as_text(one, name) for one in as_list(document.get(name, []), name))
