"""Failures as exceptions, one class for each kind, so that each kind is shrunk by itself."""

from __future__ import annotations

from rsp_conformance.judge.engine_under_test import Observation
from rsp_conformance.model.finding import Finding


class ConformanceFailure(AssertionError):
    """An engine failed on a case; ``finding`` holds everything there is to say about it.

    ``confirmed`` says, once the case is shrunk, who confirmed the failure and how often it came.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.engine}: {finding.kind} ({finding.property_name})")
        self.finding = finding
        self.confirmed = ""


class WrongAnswer(ConformanceFailure):
    """The answer is not Ans(Q_z) for any z (RSP-QL Definition 26)."""


class Silent(WrongAnswer):
    """Answers were due and none came."""


class MissingAnswer(WrongAnswer):
    """An evaluation was due and no answer came for it."""


class ExtraAnswer(WrongAnswer):
    """An answer came where no evaluation was due."""


class WrongInstant(WrongAnswer):
    """The right answer at another instant, or without one."""


class WrongRows(WrongAnswer):
    """An answer when due, with other rows."""


class WrongOrder(WrongAnswer):
    """The right rows in an order that ORDER BY forbids."""


class Contradicting(ConformanceFailure):
    """Answers to several cases that cannot all be right, whatever each should be."""


class Unstable(ConformanceFailure):
    """Two runs of one case gave different answers."""


class QueryRejected(ConformanceFailure):
    """The engine refuses a query within the features that it declares, or an element."""


class EngineCrashed(ConformanceFailure):
    """The engine threw."""


class EngineDied(ConformanceFailure):
    """The driver's process ended in the middle of a case."""


class EngineTimedOut(ConformanceFailure):
    """No answer within the time limit."""


class ProtocolBroken(ConformanceFailure):
    """The driver, not the engine, broke the protocol."""


CLASSES: dict[str, type[ConformanceFailure]] = {
    "silent": Silent,
    "missing answer": MissingAnswer,
    "extra answer": ExtraAnswer,
    "wrong instant": WrongInstant,
    "wrong rows": WrongRows,
    "wrong order": WrongOrder,
    "contradiction": Contradicting,
    "unstable": Unstable,
    "rejected": QueryRejected,
    "crashed": EngineCrashed,
    "died": EngineDied,
    "timeout": EngineTimedOut,
    "protocol-error": ProtocolBroken,
}


def failure_of(finding: Finding) -> ConformanceFailure:
    """The exception for FINDING, of the class of its kind."""
    return CLASSES.get(finding.kind, WrongAnswer)(finding)


class KitDisagreement(Exception):
    """The kit's own implementations differ on a case: a bug of the kit, never of the engine.

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
