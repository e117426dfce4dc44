"""Literals in stores that do not distinguish ``01`` and ``1`` (dial ``literals = canonical``).

Oxigraph is such a store: on entry, in data and queries alike, a number, boolean or dateTime that
it knows becomes its value, and integers of every derived type become integers (decision 45).
"""

from __future__ import annotations

from typing import TypeVar

from rsp_conformance.model.terms import MERGED_DATATYPES, Literal
from rsp_conformance.model.walk import rewritten
from rsp_conformance.sparql.values import known_value, literal_of

Node = TypeVar("Node")


def canonical(node: Node) -> Node:
    """Replace numbers, booleans and dateTimes in a query or in data by their canonical literals.

    Returns:
        The rewritten query or data; the same object if all literals are canonical already.
    """
    return rewritten(node, _canonical_literal)


def _canonical_literal(part: object) -> object:
    if not isinstance(part, Literal) or part.datatype not in MERGED_DATATYPES:
        return part
    value = known_value(part)
    return part if value is None else literal_of(value)
