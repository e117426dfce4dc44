"""SPARQL's expressions under one solution: a term, or None for an error (SPARQL 1.1, 17).

Scalar functions are shared by all semantics of the kit. The operators that treat errors in their
own way are defined here independently. If FILTER combines conditions, rules replace them
(``translation``).
"""

from __future__ import annotations

from collections.abc import Mapping

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Expression, FunctionCall, Operation, Variable
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.comparison import effective_boolean_value
from rsp_conformance.sparql.functions import COMPARISONS, FUNCTIONS, LOGICAL, iri_function
from rsp_conformance.sparql.values import boolean

Bindings = Mapping[str, Term]


def truth(expression: Expression, row: Bindings) -> bool | None:
    """Return the effective boolean value of an expression, None for an error (17.2.2)."""
    match expression:
        case Operation("!", (inner,)):
            found = truth(inner, row)
            return None if found is None else not found
        case Operation("||" | "&&" as name, parts):
            values = {truth(part, row) for part in parts}
            decisive = name == "||"
            return decisive if decisive in values else None if None in values else not decisive
        case Operation("IN", (needle, *candidates)):  # 17.4.1.9
            equal = tuple(Operation("=", (needle, candidate)) for candidate in candidates)
            return truth(Operation("||", equal), row)
        case Operation("NOT IN", arguments):
            return truth(Operation("!", (Operation("IN", arguments),)), row)
        case Operation("BOUND", (Variable(name),)):
            return name in row
        case Operation(name, (left, right)) if name in COMPARISONS:
            one, other = value(left, row), value(right, row)
            return None if one is None or other is None else COMPARISONS[name](one, other)
        case _:
            return effective_boolean_value(value(expression, row))


def value(expression: Expression, row: Bindings) -> Term | None:
    """Return the term of an expression, None for an error.

    Raises:
        Unsupported: LARS programs here cannot have the expression.
    """
    match expression:
        case Variable(name):
            return row.get(name)
        case IRI() | Literal():
            return expression
        case Operation("IF", (condition, first, second)):
            chosen = truth(condition, row)
            return None if chosen is None else value(first if chosen else second, row)
        case Operation("COALESCE", arguments):
            found = (value(argument, row) for argument in arguments)
            return next((term for term in found if term is not None), None)
        case Operation("IRI" | "URI", (argument,)):  # 17.4.2.8; a program has no base
            term = value(argument, row)
            return None if term is None else iri_function(None)(term)
        case Operation(name, arguments) if name in FUNCTIONS:
            terms = [value(argument, row) for argument in arguments]
            return None if None in terms else FUNCTIONS[name].apply(*terms)
        case FunctionCall(function, (argument,)) if function.value in CASTS:
            term = value(argument, row)
            return None if term is None else CASTS[function.value](term)
        case Operation(name) if name in LOGICAL or name in COMPARISONS:
            return boolean(truth(expression, row))
        case _:
            named = getattr(expression, "name", type(expression).__name__)
            raise Unsupported(f"in a LARS program: {named}")
