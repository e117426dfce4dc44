"""Answer streams by clingo are those of the definition."""

from __future__ import annotations

import pytest
from hypothesis import assume, event, given, settings

from rsp_conformance.lars.program import Atom, Extended, Program, Rule, Symbol, TupleWindow
from rsp_conformance.lars.solve import NoAnswerStream, answer_stream, derived
from rsp_conformance.lars.streams import Stream
from rsp_conformance.lars.text import parse_program
from rsp_conformance.model.errors import BadInput, Unsupported
from tests.docs.markdown import DOCS, fenced
from tests.lars.programs import instants, programs, streams
from tests.oracles.lars import answer_streams

pytest.importorskip("clingo", reason="LARS needs the extra `lars`")


@given(programs(), streams(), instants)
@settings(max_examples=150, deadline=None)
def test_the_answer_stream_is_the_minimal_model_of_the_reduct(
    program: Program, stream: Stream, t: int
) -> None:
    expected = answer_streams(program, stream, t)
    assume(expected is not None)
    assert expected is not None
    event(f"{min(len(expected), 2)} answer streams")
    try:
        found = derived(program, stream, t)
    except NoAnswerStream:
        assert not expected
    except Unsupported:
        assert len(expected) > 1
    else:
        assert expected == [found]


def at(program: str, t: int = 2, *given: tuple[int, str], last: int = 3) -> set[tuple[int, str]]:
    """What PROGRAM derives at T of unary atoms ``e``."""
    stream = Stream(0, last, frozenset((u, Atom("e", (Symbol(term),))) for u, term in given))
    found = derived(parse_program(program), stream, t)
    return {(u, ",".join([a.predicate, *map(str, a.arguments)])) for u, a in found}


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("p ← e(a).", set()),
        ("p ← e(b).", {(2, "p")}),
        ("p ← ◇ e(a).", {(2, "p")}),
        ("p ← ⊞^1 ◇ e(a).", set()),
        ("p ← ⊞^2 ◇ e(a).", {(2, "p")}),
        ("p ← ⊞^NOW □ e(b).", {(2, "p")}),
        ("p ← ⊞^1 □ e(b).", {(2, "p")}),
        ("p ← □ e(b).", set()),
        ("p ← ⊞^{#1} ◇ e(a).", set()),
        ("p ← ⊞^{#3} ◇ e(a).", {(2, "p")}),
        ("@T p ← ⊞^∞ @T e(b).", {(1, "p"), (2, "p")}),
        # The future is on the timeline, and in no window.
        ("p ← @3 e(c).", {(2, "p")}),
        ("p ← ⊞^∞ @3 e(c).", set()),
        # (2 div 4) · 4 is 0: the window ends there.
        ("p ← ⊞^{9,0,4} ◇ e(a). q ← ⊞^{9,0,4} ◇ e(b).", {(2, "p")}),
        ("p ← not ⊞^1 ◇ e(a), not q.", {(2, "p")}),
        ("@T q ← @T true, T < 2. p ← ⊞^1 ◇ q, not ⊞^1 □ q.", {(0, "q"), (1, "q"), (2, "p")}),
        ("@T q ← @T true. p ← □ q.", {(0, "q"), (1, "q"), (2, "q"), (3, "q"), (2, "p")}),
    ],
)
def test_extended_atoms(program: str, expected: set[tuple[int, str]]) -> None:
    assert at(program, 2, (0, "a"), (1, "b"), (2, "b"), (3, "c")) == expected


def test_answer_streams_hold_the_input_and_windows_end_on_the_timeline() -> None:
    stream = Stream(0, 2, frozenset({(1, Atom("e"))}))
    found = answer_stream(parse_program("p ← ◇ e."), stream, 2)
    assert found == Stream(0, 2, frozenset({(1, Atom("e")), (2, Atom("p"))}))
    stream = Stream(3, 9)
    program = parse_program("p ← ⊞^{2,0,10} □ b. q ← not ⊞^{2,0,10} □ b. background b.")
    assert derived(program, stream, 9) == {(9, Atom("q"))}


@pytest.mark.parametrize(
    ("program", "error", "said"),
    [
        ("p ← not q. q ← not p.", Unsupported, "several answer streams"),
        ("p ← not p.", NoAnswerStream, "no answer stream at 2"),
        ("@9 p.", NoAnswerStream, "no answer stream"),
        ("e(a).", BadInput, "e/1 is derived by rules, and is in the input as well"),
        ("p ← q. background true.", BadInput, "true/0 is derived"),
        (f"p ← {2**31} = 3.", BadInput, "beyond"),
    ],
)
def test_what_has_no_single_answer_stream_is_an_error(
    program: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        at(program, 2, (0, "a"))


def test_instants_lie_on_the_timeline_and_stand_with_at_alone() -> None:
    with pytest.raises(BadInput, match="4 is no instant"):
        at("p.", 4)
    with pytest.raises(BadInput, match="the instants up to"):
        Stream(0, 10**15)
    with pytest.raises(BadInput, match="5 to 2 ends before it begins"):
        Stream(5, 2)
    with pytest.raises(BadInput, match="an instant where it has @"):
        Extended(Atom("p"), "@")
    with pytest.raises(BadInput, match="an instant where it has @"):
        Extended(Atom("p"), "◇", 3)


def test_the_page_computes_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = fenced((DOCS / "lars.md").read_text("utf-8"), "python")
    exec(compile(code, "docs/lars.md", "exec"), {})
    promised = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
    assert capsys.readouterr().out.splitlines() == promised


@pytest.mark.parametrize("name", ["", "P", "not", "p(x):-q", "p\n", "é"])
def test_names_are_those_of_the_text(name: str) -> None:
    with pytest.raises(BadInput, match="names no predicate"):
        Symbol(name)
    with pytest.raises(BadInput, match="names no predicate"):
        Rule(Extended(Atom(name)))
    with pytest.raises(BadInput, match="names no predicate"):
        Program(background=frozenset({Atom(name)}))
    with pytest.raises(BadInput, match="names no predicate"):
        TupleWindow(3, name)
