"""The uncertainty functions: their names, how many arguments they take, the literals they read.

*Uncertainty* (Keskisärkkä, Blomqvist, Hartig 2021), Definitions 3-7 and 14; SEMANTICS 9. The IRIs
are those of the authors' prototype (github.com/keski/RSPUEngine, ``Probability.java`` and
``ProbabilityDistribution.java``); ``docs/uncertainty.md`` says what each function yields.
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
"""Functions of a distribution, and a distribution or a number, that yield a distribution."""

COMPARISONS = frozenset(("lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"))
"""Functions of a distribution, and a distribution or a number, that yield a probability.

A distribution has a density, so with and without equality they are one probability.
"""

BETWEEN = "between"
"""``between(c1, c2, c3)``: the probability that c2 < c1 < c3; c1 is a distribution."""

ARITY = MappingProxyType({**dict.fromkeys(sorted(SUMS | COMPARISONS), 2), BETWEEN: 3})
"""How many arguments each function takes, by its name in the namespace."""


def function_name(call: FunctionCall) -> str | None:
    """The name of the uncertainty function that CALL calls, None where it calls another one."""
    iri = call.function.value
    return iri[len(RSPU) :] if iri.startswith(RSPU) else None


def is_uncertain(expression: Expression) -> bool:
    """Whether EXPRESSION itself, not a part of it, calls a function of the namespace."""
    return isinstance(expression, FunctionCall) and function_name(expression) is not None


def is_distribution(literal: Literal) -> bool:
    """Whether LITERAL has the datatype of distributions; its lexical form may be none."""
    return literal.datatype == DISTRIBUTION
