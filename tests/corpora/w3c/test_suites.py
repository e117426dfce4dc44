"""W3C's SPARQL 1.0 and 1.1 query tests, by the grammar and by both semantics.

The suites are a checkout of the public w3c/rdf-tests: ``--w3c DIR``, or ``$W3C_RDF_TESTS``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from rsp_conformance.corpora.w3c.run import SPECIFICATION, Column, by_spark, run
from rsp_conformance.corpora.w3c.suites import Checkout, find_checkout, read_tests
from rsp_conformance.corpora.w3c.tests import AT_ODDS, SuiteTest, W3CResult
from rsp_conformance.model.outcome import Outcome

NONE = "no W3C suites: give a checkout of w3c/rdf-tests by --w3c DIR or W3C_RDF_TESTS"
JudgedRecording = Callable[[str], dict[str, W3CResult]]


def folder(config: pytest.Config) -> Path | None:
    given = config.getoption("--w3c") or os.environ.get("W3C_RDF_TESTS")
    return Path(given) if given else None


@cache
def suites(root: Path) -> tuple[Checkout, tuple[SuiteTest, ...]]:
    checkout = find_checkout(root)
    return checkout, read_tests(checkout)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "test" not in metafunc.fixturenames:
        return
    root = folder(metafunc.config)
    if root is None:
        metafunc.parametrize("test", [pytest.param(None, marks=pytest.mark.skip(NONE), id="none")])
        return
    syntax = metafunc.function is test_syntax
    chosen = [t for t in suites(root)[1] if t.aside is None and t.is_syntax is syntax]
    ids = [f"{t.suite}/{t.iri.rpartition('#')[2]}" for t in chosen]
    metafunc.parametrize("test", chosen, ids=ids)


@pytest.fixture(scope="module")
def judged(pytestconfig: pytest.Config, request: pytest.FixtureRequest) -> JudgedRecording:
    """The outcomes of a column by IRI; each column is run once, Spark's as one batch."""
    root = folder(pytestconfig)
    if root is None:
        pytest.skip(NONE)
    checkout, tests = suites(root)
    chosen = [t for t in tests if t.aside is None and not t.is_syntax]

    @cache
    def of(semantics: str) -> dict[str, W3CResult]:
        column = SPECIFICATION
        if semantics == "spark":
            column = by_spark(request.getfixturevalue("spark"))
        return {result.test.iri: result for result in results(checkout, chosen, column)}

    return of


def results(checkout: Checkout, tests: Sequence[SuiteTest], *columns: Column) -> list[W3CResult]:
    return [one for one in run(checkout, tests, columns) if isinstance(one, W3CResult)]


def check(result: W3CResult) -> None:
    if not result.outcome.compares:
        pytest.skip(result.reason)
    if result.outcome.accuses:
        pytest.fail(f"{result.test.iri}: {result.reason}", pytrace=False)


def test_syntax(test: SuiteTest, pytestconfig: pytest.Config) -> None:
    root = folder(pytestconfig)
    assert root is not None
    (result,) = results(suites(root)[0], [test])
    check(result)


def test_by_the_specification(test: SuiteTest, judged: JudgedRecording) -> None:
    check(judged("specification")[test.iri])


@pytest.mark.spark
def test_by_spark(test: SuiteTest, judged: JudgedRecording) -> None:
    check(judged("spark")[test.iri])


def test_what_is_called_at_odds_is_so(judged: JudgedRecording) -> None:
    """Each exception is a test of the suites that the specification answers otherwise."""
    found = judged("specification")
    assert {found[iri].outcome for iri in AT_ODDS} == {Outcome.EXCUSED}


def test_nothing_else_is_skipped(judged: JudgedRecording) -> None:
    """Skipped tests fail no run, so each is accounted for: nothing may be refused by and by."""
    for iri, result in judged("specification").items():
        if not result.outcome.compares and iri not in AT_ODDS:
            assert result.reason.endswith(", whose value is not determined")


@pytest.mark.spark
def test_spark_skips_what_the_specification_skips(judged: JudgedRecording) -> None:
    skipped = [
        {iri for iri, o in judged(semantics).items() if not o.outcome.compares}
        for semantics in ("specification", "spark")
    ]
    assert skipped[0] == skipped[1]
