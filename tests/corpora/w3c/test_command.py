"""``rsp-conformance w3c`` on a suite of a few tests: table, JSON, EARL report, exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import rdflib

from rsp_conformance.corpora.w3c.run import Column, only_content
from rsp_conformance.corpora.w3c.run import run as run_tests
from rsp_conformance.corpora.w3c.suites import find_checkout, read_tests
from rsp_conformance.corpora.w3c.tests import W3CResult
from rsp_conformance.files.earl import EARL
from rsp_conformance.model.outcome import Outcome
from tests.builders.command_line import cli
from tests.builders.w3c import BASE, MINI, PREFIXES, write

SPECIFICATION = ["specification"]
COLUMNS = [*SPECIFICATION, "spark"]


def run(*arguments: object) -> tuple[int, dict[str, Any]]:
    ran = cli("w3c", *arguments, "--format", "json")
    assert ran.err == ""
    return ran.status, json.loads(ran.out)


def row(suite: str, evaluator: str, *counts: int) -> dict[str, Any]:
    counted = dict(zip(("passed", "failed", "skipped"), counts, strict=True))
    return {"suite": f"sparql11/{suite}", "evaluator": evaluator} | counted


def expected_results(columns: list[str]) -> list[dict[str, Any]]:
    found = [row("mini", "grammar", 2, 0, 0)]
    for column in columns:
        found.append(row("mini", column, 4, 1, 1))
        found.append(row("update", column, 0, 0, 1))
    return found


def test_a_suite_as_json_and_as_a_table_and_in_parts(tmp_path: Path) -> None:
    status, found = run(write(tmp_path), "--no-spark")
    assert status == 1
    assert found["results"] == expected_results(SPECIFICATION)
    failures = [(one["test"], one["evaluator"]) for one in found["failures"]]
    assert failures == [(f"{BASE}wrong", column) for column in SPECIFICATION]
    assert all("expected {?x=1}, the answer is {}" in one["reason"] for one in found["failures"])
    skipped = {(one["test"], one["evaluator"]): one["reason"] for one in found["skipped"]}
    for column in SPECIFICATION:
        assert "DESCRIBE" in skipped[f"{BASE}describe", column]
        assert "Update" in skipped[BASE.replace("mini", "update") + "u", column]
    ran = cli("w3c", write(tmp_path), "--no-spark")
    assert ran.status == 1 and ran.err == ""
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "mini 2 0 0" in lines
    assert "mini 4 1 1" in lines
    assert "every suite 4 1 2" in lines
    assert f"FAILED {BASE}wrong" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    folder = write(tmp_path) / "sparql" / "sparql11"
    for given in (folder.parent, folder):
        assert run(given, "--no-spark")[1]["results"] == expected_results(SPECIFICATION)
    found = run(folder / "mini", "--no-spark")[1]
    assert found["results"] == [r for r in expected_results(SPECIFICATION) if "mini" in r["suite"]]
    assert found["failures"][0]["test"] == f"{BASE}wrong"


@pytest.mark.spark
@pytest.mark.usefixtures("no_other_spark")
def test_spark_runs_the_same_tests(tmp_path: Path) -> None:
    status, found = run(write(tmp_path))
    assert status == 1
    assert found["results"] == expected_results(COLUMNS)


def test_an_evaluation_that_is_missing_is_a_failure(tmp_path: Path) -> None:
    """A semantics that never evaluates: what a broken report would look like."""
    silent = Column("silent", lambda cases: (only_content(()) for _ in cases))
    checkout = find_checkout(write(tmp_path))
    found = [
        o
        for o in run_tests(checkout, read_tests(checkout), [silent])
        if isinstance(o, W3CResult) and o.evaluator == "silent" and not o.test.aside
    ]
    assert len(found) == 6
    assert {(o.outcome, o.reason) for o in found} == {
        (Outcome.WRONG, "evaluations at none, where one at 1 was due")
    }


def test_what_fails_is_counted_and_named(tmp_path: Path) -> None:
    status, found = run(write(tmp_path / "1", empty__ttl="<urn:a> <urn:p> 1 ."), "--no-spark")
    assert (status, found["failures"]) == (0, [])
    folder = write(tmp_path / "2", broken__rq="SELECT * {}")
    status, found = run(folder, "--no-spark")
    assert status == 1
    assert found["results"][0] == row("mini", "grammar", 1, 1, 0)
    assert found["failures"][0] == {
        "test": f"{BASE}refuses",
        "evaluator": "grammar",
        "reason": "is no query, and the grammar takes it",
    }
    _, found = run(write(tmp_path / "3", from__srj="[]"), "--no-spark")
    assert [one["test"] for one in found["failures"][:2]] == [f"{BASE}wrong", f"{BASE}from"]
    assert "from.srj" in found["failures"][1]["reason"]


def test_earl_report(tmp_path: Path) -> None:
    path = tmp_path / "report.ttl"
    run(write(tmp_path), "--no-spark", "--earl", path)
    graph = rdflib.Graph().parse(path, format="turtle")
    earl = rdflib.Namespace(EARL)
    outcomes = {}
    for assertion in graph.subjects(rdflib.RDF.type, earl.Assertion):
        result = graph.value(assertion, earl.result)
        assert (result, rdflib.RDF.type, earl.TestResult) in graph
        assert graph.value(assertion, earl.assertedBy) is not None
        subject = str(graph.value(assertion, earl.subject)).rpartition(":")[2]
        test = str(graph.value(assertion, earl.test)).rpartition("#")[2]
        outcomes[subject, test] = str(graph.value(result, earl.outcome)).removeprefix(EARL)
    assert len(outcomes) == 2 + 7
    assert outcomes["grammar", "reads"] == outcomes["grammar", "refuses"] == "passed"
    assert outcomes["specification", "right"] == "passed"
    assert outcomes["specification", "wrong"] == "failed"
    assert outcomes["specification", "path"] == "passed"
    assert outcomes["specification", "describe"] == "untested"
    assert outcomes["specification", "u"] == "inapplicable"


BROKEN = {
    "line 2: between columns 1 and 3: no is not a valid subject": "\nno Turtle in it",
    "has no mf:action": PREFIXES + "<> mf:entries (:t) . :t a mf:QueryEvaluationTest .",
    "does not say what it is": PREFIXES + "<> mf:entries (:t) .",
    "no manifest": PREFIXES + "<> a mf:Manifest .",
    "there is no such file": MINI.replace("qt:data <data.ttl>", "qt:data <gone.ttl>"),
    "has no mf:result": MINI.replace("mf:result <from.srj>", "mf:name 'x'"),
}


@pytest.mark.parametrize("said", BROKEN)
def test_a_broken_manifest(said: str, tmp_path: Path) -> None:
    folder = write(tmp_path, manifest__ttl=BROKEN[said])
    line = cli("w3c", folder, "--no-spark").line()
    assert said in line and "manifest.ttl" in line


def test_what_is_no_suite_or_no_report_is_one_line(tmp_path: Path) -> None:
    said = cli("w3c", tmp_path).line()
    assert "holds neither" in said and "give a checkout of w3c/rdf-tests" in said
    assert "there is no such folder" in cli("w3c", tmp_path / "gone").line()
    (tmp_path / "file").touch()
    assert "no folder" in cli("w3c", tmp_path / "file").line()
    # A run that says nothing is not well.
    line = cli("w3c", write(tmp_path) / "sparql/sparql11/update", "--no-spark").line()
    assert "1 test, all of them skipped" in line and "name a checkout of w3c/rdf-tests" in line
    line = cli("w3c", write(tmp_path), "--earl", tmp_path / "no" / "report.ttl").line()
    assert "--earl" in line and "cannot be written" in line
