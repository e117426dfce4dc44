"""Defects of the uncertainty functions, all of them of the published prototype (SEMANTICS 9)."""

from __future__ import annotations

import random

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.oxigraph.functions import Functions
from rsp_conformance.adapters.reference.oxigraph.uncertainty import Operand, Part, Sum, Uncertainty
from rsp_conformance.model.query import Query

SAMPLES = 10_000
"""As many as the prototype draws."""


class Computing(Behaviour):
    """Computes the uncertainty functions in another way than it should."""

    computed: type[Uncertainty] = Uncertainty

    def functions(self, functions: Functions) -> Functions:
        """Put the other ones in their places."""
        return functions | self.computed().functions()


class _FirstTwice(Uncertainty):
    def less(self, left: Sum, right: Operand) -> float:
        """P(left < left), if right is a distribution."""
        return super().less(left, left if isinstance(right, tuple) else right)


class SecondOperandFromFirst(Computing):
    """lessThan of two distributions takes the first one for both."""

    computed = _FirstTwice


class _Deviation(Uncertainty):
    def deviation(self, variance: float) -> float:
        """The number itself."""
        return variance


class VarianceAsDeviation(Computing):
    """The variance of a normal distribution is read as its standard deviation."""

    computed = _Deviation


class _GreaterOrEqualIsLess(Uncertainty):
    def greater_or_equal(self, left: Sum, right: Operand) -> float:
        """P(left <= right)."""
        return self.less(left, right)


class GreaterOrEqualAsLess(Computing):
    """greaterThanOrEqual calls lessThan."""

    computed = _GreaterOrEqualIsLess


class _Sampled(Uncertainty):
    """Counts in drawn values where a distribution meets a distribution."""

    def __init__(self) -> None:
        self._random = random.Random(0)

    def less(self, left: Sum, right: Operand) -> float:
        """The share of the draws with left < right."""
        if not isinstance(right, tuple):
            return super().less(left, right)
        return self._share(left, right)

    def greater(self, left: Sum, right: Operand) -> float:
        """The share of the draws with left > right."""
        if not isinstance(right, tuple):
            return super().greater(left, right)
        return self._share(right, left)

    def _share(self, smaller: Sum, greater: Sum) -> float:
        hits = sum(self._drawn(smaller) < self._drawn(greater) for _ in range(SAMPLES))
        return hits / SAMPLES

    def _drawn(self, parts: Sum) -> float:
        return sum(map(self._of_part, parts))

    def _of_part(self, part: Part) -> float:
        first, second = float(part.first), float(part.second)
        if part.kind == "N":
            return self._random.gauss(first, self.deviation(second))
        return self._random.uniform(first, second)


class Sampled(Computing):
    """Probabilities of two distributions are shares of 10,000 drawn pairs."""

    computed = _Sampled

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._functions = self.computed().functions()

    def functions(self, functions: Functions) -> Functions:
        """Put the ones that draw in their places; the draws go on from call to call."""
        return functions | self._functions
