"""How much an engine may hang and die before the run goes on without it."""

import pytest

from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite import asking
from rsp_conformance.suite.asking import Budget
from rsp_conformance.suite.tally import Tally


def test_a_property_bears_some_losses_and_some_seconds():
    budget = Budget()
    assert budget.ends(Tally(lost=asking.MOST_LOST - 1), None) == ""
    assert "hung or died on 10" in budget.ends(Tally(lost=asking.MOST_LOST), None)
    assert "hung or died on 2" in budget.ends(Tally(lost=2, lost_seconds=60.0), None)


def test_an_engine_that_answered_nothing_gets_one_case_of_the_next_property():
    budget = Budget()
    budget.learn("windows", Tally(lost=2, lost_seconds=60.0))
    assert budget.ends(Tally(lost=0), None) == ""
    assert budget.ends(Tally(lost=1), None) != ""
    assert budget.ends(Tally(lost=1, answered=1), None) == ""


def test_an_engine_that_never_answers_ends_the_run():
    budget = Budget()
    budget.learn("windows", Tally(lost=2))
    budget.learn("gaps", Tally(lost=1))
    with pytest.raises(EngineBroken, match="every one of its first 4 cases, of 3 properties"):
        budget.learn("report", Tally(lost=1))


def test_an_engine_that_answers_at_times_does_not():
    budget = Budget()
    budget.learn("windows", Tally(lost=2, answered=1))
    for name in ("gaps", "report", "join", "any"):
        budget.learn(name, Tally(lost=3))


def test_in_all_losses_are_bounded():
    budget = Budget()
    budget.learn("windows", Tally(lost=9, lost_seconds=299.0, answered=50))
    assert budget.ends(Tally(lost=3, lost_seconds=1.0), None) == ""
    assert budget.ends(Tally(lost=3, lost_seconds=2.0), None) != ""


def test_few_cases_that_hang_end_a_property():
    assert Budget().ends(Tally(lost=3, hung=1, answered=9), None) == ""
    assert "hung or died on 3" in Budget().ends(Tally(lost=3, hung=2, answered=9), None)


def test_beside_a_case_that_hangs_nothing_is_shrunk_but_the_first_one_of_a_run():
    budget, hung = Budget(), Tally(lost=1, hung=1)
    budget.failed("windows", "wrong rows", hung)
    assert budget.shrunk_enough("windows")
    budget.failed("windows", "timeout", hung)
    assert not budget.shrunk_enough("windows")
    budget.failed("gaps", "timeout", hung)
    assert budget.shrunk_enough("gaps")
    budget.failed("join", "wrong rows", Tally())
    assert not budget.shrunk_enough("join")


def test_where_nearly_all_fails_for_what_is_known_no_more_is_asked():
    assert Budget().ends(Tally(judged=25, explained=20), None) != ""
    assert Budget().ends(Tally(judged=26, explained=20), None) == ""
    assert Budget().ends(Tally(judged=19, explained=19), None) == ""
    assert Budget(thorough=True).ends(Tally(judged=25, explained=20), None) == ""


def test_the_time_that_was_given_ends_it(monkeypatch):
    now = 100.0
    monkeypatch.setattr(asking.time, "monotonic", lambda: now)
    assert Budget().ends(Tally(), 100.5) == ""
    assert Budget().ends(Tally(), 100.0) == "the time was up"


def test_each_kind_of_failure_has_time_to_be_shrunk(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(asking.time, "monotonic", lambda: now[0])
    budget = Budget(shrinking=60.0)
    assert not budget.shrunk_enough("windows")
    budget.failed("windows", "wrong rows", Tally())
    now[0] = 159.0
    assert not budget.shrunk_enough("windows")
    now[0] = 160.0
    assert budget.shrunk_enough("windows")
    budget.failed("windows", "wrong rows", Tally())
    assert budget.shrunk_enough("windows")
    budget.failed("windows", "crashed", Tally())
    assert not budget.shrunk_enough("windows")
    assert not budget.shrunk_enough("gaps")


def test_so_many_smaller_cases_in_a_row_may_pass():
    """One that fails begins the row anew; a thorough run goes on."""
    for thorough, ends in ((False, True), (True, False)):
        budget = Budget(thorough=thorough)
        budget.failed("windows", "wrong rows", Tally())
        for _ in range(2):
            for _ in range(asking.MOST_IN_VAIN - 1):
                budget.asked_smaller("windows")
            assert not budget.shrunk_enough("windows")
            budget.failed("windows", "wrong rows", Tally())
        for _ in range(asking.MOST_IN_VAIN):
            budget.asked_smaller("windows")
        assert budget.shrunk_enough("windows") is ends


def test_so_many_smaller_cases_are_asked_whatever_time_there_is():
    """But in a thorough run; what is found from then on is shrunk again."""
    for thorough, ends in ((False, True), (True, False)):
        budget = Budget(thorough=thorough)
        for _ in range(asking.MOST_SMALLER - 1):
            budget.failed("windows", "wrong rows", Tally())
            budget.asked_smaller("windows")
        assert not budget.shrunk_enough("windows")
        budget.asked_smaller("windows")
        assert budget.shrunk_enough("windows") is ends
        budget.renew("windows")
        budget.failed("windows", "wrong rows", Tally())
        budget.asked_smaller("windows")
        assert not budget.shrunk_enough("windows")
