"""The outcomes as an EARL report (Evaluation and Report Language 1.0), as W3C collects them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from rsp_conformance.corpora.w3c.tests import Outcome, Result

EARL = "http://www.w3.org/ns/earl#"
DOAP = "http://usefulinc.com/ns/doap#"
DC = "http://purl.org/dc/terms/"
PROJECT = "urn:x-rsp-conformance:"
"""The IRI of the project; each evaluator is a subject under it, named by what follows."""


def earl_report(outcomes: Iterable[Outcome], now: datetime | None = None) -> str:
    """OUTCOMES in Turtle, an ``earl:Assertion`` each; NOW is the time of the run.

    A test that is not for a kit of queries over data is ``earl:inapplicable``; another skipped one
    is ``earl:untested``, with the reason in ``earl:info``.
    """
    from rdflib import RDF, XSD, BNode, Graph, Literal, Namespace, URIRef

    from rsp_conformance import __version__

    earl, doap, dc = Namespace(EARL), Namespace(DOAP), Namespace(DC)
    graph = Graph()
    for prefix, namespace in (("earl", earl), ("doap", doap), ("dc", dc)):
        graph.bind(prefix, namespace)
    when = Literal((now or datetime.now(UTC)).isoformat(timespec="seconds"), datatype=XSD.dateTime)
    project = URIRef(PROJECT)
    graph.add((project, RDF.type, doap.Project))
    graph.add((project, doap.name, Literal("rsp-conformance")))
    graph.add((project, doap["programming-language"], Literal("Python")))
    release = BNode("release")
    graph.add((project, doap.release, release))
    graph.add((release, RDF.type, doap.Version))
    graph.add((release, doap.revision, Literal(__version__)))
    assertor = URIRef(PROJECT + "assertor")
    graph.add((assertor, RDF.type, earl.Software))
    graph.add((assertor, RDF.type, earl.Assertor))
    graph.add((assertor, dc.title, Literal("rsp-conformance w3c")))
    subjects: dict[str, URIRef] = {}
    for number, outcome in enumerate(outcomes):
        subject = subjects.get(outcome.evaluator)
        if subject is None:
            subject = subjects[outcome.evaluator] = URIRef(PROJECT + outcome.evaluator)
            graph.add((subject, RDF.type, earl.TestSubject))
            graph.add((subject, RDF.type, earl.Software))
            graph.add((subject, dc.title, Literal(f"rsp-conformance, {outcome.evaluator}")))
            graph.add((subject, dc.isPartOf, project))
        test = URIRef(outcome.test.iri)
        graph.add((test, RDF.type, earl.TestCase))
        graph.add((test, dc.title, Literal(outcome.test.name)))
        assertion, result = BNode(f"assertion{number}"), BNode(f"result{number}")
        graph.add((assertion, RDF.type, earl.Assertion))
        graph.add((assertion, earl.assertedBy, assertor))
        graph.add((assertion, earl.subject, subject))
        graph.add((assertion, earl.test, test))
        graph.add((assertion, earl.mode, earl.automatic))
        graph.add((assertion, earl.result, result))
        graph.add((result, RDF.type, earl.TestResult))
        graph.add((result, earl.outcome, earl[outcome_name(outcome)]))
        graph.add((result, dc.date, when))
        if outcome.reason:
            graph.add((result, earl.info, Literal(outcome.reason)))
    return str(graph.serialize(format="turtle"))


def outcome_name(outcome: Outcome) -> str:
    """The local name of EARL's outcome value."""
    if outcome.result is Result.SKIPPED:
        return "inapplicable" if outcome.test.aside else "untested"
    name: str = outcome.result.value
    return name
