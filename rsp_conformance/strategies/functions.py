"""SPARQL's functions and casts (SPARQL 1.1, 17.4, 17.5), where their results are determined.

Some are errors for some of the terms that they meet. Left out are results whose lexical form
SPARQL leaves open, where numbers compare as terms; ``=`` between a text with and one without
language tag; and what differs from call to call.
"""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.model.expressions import Expression, FunctionCall, Operation, Variable
from rsp_conformance.model.terms import IRI, XSD, XSD_DATETIME, XSD_INTEGER, Literal
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.query_builder import NUMBER, RESOURCE, TEXT, TRUTH, QueryBuilder

ONE, TWO = vocabulary.integer(1), vocabulary.integer(2)
X, Y = vocabulary.TEXTS[:2]
_MOMENT = Literal("2011-01-10T14:45:13Z", XSD_DATETIME)

Value = tuple[Expression, str]
"""An expression and the kind of its values."""


def apply(name: str, *arguments: Expression) -> Operation:
    """The operator or built-in NAME on ARGUMENTS."""
    return Operation(name, arguments)


def cast(name: str, argument: Expression) -> FunctionCall:
    """``xsd:NAME(argument)``."""
    return FunctionCall(IRI(XSD + name), (argument,))


def conditions(builder: QueryBuilder, scope: Sequence[Variable]) -> list[Expression]:
    """Conditions on the variables of SCOPE that call functions, the simplest first."""
    found: list[Expression] = []
    for text in _of(builder, scope, TEXT):
        found += _about_text(builder, text)
    for number in _of(builder, scope, NUMBER):
        found += _about_number(builder, number)
    for resource in _of(builder, scope, RESOURCE)[:2]:
        found += _about_resource(resource)
    return found


def values(builder: QueryBuilder, scope: Sequence[Variable]) -> list[Value]:
    """What functions make of the variables of SCOPE, the simplest first."""
    found: list[Value] = []
    for text in _of(builder, scope, TEXT):
        found += _of_text(builder, text)
    for number in _of(builder, scope, NUMBER):
        found += _of_number(builder, number)
    for resource in _of(builder, scope, RESOURCE)[:2]:
        found += _of_resource(builder, resource)
    return found


def _of(builder: QueryBuilder, scope: Sequence[Variable], kind: str) -> list[Variable]:
    return [variable for variable in builder.of_kind(kind) if variable in scope]


def _typed(builder: QueryBuilder) -> bool:
    return builder.limits.allow("typed-literals")


def _about_text(builder: QueryBuilder, text: Variable) -> list[Expression]:
    plain = apply("STR", text)
    found: list[Expression] = [
        apply("=", plain, X),
        apply("CONTAINS", text, X),
        apply("STRSTARTS", text, X),
        apply("STRENDS", text, Y),
        apply("REGEX", text, Literal("^[XY]$"), Literal("i")),
        apply("=", apply("UCASE", plain), Literal("X")),
        apply("=", apply("CONCAT", plain, X), Literal("xx")),
        apply("=", apply("REPLACE", plain, X, Y), Y),
        apply("LANGMATCHES", apply("LANG", text), Literal("en")),
        apply("LANGMATCHES", apply("LANG", text), Literal("*")),
        apply("IN", plain, X, Y),
        apply("ISLITERAL", text),
    ]
    if _typed(builder):
        found += [apply("=", apply("STRLEN", text), ONE), apply("<", cast("integer", plain), ONE)]
        found.append(apply("=", apply("SUBSTR", plain, ONE, ONE), X))
    return found


def _about_number(builder: QueryBuilder, number: Variable) -> list[Expression]:
    integer = IRI(XSD_INTEGER)
    return [
        apply("=", apply("STR", number), Literal("1")),
        apply("ISNUMERIC", number),
        apply(">", apply("ABS", apply("-", number, TWO)), ONE),
        apply("=", apply("DATATYPE", number), integer),
        apply(">=", apply("CEIL", number), TWO),
        apply("<", apply("FLOOR", number), TWO),
        apply("<", apply("ROUND", number), TWO),
        apply("IF", apply(">", number, ONE), cast("boolean", X), cast("boolean", ONE)),
        apply(">", apply("COALESCE", apply("+", number, ONE), ONE), TWO),
        apply(">=", cast("integer", apply("STR", number)), TWO),
        apply(">", cast("double", number), ONE),
    ]


def _about_resource(resource: Variable) -> list[Expression]:
    a = vocabulary.RESOURCES[0]
    text = apply("STR", resource)
    return [
        apply("=", text, Literal(a.value)),
        apply("STRENDS", text, Literal("a")),
        apply("ISIRI", resource),
        apply("ISBLANK", resource),
        apply("SAMETERM", resource, a),
        apply("=", apply("STRAFTER", text, Literal("org/")), Literal("b")),
        apply("=", apply("IRI", text), a),
        apply("||", apply("=", apply("UCASE", resource), X), apply("ISIRI", resource)),
    ]


def _of_text(builder: QueryBuilder, text: Variable) -> list[Value]:
    plain = apply("STR", text)
    found: list[Value] = [
        (apply("UCASE", text), TEXT),
        (apply("CONCAT", text, X), TEXT),
        (apply("CONCAT", text, text), TEXT),
        (apply("REPLACE", text, X, Literal("xx")), TEXT),
        (apply("STRBEFORE", text, Y), TEXT),
        (apply("STRAFTER", text, X), TEXT),
        (apply("LANG", text), TEXT),
        (apply("DATATYPE", text), RESOURCE),
        (apply("STRLANG", plain, Literal("en")), TEXT),
        (apply("ENCODE_FOR_URI", apply("CONCAT", plain, Literal(" "))), TEXT),
        (apply("SHA1", plain), TEXT),
        (apply("IRI", apply("CONCAT", Literal(vocabulary.NAMESPACE), plain)), RESOURCE),
        (apply("COALESCE", cast("integer", text), Literal("none")), TEXT),
        (cast("string", text), TEXT),
        (cast("integer", text), NUMBER),
        (cast("integer", plain), NUMBER),
    ]
    if _typed(builder):
        found.append((apply("STRLEN", text), NUMBER))
        found.append((apply("SUBSTR", text, ONE, ONE), TEXT))
        found.append((apply("STRDT", plain, IRI(XSD + "string")), TEXT))
    return found


def _of_number(builder: QueryBuilder, number: Variable) -> list[Value]:
    settled = builder.number_domain() in (vocabulary.INTEGERS, vocabulary.MIXED)
    found: list[Value] = [
        (apply("STR", number), TEXT),
        (apply("ISNUMERIC", number), TRUTH),
        (apply("DATATYPE", number), RESOURCE),
        (apply("+", apply("YEAR", _MOMENT), number), NUMBER),
        (apply("TZ", _MOMENT), TEXT),
        (apply("IF", apply(">", number, ONE), X, apply("LANG", number)), TEXT),
        (cast("boolean", number), TRUTH),
    ]
    if settled:
        found += [(apply("ABS", apply("-", number, TWO)), NUMBER), (apply("CEIL", number), NUMBER)]
        found += [(apply("FLOOR", number), NUMBER), (apply("ROUND", number), NUMBER)]
        found += [(cast("string", number), TEXT)]
        found += [(cast("integer", apply("STR", number)), NUMBER)]
    if not builder.limits.exact:
        found += [(cast("double", number), NUMBER), (cast("decimal", number), NUMBER)]
    return found


def _of_resource(builder: QueryBuilder, resource: Variable) -> list[Value]:
    text = apply("STR", resource)
    found: list[Value] = [
        (text, TEXT),
        (apply("ISIRI", resource), TRUTH),
        (apply("STRAFTER", text, Literal("org/")), TEXT),
        (apply("IRI", text), RESOURCE),
        (apply("UCASE", resource), TEXT),
        (apply("COALESCE", apply("LANG", resource), X), TEXT),
        (apply("MD5", text), TEXT),
    ]
    if _typed(builder):
        found.append((apply("STRLEN", text), NUMBER))
    return found
