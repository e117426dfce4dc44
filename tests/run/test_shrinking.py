"""How long a failing trial is made smaller, and what counts as smaller."""

from __future__ import annotations

import time
from itertools import count

import pytest
from hypothesis.strategies import DrawFn, composite

from rsp_conformance.model.case import Case
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import Trial
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.run import shrinking
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.shrinking import Limits, shrunk
from rsp_conformance.run.trials import Drawn, by_seed
from tests.generators.profiles import subject

WINDOWS = property_named("windows")
ENGINE = subject({})


def elements(own: Record) -> int:
    return len(own.drawn.trial.variants[0].case.elements)


@pytest.fixture(scope="module")
def large() -> Record:
    """A failing record of five elements or more."""
    drawn = next(d for d in by_seed(WINDOWS, ENGINE, 1, count()) if failing(d) and wide(d) > 4)
    return failing(drawn)


def wide(drawn: Drawn) -> int:
    return len(drawn.trial.variants[0].case.elements)


def failing(drawn: Drawn) -> Record:
    """A record that fails if its case has two elements or more."""
    outcome = Outcome.WRONG if wide(drawn) >= 2 else Outcome.RIGHT
    return Record(drawn, outcome, "wrong rows")


def far() -> Limits:
    return Limits(time.monotonic() + 60)


def test_the_smallest_trial_is_found(large: Record) -> None:
    best = shrunk(large, WINDOWS, ENGINE, far(), ask=failing, shows=lambda _: True)
    assert elements(best) == 2


def test_only_a_trial_that_shows_the_same_is_smaller(large: Record) -> None:
    best = shrunk(large, WINDOWS, ENGINE, far(), ask=failing, shows=lambda own: elements(own) >= 3)
    assert elements(best) == 3


@pytest.mark.parametrize("limits", [Limits(0.0), Limits(time.monotonic() + 600, most=0)])
def test_nothing_is_asked_beyond_the_limits(large: Record, limits: Limits) -> None:
    def never(_: Drawn) -> Record:
        raise AssertionError("asked")

    assert shrunk(large, WINDOWS, ENGINE, limits, ask=never, shows=lambda _: True) is large


def test_after_many_trials_in_vain_no_more_are_asked(
    large: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrinking, "MOST_IN_VAIN", 3)
    asked: list[Drawn] = []

    def right(drawn: Drawn) -> Record:
        asked.append(drawn)
        return Record(drawn, Outcome.RIGHT)

    assert shrunk(large, WINDOWS, ENGINE, far(), ask=right, shows=lambda _: True) is large
    assert len(asked) == 3


def test_an_engine_that_is_gone_is_told(large: Record) -> None:
    def gone(_: Drawn) -> Record:
        raise EngineBroken("gone")

    with pytest.raises(EngineBroken, match="gone"):
        shrunk(large, WINDOWS, ENGINE, far(), ask=gone, shows=lambda _: True)


def test_a_time_limit_of_a_plugin_is_told_also_while_a_record_is_looked_at(large: Record) -> None:
    """Raised once, as an alarm is: Hypothesis would call the trial flaky."""
    alarms = iter([pytest.fail.Exception("Timeout (>5.0s)")])

    def shows(_: Record) -> bool:
        for alarm in alarms:
            raise alarm
        return True

    with pytest.raises(pytest.fail.Exception, match="Timeout"):
        shrunk(large, WINDOWS, ENGINE, far(), ask=failing, shows=shows)


def test_a_time_limit_of_a_plugin_is_told_also_while_a_smaller_trial_is_drawn(
    large: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, drawn = shrinking.strategy_of(WINDOWS, ENGINE), count()

    @composite
    def late(draw: DrawFn) -> Case | Trial:
        if next(drawn) == 4:
            raise pytest.fail.Exception("Timeout (>5.0s)")
        return draw(whole)

    monkeypatch.setattr(shrinking, "strategy_of", lambda *_: late())
    with pytest.raises(pytest.fail.Exception, match="Timeout"):
        shrunk(large, WINDOWS, ENGINE, far(), ask=failing, shows=lambda _: True)
