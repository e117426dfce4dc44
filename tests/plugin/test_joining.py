"""The suite beside the tests that stand there: when it joins, and how its tests are chosen."""

from __future__ import annotations

from xml.etree import ElementTree

from rsp_conformance.run.properties import RELATIONAL, SUITE
from tests.plugin.conftest import QUIET, Project

REFERENCE = ("--engine=reference", "--rsp-examples=5")
FAULTY = (
    *REFERENCE,
    "--engine-option",
    "fault=bounds-end",
    "--engine-option",
    "dial.t0=0",
)
OWN = "tests/test_own.py::test_own"


def collected(project: Project, *arguments: str) -> list[str]:
    """The ids that a run would run; nothing is started for that."""
    ran = project.pytest(*arguments, "--co", "-q")
    assert ran.status == 0, ran.out + ran.err
    return [line for line in ran.out.splitlines() if "::" in line]


def test_it_joins_where_no_path_is_named(project: Project) -> None:
    ids = collected(project, "--engine=reference")
    assert ids[0] == OWN
    assert "rsp::test_windows" in ids and len(ids) == 1 + len(SUITE)
    assert collected(project, "--rsp-engine=reference", "--rsp-only") == ids[1:]


def test_laws_and_relations_have_a_mark(project: Project) -> None:
    laws = collected(project, "--engine=reference", "-m", "laws")
    assert laws == [f"rsp::test_{property.name}" for property in RELATIONAL]
    others = collected(project, "--engine=reference", "-m", "rsp and not laws")
    assert not set(laws) & set(others) and len(laws) + len(others) == len(SUITE)
    assert collected(project, "--engine=reference", "rsp::test_relation[shift]") == [
        "rsp::test_relation[shift]"
    ]


CHOSEN = [
    (("tests/",), [OWN]),
    ((OWN,), [OWN]),
    (("rsp::test_windows",), ["rsp::test_windows"]),
    (("rsp::test_ask", "rsp::test_t0"), ["rsp::test_t0", "rsp::test_ask"]),
    ((OWN, "rsp::test_ask"), [OWN, "rsp::test_ask"]),
    (("tests", "--rsp-only", "-k", "ask"), ["rsp::test_ask"]),
    (("-k", "own or test_ask"), [OWN, "rsp::test_ask"]),
    (("-m", "rsp", "-k", "windows and not same and not count"), ["rsp::test_windows"]),
    (("-m", "not rsp"), [OWN]),
    (("-k", "stream", "--deselect", "rsp::test_istream"), ["same", "rstream", "dstream"]),
]


def test_tests_are_chosen_as_ever(project: Project) -> None:
    for arguments, chosen in CHOSEN:
        ran = project.pytest("--engine=reference", "--co", "-q", *arguments)
        ids = [line for line in ran.out.splitlines() if "::" in line]
        assert len(ids) == len(chosen), (arguments, ran)
        assert all(wanted in found for wanted, found in zip(chosen, ids, strict=True)), arguments


def test_testpaths_of_the_ini_file_are_no_paths_that_were_named(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\ntestpaths = tests\npython_functions = check_*\n")
    project.write("tests/test_more.py", "def check_more():\n    assert True\n")
    ids = collected(project, "--engine=reference")
    assert ids[0] == "tests/test_more.py::check_more"
    assert "rsp::test_windows" in ids and len(ids) == 1 + len(SUITE)


def test_a_project_without_tests_has_the_suite(project: Project) -> None:
    (project.folder / "tests" / "test_own.py").unlink()
    ran = project.pytest(*REFERENCE, "-q", "-k", "test_windows")
    assert ran.status == 0
    assert "1 passed" in ran.out


def test_an_id_that_is_none(project: Project) -> None:
    ran = project.pytest(*REFERENCE, "rsp::test_windoes")
    assert ran.status == 4
    said = "ERROR: no such test: rsp::test_windoes; did you mean 'rsp::test_windows'?"
    assert said in ran.err + ran.out


def test_a_green_run(project: Project) -> None:
    arguments = (*REFERENCE, "-v", "-k", "own or (windows and not count) or report")
    ran = project.pytest(*arguments, quiet=("-W", "error", *QUIET))
    assert (ran.status, ran.err) == (0, ""), ran.out
    assert ran.tests == {
        OWN: "PASSED",
        "rsp::test_windows": "PASSED",
        "rsp::test_same_stream_windows": "PASSED",
        "rsp::test_report_close": "PASSED",
        "rsp::test_report_change": "SKIPPED",
        "rsp::test_report_non_empty": "SKIPPED",
        "rsp::test_report_periodic": "SKIPPED",
    }
    judges = "the reference model and the third opinion (Spark is off)"
    assert f"rsp-conformance: judged by {judges}" in ran.out
    assert "rsp-conformance: --rsp-seed=" in ran.out
    assert ran.counts("windows")[:3] == ("passed", 5, 0)
    assert "\n  report_change: the profile's report policy does not use CC\n" in ran.out
    assert all(len(line) <= 80 for line in ran.out.partition("property    ")[2].splitlines())
    assert project.crashes == []
    assert (project.folder / ".rsp" / ".gitignore").read_text() == "*\n"


def test_failures_come_back_first_and_alone(project: Project) -> None:
    chosen = ("-k", "own or windows or test_ask")
    ran = project.pytest(*FAULTY, *chosen, "-v")
    assert ran.status == 1
    assert ran.tests["rsp::test_windows"] == "FAILED"
    assert ran.tests[OWN] == "PASSED"
    again = project.pytest(*FAULTY, *chosen, "--lf", "--co", "-q")
    ids = [line for line in again.out.splitlines() if "::" in line]
    assert ids == [name for name, outcome in ran.tests.items() if outcome == "FAILED"]
    first = project.pytest("--engine=reference", *chosen, "--ff", "--co", "-q")
    assert [line for line in first.out.splitlines() if "::" in line][: len(ids)] == ids


def test_the_first_failure_can_end_it(project: Project) -> None:
    ran = project.pytest(*FAULTY, "-x", "-v", "-p", "no:cacheprovider")
    assert ran.status == 1
    assert list(ran.tests.items()) == [(OWN, "PASSED"), ("rsp::test_windows", "FAILED")]
    assert "stopping after 1 failures" in ran.out
    assert not (project.folder / ".pytest_cache").exists()


def test_junit_xml_holds_the_argument_as_plain_text(project: Project) -> None:
    ran = project.pytest(*FAULTY, "rsp::test_windows", "--junitxml=j.xml", "--color=yes")
    assert ran.status == 1
    text = project.read("j.xml")
    assert "\x1b" not in text and "&#x1B" not in text.upper()
    suite = ElementTree.fromstring(text).find("testsuite")
    assert suite is not None and suite.get("failures") == "1"
    case = suite.find("testcase")
    assert case is not None and (case.get("classname"), case.get("name")) == ("rsp", "test_windows")
    failure = case.find("failure")
    assert failure is not None and failure.text is not None
    for part in ("Stream :s1", "Timeline, with", "\nWhy  ", "rsp-conformance replay"):
        assert part in failure.text
    values = {p.get("name"): p.get("value") for p in case.iter("property")}
    assert values["rsp_compared"] == "5"
    # Nothing that only a program can read.
    assert not [p for p in suite.iter("property") if "statistics" in p.get("name", "")]
    # Hypothesis has no patch to offer for a test that nobody has written.
    assert "git apply" not in ran.out
    assert not (project.folder / ".hypothesis" / "patches").exists()


def test_options_of_hypothesis(project: Project) -> None:
    project.write("few.py", FEW)
    ran = project.pytest(
        *("--engine=reference", "rsp::test_windows"),
        *("--hypothesis-profile=few", "--hypothesis-verbosity=verbose", "-s"),
        *("-p", "few"),
    )
    assert ran.status == 0, ran.out + ran.err
    assert ran.counts("windows")[1] == 7
    assert "FROM NAMED WINDOW" in ran.out


FEW = "from hypothesis import settings\nsettings.register_profile('few', max_examples=7)\n"


def test_pytest_within_pytest(project: Project) -> None:
    project.write("conftest.py", 'pytest_plugins = "pytester"\n')
    project.write(
        "tests/test_inner.py",
        "def test_inner(pytester):\n"
        "    pytester.makepyfile(test_a='def test_a(): pass')\n"
        "    args = ['--engine=reference', '--rsp-examples=5', '--rsp-spark=off']\n"
        "    found = pytester.runpytest_inprocess(*args, '-k', 'test_a or windows')\n"
        "    found.stdout.fnmatch_lines(['*windows *passed*'])\n"
        "    assert found.ret == 0\n"
        "    assert pytester.runpytest_inprocess().ret == 0\n",
    )
    ran = project.pytest("tests/test_inner.py")
    assert ran.status == 0, ran.out


def test_a_fixture_for_tests_of_ones_own(project: Project) -> None:
    project.write(
        "tests/test_mine.py",
        "def test_mine(rsp_engine):\n    assert rsp_engine.hello.engine == 'reference'\n",
    )
    assert "1 passed" in project.pytest("--engine=reference", "tests/test_mine.py").out
    ran = project.pytest("tests/test_mine.py", "-rs")
    assert "1 skipped" in ran.out and "needs --rsp-engine=NAME" in ran.out


def test_an_engine_registers_itself(project: Project) -> None:
    project.write("mine-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    project.write(
        "mine-1.dist-info/entry_points.txt",
        "[rsp_conformance.engines]\nmine = mine:ENGINE\n",
    )
    project.write(
        "mine.py",
        "from dataclasses import replace\n"
        "from rsp_conformance.adapters.reference.register import ENGINE as THEIRS\n"
        "ENGINE = replace(THEIRS, name='mine')\n",
    )
    ran = project.pytest(
        *("--engine=mine", "--rsp-examples=5", "rsp::test_ask"),
    )
    assert ran.status == 0, ran.out + ran.err
    assert ran.counts("ask")[0] == "passed"
