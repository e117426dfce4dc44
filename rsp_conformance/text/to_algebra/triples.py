"""Triples: their abbreviations written out, in the order in which they were read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lark import Token

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.terms import IRI, RDF
from rsp_conformance.text.to_algebra.context import RULES, Context, rule
from rsp_conformance.text.to_algebra.terms import RDF_NIL

RDF_FIRST = IRI(RDF + "first")
RDF_REST = IRI(RDF + "rest")


@dataclass(frozen=True, slots=True)
class Node:
    """A collection or ``[ … ]``: the node that stands for it, and the triples it says."""

    term: PatternTerm
    triples: tuple[TriplePattern, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring triples, and the blank node labels that were written among them."""

    triples: tuple[TriplePattern, ...]
    labels: tuple[Token, ...]


def _term(node: PatternTerm | Node) -> PatternTerm:
    return node.term if isinstance(node, Node) else node


def _triples(node: PatternTerm | Node) -> tuple[TriplePattern, ...]:
    return node.triples if isinstance(node, Node) else ()


def _about(subject: PatternTerm, properties: list[Any]) -> tuple[TriplePattern, ...]:
    result: list[TriplePattern] = []
    for predicate, objects in properties:
        for node in objects:
            result.append(TriplePattern(subject, predicate, _term(node)))
            result.extend(_triples(node))
    return tuple(result)


@rule("blank_node_property_list")
def blank_node_property_list(context: Context, parts: list[Any]) -> Node:
    """``[ p a ]``."""
    subject = context.fresh_blank_node()
    return Node(subject, _about(subject, parts[0]))


@rule("collection")
def collection(context: Context, parts: list[Any]) -> Node:
    """``( a b )``."""
    cells = [context.fresh_blank_node() for _ in parts]
    result: list[TriplePattern] = []
    rests: list[PatternTerm] = [*cells[1:], RDF_NIL]
    for cell, rest, node in zip(cells, rests, parts, strict=True):
        result.append(TriplePattern(cell, RDF_FIRST, _term(node)))
        result.extend(_triples(node))
        result.append(TriplePattern(cell, RDF_REST, rest))
    return Node(cells[0], tuple(result))


@rule("triples_same_subject")
def triples_same_subject(context: Context, parts: list[Any]) -> tuple[TriplePattern, ...]:
    """A subject with all that is said of it."""
    subject = parts[0]
    properties = parts[1] if len(parts) > 1 else []
    return (*_triples(subject), *_about(_term(subject), properties))


@rule("triples_block")
def triples_block(context: Context, parts: list[Any]) -> Block:
    """Triples between two other patterns."""
    labels = tuple(context.pending_labels)
    context.pending_labels.clear()
    return Block(tuple(triple for triples in parts for triple in triples), labels)


# What the rules yield that check nothing.
RULES.update(
    {
        "object_list": lambda _, parts: parts,  # ``a, b, c``
        "predicate_objects": lambda _, parts: parts,  # A predicate with its objects
        # ``p a, b ; q c``: pairs of a predicate and its objects
        "property_list": lambda _, parts: parts,
    }
)
