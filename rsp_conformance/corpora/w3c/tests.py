"""What a manifest says of a test, which tests are not run or at odds, and what became of one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from rsp_conformance.corpora.w3c.documents import Document
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.tables import read_table


class W3CKind(Enum):
    """Kinds of tests, by the type that manifests give them."""

    POSITIVE_SYNTAX = "positive syntax"
    NEGATIVE_SYNTAX = "negative syntax"
    EVALUATION = "evaluation"


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
    kind: W3CKind | None
    aside: str | None = None
    query: Document | None = None
    data: tuple[Document, ...] = ()
    graphs: tuple[Document, ...] = ()
    result: Document | None = None
    lax: bool = False

    @property
    def is_syntax(self) -> bool:
        """Whether the grammar alone is tested: can a query be read?"""
        return self.kind in {W3CKind.POSITIVE_SYNTAX, W3CKind.NEGATIVE_SYNTAX}


_TABLE = read_table(__name__, "tests.toml")

KINDS: Mapping[str, W3CKind] = {name: W3CKind(kind) for name, kind in _TABLE["kinds"].items()}
"""The types of tests that are run, by their local names."""

TYPES: Mapping[str, str] = _TABLE["types"]
"""Types that are not run, with the reason."""

UPDATE = TYPES["UpdateEvaluationTest"]
"""Why updates are not run."""

GROUPS: Mapping[str, str] = _TABLE["groups"]
"""Folders whose evaluation tests are not run, with the reason; their syntax tests are."""

AT_ODDS: Mapping[str, str] = _TABLE["at-odds"]
"""Tests whose expected result is not the recommendation's, by IRI, each argued from its text.

Such a test is skipped with its reason, and only where the answer is not the one that it expects: a
test that passes all the same is counted as passed.
"""


@dataclass(frozen=True, slots=True)
class W3CResult:
    """What became of TEST under one evaluator; ``reason`` says why it did not pass.

    A test that is not for a kit of queries over data is ``UNSUPPORTED``; one that an evaluator
    can't be asked is ``UNASKED``; one whose expected result is at odds with the recommendation is
    ``EXCUSED``.
    """

    test: SuiteTest
    evaluator: str
    outcome: Outcome
    reason: str = ""


def sums(results: Iterable[W3CResult]) -> dict[tuple[str, str], Counter[Outcome]]:
    """How many tests ended how, by suite and evaluator, in the order in which they first occur."""
    counts: dict[tuple[str, str], Counter[Outcome]] = defaultdict(Counter)
    for result in results:
        counts[result.test.suite, result.evaluator][result.outcome] += 1
    return dict(counts)
