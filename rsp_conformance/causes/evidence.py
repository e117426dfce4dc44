"""What a run has seen of an engine: the answers to its cases, and its failures, shrunk.

Plain values, so that they travel between processes: the evidence of workers is put together by
``|``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rsp_conformance.judge.engine_under_test import Observation, Stimulus
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.finding import EngineFailure, Finding


@dataclass(frozen=True, slots=True)
class Symptom:
    """A failure of a property, shrunk and confirmed.

    ``observations`` are its cases with what came back: one, or those that contradict each other.
    ``kind`` is the kind of failure, ``failure`` what the engine said in place of an answer,
    ``difference`` where answer and expectation part, in words. ``file`` is the crash file and
    ``focus`` the strategies' focus that the case was drawn from; either may be empty.
    """

    property_name: str
    kind: str
    observations: tuple[Observation, ...]
    failure: EngineFailure | None = None
    difference: str = ""
    file: str = ""
    focus: str = ""

    @classmethod
    def of(cls, finding: Finding, *, file: str = "", focus: str = "") -> Symptom:
        """FINDING as a symptom."""
        return cls(
            finding.property_name,
            finding.kind,
            tuple(_observations(finding)),
            finding.failure,
            _difference(finding),
            file,
            focus,
        )

    @property
    def elements(self) -> int:
        """How many stream elements its first case has."""
        return self.observations[0].size[0]

    @property
    def is_answered(self) -> bool:
        """Whether there are whole answers, all of one engine, that a hypothesis may predict."""
        return self.failure is None and not any(o.stimulus.second for o in self.observations)


@dataclass(frozen=True, slots=True)
class Answered:
    """An observation of a run; ``correct`` is the specification's verdict, None without one.

    ``property_name`` is the property that asked for it first.
    """

    observation: Observation
    correct: bool | None = None
    property_name: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a run has seen: its symptoms, and every whole answer, right or wrong.

    ``seconds`` the run has taken so far.
    """

    symptoms: tuple[Symptom, ...] = ()
    answered: tuple[Answered, ...] = ()
    seconds: float = 0.0

    @classmethod
    def of(
        cls, symptoms: Iterable[Symptom], answered: Iterable[Answered], seconds: float = 0.0
    ) -> Evidence:
        """SYMPTOMS, and ANSWERED by one engine, smaller cases first.

        Without observations that have no answer. Of two engines the first is meant: what the other
        one answers is no evidence about it.
        """
        whole: dict[Stimulus, Answered] = {}
        for own in answered:
            observation = own.observation
            answers = observation.failure is None and observation.unsupported is None
            if answers and not observation.stimulus.second:
                whole.setdefault(observation.stimulus, own)
        return cls(
            tuple(symptoms),
            tuple(sorted(whole.values(), key=lambda own: own.observation.size)),
            seconds,
        )

    def __or__(self, other: Evidence) -> Evidence:
        """The evidence of both, of one engine under one profile; they ran side by side."""
        seconds = max(self.seconds, other.seconds)
        return Evidence.of(self.symptoms + other.symptoms, self.answered + other.answered, seconds)


def _observations(finding: Finding) -> Iterator[Observation]:
    if finding.violation is None:
        stimulus = Stimulus(finding.case, finding.pacing)
        failure = finding.failure
        yield Observation(stimulus, finding.dials, finding.query_text, finding.observed, failure)
        return
    for asked in finding.violation.cases:
        dials = finding.profile.dials(asked.case.query)
        if asked.unit is not None:
            dials = replace(dials, unit=asked.unit)
        stimulus = Stimulus(asked.case, asked.pacing, asked.unit, asked.second)
        yield Observation(stimulus, dials, asked.query_text, asked.observed)


def _difference(finding: Finding) -> str:
    """Where answer and expectation part, without what differs from case to case."""
    if finding.violation is not None:
        return finding.violation.statement
    divergence = finding.verdict.divergence if finding.verdict else None
    if divergence is None:
        return ""
    due = divergence.expected is not None and not is_empty(divergence.expected.content)
    came = divergence.observed is not None and not is_empty(divergence.observed.content)
    said = {True: "rows", False: "nothing"}
    return f"{said[due]} due, {said[came]} came"
