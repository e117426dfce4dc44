"""Outcomes as an EARL report (Evaluation and Report Language 1.0), as W3C collects them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

from rsp_conformance import __version__
from rsp_conformance.model.outcome import Outcome

EARL = "http://www.w3.org/ns/earl#"  # the namespace of the vocabulary
PROJECT = "urn:x-rsp-conformance:"
"""The IRI of the project."""
PREFIXES = {
    "earl": EARL,
    "doap": "http://usefulinc.com/ns/doap#",
    "dc": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

OUTCOMES: Final[Mapping[Outcome, str]] = {
    Outcome.RIGHT: "passed",
    Outcome.WRONG: "failed",
    Outcome.FAILED: "failed",
    Outcome.VACUOUS: "cantTell",
    Outcome.EXCUSED: "untested",
    Outcome.UNSUPPORTED: "inapplicable",
    Outcome.NOT_JUDGED: "cantTell",
    Outcome.UNASKED: "untested",
    Outcome.DISPUTED: "cantTell",
}
"""EARL's name of each outcome."""


def project_iri(kind: str, name: str) -> str:
    """Return the IRI of a thing of the project.

    Brackets and other characters that an IRI may not contain are written ``%XX``.

    Args:
        kind: the kind of thing, such as ``property``.
        name: its name.
    """
    return f"{PROJECT}{kind}:{quote(name)}"


@dataclass(frozen=True, slots=True)
class EarlAssertion:
    """The result of one test.

    Attributes:
        subject: the IRI of the tested software.
        test: the IRI of the test.
        title: the test's title.
        outcome: EARL's name of the outcome, one of `OUTCOMES`.
        info: the reason for it.
    """

    subject: str
    test: str
    title: str
    outcome: str
    info: str = ""


def earl_report(
    subjects: Mapping[str, Mapping[str, Any]], assertions: Iterable[EarlAssertion], assertor: str
) -> str:
    """Return an EARL report in Turtle, with one ``earl:Assertion`` per assertion, dated now.

    Args:
        subjects: the tested software: by its IRI, its description in JSON-LD.
        assertions: the results.
        assertor: the title of the asserting software.
    """
    from pyoxigraph import RdfFormat, parse, serialize

    now = datetime.now(UTC).isoformat(timespec="seconds")
    nodes = [
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
            "dc:title": assertor,
        },
        *(
            {"@id": iri, "@type": ["earl:TestSubject", "earl:Software"], **said}
            for iri, said in subjects.items()
        ),
        *(_assertion(one, now) for one in assertions),
    ]
    text = json.dumps({"@context": PREFIXES, "@graph": nodes})
    triples = dict.fromkeys(quad.triple for quad in parse(text, RdfFormat.JSON_LD))
    report = serialize(triples, format=RdfFormat.TURTLE, prefixes=PREFIXES)
    assert report is not None, "it is written to no file"
    return report.decode()


def _assertion(one: EarlAssertion, now: str) -> dict[str, Any]:
    return {
        "@type": "earl:Assertion",
        "earl:assertedBy": {"@id": PROJECT + "assertor"},
        "earl:subject": {"@id": one.subject},
        "earl:test": {"@id": one.test, "@type": "earl:TestCase", "dc:title": one.title},
        "earl:mode": {"@id": "earl:automatic"},
        "earl:result": {
            "@type": "earl:TestResult",
            "earl:outcome": {"@id": f"earl:{one.outcome}"},
            "dc:date": {"@value": now, "@type": "xsd:dateTime"},
            **({"earl:info": one.info} if one.info else {}),
        },
    }
