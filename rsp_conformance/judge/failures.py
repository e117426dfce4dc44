"""Failures as exceptions, one class for each kind, so that each kind is shrunk by itself."""

from __future__ import annotations

from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation


class ConformanceFailure(AssertionError):
    """An engine failed on a case; ``finding`` holds everything there is to say about it.

    ``confirmed`` says, once the case is shrunk, who confirmed the failure and how often it came;
    ``beside`` is what else further runs of the same case have shown.
    """

    def __init__(self, finding: Finding, confirmed: str = "") -> None:
        super().__init__(f"{finding.engine}: {finding.kind} ({finding.property_name})")
        self.finding = finding
        self.confirmed = confirmed
        self.beside: tuple[ConformanceFailure, ...] = ()


_KINDS = {
    "silent": ("Silent", "Answers were due and none came."),
    "missing answer": ("MissingAnswer", "An evaluation was due and no answer came for it."),
    "extra answer": ("ExtraAnswer", "An answer came where no evaluation was due."),
    "wrong instant": ("WrongInstant", "The right answer at another instant, or without one."),
    "wrong rows": ("WrongRows", "An answer when due, with other rows."),
    "wrong order": ("WrongOrder", "The right rows in an order that ORDER BY forbids."),
    "contradiction": ("Contradicting", "Answers to several cases that cannot all be right."),
    "unstable": ("Unstable", "Two runs of one case gave different answers."),
    "rejected": ("QueryRejected", "A query within the declared features, or an element, refused."),
    "crashed": ("EngineCrashed", "The engine threw."),
    "died": ("EngineDied", "The driver's process ended in the middle of a case."),
    "timeout": ("EngineTimedOut", "No answer within the time limit."),
    "too many rows": ("TooManyRows", "Many times the rows that are due: they are not compared."),
    "protocol-error": ("ProtocolBroken", "The driver, not the engine, broke the protocol."),
}

CLASSES: dict[str, type[ConformanceFailure]] = {
    kind: type(name, (ConformanceFailure,), {"__doc__": meaning, "__module__": __name__})
    for kind, (name, meaning) in _KINDS.items()
}
"""The class of each kind of failure."""


def failure_of(finding: Finding, confirmed: str = "") -> ConformanceFailure:
    """The exception for FINDING, of the class of its kind; see there for CONFIRMED."""
    return CLASSES.get(finding.kind, ConformanceFailure)(finding, confirmed)


class KitDisagreement(Exception):
    """The kit's own implementations differ on a case, or one fails: a bug of the kit alone.

    Raised instead of an accusation. ``message`` says which implementations differ and how,
    ``observation`` on what; ``str`` is all that a bug report needs.
    """

    def __init__(self, message: str, observation: Observation) -> None:
        super().__init__(message, observation)
        self.message = message
        self.observation = observation

    def __str__(self) -> str:
        case = self.observation.stimulus.case
        lines = (
            f"{self.message}: a bug of rsp-conformance, not of the engine. Please report it.",
            f"query:\n{self.observation.query_text}",
            f"registered at {case.registered}, compared until {case.until}",
            f"elements: {case.elements!r}",
            f"background: {case.background!r}",
            f"answers: {self.observation.observed!r}",
            f"dials: {self.observation.dials!r}",
        )
        return "\n".join(lines)
