"""Answers in which some computed columns are wrong, and all else is right."""

from __future__ import annotations

import pytest

from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.fingerprint import fingerprint
from rsp_conformance.diagnosis.wrong_values import computed, without, wrong_columns, wrong_values
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus
from tests.builders.findings import case_of, given, graph, stream, wrong
from tests.builders.terms import EX

DIALS = Dials()
WINDOW = "FROM NAMED WINDOW :w ON :s [RANGE 2 STEP 2]"
INSIDE = "{ WINDOW :w { ?x :p ?y } }"


def asked(head: str, inside: str = INSIDE, tail: str = "") -> Case:
    """Elements at 1 and 2 in one window, at 3 in the next."""
    elements = stream("s", ("a p b", 1), ("b p c", 2), ("c p a", 3))
    return case_of(f"{head} {WINDOW} WHERE {inside} {tail}", elements, until=4)


def answered(case: Case, *observed: Observed) -> Observation:
    return Observation(Stimulus(case), DIALS, "", observed)


def test_a_wrong_column_is_told_with_its_operators() -> None:
    own = answered(
        asked("SELECT ?x (UCASE(STR(?x)) AS ?v) (STR(?x) AS ?w)"),
        given(2, f'x=a v="A" w="{EX}a"', f'x=b v="B" w="{EX}b"'),
        given(4, f'x=c v="C" w="{EX}c"'),
    )
    assert wrong_values(own) == {"v": {"UCASE", "STR"}}


def test_an_unbound_value_is_a_wrong_one_and_each_wrong_column_is_told() -> None:
    own = answered(
        asked("SELECT ?x (STR(?x) AS ?v) (!(?x = ?x) AS ?w)"),
        given(2, 'x=a v=- w="no"', 'x=b v=- w="no"'),
        given(4, 'x=c v=- w="no"'),
    )
    assert wrong_values(own) == {"v": {"STR"}, "w": {"!", "="}}


@pytest.mark.parametrize(
    "answers",
    [
        (given(2, 'x=a v="A"'), given(4, 'x=c v="C"')),
        (given(2, 'x=a v="A"', 'x=b v="B"', 'x=c v="C"'), given(4, 'x=c v="C"')),
        (given(3, 'x=a v="A"', 'x=b v="B"'), given(4, 'x=c v="C"')),
        (given(2, 'x=a v="A"', 'x=b v="B"'),),
    ],
    ids=["a row is missing", "a row too much", "another instant", "an answer is missing"],
)
def test_a_wrong_window_is_no_wrong_value(answers: tuple[Observed, ...]) -> None:
    assert not wrong_values(answered(asked("SELECT ?x (STR(?x) AS ?v)"), *answers))


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("SELECT DISTINCT ?x (STR(?x) AS ?v)", ""),
        ("SELECT ?x (STR(?y) AS ?v)", ""),
        ("SELECT (COUNT(*) AS ?v)", ""),
        ("SELECT ?x (EXISTS { ?x :q ?z } AS ?v)", ""),
        ("SELECT ?x (STR(?x) AS ?v)", "ORDER BY ?v"),
        ("SELECT ?x (STR(?x) AS ?v)", "LIMIT 1"),
        ("REGISTER ISTREAM :o AS SELECT ?x (STR(?x) AS ?v)", ""),
    ],
    ids=["distinct", "hidden", "one count", "data", "order", "limit", "istream"],
)
def test_a_column_stays_if_the_rest_does_not_hold_its_row_fast(head: str, tail: str) -> None:
    assert not computed(asked(head, tail=tail).query)


def test_an_aggregate_needs_another_that_shows_its_group() -> None:
    query = asked("SELECT (COUNT(*) AS ?c) (MIN(?x) AS ?m)").query
    assert computed(query) == {"m": {"MIN"}}
    own = asked("SELECT (COUNT(*) AS ?c) (MIN(?x) AS ?m)")
    assert wrong_values(answered(own, given(2, "c=2 m=-"), given(4, "c=1 m=-"))) == {"m": {"MIN"}}
    assert not wrong_values(answered(own, given(2, "c=1 m=-"), given(4, "c=1 m=-")))


def test_bind_counts_if_its_variable_is_shown() -> None:
    inside = "{ WINDOW :w { ?x :p ?y } BIND(STR(?x) AS ?v) }"
    assert computed(asked("SELECT ?x ?v", inside).query) == {"v": {"STR"}}
    assert not computed(asked("SELECT ?x", inside).query)


def test_a_triple_of_construct_counts_if_its_predicate_tells_it() -> None:
    inside = "{ WINDOW :w { ?x :p ?y } BIND(STR(?x) AS ?v) }"
    alone = asked("CONSTRUCT { ?x :p ?y . ?x :said ?v }", inside)
    own = answered(
        alone,
        graph(2, "a p b", "b p c", 'a said "A"', 'b said "B"'),
        graph(4, "c p a", 'c said "C"'),
    )
    assert wrong_values(own) == {"v": {"STR"}}
    assert not wrong_values(answered(alone, graph(2, "a p b", 'a said "A"'), graph(4, "c p a")))
    assert not computed(asked("CONSTRUCT { ?x :p ?y . ?x :p ?v }", inside).query)


def test_what_is_left_is_an_answer_to_the_smaller_query() -> None:
    own = answered(asked("SELECT ?x (STR(?x) AS ?v) ?y"), given(2, 'x=a v="A" y=b', "x=b y=c"))
    left = without(own, frozenset({"v"}))
    assert left.observed == (given(2, "x=a y=b", "x=b y=c"),)
    assert left.stimulus.case.query == asked("SELECT ?x ?y").query
    assert without(own, frozenset()) is own


def test_a_value_may_be_wrong_beside_what_is_known() -> None:
    """Whoever asks says what counts as right: here an answer that loses a row."""
    own = answered(asked("SELECT ?x (STR(?x) AS ?v)"), given(2, 'x=a v="A"'), given(4, 'x=c v="C"'))
    rest = (given(2, "x=a"), given(4, "x=c"))
    assert not wrong_values(own)
    assert wrong_columns(own, lambda left: left.observed == rest) == {"v": {"STR"}}


def test_one_function_is_one_cause_whatever_is_around_it() -> None:
    def symptom(case: Case, *observed: Observed) -> Symptom:
        return Symptom.of(wrong(case, DIALS, *observed))

    small = symptom(
        asked("SELECT ?x (STR(?x) AS ?v)"), given(2, "x=a v=-", "x=b v=-"), given(4, "x=c v=-")
    )
    union = "{ { WINDOW :w { ?x :p ?y } } UNION { WINDOW :w { ?x :q ?y } } }"
    other = symptom(
        asked("SELECT ?y ?x (STR(?y) AS ?value)", union),
        given(2, 'y=b x=a value="b"', 'y=c x=b value="c"'),
        given(4, 'y=a x=c value="a"'),
    )
    assert fingerprint(small) == fingerprint(other)
    assert str(fingerprint(small)) == "wrong value of STR"
