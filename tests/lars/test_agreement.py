"""LARS' sufficient conditions for push and pull to agree, by experiment (docs/lars.md)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from rsp_conformance.lars.modes import Pull, Push
from rsp_conformance.lars.queries import cs
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.relations.agreement import Asked, agreement
from tools.lars.agreement import CONDITIONS, disagreement, is_apart, outputs, pulled_cases, smallest
from tools.lars.fragment import dials_of

pytest.importorskip("clingo", reason="LARS needs the extra `lars`")


@given(pulled_cases())
@settings(max_examples=60, deadline=None)
def test_under_all_conditions_push_and_pull_agree(drawn: tuple[Case, int]) -> None:
    case, period = drawn
    assume(is_apart(case))
    assert disagreement(case, period) is None
    found = by_profiles(case, period)
    # Of what SPARQL leaves open the profiles demand nothing.
    assume("answer that the texts leave open" not in found)
    if not is_empty(outputs(case, Pull(period), "tau1")[0].content):
        # Before anything arrives background data alone have rows, and are pulled at 0.
        assert "nothing arrives between two pulls" in found
    else:
        assert found in ("push and pull", "the same answers")


@pytest.mark.parametrize("missed", CONDITIONS)
def test_without_any_of_them_some_disagree_and_the_condition_is_named(missed: str) -> None:
    case, period = smallest(missed)
    assert disagreement(case, period) is not None
    named = {
        "several arrivals": "several arrivals between two pulls",
        "no arrival": "nothing arrives between two pulls",
        "an element leaves": "an element leaves between arrival and pull",
        "shared patterns": "the patterns match data of other streams or of the background",
    }
    assert named[missed] in by_profiles(case, period)


def by_profiles(case: Case, period: int) -> str:
    """What the specification says of the two engines, by their profiles."""
    merged = replace(case, query=cs(case.query))
    push = dials_of(case, Push(), "tau2").with_dial("empty_answers", "no")
    pull = dials_of(merged, Pull(period), "tau1").with_dial("empty_answers", "no")
    return str(agreement(Asked(case, push), Asked(merged, pull)))
