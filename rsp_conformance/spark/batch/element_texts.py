"""What the elements of a case say to each of its windows, as text.

Only what the query can use is written (``demands``, ``prefilter``); an element of which nothing
stays is there all the same, saying nothing. Cases that share their elements share the work.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TypeAlias

from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.spark.batch.demands import Demand, demands
from rsp_conformance.spark.batch.prefilter import Store, needed
from rsp_conformance.spark.codec import encode_element
from rsp_conformance.spark.worker.query_context import Question

FEWEST = 200
"""Elements with fewer triples are written whole: the search would cost more than it saves."""

_REMEMBERED = 4
"""So many cases' elements are remembered; cases that share them come one after the other."""

_Spot: TypeAlias = "tuple[int, int]"
"""The place of an element among the case's, and that of a triple in its graph."""


@dataclass(frozen=True, slots=True)
class StreamTexts:
    """A window's stream: the instant of each element, its text, and a hash of that.

    Elements with one hash say the same.
    """

    times: list[int]
    texts: list[str]
    hashes: list[int]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a demand may see at most: the elements of ``streams``, and what stands beside them."""

    streams: frozenset[IRI]
    background: Background
    stamp: Stamp
    unit: int

    def beside(self, elements: Sequence[StreamElement]) -> Iterator[Triple]:
        """All background data, whenever it holds, and the timestamp triples of named ELEMENTS."""
        for entry in self.background:
            yield from entry.triples
        for element in elements:
            if element.name is not None:
                yield self.stamp.triple(element.name, element.t, self.unit)


class ElementTexts:
    """The texts of elements, for the cases of a batch."""

    def __init__(self) -> None:
        self._recent: OrderedDict[int, _Elements] = OrderedDict()
        self._demands: dict[Hashable, tuple[Demand, ...] | None] = {}

    def of(self, case: Case, question: Question, number: Hashable) -> list[StreamTexts]:
        """What the elements of CASE say to each window of its query.

        NUMBER is the same for questions that are equal but for their background.
        """
        elements = self._elements(case.elements)
        streams = [window.stream for window in case.query.windows]
        if elements.triples < FEWEST:
            return [elements.whole(stream) for stream in streams]
        if number not in self._demands:
            self._demands[number] = demands(question)
        asked = self._demands[number]
        if asked is None:
            return [elements.whole(stream) for stream in streams]
        seen = {
            demand: _Seen(
                frozenset(streams[window] for window in demand.windows),
                case.background,
                case.stamp,
                question.unit,
            )
            for demand in asked
        }
        return [
            elements.part(stream, {d: seen[d] for d in asked if window in d.windows})
            for window, stream in enumerate(streams)
        ]

    def _elements(self, elements: tuple[StreamElement, ...]) -> _Elements:
        """By identity: what is remembered holds its elements, so no others can have it."""
        found = self._recent.get(id(elements))
        if found is None:
            found = self._recent[id(elements)] = _Elements(elements)
            if len(self._recent) > _REMEMBERED:
                self._recent.popitem(last=False)
        return found


class _Elements:
    """The elements of a case, and what was already asked of them."""

    def __init__(self, elements: tuple[StreamElement, ...]) -> None:
        self._elements = elements
        self.triples = sum([len(element.graph) for element in elements])
        self._stores: dict[_Seen, _Laid] = {}
        self._needed: dict[tuple[Demand, _Seen], frozenset[_Spot]] = {}
        self._said: dict[tuple[IRI, frozenset[_Spot]], StreamTexts] = {}

    def whole(self, stream: IRI) -> StreamTexts:
        """Everything that the elements of STREAM say."""
        own = [element for element in self._elements if element.stream == stream]
        return _said(own, [encode_element(e.graph, e.name) for e in own])

    def part(self, stream: IRI, asked: dict[Demand, _Seen]) -> StreamTexts:
        """What the elements of STREAM say to the demands ASKED."""
        spots = frozenset[_Spot]().union(*[self._spots(*request) for request in asked.items()])
        key = (stream, spots)
        if key not in self._said:
            graphs: dict[int, list[Triple]] = {}
            for place, triple in sorted(spots):
                element = self._elements[place]
                if element.stream == stream:
                    graphs.setdefault(place, []).append(element.graph[triple])
            own = [(p, e) for p, e in enumerate(self._elements) if e.stream == stream]
            texts = [encode_element(graphs.get(place, ()), e.name) for place, e in own]
            self._said[key] = _said([element for _, element in own], texts)
        return self._said[key]

    def _spots(self, demand: Demand, seen: _Seen) -> frozenset[_Spot]:
        """Where the triples stand that DEMAND needs."""
        if (demand, seen) not in self._needed:
            if seen not in self._stores:
                self._stores[seen] = _Laid(self._elements, seen)
            laid = self._stores[seen]
            spots = laid.spots(needed(demand, laid.store))
            self._needed[demand, seen] = frozenset(spots)
        return self._needed[demand, seen]


class _Laid:
    """Everything that is seen in one store: first the triples of elements, one after the other."""

    def __init__(self, elements: Sequence[StreamElement], seen: _Seen) -> None:
        own = [(p, e) for p, e in enumerate(elements) if e.stream in seen.streams]
        self._places = [place for place, _ in own]
        self._ends = list(accumulate([len(element.graph) for _, element in own]))
        triples = [triple for _, element in own for triple in element.graph]
        self.store = Store(chain(triples, seen.beside([element for _, element in own])))

    def spots(self, places: Iterable[int]) -> Iterator[_Spot]:
        """Where the triples stand that have PLACES in the store, but for those of no element."""
        for place in places:
            number = bisect_right(self._ends, place)
            if number < len(self._ends):
                start = self._ends[number - 1] if number else 0
                yield self._places[number], place - start


def _said(elements: Sequence[StreamElement], texts: list[str]) -> StreamTexts:
    return StreamTexts(
        [element.t for element in elements],
        texts,
        [
            # A named element says its instant too, in its timestamp triple.
            hash(text) if element.name is None else hash((text, element.t))
            for element, text in zip(elements, texts, strict=True)
        ],
    )
