"""The burn-in among the tests: where it is asked for, and nowhere else; with Spark elsewhere."""

from __future__ import annotations

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


def test_without_spark_nothing_is_shown(project: Project) -> None:
    ran = project.pytest("--engine=reference", "--rsp-only", "-m", "burnin", "-rs")

    assert ran.status == 1
    assert "judged by Spark alone, which is off" in ran.out
    assert "Nothing was compared" in ran.out
