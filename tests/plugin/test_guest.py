"""In other people's repositories: nothing of theirs breaks, whatever they call their options."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

from tests.builders.drivers import toy
from tests.plugin.conftest import Project, Ran

OURS = "rsp::test_windows"
THEIRS = "tests/test_theirs.py::test_theirs"
BOTH = {OURS: "PASSED", THEIRS: "PASSED"}
SUITE = ("--rsp-examples=3", "-k", "theirs or test_windows", "-v")

CONFTEST = """
import pytest

def pytest_addoption(parser):
    parser.addoption("--engine", {how})
    parser.addoption("--engine-option", action="append")

@pytest.fixture
def engine(request):
    return request.config.getoption("--engine")
"""
TEST = "def test_theirs(engine):\n    assert engine == {engine!r}\n"


def foreign(
    project: Project, conftest: str = "conftest.py", engine: object = "a", how: str = "default='a'"
) -> Project:
    """Make of PROJECT a repository whose own tests need an --engine of its own."""
    project.write(conftest, CONFTEST.format(how=how))
    project.write("tests/test_theirs.py", TEST.format(engine=engine))
    (project.folder / "tests" / "test_own.py").unlink()
    return project


def passed(ran: Ran) -> dict[str, str]:
    """The tests of a run without a word on standard error, none of which may have failed."""
    assert (ran.status, ran.err) == (0, ""), ran.out + ran.err
    return ran.tests


@pytest.mark.parametrize(
    ("conftest", "how", "default", "theirs"),
    [
        ("conftest.py", "default='a'", "a", ("--engine=b", "b")),
        ("tests/conftest.py", "default='a'", "a", ("--engine=b", "b")),
        ("conftest.py", "action='store_true'", False, ("--engine", True)),
        ("tests/conftest.py", "type=int, default=1", 1, ("--engine=2", 2)),
        ("conftest.py", "nargs=2", None, ()),
    ],
)
def test_an_engine_of_a_conftest_stays_the_conftests(
    project: Project,
    conftest: str,
    how: str,
    default: object,
    theirs: tuple[str, object] | tuple[()],
) -> None:
    foreign(project, conftest, default, how)
    assert passed(project.pytest("-v", spark=None)) == {THEIRS: "PASSED"}
    assert passed(project.pytest("--rsp-engine=reference", *SUITE)).items() >= BOTH.items()
    if theirs:
        given, engine = theirs
        project.write("tests/test_theirs.py", TEST.format(engine=engine))
        assert passed(project.pytest(given, "-v", spark=None)) == {THEIRS: "PASSED"}
        ran = project.pytest("--rsp-engine=reference", given, *SUITE)
        assert passed(ran).items() >= BOTH.items()


@pytest.mark.parametrize("order", [("theirs", "rsp"), ("rsp", "theirs")])
def test_an_engine_of_a_plugin_stays_the_plugins(project: Project, order: tuple[str, ...]) -> None:
    foreign(project, "theirs.py")
    plugins = {"theirs": "theirs", "rsp": "rsp_conformance.plugin.entry"}
    named = [f"-p{plugins[name]}" for name in order]
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = project.pytest(*named, "--rsp-engine=reference", *SUITE, variables=alone)
    assert passed(ran) == BOTH


def test_an_engine_of_a_conftest_that_comes_while_tests_are_collected(project: Project) -> None:
    """It is too late for the command line, also without us; but nothing breaks."""
    foreign(project, "services/store/conftest.py")
    project.write("services/store/test_theirs.py", TEST.format(engine="a"))
    (project.folder / "tests" / "test_theirs.py").unlink()
    late = {"services/store/test_theirs.py::test_theirs": "PASSED"}
    for engine in ((), ("--engine=reference",), ("--rsp-engine=reference",)):
        assert (
            passed(project.pytest(*engine, *(SUITE if engine else ("-v",)))).items() >= late.items()
        )
    ran = project.pytest("services/store", "--engine=a", "-v", spark=None)
    assert passed(ran) == late


def test_workers_know_whose_engine_it_is(project: Project) -> None:
    foreign(project)
    ran = project.pytest("--rsp-engine=reference", "--engine=a", "-n2", *SUITE[:-1], "-q")
    assert (ran.status, ran.err) == (0, ""), ran.out
    assert ran.counts("windows")[:2] == ("passed", 3)


def test_the_short_form_is_ours_where_it_is_free(project: Project) -> None:
    """As a word of its own and from a file too, whatever pytest takes for a path at first."""
    project.write("pytest.ini", "[pytest]\ntestpaths = checks\n")
    option = "def pytest_addoption(parser):\n    parser.addoption('--colour')\n"
    project.write("checks/conftest.py", option)
    own = toy("silent")
    (project.folder / "arguments").write_text("--engine=reference\n--engine-option\nt0=first\n")
    for engine in (
        ("--engine=reference", "--engine-option=dial.t0=0"),
        ("--engine", "reference", "--engine-option", "t0=first"),
        ("--engine", own),
        (f"--engine={own}",),
        ("@arguments",),
    ):
        ran = project.pytest(*engine, "--colour=red", "--co", "-q", "-k", "test_windows")
        assert OURS in ran.out, ran.out + ran.err


def test_an_argument_behind_the_options_is_no_option(project: Project) -> None:
    assert "--engine=x" in project.pytest("--", "--engine=x", spark=None).err


def test_two_engines_are_one_line(project: Project) -> None:
    same = ("--engine=reference", "--rsp-engine=reference", "--co", "-q")
    assert OURS in project.pytest(*same).out
    ran = project.pytest("--engine=rsp-js", "--rsp-engine", "reference")
    assert ran.status == pytest.ExitCode.USAGE_ERROR
    said = "ERROR: --engine=rsp-js and --rsp-engine=reference: which engine is to be tested?"
    assert ran.err.strip() == said


def test_an_engine_without_a_name_is_pytests_to_refuse(project: Project) -> None:
    ran = project.pytest("--engine", spark=None)
    assert ran.status == pytest.ExitCode.USAGE_ERROR
    assert "argument --rsp-engine: expected one argument" in ran.err


# What a careful project asks of a run: nothing of ours may warn, mark or write where it should not.
STRICT = """[pytest]
addopts = --strict-markers --strict-config -p no:cacheprovider --import-mode=importlib
filterwarnings = error
"""


def test_a_strict_project_with_packages_of_our_names(project: Project) -> None:
    foreign(project)
    project.write("pytest.ini", STRICT)
    for package in ("tests", "strategies", "fixtures", "adapters", "model"):
        project.write(f"{package}/__init__.py", f"NAME = {package!r}\n")
    text = "from strategies import NAME as s\nfrom fixtures import NAME as f\n"
    text += "from tests import NAME as t\n" + TEST.format(engine="a")
    project.write("tests/test_theirs.py", text + "    assert s and f and t\n")
    ran = project.pytest("--rsp-engine=reference", *SUITE)
    assert passed(ran).items() >= BOTH.items()
    assert not (project.folder / ".pytest_cache").exists()


def test_our_marks_are_theirs_to_misspell_where_the_suite_does_not_run(project: Project) -> None:
    text = "import pytest\n@pytest.mark.laws\ndef test_theirs():\n    pass\n"
    project.write("tests/test_own.py", text)
    ran = project.pytest("--strict-markers", "-q")
    assert "'laws' not found in `markers`" in ran.out
    assert "1 passed" in project.pytest("--rsp-engine=reference", "--strict-markers", "tests").out


def test_from_a_folder_within_the_project_all_files_go_to_its_root(project: Project) -> None:
    """Nothing of Hypothesis' is written either, also when what failed is tried again."""
    project.write("pytest.ini", "[pytest]\n")
    mutant = ("--engine-option=fault=bounds-end", "--engine-option=dial.t0=0")
    for _ in range(2):
        ran = project.pytest(
            *("--engine=reference", *mutant, "--rsp-examples=8", "--rsp-only"),
            *("-k", "test_windows or iris"),
            folder="tests",
        )
        assert ran.status == 1, ran.out + ran.err
    made = {path.name for path in project.folder.iterdir()} - {"pytest.ini", "tests"}
    assert made - {".pytest_cache"} == {".rsp"}
    assert {path.name for path in project.folder.glob("tests/*")} <= {"test_own.py", "__pycache__"}
    assert project.crashes


def test_a_folder_that_cannot_be_written(project: Project) -> None:
    """As on a read-only disk: the run goes on, and says where its files are."""
    project.write(".rsp", "a file is in the way")
    mutant = ("--engine-option=fault=bounds-end", "--engine-option=dial.t0=0")
    with tempfile.TemporaryDirectory() as temporary:  # short enough for a line of the report
        ran = project.pytest(
            *("--engine=reference", *mutant, "--rsp-examples=20", OURS),
            variables={"TMPDIR": temporary},
        )
        assert len(list(Path(temporary).glob("rsp-*/crashes"))) == 1
    with tempfile.TemporaryDirectory() as temporary:
        few = ("--engine=reference", "--rsp-examples=3", OURS)
        right = project.pytest(*few, variables={"TMPDIR": temporary})
        assert right.status == 0 and not list(Path(temporary).glob("rsp-*"))
    assert ran.status == 1 and "Traceback" not in ran.out + ran.err, ran.out + ran.err
    assert "/.rsp cannot be written (File exists): files are in /" in ran.out
    assert re.search(r"replay\s+/\S+/crashes/\w{6}\b", ran.out)
    named = project.pytest("--engine=reference", "--rsp-dir=.rsp", OURS)
    assert named.status == 2 and named.err == "ERROR: --rsp-dir .rsp: File exists\n"
