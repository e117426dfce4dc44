"""What a run hands over to the search for causes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rsp_conformance.causes.evidence import Answered, Evidence, Symptom
from rsp_conformance.model.finding import Finding
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.properties import property_named


def evidence_of(context: SuiteContext, findings: Iterable[tuple[Finding, Path | str]]) -> Evidence:
    """All that the run of CONTEXT has asked so far, and its confirmed FINDINGS with their files."""
    symptoms = (
        Symptom.of(finding, file=str(file), focus=property_named(finding.property_name).focus)
        for finding, file in findings
    )
    answered = (
        Answered(
            known.observation,
            known.verdict.correct if known.verdict else None,
            known.property_name,
        )
        for known in context.memory.everything()
    )
    return Evidence.of(symptoms, answered)
