"""The burn-in among the tests: where it is asked for, and nowhere else."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import Project

BURN_IN = "rsp::test_burnin"


def test_it_is_collected_only_where_it_is_asked_for(project: Project) -> None:
    ordinary, marked, unmarked, named, with_own = (
        project.pytest("--engine=reference", "--collect-only", "-q", *chosen)
        for chosen in (
            (),
            ("-m", "burnin"),
            ("-m", "not burnin"),
            (BURN_IN,),
            ("-m", "burnin or not rsp"),
        )
    )

    assert BURN_IN not in ordinary.out
    assert "rsp::test_windows" in ordinary.out
    assert BURN_IN in marked.out
    assert "rsp::test_windows" not in marked.out
    assert BURN_IN not in unmarked.out
    assert "rsp::test_windows" in unmarked.out
    assert BURN_IN in named.out
    assert BURN_IN in with_own.out and "test_own" in with_own.out


def test_its_size_is_a_number(project: Project) -> None:
    ran = project.pytest("--engine=reference", "-m", "burnin", "--rsp-burnin", "many")

    assert ran.status == 2
    assert "--rsp-burnin many: expected a whole number, at least 1" in ran.err


def test_without_spark_nothing_is_shown(project: Project) -> None:
    ran = project.pytest("--engine=reference", "--rsp-only", "-m", "burnin", "-rs")

    assert ran.status == 1
    assert "judged by Spark alone, which is off" in ran.out
    assert "Nothing was compared" in ran.out


@pytest.mark.spark
def test_a_wrong_engine_fails_it_with_the_argument(project: Project) -> None:
    ran = project.pytest(
        "--engine=reference",
        "--engine-option=fault=lost-late",
        "--engine-option=every=30",
        "--rsp-only",
        "-m",
        "burnin",
        "--rsp-burnin=800",
        "--rsp-seed=3",
        spark="local[2]",
    )

    assert ran.status == 1
    verdict, compared, *_ = ran.counts("burnin")
    assert verdict == "FAILED"
    assert compared > 0
    assert "the shortest stretch that shows it is from" in ran.out.lower()
    assert "rsp-conformance burnin --engine reference --engine-option fault=lost-late" in ran.out
    assert len(project.crashes) == 1 and "burnin" in project.crashes[0]
    assert "internal error" not in ran.out + ran.err
