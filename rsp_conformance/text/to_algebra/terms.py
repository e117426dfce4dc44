"""Terms, variables and property paths."""

from __future__ import annotations

import re
from typing import Any

from lark import Token

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.terms import (
    IRI,
    RDF,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Triple,
)
from rsp_conformance.text.escapes import unescape
from rsp_conformance.text.to_algebra.context import RULES, Context, rule

RDF_TYPE = IRI(RDF + "type")
RDF_NIL = IRI(RDF + "nil")


def variable_of(token: Token) -> Variable:
    """The variable that a token writes."""
    return Variable(str(token)[1:])


def number_of(text: str) -> Literal:
    """The literal that a number without quotes is."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return Literal(text, XSD_INTEGER)
    return Literal(text, XSD_DOUBLE if "e" in text.lower() else XSD_DECIMAL)


def string_of(context: Context, token: Token) -> str:
    """The characters of a quoted string."""
    text = str(token)
    quotes = 3 if text[:3] in ('"""', "'''") else 1
    try:
        return unescape(text[quotes:-quotes])
    except ValueError as error:
        context.error(token, str(error))


@rule("iri")
def iri(context: Context, parts: list[Any]) -> IRI:
    """An IRI, in full or with a prefix."""
    return context.iri(parts[0])


@rule("blank_node")
def blank_node(context: Context, parts: list[Any]) -> BlankNode:
    """``_:label`` or ``[]``."""
    token = parts[0]
    if token.type == "ANON":
        return context.fresh_blank_node()
    context.pending_labels.append(token)
    return BlankNode(str(token)[2:])


# ------------------------------------------------------------------------------------------ paths


def _iri_or_type(part: IRI | Token) -> IRI:
    return RDF_TYPE if isinstance(part, Token) else part


@rule("path_negated_set")
def path_negated_set(context: Context, parts: list[Any]) -> NegatedPropertySet:
    """What follows the exclamation mark."""
    members = [part for part in parts if not isinstance(part, Token)]
    forward = tuple(m for m in members if isinstance(m, IRI))
    backward = [m.path for m in members if isinstance(m, InversePath)]
    return NegatedPropertySet(forward, tuple(p for p in backward if isinstance(p, IRI)))


# What the rules yield that check nothing.
RULES.update(
    {
        "variable": lambda _, parts: variable_of(parts[0]),  # A variable
        "rdf_type": lambda _, parts: RDF_TYPE,  # The keyword ``a``
        "empty_list": lambda _, parts: RDF_NIL,  # ``()``
        # A number without quotes; its form gives the datatype
        "number": lambda _, parts: number_of(str(parts[0])),
        # ``true`` or ``false``
        "boolean": lambda _, parts: Literal(str(parts[0]).lower(), XSD_BOOLEAN),
        # A string without datatype or language
        "string": lambda context, parts: Literal(string_of(context, parts[0])),
        # A string with a language tag
        "language_string": lambda context, parts: Literal(
            string_of(context, parts[0]), language=str(parts[1])[1:]
        ),
        # A string with a datatype
        "typed_string": lambda context, parts: Literal(
            string_of(context, parts[0]), parts[1].value
        ),
        # The predicate of a quoted triple, which is no path
        "quoted_verb": lambda _, parts: RDF_TYPE if isinstance(parts[0], Token) else parts[0],
        "data_predicate": lambda _, parts: RDF_TYPE if isinstance(parts[0], Token) else parts[0],
        # ``<< s p o >>`` or ``<<( s p o )>>``
        "quoted_triple": lambda _, parts: TriplePattern(*parts),
        "expression_triple": lambda _, parts: TriplePattern(*parts),
        # A quoted triple in inline data, without variables
        "data_triple": lambda _, parts: Triple(*parts),
        "path_alternative": lambda _, parts: AlternativePath(*parts),  # ``a | b``
        "path_in_sequence": lambda _, parts: SequencePath(*parts),  # ``a / b``
        "path_inverse": lambda _, parts: InversePath(parts[0]),  # ``^a``
        "path_modifier": lambda _, parts: str(parts[0]),  # ``*``, ``+`` or ``?``
        "path_repeated": lambda _, parts: RepeatedPath(*parts),  # ``a*``, ``a+`` or ``a?``
        # ``a`` within a negated property set
        "forward_in_set": lambda _, parts: _iri_or_type(parts[0]),
        # ``^a`` within a negated property set
        "backward_in_set": lambda _, parts: InversePath(_iri_or_type(parts[0])),
        "path_negated": lambda _, parts: parts[0],  # ``!a`` or ``!(a|^b)``
    }
)
