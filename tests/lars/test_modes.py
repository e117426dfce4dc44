"""Proposition 1: when a pushed and a pulled program derive what the program does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from rsp_conformance.lars.modes import TRIGGER, Pull, Push, pull, push
from rsp_conformance.lars.program import Atom, Program
from rsp_conformance.lars.queries import cs
from rsp_conformance.lars.solve import NoAnswerStream, derived
from rsp_conformance.lars.streams import Stream
from rsp_conformance.lars.text import parse_program
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import BadInput, Unsupported
from rsp_conformance.relations.agreement import Asked, agreement
from tests.lars.programs import INPUT, instants, programs, streams
from tools.lars.agreement import CONDITIONS, disagreement, is_apart, outputs, pulled_cases, smallest
from tools.lars.fragment import dials_of

pytest.importorskip("clingo", reason="LARS needs the extra `lars`")

Found = frozenset[tuple[int, Atom]] | str


def found(program: Program, stream: Stream, t: int) -> Found:
    """What is derived but for the trigger, or why nothing is."""
    try:
        atoms = derived(program, stream, t)
    except (NoAnswerStream, Unsupported) as error:
        return str(error)
    return frozenset((u, atom) for u, atom in atoms if atom != TRIGGER)


@given(programs(), streams(), instants, st.integers(1, 3))
@settings(max_examples=200, deadline=None)
def test_a_program_derives_where_it_is_pushed_or_pulled_and_nowhere_else(
    program: Program, stream: Stream, t: int, period: int
) -> None:
    """Where something arrives, and at the multiples of the period."""
    alone = found(program, stream, t)
    pushed = push(program, [(name, 1) for name in INPUT])
    assert found(pushed, stream, t) == (alone if stream.at(t) else frozenset())
    due = alone if t % period == 0 else frozenset()
    assert found(pull(program, period), stream, t) == due


def test_what_triggers_a_program_and_what_does_not() -> None:
    program = parse_program("p(X) ← ⊞^5 ◇ e(X, Y), b(X). q ← p(X). background b(c).")
    assert push(program) == push(program, [("e", 2)])
    with pytest.raises(BadInput, match="a trigger of its own"):
        push(parse_program("p ← trigger."))
    with pytest.raises(BadInput, match="every 1 to 1000000000 instants"):
        pull(Program(), 0)


# --- LARS' sufficient conditions for push and pull to agree, by experiment (docs/lars.md) ---------


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
    case, period = smallest(missed, Phase.generate)
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
