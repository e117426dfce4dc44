"""``--rsp-suite`` and ``--rsp-earl``: a suite's tests as items, skipped with a reason, reported."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib

from rsp_conformance.diagnosis.fingerprint import Fingerprint
from rsp_conformance.files.earl import EARL
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.test_suite.dependence import Dependence
from rsp_conformance.test_suite.entry import SuiteEntry
from rsp_conformance.test_suite.export import export_suite, suite_case
from tests.builders.cases import nearby_case
from tests.builders.drivers import toy
from tests.plugin.conftest import Project

S = nearby_case(4, 2)
E = rdflib.Namespace(EARL)


def small_suite() -> list[SuiteEntry]:
    """Tests for plain RSP-QL, one of them with ISTREAM, and one for closed bounds alone."""
    found = []
    for name, dials, operator in (
        ("windows", Dials(unit=1000), None),
        ("istream", Dials(unit=1000), StreamOperator.ISTREAM),
        ("closed", Dials(unit=1000, bounds="[o,c]"), None),
    ):
        case = replace(S, query=replace(S.query, operator=operator))
        made = suite_case(case, dials, name, f"of {name}")
        required = Dependence(made.case, dials).requires("0")
        found.append(SuiteEntry((replace(made, requires=(required,)),)))
    return found


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    export_suite(folder, "three", small_suite())
    return folder


def outcomes(path: Path, engine: str = "reference") -> dict[str, tuple[str, str]]:
    graph = rdflib.Graph().parse(path)
    found = {}
    for one in graph.subjects(rdflib.RDF.type, E.Assertion):
        result = graph.value(one, E.result)
        assert (result, rdflib.RDF.type, E.TestResult) in graph
        test = graph.value(one, E.test)
        assert isinstance(test, rdflib.URIRef)
        assert str(graph.value(one, E.subject)) == f"urn:x-rsp-conformance:engine:{engine}"
        outcome = str(graph.value(result, E.outcome)).removeprefix(EARL)
        found[str(test)] = outcome, str(graph.value(result, E.info) or "")
    return found


def test_a_right_engine_passes(project: Project, suite: Path) -> None:
    for more in (("-n", "2"), ()):
        ran = project.pytest(
            "--engine=reference", f"--rsp-suite={suite}", "--rsp-earl=earl.ttl", "-v", *more
        )
        assert ran.status == 0, ran.out
        assert "2 passed, 0 failed, 1 not for this engine, 0 not judged" in ran.out
        said = outcomes(project.folder / "earl.ttl")
        assert said["urn:x-rsp-conformance:test:windows"] == ("passed", "")
        outcome, why = said["urn:x-rsp-conformance:test:closed"]
        assert outcome == "inapplicable" and why.startswith("bounds=(o,c], and the case needs")
        assert len(said) == 3
    assert ran.tests["rsp::windows"] == "PASSED"
    assert ran.tests["rsp::closed"] == "SKIPPED"


def test_a_wrong_engine_fails_by_what_came(project: Project, suite: Path) -> None:
    ran = project.pytest(
        *("--engine=reference", "--engine-option=fault=istream-ignored"),
        *(f"--rsp-suite={suite}", "--rsp-earl=earl.ttl", "--junitxml=junit.xml", "-v"),
    )
    assert ran.status == 1
    assert ran.tests["rsp::istream"] == "FAILED" and ran.tests["rsp::windows"] == "PASSED"
    assert "istream: of istream" in ran.out and "The engine answered:" in ran.out
    assert f"Files: {suite}/cases/istream" in ran.out
    outcome, why = outcomes(project.folder / "earl.ttl")["urn:x-rsp-conformance:test:istream"]
    assert outcome == "failed" and "Legal from" in why
    assert 'name="rsp_outcome" value="failed"' in project.read("junit.xml")


@pytest.mark.parametrize(
    ("mutants", "status", "said"),
    [
        ("istream-ignored", 0, "1 passed, 0 failed, 1 known, 1 not for this engine"),
        ("istream-ignored,newest-only", 1, "0 passed, 2 failed, 1 not for this engine"),
    ],
)
def test_a_failure_of_a_known_cause_is_known(
    project: Project, suite: Path, mutants: str, status: int, said: str
) -> None:
    """Of that cause alone: one that is known in part has failed."""
    project.write("known.toml", '[[known]]\nmutants = ["istream-ignored"]\nreason = "issue 1"\n')
    ran = project.pytest(
        *("--engine=reference", f"--engine-option=fault={mutants}", "--rsp-known=known.toml"),
        *(f"--rsp-suite={suite}", "--rsp-earl=earl.ttl", "--junitxml=junit.xml", "-v"),
    )
    assert (ran.status, said in ran.out) == (status, True), ran.out
    assert ran.tests["rsp::istream"] == ("FAILED" if status else "XFAIL")
    outcome, _ = outcomes(project.folder / "earl.ttl")["urn:x-rsp-conformance:test:istream"]
    assert outcome == "failed"
    known = 'name="rsp_known" value="istream-ignored"'
    assert (known in project.read("junit.xml")) == (not status)


def test_a_case_that_the_engine_dies_of_is_known_by_its_fingerprint(
    project: Project, suite: Path
) -> None:
    engine = f"--engine={toy('puzzled', 'select,istream')}"
    first = project.pytest(engine, f"--rsp-suite={suite}")
    assert first.status == 1 and "0 passed, 2 failed" in first.out, first.out
    digits = Fingerprint("rejected", "what is a WINDOW?").id
    project.write("known.toml", f'[[known]]\nfingerprint = "{digits}"\nreason = "issue 2"\n')
    ran = project.pytest(engine, f"--rsp-suite={suite}", "--rsp-known=known.toml")
    assert ran.status == 0 and "0 passed, 0 failed, 2 known" in ran.out, ran.out


def test_one_test_by_its_id(project: Project, suite: Path) -> None:
    arguments = ("--engine=reference", f"--rsp-suite={suite}", "-v")
    ran = project.pytest(*arguments, "rsp::istream")
    assert ran.status == 0 and ran.tests == {"rsp::istream": "PASSED"}
    ran = project.pytest(*arguments, "rsp::istreams")
    assert ran.status == 4 and "no such test: rsp::istreams" in ran.err + ran.out


def test_a_run_in_which_nothing_is_for_the_engine_fails(project: Project, suite: Path) -> None:
    arguments = ("--engine=reference", f"--rsp-suite={suite}", "--rsp-dial=window=last-closed")
    ran = project.pytest(*arguments)
    assert ran.status == 1
    assert "Nothing was compared: this run says nothing about the engine." in ran.out


def test_the_engine_hands_out_its_answers_in_its_own_way(project: Project, suite: Path) -> None:
    """Stamps by arrivals or none, values, a tolerance: the tests are the same."""
    for dials in (
        ("answer_time=arrival", "trigger=>=", "clock=own"),
        ("answer_time=none",),
        ("numbers=value", "time_tolerance=1"),
    ):
        turned = [f"--engine-option=dial.{dial}" for dial in dials]
        ran = project.pytest("--engine=reference", *turned, f"--rsp-suite={suite}", "-v")
        assert ran.status == 0, (dials, ran.out)
        assert "2 passed, 0 failed" in ran.out


def test_what_means_nothing_with_a_suite_is_refused(project: Project, suite: Path) -> None:
    for more in ("--rsp-deep", "--rsp-json=r.json", "--rsp-known-write=k.toml"):
        ran = project.pytest("--engine=reference", f"--rsp-suite={suite}", more)
        assert ran.status == 2
        assert f"{more.partition('=')[0]}: means nothing with --rsp-suite" in ran.err


def test_earl_of_properties(project: Project) -> None:
    ran = project.pytest(
        *("--engine=reference", "--engine-option=fault=union-dedup", "--rsp-earl=earl.ttl"),
        "--rsp-examples=12",
        *("rsp::test_ask", "rsp::test_union", "rsp::test_law[UAss]"),
    )
    assert ran.status == 1 and "\nAs EARL: earl.ttl\n" in ran.out
    said = {iri: outcome for iri, (outcome, _) in outcomes(project.folder / "earl.ttl").items()}
    assert said == {
        "urn:x-rsp-conformance:property:ask": "passed",
        "urn:x-rsp-conformance:property:union": "failed",
        "urn:x-rsp-conformance:property:law%5BUAss%5D": "failed",
    }
    ran = project.pytest("--engine=reference", "--rsp-earl=no/where.ttl")
    assert ran.status == 2 and "cannot be written" in ran.err


def test_a_run_goes_on_and_asks_no_test_again(project: Project, suite: Path) -> None:
    """Nor is it taken for a run of the properties, or of the suite as it was before an edit."""
    given = (f"--engine={toy('puzzled', 'select,istream')}", "--rsp-earl=earl.ttl")
    first = project.pytest(*given, f"--rsp-suite={suite}", "-n", "2")
    said = outcomes(project.folder / "earl.ttl", "toy")
    again = project.pytest(*given, f"--rsp-suite={suite}", "--rsp-resume", "--rsp-trace=trace")
    assert (first.status, again.status) == (1, 1)
    assert outcomes(project.folder / "earl.ttl", "toy") == said
    assert sorted(outcome for outcome, _ in said.values()) == ["failed", "failed", "inapplicable"]
    wire = project.read("trace")
    assert '"op":"hello"' in wire and '"op":"run"' not in wire
    ran = project.pytest(*given, "--rsp-resume")
    assert ran.status == 2 and f"is of suite '{suite}', and now it is none" in ran.err, ran.err
    edited = project.folder / "edited"
    shutil.copytree(suite, edited)
    project.pytest(*given, f"--rsp-suite={edited}")
    export_suite(edited, "two", small_suite()[:2])
    ran = project.pytest(*given, f"--rsp-suite={edited}", "--rsp-resume")
    assert ran.status == 2 and "the last run is of cases " in ran.err, ran.err


def test_when_the_time_is_over_no_test_is_asked(project: Project, suite: Path) -> None:
    ran = project.pytest(
        "--engine=reference", f"--rsp-suite={suite}", "--rsp-max-time=0.000001", "-v"
    )
    assert "1 not for this engine, 0 not judged, 2 not asked" in ran.out, ran.out
    assert "not asked: the time was up" in " ".join(ran.out.split()) and ran.status == 1


def test_a_hanging_engine_has_its_time_limit_once(project: Project, suite: Path) -> None:
    """Whatever hangs after it may only be slow: hundreds of tests would take hours."""
    ran = project.pytest(
        "--rsp-only",
        f"--rsp-suite={suite}",
        f"--engine={toy('hang', 'select,istream')}",
        "--rsp-time-limit=2",
        "-v",
    )
    assert ran.status == 1
    assert sorted(ran.tests.values()) == ["FAILED", "SKIPPED", "SKIPPED"]
    assert "0 passed, 1 failed, 1 not for this engine, 0 not judged, 1 not asked" in ran.out
