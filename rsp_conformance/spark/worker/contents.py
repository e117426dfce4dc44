"""What windows hold, and what the query finds there: every content is evaluated once.

A content is a set or bag of *pieces*: a triple, or a named element whole. What says the same is one
object (``wire``), so contents compare by the identities of their pieces, and cases of one query
share what it finds. Elements of which the query can use nothing (``prefilter``) have no pieces.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from rsp_conformance.model.answers import Content, Rows
from rsp_conformance.model.appended import END
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.windows import Count
from rsp_conformance.spark.wire import ArrivedElement, PackedElement, Unpacker, labelled_apart
from rsp_conformance.spark.worker.plan import QueryPlan
from rsp_conformance.spark.worker.prefilter import Prefilter
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration
from rsp_conformance.spark.worker.windows import ElementRun, StreamIndex
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.sparql.dataset import Dataset, WindowDataset
from rsp_conformance.sparql.dots import as_resolved
from rsp_conformance.sparql.open_points import DOTS
from rsp_conformance.sparql.readings import PLAIN, Readings, others
from rsp_conformance.sparql.relation import Relation

_Piece: TypeAlias = "Triple | ArrivedElement"


class Findings(NamedTuple):
    """What is known of a query under its dials and over its background, whenever registered.

    ``relations`` are by content, answers by the identities of the relations that they follow from.
    """

    relations: dict[Hashable, Relation | Unsupported]
    answers: dict[tuple[int, int, int], Content]


class Shared:
    """What the cases of one share of a batch have in common."""

    def __init__(self) -> None:
        self.unpacker = Unpacker()
        self.prefilter = Prefilter(self.unpacker)
        self.named: dict[Hashable, ArrivedElement] = {}
        """Of the named elements that say the same at one instant the first."""
        self._plans: dict[int, QueryPlan] = {}
        self._registered: dict[Hashable, RegisteredQuery] = {}
        self._findings: dict[Hashable, Findings] = {}
        self._units: dict[Hashable, tuple[object, list[PackedElement]]] = {}
        self._apart: dict[int, tuple[object, list[PackedElement]]] = {}
        self._ended: dict[Hashable, tuple[object, list[PackedElement]]] = {}
        self._resolved: dict[Hashable, tuple[object, Registration]] = {}

    def registered(self, registration: Registration) -> RegisteredQuery:
        """The registered query, one for all cases that have this registration.

        Raises:
            Unsupported, ValueError: as ``RegisteredQuery`` does.
        """
        # By identity: the objects of a share live as long as it does.
        query = registration.query
        key = tuple(map(id, registration[:3])) + registration[3:]
        if key not in self._registered:
            registered = RegisteredQuery(registration, self._plans.get(id(query)))
            self._plans[id(query)] = registered.plan
            self._registered[key] = registered
        return self._registered[key]

    def resolved(self, registration: Registration, readings: Readings) -> Registration:
        """A registration under readings of the dots of IRIs, one object for each that is given."""
        taken = frozenset(choice for choice in readings if choice[0].point == DOTS)
        if not taken:
            return registration
        # By identity: what is kept keeps its identity.
        key = *map(id, registration[:3]), registration[3:], taken
        if key not in self._resolved:
            query, background = as_resolved(registration.query, registration.background, taken)
            read = registration._replace(query=query, background=background)
            self._resolved[key] = registration, read
        return self._resolved[key][1]

    def apart(self, elements: Sequence[PackedElement]) -> Sequence[PackedElement]:
        """Elements with blank nodes of their own, one object for each object that is given."""
        # By identity: what is kept keeps its identity.
        return self._apart.setdefault(id(elements), (elements, labelled_apart(elements)))[1]

    def units(self, elements: Sequence[PackedElement], query: Query) -> Sequence[PackedElement]:
        """Elements as the windows of a query count them: those of some streams by single triples.

        Returns:
            One object for each object that is given.

        Raises:
            Unsupported: an element is counted whole as well, or would lose its name.
        """
        singly, whole = counted_streams(query)
        if not singly:
            return elements
        # By identity: what is kept keeps its identity.
        key = id(elements), singly, whole
        if key not in self._units:
            self._units[key] = elements, [*as_units(elements, singly, whole)]
        return self._units[key][1]

    def ended(
        self, elements: Sequence[PackedElement], registration: Registration
    ) -> Sequence[PackedElement]:
        """Elements with those that the kit appends, one object for each object that is given."""
        # By identity: what is kept keeps its identity.
        until, streams = registration.until, registration.streams
        key = id(elements), until, streams
        if key not in self._ended:
            last = max([until + 1, *[t for _, t, _, _ in elements[-1:]]])
            triple = "t", END.value, END.value, END.value
            appended = [(stream.value, last, (triple,), None) for stream in streams]
            self._ended[key] = elements, [*elements, *appended]
        return self._ended[key][1]

    def findings(self, registration: Registration, readings: Readings = PLAIN) -> Findings:
        """The findings about a registered query under some readings, for all cases that have it."""
        key = *map(id, registration[:3]), registration.stamp, readings
        return self._findings.setdefault(key, Findings({}, {}))


def counted_streams(query: Query) -> tuple[frozenset[str], frozenset[str]]:
    """The streams whose triples a query counts, and those whose elements it counts."""
    sizes = [(own.stream.value, own.width) for own in query.windows]
    units = [(stream, size.unit) for stream, size in sizes if isinstance(size, Count)]
    singly, whole = (
        frozenset(stream for stream, unit in units if unit == counted)
        for counted in ("triples", "elements")
    )
    return singly, whole


def as_units(
    elements: Sequence[PackedElement], singly: frozenset[str], whole: frozenset[str]
) -> Iterator[PackedElement]:
    """Split the elements of some streams into single triples.

    Args:
        elements: the elements of all streams.
        singly: the streams whose triples are counted.
        whole: the streams whose elements are counted.

    Raises:
        Unsupported: as ``Shared.units`` does.
    """
    for stream, t, graph, name in elements:
        if stream not in singly:
            yield stream, t, graph, name
            continue
        if name is not None:
            raise Unsupported("triples counted that belong to named elements")
        if stream in whole and len(graph) > 1:
            raise Unsupported("elements and triples of one stream counted, and they differ")
        for triple in graph:
            yield stream, t, (triple,), None


class Contents:
    """The contents of the windows of a query.

    Args:
        query: the query.
        streams: the stream of each window.
        shared: what the cases of a share have in common.
        readings: how open points are read; None leaves what can be read in several ways open where
            that matters.
    """

    def __init__(
        self,
        query: RegisteredQuery,
        streams: Sequence[StreamIndex],
        shared: Shared,
        readings: Readings | None = PLAIN,
    ) -> None:
        self._query, self._readings = query, readings
        self._findings = shared.findings(query.registration, readings or PLAIN)
        self._bags = query.dials.window_content == "bag"
        said = {id(stream): _Said(stream, shared.named) for stream in streams}
        self._windows = [said[id(stream)] for stream in streams]
        self._by_runs: dict[tuple[int | ElementRun, ...], Relation | Unsupported] = {}
        self._datasets: dict[Hashable, WindowDataset] = {}

    @property
    def distinct(self) -> int:
        """The number of different contents."""
        return len({id(relation) for relation in self._by_runs.values()})

    def found(self, version: int, runs: Sequence[ElementRun]) -> Relation | Unsupported:
        """The solutions of the query over the contents of its windows, or why there are none.

        Args:
            version: the number of the version of the background data.
            runs: what each window holds.
        """
        key = version, *runs
        relation = self._by_runs.get(key)
        if relation is None:
            relation = self._by_runs[key] = self._of_pieces(
                version, [said.pieces(run) for said, run in zip(self._windows, runs, strict=True)]
            )
        return relation

    def _of_pieces(self, version: int, held: Sequence[list[_Piece]]) -> Relation | Unsupported:
        """The same, if each window holds these pieces."""
        contents: list[Hashable] = [
            tuple(sorted(map(id, pieces))) if self._bags else frozenset(map(id, pieces))
            for pieces in held
        ]
        content = version, *contents
        relations, datasets = self._findings.relations, self._datasets
        if content not in relations:
            for one, pieces in zip(contents, held, strict=True):
                if one not in datasets:
                    datasets[one] = self._query.window_dataset(pieces)
            relations[content] = self._evaluate(version, [datasets[one] for one in contents])
        return relations[content]

    def _evaluate(self, version: int, windows: Sequence[WindowDataset]) -> Relation | Unsupported:
        try:
            dataset = self._query.dataset(version, windows)
            found = self._query.plan.solutions(dataset, self._readings or PLAIN)
            if self._readings is None and found.choices:
                return self._settled(found, dataset)
            return found
        except Unsupported as refusal:
            return refusal

    def _settled(self, found: Relation, dataset: Dataset) -> Relation:
        """Solutions over a dataset, left open by the first choice that gives other solutions."""
        plain = _shown(found)
        for choice, readings in others(PLAIN, found.choices):
            other = self._query.plan.solutions(dataset, readings)
            if difference(plain, _shown(other), "term") is not None:
                return replace(found, undetermined=(*found.undetermined, choice.point))
        return found


def _shown(relation: Relation) -> Rows:
    rows = tuple(relation.rows)
    return Rows(relation.variables, rows, relation.ties, computed=relation.computed)


class _Said:
    """What the elements of a stream say, in pieces; named ones that say the same are one object."""

    def __init__(self, stream: StreamIndex, named: dict[Hashable, ArrivedElement]) -> None:
        self._pieces: list[_Piece] = []
        self._before = [0]
        for element in stream.elements:
            if element.name is None:
                self._pieces += element.graph
            else:
                # It says its instant too, in its timestamp triple.
                key = element.name, element.t, *map(id, element.graph)
                self._pieces.append(named.setdefault(key, element))
            self._before.append(len(self._pieces))

    def pieces(self, run: ElementRun) -> list[_Piece]:
        """What the elements of a run say."""
        return [] if run is None else self._pieces[self._before[run[0]] : self._before[run[1]]]
