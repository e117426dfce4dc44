"""What windows by count count: the elements of a stream, or their triples (SEMANTICS 2).

A window by triples reads its stream as if each element of k triples were k elements of one
triple, at its instant, in the order in which they are written: RSP-QL's streams are sequences of
timestamped statements (Definition 9). So it may hold a part of an element, and every other window
on that stream sees the same single triples.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import Count


@lru_cache(maxsize=64)
def in_units(case: Case) -> Case:
    """A case in which each element is a unit of every window by count on its stream.

    Raises:
        Unsupported: a stream whose triples are counted has named elements, or its elements are
            counted as well and have several triples.
    """
    split = counted_streams(case.query, "triples")
    if not split:
        return case
    both = split & counted_streams(case.query, "elements")
    for element in case.elements:
        if element.stream in split and element.name is not None:
            raise Unsupported("windows by count of triples over a stream with named elements")
        if element.stream in both and len(element.graph) > 1:
            raise Unsupported("elements and triples of one stream counted, and they differ")
    units = [
        replace(element, graph=graph)
        for element in case.elements
        for graph in (
            [(triple,) for triple in element.graph] if element.stream in split else [element.graph]
        )
    ]
    return replace(case, elements=tuple(units))


def counted_streams(query: Query, unit: str) -> frozenset[IRI]:
    """The streams of which windows of a query count the elements or the triples.

    Args:
        query: the query.
        unit: ``elements`` or ``triples``.
    """
    return frozenset(
        window.stream
        for window in query.windows
        if isinstance(window.width, Count) and window.width.unit == unit
    )
