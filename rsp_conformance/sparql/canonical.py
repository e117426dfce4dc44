"""Literals in stores that do not distinguish ``01`` and ``1`` (dial ``literals = canonical``).

Oxigraph is such a store: on entry, in data and queries alike, a literal whose number it knows
becomes that number, and integers of every derived type become integers (SEMANTICS 6).
"""

from __future__ import annotations

from typing import TypeVar

from rsp_conformance.model.terms import NUMERIC_DATATYPES, Literal
from rsp_conformance.model.walk import rewritten
from rsp_conformance.sparql.values import literal_of, number_of

Node = TypeVar("Node")


def canonical(node: Node) -> Node:
    """Replace numeric literals in a query or in data by the canonical literals of their numbers.

    Returns:
        The rewritten query or data; the same object if all literals are canonical already.
    """
    return rewritten(node, _canonical_literal)


def _canonical_literal(part: object) -> object:
    if not isinstance(part, Literal) or part.datatype not in NUMERIC_DATATYPES:
        return part
    number = number_of(part)
    return part if number is None else literal_of(number)
