"""The requests that the kit sends: ``hello``, and a whole case as ``run`` (docs/protocol.md)."""

from __future__ import annotations

from typing import Any

from rsp_conformance.model.appended import appended
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Advances, Dials
from rsp_conformance.protocol.forms import (
    PROTOCOL,
    REQUEST,
    REQUEST_1_2,
    HelloRequest,
    RunRequest,
)


def hello_request() -> dict[str, Any]:
    """Return the request that opens every connection."""
    hello: dict[str, Any] = REQUEST.write(HelloRequest, HelloRequest(protocol=PROTOCOL))
    return hello


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
    elements = case.elements
    if advances == "elements":
        elements += appended(case)
    request = RunRequest(
        id=id,
        query=query_text,
        streams=case.streams,
        registered=case.registered,
        until=case.until,
        unit=dials.unit,
        pacing=pacing,
        static=case.background,
        elements=elements,
        stamp=case.stamp if any(e.name is not None for e in case.elements) else None,
        algebra=case.query if algebra else None,
    )
    form = REQUEST_1_2 if triple_terms else REQUEST
    message: dict[str, Any] = form.write(RunRequest, request)
    return message
