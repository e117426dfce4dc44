"""What a manifest says of a test."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rsp_conformance.corpora.w3c.layout import Document


class Kind(Enum):
    """Kinds of tests, by the type that manifests give them."""

    POSITIVE_SYNTAX = "positive syntax"
    NEGATIVE_SYNTAX = "negative syntax"
    EVALUATION = "evaluation"

    @property
    def is_syntax(self) -> bool:
        """Whether the test asks only if a query can be read."""
        return self is not Kind.EVALUATION


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A test of a suite.

    ``kind`` is None for a test of anything but queries. ``aside`` says why the test is not for a
    kit of queries over data, None where it is. ``data`` make the default graph, ``graphs`` the
    named ones, each under its own IRI. ``lax`` is the manifests' ``mf:LaxCardinality``: how often
    REDUCED leaves a solution is open.
    """

    iri: str
    name: str
    suite: str
    kind: Kind | None
    aside: str | None = None
    query: Document | None = None
    data: tuple[Document, ...] = ()
    graphs: tuple[Document, ...] = ()
    result: Document | None = None
    lax: bool = False
