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
    PathElement,
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
from rsp_conformance.text.to_algebra.context import Context, rule

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


@rule("variable")
def variable(context: Context, parts: list[Any]) -> Variable:
    """A variable."""
    return variable_of(parts[0])


@rule("iri")
def iri(context: Context, parts: list[Any]) -> IRI:
    """An IRI, in full or with a prefix."""
    return context.iri(parts[0])


@rule("rdf_type")
def rdf_type(context: Context, parts: list[Any]) -> IRI:
    """The keyword ``a``."""
    return RDF_TYPE


@rule("empty_list")
def empty_list(context: Context, parts: list[Any]) -> IRI:
    """``()``."""
    return RDF_NIL


@rule("blank_node")
def blank_node(context: Context, parts: list[Any]) -> BlankNode:
    """``_:label`` or ``[]``."""
    token = parts[0]
    if token.type == "ANON":
        return context.fresh_blank_node()
    context.pending_labels.append(token)
    return BlankNode(str(token)[2:])


@rule("number")
def number(context: Context, parts: list[Any]) -> Literal:
    """A number without quotes; its form gives the datatype."""
    return number_of(str(parts[0]))


@rule("boolean")
def boolean(context: Context, parts: list[Any]) -> Literal:
    """``true`` or ``false``."""
    return Literal(str(parts[0]).lower(), XSD_BOOLEAN)


@rule("string")
def string(context: Context, parts: list[Any]) -> Literal:
    """A string without datatype or language."""
    return Literal(string_of(context, parts[0]))


@rule("language_string")
def language_string(context: Context, parts: list[Any]) -> Literal:
    """A string with a language tag."""
    return Literal(string_of(context, parts[0]), language=str(parts[1])[1:])


@rule("typed_string")
def typed_string(context: Context, parts: list[Any]) -> Literal:
    """A string with a datatype."""
    return Literal(string_of(context, parts[0]), parts[1].value)


@rule("quoted_verb", "data_predicate")
def quoted_verb(context: Context, parts: list[Any]) -> IRI | Variable:
    """The predicate of a quoted triple, which is no path."""
    return RDF_TYPE if isinstance(parts[0], Token) else parts[0]


@rule("quoted_triple", "expression_triple")
def quoted_triple(context: Context, parts: list[Any]) -> TriplePattern:
    """``<< s p o >>`` or ``<<( s p o )>>``."""
    return TriplePattern(*parts)


@rule("data_triple")
def data_triple(context: Context, parts: list[Any]) -> Triple:
    """A quoted triple in inline data, without variables."""
    return Triple(*parts)


# ------------------------------------------------------------------------------------------ paths


@rule("path_alternative")
def path_alternative(context: Context, parts: list[Any]) -> AlternativePath:
    """``a | b``."""
    return AlternativePath(*parts)


@rule("path_in_sequence")
def path_in_sequence(context: Context, parts: list[Any]) -> SequencePath:
    """``a / b``."""
    return SequencePath(*parts)


@rule("path_inverse")
def path_inverse(context: Context, parts: list[Any]) -> InversePath:
    """``^a``."""
    return InversePath(parts[0])


@rule("path_modifier")
def path_modifier(context: Context, parts: list[Any]) -> str:
    """``*``, ``+`` or ``?``."""
    return str(parts[0])


@rule("path_repeated")
def path_repeated(context: Context, parts: list[Any]) -> RepeatedPath:
    """``a*``, ``a+`` or ``a?``."""
    return RepeatedPath(*parts)


def _iri_or_type(part: IRI | Token) -> IRI:
    return RDF_TYPE if isinstance(part, Token) else part


@rule("forward_in_set")
def forward_in_set(context: Context, parts: list[Any]) -> PathElement:
    """``a`` within a negated property set."""
    return _iri_or_type(parts[0])


@rule("backward_in_set")
def backward_in_set(context: Context, parts: list[Any]) -> PathElement:
    """``^a`` within a negated property set."""
    return InversePath(_iri_or_type(parts[0]))


@rule("path_negated_set")
def path_negated_set(context: Context, parts: list[Any]) -> NegatedPropertySet:
    """What follows the exclamation mark."""
    members = [part for part in parts if not isinstance(part, Token)]
    forward = tuple(m for m in members if isinstance(m, IRI))
    backward = [m.path for m in members if isinstance(m, InversePath)]
    return NegatedPropertySet(forward, tuple(p for p in backward if isinstance(p, IRI)))


@rule("path_negated")
def path_negated(context: Context, parts: list[Any]) -> NegatedPropertySet:
    """``!a`` or ``!(a|^b)``."""
    negated: NegatedPropertySet = parts[0]
    return negated
