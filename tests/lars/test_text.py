"""Programs as text: what is printed is read back, and what is no program is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from rsp_conformance.lars.answers import TranslationName, translated
from rsp_conformance.lars.modes import Mode
from rsp_conformance.lars.program import (
    NOW,
    Atom,
    Comparison,
    Condition,
    Extended,
    Program,
    Rule,
    Symbol,
    TimeWindow,
    TupleWindow,
)
from rsp_conformance.lars.text import parse_program, print_program
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, XSD_INTEGER, BlankNode, Literal, Triple
from rsp_conformance.model.walk import within
from tests.lars.programs import programs
from tools.lars.fragment import fitting

PREFIXES = (
    ("é", "http://ex.org/"),
    ("", "http://ex.org/"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
)


@given(programs())
def test_programs_are_read_as_they_are_printed(program: Program) -> None:
    assert parse_program(print_program(program)) == program


def test_a_condition_may_have_the_names_that_a_translation_makes() -> None:
    text = "p(?x, ?U'2) ← q(?x, ?U'2), holds{?U'2 = 'a' || ?x != \"it's ?b'c\"}.\n"
    (rule,) = parse_program(text).rules
    (condition,) = (part for part in rule.body if isinstance(part, Condition))
    assert {p.name for p in within(condition.expression) if isinstance(p, Variable)} == {"U'2", "x"}
    assert parse_program(print_program(parse_program(text))) == parse_program(text)


@given(fitting())
@settings(max_examples=50, deadline=None)
def test_so_are_those_of_queries(drawn: tuple[Case, Mode, TranslationName]) -> None:
    case, mode, translation = drawn
    program = translated(case.query, mode, translation).program
    assert parse_program(print_program(program)) == program
    assert parse_program(print_program(program, PREFIXES)) == program


@pytest.mark.parametrize(
    "term",
    [
        -7,
        Symbol("null"),
        IRI("http://ex.org/a"),
        IRI("http://ex.org/o'brien"),
        IRI("urn:é"),
        IRI("relative"),
        IRI("a b"),
        BlankNode("b.1"),
        Literal('a "b"\n\\', XSD_INTEGER),
        Literal("%", language="en-GB"),
        Triple(BlankNode("x"), IRI("http://e/p"), Triple(IRI("u:a"), IRI("u:b"), Literal(">>"))),
    ],
    ids=repr,
)
def test_so_is_every_term(term: object) -> None:
    program = Program(
        (
            Rule(
                Extended(Atom("p", (Variable("x'1"), Variable("X'1")))),  # type: ignore[arg-type]
                (
                    Extended(Atom("e", (Variable("x'1"), Variable("X'1"), term))),  # type: ignore[arg-type]
                    Comparison(term, "!=", Variable("x'1")),
                ),
            ),
        ),  # type: ignore[arg-type]
        frozenset({Atom("b", (term,))}),  # type: ignore[arg-type]
    )
    assert parse_program(print_program(program, PREFIXES)) == program


@pytest.mark.parametrize(
    ("written", "window"),
    [
        ("⊞^5", TimeWindow(5)),
        ("[5]", TimeWindow(5)),
        ("⊞^{30,0,5}", TimeWindow(30, 5)),
        ("[#3]", TupleWindow(3)),
        ("⊞^{#3 e}", TupleWindow(3, "e")),
        ("⊞^NOW", NOW),
        ("[now]", NOW),
        ("⊞^∞", TimeWindow(None)),
        ("[inf]", TimeWindow(None)),
    ],
)
@pytest.mark.parametrize("mark", ["◇", "<>"])
def test_windows_have_the_papers_notation_and_one_for_keyboards(
    written: str, window: object, mark: str
) -> None:
    (rule,) = parse_program(f"p(X) :- {written} {mark} e(X). % a comment").rules
    assert rule.body == (Extended(Atom("e", (Variable("X"),)), "◇", window=window),)  # type: ignore[arg-type]
