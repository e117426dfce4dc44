"""Cases as JSON: complete, for crash files, and in the parts that the protocol sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsp_conformance.files.fields import as_int, as_list, as_record, as_text, fail, get
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import excerpt
from rsp_conformance.model.layout import DEFAULTS, Layout, chosen
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, GraphName, Triple
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.escapes import NOT_IN_IRI
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
"""The version of the case format that is written; all versions up to it are read."""

_CASE = (
    *("version", "query", "streams", "registered", "until", "stamp", "static", "elements"),
    "layout",
)
_ENTRY = ("from", "until", "graph", "triples")
_STAMP = ("predicate", "datatype")


def element_to_json(element: StreamElement, *, triple_terms: bool = False) -> dict[str, Any]:
    """Return one element as the protocol sends it."""
    found: dict[str, Any] = {
        "stream": element.stream.value,
        "t": element.t,
        "graph": write_ntriples(element.graph, triple_terms=triple_terms),
    }
    if element.name is not None:
        name = element.name
        found["name"] = f"_:{name.label}" if isinstance(name, BlankNode) else name.value
    return found


def element_from_json(value: object, stream: IRI | None = None, where: str = "") -> StreamElement:
    """Return the element that ``element_to_json`` wrote.

    Args:
        value: the JSON value.
        stream: the stream of an element that does not name its own.
        where: the value's place, for errors.

    Raises:
        FieldError: the value is not an element (a ValueError).
        ValueError: its graph is empty, or not N-Triples.
    """
    if not isinstance(value, Mapping):
        fail(where, "an object with t and graph", value)
    place = f"{where}." if where else ""
    t, name = as_int(get(value, "t"), f"{place}t"), value.get("name")
    graph = _triples(get(value, "graph"), f"{place}graph")
    if not graph:
        raise ValueError(f"{place}graph: an element holds at least one triple")
    if stream is None or "stream" in value:
        stream = _iri(get(value, "stream"), f"{place}stream")
    return StreamElement(stream, t, graph, None if name is None else _name(name, f"{place}name"))


def _triples(value: object, where: str) -> tuple[Triple, ...]:
    if not isinstance(value, str):
        fail(where, "N-Triples", value)
    try:
        return tuple(parse_ntriples(value))
    except NTriplesError as error:
        raise ValueError(f"{where}: {error.problem}") from None


def _iri(value: object, where: str) -> IRI:
    if not isinstance(value, str) or NOT_IN_IRI.search(value):
        fail(where, "an IRI", value)
    return IRI(value)


def _name(value: object, where: str) -> GraphName:
    if isinstance(value, str) and value.startswith("_:") and len(value) > 2:
        return BlankNode(value[2:])
    if isinstance(value, str) and value[:1].isalpha() and not NOT_IN_IRI.search(value):
        return IRI(value)
    fail(where, "an IRI or _:label", value)


def background_to_json(
    background: Background, *, triple_terms: bool = False
) -> list[dict[str, Any]]:
    """Return the protocol's ``static`` entries, one per interval, in order of first mention."""
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
    """Return a case as JSON; ``case_from_json`` reads the same case."""
    stamp = case.stamp
    return {
        "version": VERSION,
        "query": print_query(case.query),
        "streams": [stream.value for stream in case.streams],
        "registered": case.registered,
        "until": case.until,
        "stamp": {"predicate": stamp.predicate.value, "datatype": stamp.datatype.value},
        # Entries of one interval stay separate, and empty graphs are kept.
        "static": [
            {"from": entry.since, "until": entry.until}
            | ({} if entry.graph is None else {"graph": write_term(entry.graph)})
            | {"triples": write_ntriples(entry.triples)}
            for entry in case.background
        ],
        "elements": [element_to_json(element) for element in case.elements],
    } | ({} if case.layout is None else {"layout": chosen(case.layout)})


def case_from_json(value: object, where: str = "case") -> Case:
    """Return the case that ``case_to_json`` wrote.

    Args:
        value: the JSON value.
        where: the value's place, for errors.

    Raises:
        ValueError: the value is not a case; the message has the place.
    """
    document = as_record(value, where, _CASE)
    version = as_int(document.get("version", 1), f"{where}.version", least=1)
    if version > VERSION:
        raise ValueError(f"version {excerpt(version)} of cases is newer than this kit reads")
    stamp = as_record(document.get("stamp", {}), f"{where}.stamp", _STAMP)
    elements, static, streams = (
        as_list(value, f"{where}.{name}")
        for name, value in (
            ("elements", get(document, "elements")),
            ("static", document.get("static", [])),
            ("streams", document.get("streams", [])),
        )
    )
    try:
        query = parse_query(as_text(get(document, "query"), f"{where}.query"))
    except QuerySyntaxError as error:
        raise ValueError(f"{where}.query: {error}") from None
    return Case(
        query=query,
        elements=tuple(
            element_from_json(item, where=f"{where}.elements[{number}]")
            for number, item in enumerate(elements)
        ),
        background=Background(
            tuple(_entry(item, f"{where}.static[{number}]") for number, item in enumerate(static))
        ),
        registered=as_int(get(document, "registered"), f"{where}.registered", least=0),
        until=as_int(get(document, "until"), f"{where}.until", least=0),
        streams=tuple(_iri(stream, f"{where}.streams") for stream in streams),
        layout=_layout(document["layout"], f"{where}.layout") if "layout" in document else None,
        stamp=Stamp(**{name: _iri(stamp[name], f"{where}.stamp.{name}") for name in stamp}),
    )


def _layout(value: object, where: str) -> Layout:
    try:
        return Layout(**as_record(value, where, tuple(DEFAULTS)))
    except ValueError as error:
        raise ValueError(f"{where}: {str(error).removeprefix(f'{where}: ')}") from None


def _entry(value: object, where: str) -> BackgroundEntry:
    item = as_record(value, where, _ENTRY)
    name = parse_term(as_text(item["graph"], f"{where}.graph")) if "graph" in item else None
    if name is not None and not isinstance(name, (IRI, BlankNode)):
        fail(f"{where}.graph", "the name of a graph", item["graph"])
    since, until = (
        None if item.get(end) is None else as_int(item[end], f"{where}.{end}")
        for end in ("from", "until")
    )
    return BackgroundEntry(_triples(get(item, "triples"), f"{where}.triples"), name, since, until)
