"""What a run may spend, and what is left of it."""

from __future__ import annotations

import pytest

from rsp_conformance.run.budget import Budget


def test_what_is_left_is_never_below_zero_and_no_limit_stays_none() -> None:
    assert Budget(100, 60.0).after(40, 10.0) == Budget(60, 50.0)
    assert Budget(100, 60.0).after(101, 61.0) == Budget(0, 0.0)
    assert Budget().after(10**9, 1e9) == Budget()


@pytest.mark.parametrize(
    ("trials", "seconds", "spent", "part"),
    [(0, 0.0, False, 0.0), (50, 15.0, False, 0.5), (10, 60.0, True, 1.0), (120, 1.0, True, 1.0)],
)
def test_either_ends_it(trials: int, seconds: float, spent: bool, part: float) -> None:
    budget = Budget(100, 60.0)
    assert budget.after(trials, seconds).is_spent is spent
    assert budget.part(trials, seconds) == part
    assert not Budget().after(trials, seconds).is_spent and Budget().part(trials, seconds) == 0.0


def test_the_time_is_up_at_an_instant_or_never() -> None:
    assert Budget(seconds=60.0).ends(5.0) == 65.0
    assert Budget(100).ends(5.0) is None
