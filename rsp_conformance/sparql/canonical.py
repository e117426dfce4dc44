"""Literals in stores that do not distinguish ``01`` and ``1`` (dial ``literals = canonical``).

Oxigraph is such a store: on entry, in data and queries alike, a number, boolean or dateTime that
it knows becomes its value, and integers of every derived type become integers (decision 45).
"""

from __future__ import annotations

from typing import TypeVar

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.terms import MERGED_DATATYPES, Literal
from rsp_conformance.model.walk import rewritten, substituted, within
from rsp_conformance.sparql.values import known_value, literal_of

Node = TypeVar("Node")


def canonical(node: Node) -> Node:
    """Replace numbers, booleans and dateTimes in a query or in data by their canonical literals.

    Returns:
        The rewritten query or data; the same object if all literals are canonical already.
    """
    return rewritten(node, _canonical_literal)


def as_kept(answers: tuple[Observed, ...], case: Case, dials: Dials) -> tuple[Observed, ...]:
    """Replace the literals of a case by their canonical ones in answers of a store that has these.

    An engine that gives a literal back as it was written is not wrong, whatever its store merges:
    Oxigraph keeps an xsd:unsignedLong of more than 63 bits.

    Args:
        answers: the answers.
        case: the case.
        dials: the dials in force. Unless ``literals = canonical``, the answers stay as they are.

    Returns:
        The answers; literals that are in the case nowhere stay as the engine has them.
    """
    if dials.literals != "canonical":
        return answers
    given = (case.query, *case.elements, *case.background)
    written = {own for part in given for own in within(part) if isinstance(own, Literal)}
    others = {own: kept for own in written if (kept := canonical(own)) != own}
    return tuple(substituted(own, others) for own in answers) if others else answers


def _canonical_literal(part: object) -> object:
    if not isinstance(part, Literal) or part.datatype not in MERGED_DATATYPES:
        return part
    value = known_value(part)
    return part if value is None else literal_of(value)
