"""A case: a query over streams and background data, registered at an instant."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.model.background import Background
from rsp_conformance.model.cached_hash import CachedHash
from rsp_conformance.model.digest import Digested
from rsp_conformance.model.instants import check_instant
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import Stamp, StreamElement, check_order
from rsp_conformance.model.terms import IRI


@dataclass(frozen=True, slots=True)
class Case(Digested):
    """One test input: all that RSP-QL Definition 26 depends on, except the engine and its profile.

    Attributes:
        query: the query, as algebra.
        elements: the elements of all streams, by instant.
        background: data that does not stream.
        registered: the instant of registration, a in the paper; no element is earlier.
        until: the last instant up to which answers are compared.
        streams: all streams, also those without elements.
        stamp: how the timestamps of named elements are written.
        layout: how the query's text is written for an engine that reads RSP-QL; None is the
            printer's default. It does not change the answers.
    """

    query: Query
    elements: tuple[StreamElement, ...] = ()
    background: Background = Background()
    registered: int = 0
    until: int = 0
    streams: tuple[IRI, ...] = ()
    stamp: Stamp = Stamp()
    layout: Layout | None = None

    __hash__ = CachedHash.__hash__

    def __post_init__(self) -> None:
        check_order(self.elements)
        check_instant("registered at", self.registered)
        check_instant("until", self.until)
        if self.elements and self.elements[0].t < self.registered:
            raise ValueError(
                f"an element at {self.elements[0].t} is earlier than the registration "
                f"at {self.registered}"
            )
        known = (*self.streams, *self.query.streams(), *(e.stream for e in self.elements))
        object.__setattr__(self, "streams", tuple(dict.fromkeys(known)))
