"""The scope of a blank node's label: a whole case, or one element.

SEMANTICS 1 takes the labels of a case as one scope. N-Triples (section 6) and RDF 1.1 Concepts
(3.4) scope labels to a document. For an engine that reads each element as a separate document, the
same label in two elements names two nodes (dial ``blank_nodes``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache, partial

from rsp_conformance.model.case import Case
from rsp_conformance.model.terms import BlankNode
from rsp_conformance.model.walk import rewritten, within


def scoped_to_elements(case: Case) -> Case:
    """Rename blank nodes so that no two elements share a label, nor an element and background."""

    def renamed(part: object, number: int) -> object:
        # No label in a case has the sign "·".
        return BlankNode(f"{part.label}·e{number}") if isinstance(part, BlankNode) else part

    elements = [
        rewritten(element, partial(renamed, number=number))
        for number, element in enumerate(case.elements)
    ]
    return replace(case, elements=tuple(elements))


@lru_cache(maxsize=64)
def shares_labels(case: Case) -> bool:
    """Whether a label occurs in two elements, or in an element and in the background data."""
    seen = _labels(case.background.entries)
    for element in case.elements:
        own = _labels([element])
        if own & seen:
            return True
        seen |= own
    return False


def _labels(nodes: Iterable[object]) -> set[str]:
    return {part.label for node in nodes for part in within(node) if isinstance(part, BlankNode)}
