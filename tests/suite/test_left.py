"""A pass of Hypothesis that is left early is no error of the kit."""

from __future__ import annotations

from unittest import SkipTest

import pytest

from rsp_conformance.suite.property_run import was_left


@pytest.mark.parametrize(
    ("error", "left"),
    [
        (SkipTest("shrunk enough"), True),
        (ExceptionGroup("two failures", [SkipTest("a"), SkipTest("b")]), True),
        (ExceptionGroup("beside", [SkipTest("a"), ValueError("a bug of the kit")]), False),
        (ValueError("a bug of the kit"), False),
    ],
)
def test_several_failures_that_are_left_come_in_a_group(error: BaseException, left: bool) -> None:
    assert was_left(error) is left
