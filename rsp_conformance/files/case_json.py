"""Cases, answers and expectations as JSON that holds everything (crash files, campaigns)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rsp_conformance.files.results_json import content_from_json, content_to_json
from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, GraphName, Term
from rsp_conformance.text.ntriples import (
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
    if isinstance(element.name, BlankNode):
        found["name"] = f"_:{element.name.label}"
    elif element.name is not None:
        found["name"] = element.name.value
    return found


def background_to_json(
    background: Background, *, triple_terms: bool = False
) -> list[dict[str, Any]]:
    """The protocol's ``static`` entries, one for each interval, in order of first mention."""
    by_interval: dict[tuple[int | None, int | None], list[Any]] = {}
    for entry in background:
        quads = by_interval.setdefault((entry.since, entry.until), [])
        quads.extend((triple, entry.graph) for triple in entry.triples)
    found = []
    for (since, until), quads in by_interval.items():
        item: dict[str, Any] = {}
        if since is not None:
            item["from"] = since
        if until is not None:
            item["until"] = until
        item["quads"] = write_nquads(quads, triple_terms=triple_terms)
        found.append(item)
    return found


def case_to_json(case: Case) -> dict[str, Any]:
    """CASE as JSON; ``case_from_json`` gives the same case back."""
    return {
        "version": VERSION,
        "query": print_query(case.query),
        "streams": [stream.value for stream in case.streams],
        "registered": case.registered,
        "until": case.until,
        "stamp": {
            "predicate": case.stamp.predicate.value,
            "datatype": case.stamp.datatype.value,
        },
        "static": _background_to_json(case.background),
        "elements": [element_to_json(element) for element in case.elements],
    }


def case_from_json(document: Mapping[str, Any]) -> Case:
    """The case that JSON writes.

    ValueError (or KeyError for a field that is not there) where it is none.
    """
    if document.get("version", 1) > VERSION:
        raise ValueError(f"version {document['version']} of cases is newer than this kit reads")
    stamp = document.get("stamp") or {}
    default = Stamp()
    return Case(
        query=parse_query(document["query"]),
        elements=tuple(_element(item) for item in document["elements"]),
        background=Background(tuple(_entry(item) for item in document.get("static", []))),
        registered=_instant(document, "registered"),
        until=_instant(document, "until"),
        streams=tuple(IRI(stream) for stream in document.get("streams", [])),
        stamp=Stamp(
            IRI(stamp.get("predicate", default.predicate.value)),
            IRI(stamp.get("datatype", default.datatype.value)),
        ),
    )


def _instant(document: Mapping[str, Any], name: str) -> int:
    value = document[name]
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}: expected a whole number, found {value!r}")
    return value


def observed_to_json(observed: Iterable[Observed]) -> list[dict[str, Any]]:
    """Answers in the shape of the protocol's; an instant that is none is written ``"13/2"``."""
    return [
        {
            "t": str(o.t) if isinstance(o.t, Fraction) else o.t,
            "cause": o.cause,
            **_whole(o.content),
        }
        for o in observed
    ]


def observed_from_json(document: Iterable[Mapping[str, Any]]) -> tuple[Observed, ...]:
    """The answers that ``observed_to_json`` wrote."""
    found = []
    for item in document:
        t = item["t"]
        instant = Fraction(t) if isinstance(t, str) else t
        found.append(Observed(instant, _content(item), item.get("cause")))
    return tuple(found)


def evaluations_to_json(evaluations: Iterable[Evaluation]) -> list[dict[str, Any]]:
    """Expected answers in the shape of the protocol's."""
    return [{"t": e.t, **_whole(e.content)} for e in evaluations]


def evaluations_from_json(document: Iterable[Mapping[str, Any]]) -> tuple[Evaluation, ...]:
    """The expected answers that ``evaluations_to_json`` wrote."""
    return tuple(Evaluation(item["t"], _content(item)) for item in document)


def _whole(content: Content) -> dict[str, Any]:
    """A content with its columns and ties, of which solutions alone say nothing."""
    found = content_to_json(content)
    if isinstance(content, Rows):
        found["variables"] = list(content.variables)
        if content.ties is not None:
            found["ties"] = list(content.ties)
        if not content.determined:
            found["determined"] = False
    return found


def _content(item: Mapping[str, Any]) -> Content:
    content = content_from_json(item)
    if not isinstance(content, Rows) or "variables" not in item:
        return content
    names = tuple(item["variables"])
    rows: list[tuple[Term | None, ...]] = [
        tuple(solution.get(name) for name in names) for solution in content.solutions()
    ]
    ties = None if item.get("ties") is None else tuple(item["ties"])
    return Rows(names, tuple(rows), ties, item.get("determined", True))


def _background_to_json(background: Background) -> list[dict[str, Any]]:
    """One item an entry: entries of one interval stay apart, and empty graphs are kept."""
    found = []
    for entry in background:
        item: dict[str, Any] = {"from": entry.since, "until": entry.until}
        if entry.graph is not None:
            item["graph"] = write_term(entry.graph)
        item["triples"] = write_ntriples(entry.triples)
        found.append(item)
    return found


def _entry(item: Mapping[str, Any]) -> BackgroundEntry:
    name = parse_term(item["graph"]) if item.get("graph") else None
    if name is not None and not isinstance(name, (IRI, BlankNode)):
        raise ValueError(f"no name of a graph: {item['graph']!r}")
    triples = tuple(parse_ntriples(item["triples"]))
    return BackgroundEntry(triples, name, item.get("from"), item.get("until"))


def _element(item: Mapping[str, Any]) -> StreamElement:
    return StreamElement(
        IRI(item["stream"]), item["t"], tuple(parse_ntriples(item["graph"])), graph_name(item)
    )


def graph_name(item: Mapping[str, Any]) -> GraphName | None:
    """The name of an element in JSON: an IRI or ``_:b``; None for a plain one."""
    name = item.get("name")
    if name is None:
        return None
    return BlankNode(name[2:]) if name.startswith("_:") else IRI(name)
