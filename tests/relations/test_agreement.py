"""When two profiles demand the same answers, and what keeps them from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.lars.queries import cs
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.relations.agreement import SEVERAL_STARTS, Asked, agreement
from rsp_conformance.relations.pair import EnginePair
from tests.builders.cases import element, nearby_query, window
from tests.builders.findings import background

PUSH = Dials().with_dials({"t0": 0, "report": "CC", "empty_answers": "no"})
PULL = Dials().with_dials({"t0": 0, "report": "P(5)", "empty_answers": "no"})
"""On arrivals, and every 5 instants."""


def nearby(*elements: tuple[int, str], width: int = 5, until: int = 10) -> Case:
    """Who is near :a, in a window that slides by one instant."""
    given = tuple(element(t, who, "near", "a") for t, who in elements)
    return Case(nearby_query(window("w", width, 1)), given, Background(), until=until)


def found(case: Case, one: Dials = PUSH, other: Dials = PULL) -> str:
    return agreement(Asked(case, one), Asked(case, other))


def test_equal_dials_ask_the_same_question_whatever_the_stamps() -> None:
    stamped = PUSH.with_dials({"answer_time": "arrival", "answers": "rows"})
    assert found(nearby((1, "eve")), PUSH, stamped) == "one semantics"


def test_other_dials_may_demand_the_same_answers() -> None:
    bounds = PULL.with_dial("bounds", "[o,c]")
    assert found(nearby((2, "eve"), (7, "carl")), PULL, bounds) == "the same answers"
    assert found(nearby((5, "eve")), PULL, bounds) == "the profiles demand other answers of each"


def test_where_a_start_is_open_nothing_is_demanded() -> None:
    open_start = PULL.with_dial("t0", "any")
    case = Case(nearby_query(window("w", 5, 5)), (element(2, "eve", "near", "a"),), until=10)
    assert found(case, PULL, open_start) == SEVERAL_STARTS
    assert found(case, open_start, open_start) == SEVERAL_STARTS


def test_one_arrival_from_pull_to_pull_makes_push_and_pull_agree() -> None:
    assert found(nearby((3, "eve"), (8, "carl"))) == "push and pull"
    assert found(nearby((3, "eve"), (8, "carl")), PULL, PUSH) == "push and pull"


@pytest.mark.parametrize(
    ("case", "why"),
    [
        # At 5 the pull sees both; so do the pushes together. At 9 it is alone with carl.
        (nearby((3, "eve"), (8, "carl"), width=6), "an element leaves between arrival and pull"),
        (nearby((3, "eve"), width=8), "nothing arrives between two pulls, and there are rows"),
        (nearby((2, "eve"), (4, "carl"), (6, "eve"), (9, "dan"), width=3), "several arrivals"),
    ],
)
def test_the_condition_that_is_missed_is_named(case: Case, why: str) -> None:
    assert why in found(case)


def test_a_pull_without_rows_is_a_pull() -> None:
    # United over (0,10] the pushes are what is pulled at 10; over (0,5] they are not.
    case = nearby((1, "eve"), (10, "eve"), width=2)
    assert found(case) == "push and pull: an element leaves between arrival and pull"


BACKGROUND = "push and pull: the patterns match data of other streams or of the background"


def test_a_pull_at_the_arrival_sees_what_is_pushed_then() -> None:
    """In [1,2] is what came at 1, pushed and pulled."""
    case = replace(
        nearby((1, "eve"), (2, "carl"), width=1, until=2),
        background=background(("dan near a", 2, 2)),
    )
    push, pull = (dials.with_dials({"bounds": "[o,c]", "t0": -1}) for dials in (PUSH, PULL))
    merged = replace(case, query=cs(case.query))
    pull = pull.with_dials({"report": "P(1)", "windows_in": "default"})
    assert agreement(Asked(case, push), Asked(merged, pull)) == BACKGROUND


def test_what_comes_on_a_stream_that_no_window_reads_is_no_arrival() -> None:
    case = replace(nearby((3, "eve"), until=5), background=background(("dan near a", None, None)))
    case = replace(case, elements=(*case.elements, element(4, "x", "near", "a", "other")))
    pull = PULL.with_dial("windows_in", "default")
    other = replace(case, query=cs(case.query))
    assert agreement(Asked(case, PUSH), Asked(other, pull)) == BACKGROUND


def test_patterns_that_match_the_background_too_keep_them_apart() -> None:
    case = replace(nearby((3, "eve"), until=5), background=background(("dan near a", None, None)))
    named = EngineUnderTest.meet(InProcessEngine(ReferenceEngine({})))
    merged = EngineUnderTest.meet(InProcessEngine(ReferenceEngine({"profile": "c-sparql"})))
    pair = EnginePair.of(named, merged)
    other = pair.as_asked(case, merged)
    assert other is not None
    pull = PULL.with_dial("windows_in", "default")
    said = agreement(Asked(case, PUSH), Asked(other, pull))
    assert said == BACKGROUND
    alone = replace(case, background=Background()), replace(other, background=Background())
    assert agreement(Asked(alone[0], PUSH), Asked(alone[1], pull)) == "push and pull"
