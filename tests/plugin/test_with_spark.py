"""The suite with Spark as it is by default."""

from __future__ import annotations

import os
import socket

import pytest

from tests.plugin.conftest import Project
from tests.plugin.test_processes import nothing_left

pytestmark = [pytest.mark.spark, pytest.mark.slow]

CHOSEN = ("--rsp-examples=10", "rsp::test_windows", "rsp::test_ask", "rsp::test_istream")

COUNTED = """
from rsp_conformance.spark import session

def pytest_configure(config):
    Counted.place = "a worker" if hasattr(config, "workerinput") else "the controller"

class Counted(session.SessionStarter):
    def _run(self):
        print("Spark in", self.place)
        super()._run()

import rsp_conformance.plugin.main as plugin
plugin.SessionStarter = Counted
"""

CONTRARY = """
from contextlib import suppress
from dataclasses import replace
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spark.session import SessionStarter
from rsp_conformance.spec.correctness import judge
import rsp_conformance.spark.batch.judge as batch

class Contrary:
    "Says of every answer what the specification does not; it needs no session."
    def __init__(self, handle):
        pass
    def judge(self, tasks):
        found = {}
        for task in tasks:
            with suppress(Unsupported):
                own = judge(task.case, task.dials, task.observed)
                found[task.key] = replace(own, correct=not own.correct)
        return found

SessionStarter.result = lambda starter: None
batch.SparkSemantics = Contrary
"""


def test_a_failure_is_confirmed_by_spark_and_a_burn_in_fails_with_the_argument(
    project: Project,
) -> None:
    """The burn-in comes last, and has the session of the others."""
    fault = ("--engine-option=fault=bounds-end", "--engine-option=t0=first")
    with nothing_left(os.getpid() * 100 + 2) as environment:
        ran = project.pytest(
            *("--engine=reference", *fault, "--rsp-examples=10", "rsp::test_windows"),
            *("rsp::test_burnin", "--rsp-burnin=400"),
            spark="local[*]",
            environment=environment,
        )
    assert (ran.status, ran.err) == (1, "")
    assert "judged by the reference model and Spark (local[*])" in ran.out
    judges = "the reference model and the third opinion (Spark judges it at the end)"
    said = f"Confirmed by {judges}; reproduced 3"
    assert said in " ".join(ran.out.split())
    assert "Judged by the reference model and Spark (local[*])." in ran.out
    assert ran.counts("burnin")[0] == "FAILED" and ran.counts("burnin")[1] > 0
    assert "the shortest stretch that shows it is from" in ran.out.lower()
    assert "rsp-conformance burnin --engine reference --engine-option fault=bounds-end" in ran.out
    assert any("burnin" in name for name in project.crashes)


def test_workers_have_the_one_spark_of_the_controller(project: Project) -> None:
    project.write("conftest.py", COUNTED)
    with nothing_left(os.getpid() * 100 + 3) as environment:
        ran = project.pytest(
            *("--engine=reference", "-n", "2", "-s", *CHOSEN),
            spark="local[*]",
            environment=environment,
        )
    assert (ran.status, ran.err) == (0, ""), ran.out
    assert ran.out.count("Spark in") == ran.out.count("Spark in the controller") == 1
    assert "Judged by the reference model and Spark (local[*])." in ran.out
    assert "KIT ERROR" not in ran.out
    assert {row.split()[0] for row in ran.rows.values()} == {"passed"}


def test_workers_hear_where_the_controllers_spark_differs(project: Project) -> None:
    project.write("conftest.py", CONTRARY)
    ran = project.pytest(
        *("--engine=reference", "-n", "2", "--rsp-examples=10", "rsp::test_windows"),
        spark="local[*]",
    )
    assert ran.status == 1 and "Spark says wrong" in ran.out
    assert ran.rows["windows"].split()[:2] == ["KIT", "ERROR"]


def test_a_remote_that_hangs_is_not_named_as_a_judge(project: Project) -> None:
    short = "from rsp_conformance.spark import session\nsession.REMOTE_PATIENCE = 3.0\n"
    project.write("conftest.py", short)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"sc://127.0.0.1:{silent.getsockname()[1]}"
        ran = project.pytest(
            *("--engine=reference", "--rsp-examples=10", "rsp::test_windows"), spark=address
        )
    said = f"Judged by the reference model alone: Spark ({address}) did not answer."
    assert said in " ".join(ran.out.split())
