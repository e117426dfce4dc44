"""Cases and answers as the engine protocol has them (ENGINE_PROTOCOL, section "run")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rsp_conformance.files.results_json import solutions_from_json, solutions_to_json
from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows, Triples, Truth
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, Triple
from rsp_conformance.text.ntriples import parse_ntriples, write_nquads, write_ntriples

END = IRI("urn:rsp:end")
"""Subject, predicate and object of the elements that the kit appends."""


def request(
    case: Case,
    dials: Dials,
    *,
    id: str,
    query_text: str,
    pacing: str = "burst",
    advances: str = "clock",
    triple_terms: bool = False,
) -> dict[str, Any]:
    """The ``run`` request for CASE: one whole case.

    Where the engine learns the time from elements only (ADVANCES ``elements``), every stream gets
    one element more, at ``until + 1``, after all of the case's own (decision 22).
    """
    elements = [element_to_json(e, triple_terms=triple_terms) for e in case.elements]
    if advances == "elements":
        last = case.elements[-1].t if case.elements else 0
        elements += [element_to_json(element) for element in appended(case, last)]
    message: dict[str, Any] = {
        "op": "run",
        "id": id,
        "query": query_text,
        "streams": [stream.value for stream in case.streams],
        "registered": case.registered,
        "until": case.until,
        "unit": dials.unit,
        "pacing": pacing,
        "static": background_to_json(case.background, triple_terms=triple_terms),
        "elements": elements,
    }
    if any(e.name is not None for e in case.elements):
        stamp = case.stamp
        message["stamp"] = {"predicate": stamp.predicate.value, "datatype": stamp.datatype.value}
    return message


def appended(case: Case, last: int) -> tuple[StreamElement, ...]:
    """What the kit appends to CASE, whose last element is at LAST: one element a stream.

    At ``until + 1``; where LAST is later it brings the time by itself, and time never decreases.
    """
    end = max(case.until + 1, last)
    return tuple(StreamElement(s, end, (Triple(END, END, END),)) for s in case.streams)


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


def observed_from_reply(answers: Iterable[Mapping[str, Any]]) -> tuple[Observed, ...]:
    """The answers of a reply, in the order of emission; ValueError for what is no answer."""
    return tuple(
        Observed(_instant(answer.get("t")), content_from_json(answer), answer.get("cause"))
        for answer in answers
    )


def content_from_json(answer: Mapping[str, Any]) -> Content:
    """What an answer holds: ``solutions``, ``boolean`` or ``graph``; ValueError for none."""
    if "solutions" in answer:
        return solutions_from_json(answer["solutions"])
    if isinstance(answer.get("boolean"), bool):
        return Truth(answer["boolean"])
    if isinstance(answer.get("graph"), str):
        return Triples(frozenset(parse_ntriples(answer["graph"])))
    raise ValueError("an answer has solutions, boolean or graph")


def content_to_json(content: Content) -> dict[str, Any]:
    """The content of an answer as the member that the protocol gives it."""
    match content:
        case Rows():
            return {"solutions": solutions_to_json(content)}
        case Truth(value):
            return {"boolean": value}
        case Triples(graph):
            # Sorted, because sets come in another order in every process.
            return {"graph": "".join(sorted(write_ntriples([triple]) for triple in graph))}


def answers_to_json(evaluations: Iterable[Evaluation]) -> list[dict[str, Any]]:
    """Ans(Q) in the shape of a reply's answers: ``[{"t": …, "solutions": […]}]``."""
    return [{"t": e.t, **content_to_json(e.content)} for e in evaluations]


def _instant(t: object) -> int | Fraction | None:
    """An instant of the protocol; a decimal that is a whole number is that number."""
    if t is None or (isinstance(t, int) and not isinstance(t, bool)):
        return t
    if isinstance(t, (float, Decimal)):
        exact = Fraction(str(t))
        return int(exact) if exact.denominator == 1 else exact
    raise ValueError(f"expected an instant or null, not {t!r}")
