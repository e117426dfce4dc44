"""RDF streams (RSP-QL Definitions 8 and 9; SEMANTICS 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rsp_conformance.model.instants import LATEST, shown_number
from rsp_conformance.model.terms import IRI, XSD_DATETIME, GraphName, Literal, Triple


@dataclass(frozen=True, slots=True)
class StreamElement:
    """A graph that enters a stream at one instant.

    Attributes:
        stream: the stream's name.
        t: the instant.
        graph: at least one triple, without duplicates, in the order of the text.
        name: the name of the graph, for a named element of RSP-QL* (Definition 2 there); None for
            a plain element.
    """

    stream: IRI
    t: int
    graph: tuple[Triple, ...]
    name: GraphName | None = None

    def __post_init__(self) -> None:
        if not self.graph:
            raise ValueError(f"the element of {self.stream!r} at {self.t} holds no triple")
        if len(set(self.graph)) != len(self.graph):
            object.__setattr__(self, "graph", tuple(dict.fromkeys(self.graph)))


@dataclass(frozen=True, slots=True)
class Stamp:
    """How a named element's timestamp triple is written: ``name predicate "t"^^datatype``."""

    predicate: IRI = IRI("http://www.w3.org/ns/prov#generatedAtTime")
    datatype: IRI = IRI("http://www.w3.org/2001/XMLSchema#integer")

    def triple(self, name: GraphName, t: int, unit: int) -> Triple:
        """The timestamp triple of a named element.

        With the datatype xsd:dateTime, instants count from 1970; otherwise the number is written.

        Args:
            name: the element's name.
            t: the element's instant.
            unit: the length of an instant in milliseconds.
        """
        lexical = str(t)
        if self.datatype.value == XSD_DATETIME:
            moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=t * unit)
            lexical = moment.isoformat().replace("+00:00", "Z")
        return Triple(name, self.predicate, Literal(lexical, self.datatype.value))


def check_order(elements: Sequence[StreamElement]) -> None:
    """Check the order and the names of a case's elements.

    Raises:
        ValueError: an element is earlier than the element before it, of whatever stream; an
            instant is negative or later than `LATEST`; or a name occurs twice in a stream.
    """
    last = 0
    for index, element in enumerate(elements):
        if not last <= element.t <= LATEST:
            where = f"element {index} (stream {element.stream!r}) has t={shown_number(element.t)}"
            if element.t < 0:
                raise ValueError(f"{where}: streams start at 0 or later")
            if element.t > LATEST:
                raise ValueError(f"{where}: the latest instant is {LATEST}")
            raise ValueError(f"{where}, after an element with t={last}: time never runs backwards")
        last = element.t
    names: set[tuple[IRI, GraphName]] = set()
    for index, element in enumerate(elements):
        if element.name is not None:
            if (element.stream, element.name) in names:
                raise ValueError(
                    f"element {index}: the name {element.name!r} is taken in {element.stream!r}"
                )
            names.add((element.stream, element.name))


def of_stream(elements: Iterable[StreamElement], stream: IRI) -> tuple[StreamElement, ...]:
    """The elements of one stream, in arrival order."""
    return tuple(e for e in elements if e.stream == stream)


def without_one(elements: tuple[StreamElement, ...]) -> Iterator[tuple[StreamElement, ...]]:
    """Yield elements without one of them, the last one first."""
    for place in reversed(range(len(elements))):
        yield (*elements[:place], *elements[place + 1 :])
