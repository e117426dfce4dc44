"""Cases as JSON that holds everything (crash files), and what the protocol sends of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rsp_conformance.files.fields import as_text, fail, get
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, GraphName
from rsp_conformance.text.ntriples import (
    NTriplesError,
    parse_ntriples,
    parse_term,
    write_nquads,
    write_ntriples,
    write_term,
)
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query

VERSION = 1
"""The version of the case format that is written; every version up to it is read."""


def element_to_json(element: StreamElement, *, triple_terms: bool = False) -> dict[str, Any]:
    """One element as the protocol sends it."""
    found: dict[str, Any] = {
        "stream": element.stream.value,
        "t": element.t,
        "graph": write_ntriples(element.graph, triple_terms=triple_terms),
    }
    if element.name is not None:
        name = element.name
        found["name"] = f"_:{name.label}" if isinstance(name, BlankNode) else name.value
    return found


def element_from_json(value: object, stream: IRI | None = None) -> StreamElement:
    """The element that ``element_to_json`` wrote; of STREAM where it says of none.

    FieldError (a ValueError) where it is none.
    """
    if not isinstance(value, Mapping):
        fail("", "an object with t and graph", value)
    t = whole_number(get(value, "t"), "t")
    graph, name = get(value, "graph"), value.get("name")
    if not isinstance(graph, str):
        fail("graph", "N-Triples", graph)
    try:
        triples = tuple(parse_ntriples(graph))
    except NTriplesError as error:
        raise ValueError(f"graph: {error.problem}") from None
    if not triples:
        raise ValueError("graph: an element holds at least one triple")
    of = as_text(value["stream"], "stream") if stream is None or "stream" in value else stream.value
    return StreamElement(IRI(of), t, triples, None if name is None else _name(name))


def _name(value: object) -> GraphName:
    if isinstance(value, str) and value.startswith("_:") and len(value) > 2:
        return BlankNode(value[2:])
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][^\s<>\"{}|^`\\]*", value):
        return IRI(value)
    fail("name", "an IRI or _:label", value)


def whole_number(value: object, where: str) -> int:
    """The value as an integer; FieldError at WHERE if it is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        fail(where, "a whole number", value)
    return value


def background_to_json(
    background: Background, *, triple_terms: bool = False
) -> list[dict[str, Any]]:
    """The protocol's ``static`` entries, one for each interval, in order of first mention."""
    by_interval: dict[tuple[int | None, int | None], list[Any]] = {}
    for entry in background:
        quads = by_interval.setdefault((entry.since, entry.until), [])
        quads.extend((triple, entry.graph) for triple in entry.triples)
    return [
        {name: t for name, t in (("from", since), ("until", until)) if t is not None}
        | {"quads": write_nquads(quads, triple_terms=triple_terms)}
        for (since, until), quads in by_interval.items()
    ]


def case_to_json(case: Case) -> dict[str, Any]:
    """CASE as JSON; ``case_from_json`` gives the same case back."""
    stamp = case.stamp
    return {
        "version": VERSION,
        "query": print_query(case.query),
        "streams": [stream.value for stream in case.streams],
        "registered": case.registered,
        "until": case.until,
        "stamp": {"predicate": stamp.predicate.value, "datatype": stamp.datatype.value},
        # Entries of one interval stay apart, and empty graphs are kept.
        "static": [
            {"from": entry.since, "until": entry.until}
            | ({} if entry.graph is None else {"graph": write_term(entry.graph)})
            | {"triples": write_ntriples(entry.triples)}
            for entry in case.background
        ],
        "elements": [element_to_json(element) for element in case.elements],
    }


def case_from_json(document: Mapping[str, Any]) -> Case:
    """The case that JSON writes.

    ValueError (or KeyError for a field that is not there) where it is none.
    """
    if document.get("version", 1) > VERSION:
        raise ValueError(f"version {document['version']} of cases is newer than this kit reads")
    stamp = document.get("stamp") or {}
    return Case(
        query=parse_query(document["query"]),
        elements=tuple(element_from_json(item) for item in document["elements"]),
        background=Background(tuple(_entry(item) for item in document.get("static", []))),
        registered=whole_number(document["registered"], "registered"),
        until=whole_number(document["until"], "until"),
        streams=tuple(IRI(stream) for stream in document.get("streams", [])),
        stamp=Stamp(**{n: IRI(stamp[n]) for n in ("predicate", "datatype") if n in stamp}),
    )


def _entry(item: Mapping[str, Any]) -> BackgroundEntry:
    name = parse_term(item["graph"]) if item.get("graph") else None
    if name is not None and not isinstance(name, (IRI, BlankNode)):
        raise ValueError(f"no name of a graph: {item['graph']!r}")
    triples = tuple(parse_ntriples(item["triples"]))
    return BackgroundEntry(triples, name, item.get("from"), item.get("until"))
