"""Proposition 1: when a pushed and a pulled program derive what the program does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.lars.modes import TRIGGER, pull, push
from rsp_conformance.lars.program import Atom, Program
from rsp_conformance.lars.solve import NoAnswerStream, derived
from rsp_conformance.lars.streams import Stream
from rsp_conformance.lars.text import parse_program
from rsp_conformance.model.errors import BadInput, Unsupported
from tests.lars.programs import INPUT, instants, programs, streams

pytest.importorskip("clingo", reason="LARS needs the extra `lars`")

Found = frozenset[tuple[int, Atom]] | str


def found(program: Program, stream: Stream, t: int) -> Found:
    """What is derived but for the trigger, or why nothing is."""
    try:
        atoms = derived(program, stream, t)
    except (NoAnswerStream, Unsupported) as error:
        return str(error)
    return frozenset((u, atom) for u, atom in atoms if atom != TRIGGER)


@given(programs(), streams(), instants)
@settings(max_examples=150, deadline=None)
def test_a_pushed_program_derives_where_something_arrives_and_nowhere_else(
    program: Program, stream: Stream, t: int
) -> None:
    pushed = push(program, [(name, 1) for name in INPUT])
    assert found(pushed, stream, t) == (found(program, stream, t) if stream.at(t) else frozenset())


@given(programs(), streams(), instants, st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_a_pulled_program_derives_at_the_multiples_of_the_period_and_nowhere_else(
    program: Program, stream: Stream, t: int, period: int
) -> None:
    pulled = pull(program, period)
    due = found(program, stream, t) if t % period == 0 else frozenset()
    assert found(pulled, stream, t) == due


def test_the_inputs_of_a_program_are_its_extensional_predicates() -> None:
    program = parse_program("p(X) ← ⊞^5 ◇ e(X, Y), b(X). q ← p(X). background b(c).")
    assert push(program) == push(program, [("e", 2)])


def test_a_trigger_of_its_own_is_refused() -> None:
    with pytest.raises(BadInput, match="a trigger of its own"):
        push(parse_program("p ← trigger."))
    with pytest.raises(BadInput, match="every 1 to 1000000000 instants"):
        pull(Program(), 0)
