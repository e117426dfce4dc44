"""Running a case on the reference engine in this process, and reading its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.protocol import Reply, read_run, run_request
from rsp_conformance.text.printer.rspql import print_query


def run(case: Case, dials: Dials, pacing: str = "burst", **options: str) -> tuple[Observed, ...]:
    """What a reference engine with OPTIONS answers CASE under DIALS."""
    request = message(case, dials, options.get("advances", "clock")) | {"pacing": pacing}
    return observed(engine(dials, **options).run(request), request)


def observed(reply: Mapping[str, Any], request: Mapping[str, Any]) -> tuple[Observed, ...]:
    """The answers of REPLY to REQUEST, which must not be an error."""
    read = read_run(reply, elements=len(request["elements"]))
    assert isinstance(read, Reply), read
    return read.answers


def engine(dials: Dials, **options: str) -> ReferenceEngine:
    """A reference engine under DIALS."""
    return ReferenceEngine({f"dial.{name}": dials.text(name) for name in DIALS} | options)


def message(case: Case, dials: Dials, advances: str = "clock") -> dict[str, Any]:
    """The request for CASE."""
    text = print_query(case.query, duration="instants", unit=dials.unit)
    return run_request(case, dials, id="case", query_text=text, advances=advances)
