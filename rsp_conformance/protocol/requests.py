"""The requests that the kit sends: ``hello``, and a whole case as ``run`` (docs/protocol.md)."""

from __future__ import annotations

from typing import Any, Final

from rsp_conformance.files.algebra_json import algebra_to_json
from rsp_conformance.files.case_json import background_to_json, element_to_json
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Advances, Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple

PROTOCOL: Final = 1
"""The highest version of the protocol that the kit speaks."""

END: Final = IRI("urn:rsp:end")
"""Subject, predicate and object of the elements that the kit appends."""


def hello_request() -> dict[str, Any]:
    """The request that opens every connection."""
    return {"op": "hello", "protocol": PROTOCOL}


def run_request(
    case: Case,
    dials: Dials,
    *,
    id: str,
    query_text: str,
    pacing: str = "burst",
    advances: Advances = "clock",
    triple_terms: bool = False,
    algebra: bool = False,
) -> dict[str, Any]:
    """The ``run`` request for CASE: one whole case, with the query's ALGEBRA or without.

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
    if algebra:
        message["algebra"] = algebra_to_json(case.query)
    return message


def appended(case: Case, last: int) -> tuple[StreamElement, ...]:
    """What the kit appends to CASE, whose last element is at LAST: one element a stream.

    At ``until + 1``; where LAST is later it brings the time by itself, and time never decreases.
    """
    end = max(case.until + 1, last)
    return tuple(StreamElement(s, end, (Triple(END, END, END),)) for s in case.streams)
