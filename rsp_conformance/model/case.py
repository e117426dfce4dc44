"""A case: one query over streams and background data, registered at an instant."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.model.background import Background
from rsp_conformance.model.instants import check_instant
from rsp_conformance.model.kept_hash import KeptHash
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import Stamp, StreamElement, check_order
from rsp_conformance.model.terms import IRI


@dataclass(frozen=True, slots=True)
class Case(KeptHash):
    """Everything that Definition 26 quantifies over, but for the engine and its profile.

    ``registered`` is a, the instant of registration; answers are compared up to ``until``.
    ``streams`` are all streams there are, some perhaps without elements. ``layout`` says how the
    query is written for an engine that reads RSP-QL, None for the printer's own way; no semantics
    looks at it.
    """

    query: Query
    elements: tuple[StreamElement, ...] = ()
    background: Background = Background()
    registered: int = 0
    until: int = 0
    streams: tuple[IRI, ...] = ()
    stamp: Stamp = Stamp()
    layout: Layout | None = None

    __hash__ = KeptHash.__hash__

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
