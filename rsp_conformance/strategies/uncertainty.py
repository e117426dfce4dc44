"""Uncertainty functions over distributions (*Uncertainty*, Definitions 3-7 and 14).

Probabilities are compared to thresholds that none of them is near, so that no answer depends on
the digits of a computation. A probability itself is shown only where the profile states a
tolerance.
"""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.model.expressions import Expression, FunctionCall, Operation, Variable
from rsp_conformance.model.terms import IRI, XSD_DECIMAL, Literal
from rsp_conformance.model.uncertainty import RSPU
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.functions import Value, apply
from rsp_conformance.strategies.query_builder import NUMBER, TEXT, TRUTH, UNCERTAIN, QueryBuilder
from rsp_conformance.strategies.vocabulary import integer

_LOW, _MIDDLE, _HIGH = (Literal(text, XSD_DECIMAL) for text in ("0.3", "0.6", "0.7"))


def call(name: str, *arguments: Expression) -> FunctionCall:
    """The uncertainty function NAME on ARGUMENTS."""
    return FunctionCall(IRI(RSPU + name), arguments)


def conditions(builder: QueryBuilder, scope: Sequence[Variable]) -> list[Expression]:
    """Conditions on the uncertain variables of SCOPE, the simplest first."""
    found: list[Expression] = []
    uncertain = [v for v in builder.of_kind(UNCERTAIN) if v in scope]
    for d in uncertain:
        found += _about(d)
    if len(uncertain) > 1:
        found += _about_two(*uncertain[:2])
    return found


def threshold_conditions(d: Variable, e: Variable) -> list[Operation]:
    """All comparisons of a probability, of D or of D and E, to a threshold."""
    return [*_about(d), *_about_two(d, e)]


def _about(d: Variable) -> list[Operation]:
    return [
        apply(">", call("greaterThan", d, integer(18)), _MIDDLE),
        apply(">", call("lessThan", d, integer(25)), _MIDDLE),
        apply("<", call("between", d, integer(15), integer(22)), _MIDDLE),
        apply(">=", call("greaterThanOrEqual", d, integer(22)), _LOW),
        apply("<", call("greaterThanOrEqual", d, integer(25)), _MIDDLE),
        apply(">", call("greaterThanOrEqual", d, vocabulary.DISTRIBUTIONS[3]), _LOW),
        apply("<=", call("lessThanOrEqual", d, integer(26)), _LOW),
        apply(">", call("greaterThan", call("add", d, integer(5)), integer(24)), _MIDDLE),
        apply(">", call("lessThan", call("subtract", d, integer(5)), integer(18)), _MIDDLE),
        apply(">", call("lessThan", d, vocabulary.DISTRIBUTIONS[3]), _LOW),
        # A number is no first operand: an error.
        apply(">", call("greaterThan", integer(18), d), _LOW),
    ]


def _about_two(d: Variable, e: Variable) -> list[Operation]:
    return [
        apply(">", call("lessThan", d, e), _LOW),
        apply(">", call("greaterThan", d, e), _HIGH),
        apply(">", call("lessThan", e, d), _HIGH),
        apply(">", call("lessThan", call("add", e, integer(5)), d), _LOW),
    ]


def values(builder: QueryBuilder, scope: Sequence[Variable]) -> list[Value]:
    """What uncertainty functions make of the variables of SCOPE, the simplest first."""
    found: list[Value] = []
    for d in (v for v in builder.of_kind(UNCERTAIN) if v in scope):
        found += [(condition, TRUTH) for condition in _about(d)]
        if not builder.limits.exact:
            found += [(call("add", d, integer(5)), UNCERTAIN)] * 3
            found.append((call("subtract", d, integer(5)), UNCERTAIN))
        if builder.limits.tolerant:
            found += [(call("greaterThan", d, integer(18)), NUMBER)] * 3
            found += [(call("lessThan", d, vocabulary.DISTRIBUTIONS[2]), NUMBER)] * 6
            found.append((call("between", d, integer(15), integer(22)), NUMBER))
        found.append((call("add", integer(5), d), TEXT))
    return found
