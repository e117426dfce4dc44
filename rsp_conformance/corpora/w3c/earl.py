"""The outcomes of W3C's tests as an EARL report, a subject each evaluator."""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.corpora.w3c.tests import W3COutcome, W3CResult
from rsp_conformance.files.earl import PROJECT, EarlAssertion, EarlOutcome
from rsp_conformance.files.earl import earl_report as written


def earl_report(outcomes: Iterable[W3COutcome]) -> str:
    """OUTCOMES in Turtle, an ``earl:Assertion`` each, at the time of now.

    A test that is not for a kit of queries over data is ``earl:inapplicable``; another skipped one
    is ``earl:untested``, with the reason in ``earl:info``.
    """
    outcomes = list(outcomes)
    subjects = {
        PROJECT + name: {
            "dc:title": f"rsp-conformance, {name}",
            "dc:isPartOf": {"@id": PROJECT},
        }
        for name in dict.fromkeys(outcome.evaluator for outcome in outcomes)
    }
    return written(subjects, map(_assertion, outcomes), "rsp-conformance w3c")


def _assertion(outcome: W3COutcome) -> EarlAssertion:
    test, subject = outcome.test, PROJECT + outcome.evaluator
    return EarlAssertion(subject, test.iri, test.name, _outcome(outcome), outcome.reason)


def _outcome(outcome: W3COutcome) -> EarlOutcome:
    match outcome.result:
        case W3CResult.PASSED:
            return "passed"
        case W3CResult.FAILED:
            return "failed"
    return "inapplicable" if outcome.test.aside else "untested"
