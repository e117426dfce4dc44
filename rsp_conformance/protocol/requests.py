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
    """Return the request that opens every connection."""
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
    """Return the ``run`` request for one whole case.

    If the engine learns the time only from elements, each stream gets one more element, at
    ``until + 1``, after all elements of the case (decision 22).

    Args:
        case: the case.
        dials: the engine profile's dials, of which the request has the unit of time.
        id: the id that the reply repeats.
        query_text: the query in the driver's language and dialect.
        pacing: ``burst``, or ``settled`` to wait after each element until the engine is quiet.
        advances: ``elements`` if the engine learns the time only from elements.
        triple_terms: whether quoted triples are written as in RDF 1.2.
        algebra: whether the request has the query's algebra beside its text.
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
    """Return the elements that the kit appends to a case: one per stream, at ``until + 1``.

    If the case's last element is later, they are at its instant, because time never decreases.

    Args:
        case: the case.
        last: the instant of the case's last element.
    """
    end = max(case.until + 1, last)
    return tuple(StreamElement(s, end, (Triple(END, END, END),)) for s in case.streams)
