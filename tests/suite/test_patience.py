"""How much an engine may hang and die before the run goes on without it."""

import pytest

from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite import asking
from rsp_conformance.suite.asking import Budget
from rsp_conformance.suite.tally import Tally


def test_a_property_bears_some_losses_and_some_seconds():
    calm = Budget()
    assert calm.ends(Tally(lost=asking.MOST_LOST - 1), None) == ""
    assert "hung or died on 10" in calm.ends(Tally(lost=asking.MOST_LOST), None)
    assert "hung or died on 2" in calm.ends(Tally(lost=2, lost_seconds=60.0), None)


def test_an_engine_that_answered_nothing_gets_one_case_of_the_next_property():
    calm = Budget()
    calm.learn("windows", Tally(lost=2, lost_seconds=60.0))
    assert calm.ends(Tally(lost=0), None) == ""
    assert calm.ends(Tally(lost=1), None) != ""
    assert calm.ends(Tally(lost=1, answered=1), None) == ""


def test_an_engine_that_never_answers_ends_the_run():
    calm = Budget()
    calm.learn("windows", Tally(lost=2))
    calm.learn("gaps", Tally(lost=1))
    with pytest.raises(EngineBroken, match="every one of its first 4 cases, of 3 properties"):
        calm.learn("report", Tally(lost=1))


def test_an_engine_that_answers_at_times_does_not():
    calm = Budget()
    calm.learn("windows", Tally(lost=2, answered=1))
    for name in ("gaps", "report", "join", "any"):
        calm.learn(name, Tally(lost=3))


def test_in_all_losses_are_bounded():
    calm = Budget()
    calm.learn("windows", Tally(lost=9, lost_seconds=299.0, answered=50))
    assert calm.ends(Tally(lost=3, lost_seconds=1.0), None) == ""
    assert calm.ends(Tally(lost=3, lost_seconds=2.0), None) != ""


def test_the_time_that_was_given_ends_it(monkeypatch):
    now = 100.0
    monkeypatch.setattr(asking.time, "monotonic", lambda: now)
    assert Budget().ends(Tally(), 100.5) == ""
    assert Budget().ends(Tally(), 100.0) == "the time was up"


def test_each_kind_of_failure_has_time_to_be_shrunk(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(asking.time, "monotonic", lambda: now[0])
    calm = Budget(shrinking=60.0)
    assert not calm.shrunk_enough("windows")
    calm.failed("windows", "wrong rows")
    now[0] = 159.0
    assert not calm.shrunk_enough("windows")
    now[0] = 160.0
    assert calm.shrunk_enough("windows")
    calm.failed("windows", "wrong rows")
    assert calm.shrunk_enough("windows")
    calm.failed("windows", "crashed")
    assert not calm.shrunk_enough("windows")
    assert not calm.shrunk_enough("gaps")
