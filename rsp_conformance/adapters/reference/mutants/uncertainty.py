"""Mutants of the uncertainty functions, of the published prototype (SEMANTICS 9), and of chance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from rsp_conformance.adapters.reference.mutant import STREAMED, UNCERTAINTY, MutatedRun, mutant
from rsp_conformance.adapters.reference.oxigraph.uncertainty import (
    Compare,
    Operand,
    Sum,
    Summand,
    Uncertainty,
)
from rsp_conformance.adapters.reference.r2s import Row

SAMPLES = 10_000
"""The number of samples that the published prototype draws."""


@mutant(
    UNCERTAINTY,
    "RSPUEngine: lessThan of two distributions copies the first, where that is uniform",
    needs="uncertainty",
    where="lessThan of two distributions",
)
def second_operand_from_first(right: Uncertainty, run: MutatedRun) -> Uncertainty:
    """lessThan of two distributions takes the first one for both."""  # noqa: D403 (the name of a function)

    def less(functions: Uncertainty, left: Sum, other: Operand) -> float:
        return right.less(functions, left, left if isinstance(other, tuple) else other)

    return replace(right, less=less)


@mutant(
    UNCERTAINTY,
    "RSPUEngine: N(m, v) taken for a mean and a standard deviation",
    needs="uncertainty",
    where="a normal distribution whose variance is not 1",
)
def variance_as_deviation(right: Uncertainty, run: MutatedRun) -> Uncertainty:
    """The variance of a normal distribution is read as its standard deviation."""
    return replace(right, deviation=float)


@mutant(
    UNCERTAINTY,
    "RSPUEngine: greaterThanOrEqual calls lessThan",
    needs="uncertainty",
    where="greaterThanOrEqual",
)
def greater_or_equal_as_less(right: Uncertainty, run: MutatedRun) -> Uncertainty:
    """greaterThanOrEqual calls lessThan."""  # noqa: D403 (the name of a function)
    return replace(right, greater_or_equal=right.less)


@mutant(
    UNCERTAINTY,
    "RSPUEngine: probabilities of two distributions by 10,000 draws",
    needs="uncertainty",
    dials={"numbers": "tolerance(1e-9)"},
    where="two distributions compared, and the probability in the answer",
)
def sampled(right: Uncertainty, run: MutatedRun) -> Uncertainty:
    """Probabilities of two distributions are shares of 10,000 drawn pairs."""
    rng = random.Random(0)

    def drawn(functions: Uncertainty, part: Summand) -> float:
        first, second = float(part.first), float(part.second)
        if part.kind == "N":
            return rng.gauss(first, functions.deviation(second))
        return rng.uniform(first, second)

    def share(exact: Compare, sign: int) -> Compare:
        def compare(functions: Uncertainty, left: Sum, other: Operand) -> float:
            if not isinstance(other, tuple):
                return exact(functions, left, other)
            smaller, greater = (left, other) if sign < 0 else (other, left)
            hits = 0
            for _ in range(SAMPLES):
                below, above = (sum(drawn(functions, p) for p in s) for s in (smaller, greater))
                hits += below < above
            return hits / SAMPLES

        return compare

    less, greater = share(right.less, -1), share(right.greater, 1)
    return replace(right, less=less, greater=greater, greater_or_equal=greater)


@mutant(STREAMED, "rsp-js: whether answers are awaited decides which rows are lost")
def nondeterministic(rows: Sequence[Row], run: MutatedRun) -> Sequence[Row]:
    """Answers differ from run to run: a row is lost at random."""
    return rows[:-1] if rows and random.SystemRandom().random() < 0.5 else rows
