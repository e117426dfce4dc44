"""The kinds of failure, and the exception that is raised instead of a report of a bug."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rsp_conformance.model.observation import Observation

KINDS: Final[Mapping[str, str]] = {
    "silent": "Answers were due and none came.",
    "missing answer": "An evaluation was due and no answer came for it.",
    "extra answer": "An answer came where no evaluation was due.",
    "wrong instant": "The right answer at another instant, or without one.",
    "wrong rows": "An answer when due, with other rows.",
    "wrong order": "The right rows in an order that ORDER BY forbids.",
    "contradiction": "Answers to several cases that cannot all be right.",
    "unstable": "Two runs of one case gave different answers.",
    "rejected": "A query within the declared features, or an element, refused.",
    "crashed": "The engine threw.",
    "died": "The driver's process ended in the middle of a case.",
    "timeout": "No answer within the time limit.",
    "too many rows": "Many times the expected rows: they are not compared.",
    "protocol-error": "The driver, not the engine, broke the protocol.",
}
"""The kinds of failure, each with its meaning."""


class KitDisagreement(Exception):
    """The kit's own implementations differ on a case, or one fails: a bug of the kit alone.

    It is raised instead of a report of a bug. Its text is all that a bug report needs.

    Attributes:
        message: which implementations differ, and how.
        observation: the observation on which they differ.
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
