"""Refuse, by name, features that can be parsed and are not evaluated.

The whole query is searched before the evaluation. So it does not depend on the data whether a query
is refused, and a feature is refused even if the evaluation would never reach it.
"""

from __future__ import annotations

from rsp_conformance.model.algebra import Pattern, Service, TriplePattern
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import BlankNode
from rsp_conformance.model.uncertainty import is_uncertain
from rsp_conformance.model.walk import clause_expressions, conditions, subexpressions, within
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.functions import FUNCTIONS, OPERATIONS
from rsp_conformance.sparql.uncertainty.functions import check_call

AGGREGATES = frozenset(("COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"))
"""The aggregates that are evaluated."""
NOT_DETERMINED = frozenset(("RAND", "UUID", "STRUUID", "NOW", "BNODE"))
"""Functions that are refused because their values cannot be compared."""
_ARGUMENTS: dict[str, tuple[int, int | None]] = {
    **{name: (least, greatest) for name, (_, least, greatest) in FUNCTIONS.items()},
    "IF": (3, 3),
    "COALESCE": (0, None),
    "IRI": (1, 1),
    "URI": (1, 1),
    "!": (1, 1),
    "BOUND": (1, 1),
    "IN": (1, None),
    "NOT IN": (1, None),
}
"""The least and greatest number of arguments (None: no limit); two for operators not listed."""


def refuse(query: Query) -> None:
    """Refuse a query with a feature that is not evaluated.

    Raises:
        Unsupported: the query has such a feature; the message names the first.
    """
    for part in within(query):
        if isinstance(part, Query):
            if part.form is Form.DESCRIBE:
                raise Unsupported("DESCRIBE")
            for key in part.group_by or ():
                _expression(key.expression, aggregates=False)
            for expression in clause_expressions(part):
                _expression(expression, aggregates=True)
        elif isinstance(part, Service):
            raise Unsupported("SERVICE")
        elif isinstance(part, Pattern):
            for condition in conditions(part):
                _expression(condition, aggregates=False)


def _expression(expression: Expression, *, aggregates: bool) -> None:
    """Refuse unsupported features of an expression, and aggregates unless `aggregates` is true.

    An aggregate within an aggregate is always refused.
    """
    for part in subexpressions(expression):
        match part:
            case Operation(name, arguments):
                _operation(name, len(arguments))
                if name == "BOUND" and not isinstance(arguments[0], Variable):
                    raise Unsupported("BOUND of anything but a variable")
            case FunctionCall() if is_uncertain(part):
                check_call(part)
            case FunctionCall(function, arguments, distinct):
                if function.value not in CASTS or distinct or len(arguments) != 1:
                    raise Unsupported(f"the extension function <{function.value}>")
            case Aggregate(name, argument):
                if not aggregates:
                    raise Unsupported(f"{name} outside SELECT, HAVING and ORDER BY")
                if name not in AGGREGATES or (argument is None and name != "COUNT"):
                    raise Unsupported(f"the aggregate {name}")
                if argument is not None:
                    _expression(argument, aggregates=False)
            case TriplePattern():
                if any(isinstance(inner, BlankNode) for inner in within(part)):
                    raise Unsupported("blank nodes in quoted triples of expressions")


def _operation(name: str, count: int) -> None:
    if name in NOT_DETERMINED:
        raise Unsupported(f"{name}, whose value is not determined")
    if name not in OPERATIONS:
        raise Unsupported(f"the function {name}")
    least, greatest = _ARGUMENTS.get(name, (2, 2))
    if count < least or (greatest is not None and count > greatest):
        raise Unsupported(f"{name} with {count} arguments")
