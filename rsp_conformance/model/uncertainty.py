"""The uncertainty functions: their names, numbers of arguments, and the literals that they read.

*Uncertainty* (Keskisärkkä, Blomqvist, Hartig 2021), Definitions 3-7 and 14; SEMANTICS 9. The IRIs
are those of the authors' prototype (github.com/keski/RSPUEngine, ``Probability.java`` and
``ProbabilityDistribution.java``); ``docs/semantics.md`` says what each function yields.
"""

from __future__ import annotations

from types import MappingProxyType

from rsp_conformance.model.expressions import Expression, FunctionCall
from rsp_conformance.model.terms import Literal

RSPU = "http://w3id.org/rsp/rspu#"
"""The namespace of the functions and of the datatype, ``rspu:``."""

DISTRIBUTION = RSPU + "distribution"
"""The datatype of ``N(mean,variance)`` and ``U(a,b)``."""

SUMS = frozenset(("add", "subtract"))
"""Functions that yield a distribution, of a distribution and a distribution or number."""

COMPARISONS = frozenset(("lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"))
"""Functions that yield a probability, of a distribution and a distribution or number.

A distribution has a density, so the variants with and without equality yield the same probability.
"""

BETWEEN = "between"
"""``between(c1, c2, c3)``: the probability that c2 < c1 < c3; c1 is a distribution."""

ARITY = MappingProxyType({**dict.fromkeys(sorted(SUMS | COMPARISONS), 2), BETWEEN: 3})
"""The number of arguments of each function, by its name in the namespace."""


def function_name(call: FunctionCall) -> str | None:
    """The name of the uncertainty function that is called; None if another function is called."""
    iri = call.function.value
    return iri[len(RSPU) :] if iri.startswith(RSPU) else None


def is_uncertain(expression: Expression) -> bool:
    """Whether an expression itself, not only a part of it, calls a function of the namespace."""
    return isinstance(expression, FunctionCall) and function_name(expression) is not None


def is_distribution(literal: Literal) -> bool:
    """Whether a literal has the datatype of distributions; its lexical form may be invalid."""
    return literal.datatype == DISTRIBUTION
