"""What the reference engine answers to a case, with any mutants, from any z."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.fault import Fault
from rsp_conformance.adapters.reference.faults import fault_named
from rsp_conformance.adapters.reference.options import Options
from rsp_conformance.files.results_json import answers_from_json
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Advances, Dials
from rsp_conformance.model.errors import KitError, Unsupported
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.verdict import Vector
from rsp_conformance.protocol.requests import run_request
from rsp_conformance.text.printer.rspql import print_query


class ReferenceFailed(KitError):
    """The reference engine refused or broke off a case; ``kind`` is the protocol's."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


def reference_answers(
    case: Case,
    dials: Dials,
    starts: Vector,
    *,
    mutants: Iterable[str | Fault] = (),
    library: str | None = None,
) -> tuple[Observed, ...]:
    """All that `reference` with MUTANTS answers to CASE under DIALS, its windows started at STARTS.

    It is fed as an engine under test: where it learns the time from elements only, with those that
    the kit appends.

    LIBRARY leaves a point of SPARQL as pyoxigraph reads it. Raises Unsupported where the engine
    does not do the case, ReferenceFailed where it gives no answer.
    """
    t0 = "first"
    if dials.t0 == "any" and starts:
        t0 = ",".join(str((start or case.registered) - case.registered) for start in starts)
    faults = tuple(m if isinstance(m, Fault) else fault_named(m) for m in mutants)
    options = Options(Profile("", dials), faults, advances=dials.advances, t0=t0, library=library)
    reply = ReferenceEngine(options).run(_request(case, dials.unit, dials.advances))
    if "error" in reply:
        kind, message = reply["error"]["kind"], reply["error"]["message"]
        raise Unsupported(message) if kind == "unsupported" else ReferenceFailed(kind, message)
    return answers_from_json(reply["answers"])


@lru_cache(maxsize=256)
def by_evaluation(dials: Dials) -> Dials:
    """DIALS for when and what is answered, whatever an engine stamps it with."""
    return dials.with_dials(
        {
            "answer_time": "evaluation",
            "time_tolerance": 0,
            "answers": "evaluations",
            "advances": "clock",
        }
    )


@lru_cache(maxsize=1024)
def _request(case: Case, unit: int, advances: Advances) -> dict[str, Any]:
    text = print_query(case.query, duration="instants", unit=unit)
    return run_request(case, Dials(unit=unit), id="case", query_text=text, advances=advances)
