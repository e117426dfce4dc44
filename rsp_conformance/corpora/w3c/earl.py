"""The outcomes as an EARL report (Evaluation and Report Language 1.0), as W3C collects them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from rsp_conformance import __version__
from rsp_conformance.corpora.w3c.tests import W3COutcome, W3CResult

EARL = "http://www.w3.org/ns/earl#"
PROJECT = "urn:x-rsp-conformance:"
"""The IRI of the project; each evaluator is a subject under it, named by what follows."""
PREFIXES = {
    "earl": EARL,
    "doap": "http://usefulinc.com/ns/doap#",
    "dc": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def earl_report(outcomes: Iterable[W3COutcome]) -> str:
    """OUTCOMES in Turtle, an ``earl:Assertion`` each, at the time of now.

    A test that is not for a kit of queries over data is ``earl:inapplicable``; another skipped one
    is ``earl:untested``, with the reason in ``earl:info``.
    """
    from pyoxigraph import RdfFormat, parse, serialize

    now = datetime.now(UTC).isoformat(timespec="seconds")
    outcomes = list(outcomes)
    evaluators = dict.fromkeys(outcome.evaluator for outcome in outcomes)
    nodes = [*_PROJECT, *map(_subject, evaluators), *(_assertion(one, now) for one in outcomes)]
    text = json.dumps({"@context": PREFIXES, "@graph": nodes})
    triples = dict.fromkeys(quad.triple for quad in parse(text, RdfFormat.JSON_LD))
    report = serialize(triples, format=RdfFormat.TURTLE, prefixes=PREFIXES)
    assert report is not None, "it is written to no file"
    return report.decode()


_PROJECT: tuple[dict[str, Any], ...] = (
    {
        "@id": PROJECT,
        "@type": "doap:Project",
        "doap:name": "rsp-conformance",
        "doap:programming-language": "Python",
        "doap:release": {"@type": "doap:Version", "doap:revision": __version__},
    },
    {
        "@id": PROJECT + "assertor",
        "@type": ["earl:Software", "earl:Assertor"],
        "dc:title": "rsp-conformance w3c",
    },
)


def _subject(evaluator: str) -> dict[str, Any]:
    return {
        "@id": PROJECT + evaluator,
        "@type": ["earl:TestSubject", "earl:Software"],
        "dc:title": f"rsp-conformance, {evaluator}",
        "dc:isPartOf": {"@id": PROJECT},
    }


def _assertion(outcome: W3COutcome, now: str) -> dict[str, Any]:
    name = outcome.result.value
    if outcome.result is W3CResult.SKIPPED:
        name = "inapplicable" if outcome.test.aside else "untested"
    test = {"@id": outcome.test.iri, "@type": "earl:TestCase", "dc:title": outcome.test.name}
    return {
        "@type": "earl:Assertion",
        "earl:assertedBy": {"@id": PROJECT + "assertor"},
        "earl:subject": {"@id": PROJECT + outcome.evaluator},
        "earl:test": test,
        "earl:mode": {"@id": "earl:automatic"},
        "earl:result": {
            "@type": "earl:TestResult",
            "earl:outcome": {"@id": f"earl:{name}"},
            "dc:date": {"@value": now, "@type": "xsd:dateTime"},
            **({"earl:info": outcome.reason} if outcome.reason else {}),
        },
    }
