"""An installed plugin that nobody asked for an engine stays out of the way."""

import re
from pathlib import Path

import pytest

from tests.builders.command_line import Ran, python

HEAVY = ("hypothesis", "pyspark", "rdflib", "lark", "pyoxigraph", "pyarrow", "pandas")

# Runs in a project of its own, whose conftest reports once pytest has finished.
REPORT = f"""
import sys

def pytest_unconfigure(config):
    print("plugin:", config.pluginmanager.has_plugin("rsp_conformance"))
    print("loaded:", sorted(set({HEAVY!r}) & set(sys.modules)))
"""


@pytest.fixture
def lone_project(tmp_path: Path) -> Path:
    """A project with one test of its own."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(REPORT)
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n")
    return tmp_path


def run_pytest(folder: Path, *arguments: str) -> Ran:
    """Run pytest in a process of its own."""
    return python("-m", "pytest", *arguments, cwd=folder, timeout=60)


@pytest.mark.parametrize("arguments", [("test_own.py",), ("--help",), ("--fixtures",)])
def test_without_an_engine_nothing_heavy_is_imported(
    lone_project: Path, arguments: tuple[str, ...]
) -> None:
    # Hypothesis's own plugin imports Hypothesis for the summary of every run.
    found = run_pytest(lone_project, "-p", "no:hypothesispytest", *arguments)

    assert found.status == 0, found.out + found.err
    assert "plugin: True" in found.out, "the entry point `pytest11` is not installed"
    assert "loaded: []" in found.out
    assert found.err == ""


def test_without_an_engine_the_project_runs_as_before(lone_project: Path) -> None:
    found = run_pytest(lone_project)
    without = run_pytest(lone_project, "-p", "no:rsp_conformance")

    assert "1 passed" in found.out
    assert comparable(found.out) == comparable(without.out)
    left = {path.name for path in lone_project.iterdir()}
    assert ".rsp" not in left
    assert ".hypothesis" not in left


SPARK = {"pyspark", "py4j", "pandas", "pyarrow", "grpc", "scipy"}


SUM = """
    from rsp_conformance.sparql.uncertainty.distributions import parse_distribution as read
    from rsp_conformance.sparql.uncertainty.probabilities import probability_less
    print(probability_less(read("N(0,1)") - read("U(0,1)") - read("U(0,2)"), 1.0))
"""


def test_a_run_without_spark_imports_nothing_of_it(lone_project: Path) -> None:
    """The suite but laws and relations, which ask more of the same; a sum, which few cases have."""
    report = REPORT.replace(repr(HEAVY), repr(SPARK)).replace("(config):", f"(config):{SUM}")
    (lone_project / "conftest.py").write_text(report)
    chosen = ("-k", "not law and not relation")
    arguments = ("--rsp-engine=reference", "--rsp-spark=off", "--rsp-examples=1", *chosen)
    found = run_pytest(lone_project, *arguments, "-p", "no:cacheprovider")
    assert "loaded: []" in found.out, found.out + found.err
    assert len(re.findall(r" passed ", found.out)) > 30


def comparable(output: str) -> list[str]:
    """What a run printed, without its time and without the list of installed plugins."""
    return [
        line
        for line in output.splitlines()
        if not re.search(r" in \d+\.\d+s", line) and not line.startswith(("plugins:", "plugin:"))
    ]
