"""Verdicts of Definition 26: correct, or wrong and where answers and expectation part."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from rsp_conformance.model.answers import Evaluation, Observed

Vector: TypeAlias = tuple[int | None, ...]
"""A member z of Z: one t0 a window, in the order of declaration; None is never defined."""


class Kind(Enum):
    """How an answer departs from the expectation at the first place where they part."""

    SILENT = "silent"
    """Nothing was answered in the compared range, and something was due."""
    MISSING = "missing answer"
    """An evaluation was due and no answer came for it."""
    EXTRA = "extra answer"
    """An answer came where no evaluation was due."""
    INSTANT = "wrong instant"
    """The content that was due came, at another instant or without one."""
    ROWS = "wrong rows"
    """An answer came when due, with other rows, another truth value or another graph."""
    ORDER = "wrong order"
    """The rows are right and ORDER BY is not obeyed."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where an answer and Ans(Q_z) part."""

    kind: Kind
    t: int | None
    expected: Evaluation | None
    observed: Observed | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Definition 26's judgement.

    ``t0`` is the vector that makes the answer right, or where there is none the nearest one: that
    whose instants the answers have (decision 49). ``t_s`` is the instant from which answers
    are compared.
    ``expectation`` is what a wrong answer was held against, for the crash file and the argument,
    where the specification judged (``spec.trace.expectation_of``). ``readings`` say how an answer
    reads points that the texts leave open, where it does so in another way than the kit: those
    that make it right, or those under which most of a wrong one is.
    """

    correct: bool
    t0: Vector
    t_s: int
    divergence: Divergence | None = None
    expectation: object = field(default=None, compare=False, repr=False)
    readings: tuple[str, ...] = field(default=(), compare=False)
