"""Who evaluated the patterns behind a verdict, in a line, where not the definitions alone did."""

from __future__ import annotations

from rsp_conformance.evaluation.ways import defined
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Verdict


def by_library(query: Query, verdict: Verdict) -> list[str]:
    """The line about a library's part in VERDICT on QUERY, if it had one."""
    if "library" not in verdict.ways:
        return []
    part = "Some patterns were" if "definitions" in verdict.ways else "Patterns were"
    # A right answer needs no second opinion: nobody is accused.
    other = "the definitions' evaluator" if defined(query) else "rdflib"
    confirmed = "" if verdict.correct else f" and confirmed by {other}"
    return [f"{part} evaluated by a library (pyoxigraph){confirmed}."]
