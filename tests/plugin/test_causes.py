"""The causes of what failed, at a terminal: in one process, in several, and quietly."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import Project

FAULTY = ("--engine=reference", "--engine-option=fault=bounds-end", "--engine-option=t0=first")


@pytest.mark.parametrize("more", [(), ("-n", "2", "-q", "--tb=no")])
def test_failures_are_named_by_their_cause(project: Project, more: tuple[str, ...]) -> None:
    ran = project.pytest(*FAULTY, "--rsp-only", "--rsp-examples=15", "-k", "windows or gaps", *more)
    assert ran.status == 1, ran.out
    for name in ("windows", "gaps"):
        assert ran.rows[name].startswith("FAILED") and " 1 " in ran.rows[name], ran.out
    table = ran.out.partition("Causes of what failed")[2]
    assert "\n1 " in table and "contradicts none of " in table, ran.out
    assert "rsp-conformance replay .rsp/crashes/reference-" in table
    assert max(map(len, table.splitlines())) <= 80
    shown = "\nCause 1 " in ran.out
    assert shown is ("--tb=no" not in more)
    assert "One dial explains" not in ran.out


def test_a_run_that_passes_names_none(project: Project) -> None:
    ran = project.pytest("--engine=reference", "--rsp-only", "--rsp-examples=10", "-k", "windows")
    assert ran.status == 0 and "Cause" not in ran.out
