"""Stores that do not keep ``01`` and ``1`` apart (dial ``literals = canonical``; SEMANTICS 6).

Oxigraph is one: a literal whose number it knows becomes that number on entry, in the data and in
the query alike, and integers of every derived type are integers.
"""

from __future__ import annotations

from typing import TypeVar

from rsp_conformance.model.terms import NUMERIC_DATATYPES, Literal
from rsp_conformance.model.walk import rewritten
from rsp_conformance.sparql.values import literal_of, number_of

Node = TypeVar("Node")


def canonical(node: Node) -> Node:
    """NODE, a query or data, with one literal for each number of a type; itself if it has it."""
    return rewritten(node, _canonical_literal)


def _canonical_literal(part: object) -> object:
    if not isinstance(part, Literal) or part.datatype not in NUMERIC_DATATYPES:
        return part
    number = number_of(part)
    return part if number is None else literal_of(number)
