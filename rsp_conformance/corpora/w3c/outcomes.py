"""What became of a test, and sums of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from rsp_conformance.corpora.w3c.tests import SuiteTest


class Result(Enum):
    """How a test ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of TEST under one evaluator; ``reason`` says why it did not pass.

    ``at_odds`` marks a skipped test whose expected result is at odds with the recommendation.
    """

    test: SuiteTest
    evaluator: str
    result: Result
    reason: str = ""
    at_odds: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """How many tests of a suite passed, failed and were skipped under an evaluator."""

    suite: str
    evaluator: str
    passed: int
    failed: int
    skipped: int


def sums(outcomes: Iterable[Outcome]) -> tuple[Sum, ...]:
    """The sums of every suite and evaluator, in the order in which they first occur."""
    counts: dict[tuple[str, str], dict[Result, int]] = {}
    for outcome in outcomes:
        found = counts.setdefault((outcome.test.suite, outcome.evaluator), dict.fromkeys(Result, 0))
        found[outcome.result] += 1
    return tuple(
        Sum(suite, evaluator, n[Result.PASSED], n[Result.FAILED], n[Result.SKIPPED])
        for (suite, evaluator), n in counts.items()
    )


def sum_of(sums: Iterable[Sum], evaluator: str) -> Sum:
    """The SUMS of EVALUATOR together; its suite is ``all``."""
    own = [one for one in sums if one.evaluator == evaluator]
    return Sum(
        "all",
        evaluator,
        sum(one.passed for one in own),
        sum(one.failed for one in own),
        sum(one.skipped for one in own),
    )
