"""A ``run`` request read: N-Triples and N-Quads become terms of the store (docs/protocol.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pyoxigraph as ox

from rsp_conformance.adapters.reference.dataset import Entry
from rsp_conformance.adapters.reference.oxigraph.iris import node
from rsp_conformance.adapters.reference.oxigraph.terms import (
    from_model,
    opaque,
    refuse_reserved,
    to_model,
)
from rsp_conformance.adapters.reference.oxigraph.values import merged
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model import terms
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import Stamp
from rsp_conformance.text.ntriples import NTriplesError, parse_nquads


class Rejected(Exception):
    """The engine refuses the query, or the element whose index is ``element``."""

    def __init__(self, message: str, element: int | None = None) -> None:
        super().__init__(message)
        self.element = element


def read_stamp(request: Mapping[str, Any]) -> Stamp:
    """Return how named elements are stamped."""
    stamp = request.get("stamp")
    if stamp is None:
        return Stamp()
    return Stamp(terms.IRI(stamp["predicate"]), terms.IRI(stamp["datatype"]))


def read_element(index: int, raw: Mapping[str, Any], stamp: Stamp, dials: Dials) -> Arrival:
    """Return an element, as the dials let it in.

    Args:
        index: the position of the element in the request.
        raw: the element as the request has it.
        stamp: how named elements are stamped.
        dials: the setting of the dials; ``blank_nodes`` says whether labels are shared by elements.

    Raises:
        Rejected: its graph is empty or cannot be read.
    """
    t, name = raw["t"], raw.get("name")
    quads = _parse(raw["graph"], ox.RdfFormat.N_TRIPLES, f"element {index}", dials, index)
    triples = tuple(dict.fromkeys(quad.triple for quad in quads))
    if not triples:
        raise Rejected(f"element {index}: its graph is empty", index)
    if dials.blank_nodes == "element":
        triples = tuple(_labelled_apart(triple, index) for triple in triples)
        name = f"{name}e{index}" if name is not None and name.startswith("_:") else name
    if name is None:
        return Arrival(index, raw["stream"], t, triples)
    term = ox.BlankNode(name[2:]) if name.startswith("_:") else node(name)
    written = terms.BlankNode(name[2:]) if name.startswith("_:") else terms.IRI(name)
    stamped = stamp.triple(written, t, dials.unit)
    predicate, time = node(stamped.predicate.value), from_model(stamped.object)
    return Arrival(index, raw["stream"], t, (ox.Triple(term, predicate, time),), term, triples)


def _labelled_apart(term: Any, index: int) -> Any:
    """`term` with the blank nodes of the element at `index`, which are no other element's."""
    if isinstance(term, ox.BlankNode):
        return ox.BlankNode(f"{term.value}e{index}")
    if isinstance(term, ox.Triple):
        parts = (term.subject, term.predicate, term.object)
        return ox.Triple(*(_labelled_apart(part, index) for part in parts))
    return term


def read_background(request: Mapping[str, Any], dials: Dials) -> tuple[Entry, ...]:
    """Return the background data of the case, as `dials` let it in."""
    return tuple(
        Entry(
            tuple(_parse(entry["quads"], ox.RdfFormat.N_QUADS, f"static entry {index}", dials)),
            entry.get("from"),
            entry.get("until"),
        )
        for index, entry in enumerate(request.get("static", ()))
    )


def _parse(
    text: str, syntax: ox.RdfFormat, where: str, dials: Dials, element: int | None = None
) -> Sequence[ox.Quad]:
    """Return the quads of `text` as the store keeps them."""
    try:
        return _stored(text, syntax, canonical=dials.literals == "canonical")
    except (SyntaxError, NTriplesError) as error:
        raise Rejected(f"{where}: {error}", element) from None


@lru_cache(maxsize=1024)
def _stored(text: str, syntax: ox.RdfFormat, *, canonical: bool) -> tuple[ox.Quad, ...]:
    """Return the quads of `text`, read once however often a case is asked.

    Raises:
        SyntaxError, NTriplesError: the text cannot be read.
    """
    refuse_reserved(text)
    if "<<" in text:
        return tuple(_parse_quoted(text, canonical))
    return tuple(_opaque(quad, canonical) for quad in ox.parse(text, format=syntax, lenient=True))


def _parse_quoted(text: str, canonical: bool) -> list[ox.Quad]:
    """Parse quads with quoted triples by the kit's own parser.

    The library reads RDF 1.2, in which a quoted triple is never a subject.
    """
    found = []
    for triple, name in parse_nquads(text):
        kept = merged(triple) if canonical else triple
        subject, predicate, value = map(from_model, kept)
        graph = ox.DefaultGraph() if name is None else from_model(name)
        # What is no literal of ours is an IRI or a blank node of the store's.
        found.append(ox.Quad(subject, predicate, value, graph))  # type: ignore[arg-type]
    return found


def _opaque(quad: ox.Quad, canonical: bool) -> ox.Quad:
    value = quad.object
    if canonical and isinstance(value, ox.Literal):
        value = from_model(merged(to_model(value)))
    return ox.Quad(quad.subject, quad.predicate, opaque(value), quad.graph_name)
