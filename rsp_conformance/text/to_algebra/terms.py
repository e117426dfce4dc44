"""Terms, variables, property paths and triples, whose abbreviations are written out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lark import Token

from rsp_conformance.model import paths
from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    RDF_TYPE,
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


def variable_of(token: Token) -> Variable:
    """Return the variable that a token writes."""
    return Variable(str(token)[1:])


def number_of(text: str) -> Literal:
    """Return the literal of a number without quotes; its form determines the datatype."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return Literal(text, XSD_INTEGER)
    return Literal(text, XSD_DOUBLE if "e" in text.lower() else XSD_DECIMAL)


def string_of(context: Context, token: Token) -> str:
    """Return the characters of a quoted string."""
    quotes = 3 if token[:3] in ('"""', "'''") else 1
    try:
        return unescape(token[quotes:-quotes])
    except ValueError as error:
        context.error(token, str(error))


@rule
def blank_node(context: Context, token: Token) -> BlankNode:
    """``_:label`` or ``[]``."""
    if token.type == "ANON":
        return context.fresh_blank_node()
    context.pending_labels.append(token)
    return BlankNode(str(token)[2:])


@rule
def path_negated_set(context: Context, *members: Any) -> paths.NegatedPropertySet:
    """Return the paths after the exclamation mark."""
    forward = tuple(m for m in members if isinstance(m, IRI))
    backward = [m.path for m in members if isinstance(m, paths.InversePath)]
    return paths.NegatedPropertySet(forward, tuple(p for p in backward if isinstance(p, IRI)))


# Triples


@dataclass(frozen=True, slots=True)
class Node:
    """A collection or ``[ … ]``: the node that represents it, and its triples."""

    term: PatternTerm
    triples: tuple[TriplePattern, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring triples, and the blank node labels that were written among them."""

    triples: tuple[TriplePattern, ...] = ()
    labels: tuple[Token, ...] = ()


def _node(part: PatternTerm | Node) -> Node:
    return part if isinstance(part, Node) else Node(part, ())


def _about(subject: PatternTerm, properties: list[Any]) -> list[TriplePattern]:
    result: list[TriplePattern] = []
    for predicate, objects in properties:
        for node in map(_node, objects):
            result += (TriplePattern(subject, predicate, node.term), *node.triples)
    return result


@rule
def blank_node_property_list(context: Context, properties: list[Any]) -> Node:
    """``[ p a ]``."""
    subject = context.fresh_blank_node()
    return Node(subject, tuple(_about(subject, properties)))


@rule
def collection(context: Context, *members: Any) -> Node:
    """``( a b )``."""
    cells = [context.fresh_blank_node() for _ in members]
    result: list[TriplePattern] = []
    for cell, rest, member in zip(cells, [*cells[1:], RDF_NIL], members, strict=True):
        properties = [(RDF_FIRST, [member]), (RDF_REST, [rest])]
        result += _about(cell, properties)
    return Node(cells[0], tuple(result))


@rule
def triples_same_subject(
    context: Context, subject: PatternTerm | Node, properties: list[Any] | None = None
) -> list[TriplePattern]:
    """Return a subject with all statements about it.

    Args:
        context: the state of reading.
        subject: the subject, with its own triples if it is written as ``[ … ]`` or ``( … )``.
        properties: each predicate with its objects; None if there are none.
    """
    node = _node(subject)
    return [*node.triples, *_about(node.term, properties or [])]


@rule
def triples_block(context: Context, *parts: list[TriplePattern]) -> Block:
    """Triples between two other patterns."""
    labels = tuple(context.pending_labels)
    context.pending_labels.clear()
    return Block(tuple(triple for triples in parts for triple in triples), labels)


# Rules that check nothing.
RULES.update(
    {
        "iri": lambda context, token: context.iri(token),
        "variable": lambda _, token: variable_of(token),
        "rdf_type": lambda *_: RDF_TYPE,  # The keyword ``a``
        "empty_list": lambda *_: RDF_NIL,  # ``()``
        "number": lambda _, token: number_of(str(token)),
        "boolean": lambda _, token: Literal(token.lower(), XSD_BOOLEAN),
        "string": lambda context, token: Literal(string_of(context, token)),
        "language_string": lambda context, token, tag: Literal(
            string_of(context, token), language=str(tag)[1:]
        ),
        "typed_string": lambda context, token, datatype: Literal(
            string_of(context, token), datatype.value
        ),
        "quoted_triple": lambda _, *parts: TriplePattern(*parts),  # ``<< s p o >>``
        "expression_triple": lambda _, *parts: TriplePattern(*parts),
        "data_triple": lambda _, *parts: Triple(*parts),  # In inline data, without variables
        "path_alternative": lambda _, *sides: paths.AlternativePath(*sides),
        "path_in_sequence": lambda _, *sides: paths.SequencePath(*sides),
        "path_inverse": lambda _, path: paths.InversePath(path),
        "path_repeated": lambda _, path, modifier: paths.RepeatedPath(path, modifier),
        "path_modifier": lambda _, token: str(token),
        "object_list": lambda _, *nodes: nodes,  # ``a, b, c``
        "predicate_objects": lambda _, *parts: parts,  # A predicate with its objects
        "property_list": lambda _, *parts: parts,  # ``p a, b ; q c``
    }
)
