"""The outcomes of W3C's tests as an EARL report, a subject each evaluator."""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.corpora.w3c.tests import W3CResult
from rsp_conformance.files.earl import OUTCOMES, PROJECT, EarlAssertion
from rsp_conformance.files.earl import earl_report as written


def earl_report(results: Iterable[W3CResult]) -> str:
    """RESULTS in Turtle, an ``earl:Assertion`` each, at the time of now.

    A test that is not for a kit of queries over data is ``earl:inapplicable``; another skipped one
    is ``earl:untested``, with the reason in ``earl:info``.
    """
    results = list(results)
    subjects = {
        PROJECT + name: {
            "dc:title": f"rsp-conformance, {name}",
            "dc:isPartOf": {"@id": PROJECT},
        }
        for name in dict.fromkeys(result.evaluator for result in results)
    }
    return written(subjects, map(_assertion, results), "rsp-conformance w3c")


def _assertion(result: W3CResult) -> EarlAssertion:
    test, subject = result.test, PROJECT + result.evaluator
    return EarlAssertion(subject, test.iri, test.name, OUTCOMES[result.outcome], result.reason)
