"""Why an answer is wrong at the first place where it parts: one module a kind of argument."""

from __future__ import annotations

from rsp_conformance.explain.evidence import Evidence
from rsp_conformance.explain.why.evaluations import extra_answer, missing_answer, silent
from rsp_conformance.explain.why.instants import wrong_instant
from rsp_conformance.explain.why.order import wrong_order
from rsp_conformance.explain.why.rows import wrong_rows
from rsp_conformance.model.verdict import Divergence, Kind

__all__ = ["why"]


def why(evidence: Evidence, divergence: Divergence) -> list[str]:
    """The argument at the place where answer and nearest query part, sentence by sentence."""
    match divergence.kind:
        case Kind.ROWS:
            return wrong_rows(evidence, divergence)
        case Kind.ORDER:
            return wrong_order(evidence, divergence)
        case Kind.INSTANT:
            return wrong_instant(evidence, divergence)
        case Kind.MISSING:
            return missing_answer(evidence, divergence)
        case Kind.EXTRA:
            return extra_answer(evidence, divergence)
        case Kind.SILENT:
            return silent(evidence, divergence)
