"""Random LARS programs and streams, small enough to try all interpretations."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rsp_conformance.lars.program import (
    NOW,
    TRUE,
    Arithmetic,
    Atom,
    Comparison,
    Condition,
    Extended,
    Not,
    Program,
    Rule,
    Symbol,
    TimeWindow,
    TupleWindow,
)
from rsp_conformance.lars.streams import Stream
from rsp_conformance.lars.text import parse_program
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.walk import mentioned
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import integer

C, THREE = Symbol("c"), integer(3)
X, T = Variable("X"), Variable("T")
FIRST, LAST = 1, 3
WINDOWS = (
    *(None, None, NOW, TimeWindow(1), TimeWindow(2), TimeWindow(2, 2), TimeWindow(0, 5)),
    *(TimeWindow(None), TimeWindow(None, 2)),
    *(TupleWindow(1), TupleWindow(2), TupleWindow(2, "e")),
)
CHOICE = parse_program("p(c) ← not q. q ← not p(c).").rules
INPUT = ("e", "f")
"""Unary predicates of the stream; ``b`` is background data, ``p`` and ``q`` are derived."""

instants = st.integers(FIRST, LAST)
constants = st.sampled_from((C, 2, THREE))
terms = st.sampled_from((X, X, C, 2, THREE))


def formulas(predicates: tuple[str, ...]) -> st.SearchStrategy[Extended]:
    """Extended atoms of unary PREDICATES, ``q`` and ``true`` without arguments."""

    def made(predicate: str, term: Any, modality: Any, time: Any, window: Any) -> Extended:
        atom = TRUE if predicate == "true" else Atom(predicate, (term,) if predicate != "q" else ())
        return Extended(atom, modality, time if modality == "@" else None, window)

    times = st.one_of(st.just(T), st.integers(FIRST - 1, LAST + 1))
    modalities = st.sampled_from(("", "", "◇", "□", "@"))
    windows = st.sampled_from(WINDOWS)
    return st.builds(made, st.sampled_from(predicates), terms, modalities, times, windows)


comparisons = st.builds(
    Comparison,
    st.sampled_from((X, T, Arithmetic(T, "+", 1), Arithmetic(T, "mod", 2))),
    st.sampled_from(("=", "!=", "<", "<=", ">", ">=")),
    st.sampled_from((X, T, C, 2, Arithmetic(T, "-", 1), Arithmetic(3, "mod", X))),
)
conditions = st.builds(
    Condition,
    st.sampled_from(
        ("?X < 5", "?X != 3", "BOUND(?X)", "!(?X > 3)", "?X = 3 || ?Y = 1", "?Y IN (3)")
    ).map(
        lambda written: parse_query(f"SELECT * {{ FILTER({written}) }}").pattern.condition  # type: ignore[attr-defined]
    ),
    st.booleans(),
)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    """A rule; a variable that no positive atom binds becomes a constant."""
    head = draw(st.sampled_from(("p", "p", "q")))
    at = draw(st.sampled_from((None, None, T, FIRST, LAST)))
    asked = (*INPUT, "p", "q", "b", "true")
    parts: list[Any] = draw(st.lists(formulas(asked), max_size=draw(st.sampled_from((0, 1, 2)))))
    parts += map(Not, draw(st.lists(formulas(asked), max_size=1)))
    parts += draw(st.lists(st.one_of(comparisons, conditions), max_size=1))
    made = Extended(
        Atom(head, (draw(terms),) if head == "p" else ()), "" if at is None else "@", at
    )
    bound = {n for part in parts if isinstance(part, Extended) for n in mentioned(part)}
    return Rule(_bound(made, bound), tuple(_bound(part, bound) for part in parts))


def _bound(part: Any, bound: set[str]) -> Any:
    """PART with constants for the variables that are not BOUND."""
    match part:
        case Variable(name):
            return part if name in bound else (C if name == "X" else LAST)
        case Extended(atom, modality, time, window):
            ground = Atom(atom.predicate, tuple(_bound(term, bound) for term in atom.arguments))
            return Extended(ground, modality, _bound(time, bound), window)
        case Not(formula):
            return Not(_bound(formula, bound))
        case Comparison(left, comparator, right):
            return Comparison(_bound(left, bound), comparator, _bound(right, bound))
        case Arithmetic(left, operator, right):
            return Arithmetic(_bound(left, bound), operator, _bound(right, bound))
    return part


def programs() -> st.SearchStrategy[Program]:
    """Programs of one to four rules, with background data; some have a choice of answer streams."""
    background = st.frozensets(st.builds(lambda term: Atom("b", (term,)), constants), max_size=2)
    return st.builds(
        lambda choice, found, atoms: Program((*choice, *found), atoms),
        st.sampled_from(((), (), CHOICE)),
        st.lists(rules(), min_size=1, max_size=4),
        background,
    )


def streams() -> st.SearchStrategy[Stream]:
    """Streams from FIRST to LAST over the input predicates."""
    atoms = st.builds(
        lambda t, predicate, term: (t, Atom(predicate, (term,))),
        instants,
        st.sampled_from(INPUT),
        constants,
    )
    return st.builds(lambda found: Stream(FIRST, LAST, found), st.frozensets(atoms, max_size=4))
