"""The suite with Spark as it is by default."""

from __future__ import annotations

import os
import socket

import pytest

from tests.plugin.conftest import Project
from tests.plugin.test_processes import nothing_left

pytestmark = [pytest.mark.spark, pytest.mark.slow]

CHOSEN = ("--rsp-examples=10", "rsp::test_windows", "rsp::test_ask", "rsp::test_istream")


def test_a_failure_is_confirmed_by_spark(project: Project) -> None:
    with nothing_left(os.getpid() * 100 + 2) as environment:
        ran = project.pytest(
            *("--engine=reference", "--engine-option=fault=bounds-end", "-x", *CHOSEN),
            *("--engine-option=t0=first",),
            spark="local[*]",
            environment=environment,
        )
    assert (ran.status, ran.err) == (1, "")
    assert "judged by the specification and Spark (local[*])" in ran.out
    said = "Judged by the specification and `reference` (Spark was not there yet); reproduced 3"
    assert said in " ".join(ran.out.split())
    assert "Judged by the specification and Spark (local[*])." in ran.out


def test_workers_have_spark_as_well(project: Project) -> None:
    with nothing_left(os.getpid() * 100 + 3) as environment:
        ran = project.pytest(
            *("--engine=reference", "-n", "2", *CHOSEN), spark="local[*]", environment=environment
        )
    assert (ran.status, ran.err) == (0, ""), ran.out
    assert "KIT ERROR" not in ran.out
    assert {row.split()[0] for row in ran.rows.values()} == {"passed"}


def test_a_remote_that_hangs_is_not_named_as_a_judge(project: Project) -> None:
    short = "from rsp_conformance.spark import session\nsession.REMOTE_PATIENCE = 3.0\n"
    project.write("conftest.py", short)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"sc://127.0.0.1:{silent.getsockname()[1]}"
        ran = project.pytest(
            *("--engine=reference", "--rsp-examples=10", "rsp::test_windows"), spark=address
        )
    assert f"Judged by the specification alone: Spark ({address}) did not answer." in ran.out
