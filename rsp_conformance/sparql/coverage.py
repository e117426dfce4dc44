"""What is refused, by name: everything that parses and is not evaluated here.

The whole query is walked before anything is evaluated, so that a query is refused whatever the
data are, also where the part that is not covered would never be reached.
"""

from __future__ import annotations

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    Service,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple
from rsp_conformance.model.uncertainty import is_uncertain
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.operations import FUNCTIONS, OPERATIONS
from rsp_conformance.sparql.uncertainty.functions import check_call

AGGREGATES = frozenset(("COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"))
_NOT_DETERMINED = frozenset(("RAND", "UUID", "STRUUID", "NOW", "BNODE"))
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


def refuse(query: Query) -> None:
    """Raise ``Unsupported`` with the name of the first thing that is not evaluated."""
    if query.form is Form.DESCRIBE:
        raise Unsupported("DESCRIBE")
    _pattern(query.pattern)
    for triple in query.template:
        _triple(triple)
    for projection in query.projection or ():
        if projection.expression is not None:
            _expression(projection.expression, aggregates=True)
    for key in query.group_by or ():
        _expression(key.expression)
    for condition in query.having:
        _expression(condition, aggregates=True)
    for order in query.order_by:
        _expression(order.expression, aggregates=True)


def _pattern(pattern: Pattern) -> None:
    match pattern:
        case BGP(triples):
            for triple in triples:
                _triple(triple)
        case Join(left, right) | Union(left, right) | Minus(left, right):
            _pattern(left)
            _pattern(right)
        case LeftJoin(left, right, condition):
            _pattern(left)
            _pattern(right)
            if condition is not None:
                _expression(condition)
        case Filter(condition, inner):
            _pattern(inner)
            _expression(condition)
        case Extend(inner, _, expression):
            _pattern(inner)
            _expression(expression)
        case Graph(_, inner) | Window(_, inner):
            _pattern(inner)
        case Values():
            pass
        case Service():
            raise Unsupported("SERVICE")
        case SubSelect(query):
            refuse(query)
        case _:
            raise Unsupported(f"the pattern {type(pattern).__name__}")


def _triple(triple: TriplePattern) -> None:
    for part in (triple.subject, triple.object):
        if isinstance(part, TriplePattern):
            _triple(part)
        elif not isinstance(part, (IRI, BlankNode, Literal, Variable, Triple)):
            raise Unsupported(f"{type(part).__name__} in a triple pattern")


def _expression(expression: Expression, *, aggregates: bool = False) -> None:
    """Refuse what EXPRESSION uses; aggregates are allowed where groups are, not within another."""
    match expression:
        case Variable() | IRI() | Literal():
            pass
        case Operation(name, arguments):
            _operation(name, len(arguments))
            if name == "BOUND" and not isinstance(arguments[0], Variable):
                raise Unsupported("BOUND of anything but a variable")
            for argument in arguments:
                _expression(argument, aggregates=aggregates)
        case FunctionCall(arguments=arguments) if is_uncertain(expression):
            check_call(expression)
            for argument in arguments:
                _expression(argument, aggregates=aggregates)
        case FunctionCall(function, arguments, distinct):
            if function.value not in CASTS or distinct or len(arguments) != 1:
                raise Unsupported(f"the extension function <{function.value}>")
            _expression(arguments[0], aggregates=aggregates)
        case Aggregate(name, argument):
            if not aggregates:
                raise Unsupported(f"{name} outside SELECT, HAVING and ORDER BY")
            if name not in AGGREGATES or (argument is None and name != "COUNT"):
                raise Unsupported(f"the aggregate {name}")
            if argument is not None:
                _expression(argument)
        case TriplePattern(subject, _, object_):
            _triple(expression)
            for part in (subject, object_):
                if isinstance(part, BlankNode):
                    raise Unsupported("blank nodes in quoted triples of expressions")
                if isinstance(part, TriplePattern):
                    _expression(part)
        case Exists(pattern):
            _pattern(pattern)
        case _:
            raise Unsupported(f"the expression {type(expression).__name__}")


def _operation(name: str, count: int) -> None:
    if name in _NOT_DETERMINED:
        raise Unsupported(f"{name}, whose value is not determined")
    if name not in OPERATIONS:
        raise Unsupported(f"the function {name}")
    least, greatest = _ARGUMENTS.get(name, (2, 2))
    if count < least or (greatest is not None and count > greatest):
        raise Unsupported(f"{name} with {count} arguments")
