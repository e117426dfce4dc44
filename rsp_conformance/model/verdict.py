"""Verdicts of RSP-QL Definition 26: correct, or wrong with the first difference."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from rsp_conformance.model.answers import Evaluation, Observed

Vector: TypeAlias = tuple[int | None, ...]
"""A member z of Z: one t0 per declared window, in order; None is a window never defined."""


class Kind(Enum):
    """The kind of the first difference between the answers and the expectation."""

    SILENT = "silent"
    """The compared range has no answer at all, although answers were expected."""
    MISSING = "missing answer"
    """An expected evaluation has no answer."""
    EXTRA = "extra answer"
    """An answer came although no evaluation was expected."""
    INSTANT = "wrong instant"
    """The expected content came, but at another instant or without an instant."""
    ROWS = "wrong rows"
    """An answer came when expected, but with other rows, another truth value or another graph."""
    ORDER = "wrong order"
    """The rows are right, but not in the order of ORDER BY."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference between an engine's answers and Ans(Q_z)."""

    kind: Kind
    t: int | None
    expected: Evaluation | None
    observed: Observed | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of Definition 26 on an engine's answers.

    Attributes:
        correct: whether the answers are right.
        t0: the vector that makes the answers right. If there is no such vector: the nearest one,
            whose instants the answers have (decision 49).
        t_s: the instant from which answers are compared.
        divergence: the first difference, None for right answers.
        expectation: what wrong answers were compared with, for the crash file and the argument, if
            the reference model judged (``spec.trace.expectation_of``).
        readings: readings of points that the texts leave open, if the answers need other readings
            than the kit's: those that make the answers right, or those under which most of a wrong
            answer is right.
    """

    correct: bool
    t0: Vector
    t_s: int
    divergence: Divergence | None = None
    expectation: object = field(default=None, compare=False, repr=False)
    readings: tuple[str, ...] = field(default=(), compare=False)
