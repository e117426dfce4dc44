"""Sentences of the semantics that no other test holds (SEMANTICS 1 to 5)."""

from __future__ import annotations

import pytest

from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import BlankNode, Triple
from rsp_conformance.spec.dataset import background as at
from rsp_conformance.spec.trace import answer
from rsp_conformance.text.parse import parse_query
from tests.builders.cases import dials, element
from tests.builders.findings import background, case_of, rows, stream
from tests.builders.terms import PREFIXES, integer, iri

WINDOW = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
ALL = f"SELECT ?x {WINDOW}WHERE {{ WINDOW :w {{ ?y :p ?x }} }}"


def answers(case: Case, t0: int = 0, **values: object) -> dict[int, Content]:
    """Ans(Q_z) for z = (t0, …), by instant."""
    own = answer(case, dials(t0=t0, **values), (t0,) * len(case.query.windows))
    return {evaluation.t: evaluation.content for evaluation in own}


def lines(content: Content) -> list[str]:
    """The rows, their cells as they are written."""
    assert isinstance(content, Rows)
    return sorted(" ".join(map(str, row)) for row in content.rows)


# 1. Data


def test_an_element_is_a_non_empty_set_of_triples() -> None:
    with pytest.raises(ValueError, match="holds no triple"):
        StreamElement(iri("s"), 1, ())
    triple = Triple(iri("a"), iri("p"), iri("b"))
    assert StreamElement(iri("s"), 1, (triple, triple)).graph == (triple,)


def test_names_of_elements_are_distinct_within_a_stream_alone() -> None:
    triple = Triple(iri("a"), iri("p"), iri("b"))
    first = StreamElement(iri("s"), 1, (triple,), iri("e"))
    query = parse_query(PREFIXES + ALL)
    with pytest.raises(ValueError, match="is taken in"):
        Case(query, (first, StreamElement(iri("s"), 2, (triple,), iri("e"))), until=3)
    assert Case(query, (first, StreamElement(iri("r"), 2, (triple,), iri("e"))), until=3)


def test_example_4s_shops_in_time() -> None:
    """Both on [2,13], only b from 14, nothing before 2."""
    shops = background(("alice owns a", 2, 13), ("bob owns b", 2, None))
    case = case_of(ALL, until=20, data=shops)
    held = {t: {str(triple.object) for triple in at(case, t)[0]} for t in (0, 1, 2, 13, 14, 20)}
    a, b = str(iri("a")), str(iri("b"))
    assert held == {0: set(), 1: set(), 2: {a, b}, 13: {a, b}, 14: {b}, 20: {b}}


def test_a_blank_node_is_one_node_in_streams_and_background() -> None:
    query = parse_query(
        f"{PREFIXES} SELECT ?n FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
        "FROM NAMED WINDOW :v ON STREAM :r [RANGE 2 STEP 2] "
        "WHERE { WINDOW :w { ?b :p ?n } WINDOW :v { ?b :q ?n } ?b :r ?n }"
    )
    node = BlankNode("b")
    one, two = (
        StreamElement(iri(name), 1, (Triple(node, iri(predicate), integer(1)),))
        for name, predicate in (("s", "p"), ("r", "q"))
    )
    entry = background(("x r 1", None, None)).entries[0]
    known = type(entry)((Triple(node, iri("r"), integer(1)),))
    case = Case(query, (one, two), type(background())((known,)), until=2)
    assert len(lines(answers(case)[2])) == 1


def test_a_quoted_triple_is_not_asserted_by_its_annotation() -> None:
    quoted = Triple(iri("a"), iri("p"), iri("b"))
    annotation = StreamElement(iri("s"), 1, (Triple(quoted, iri("q"), integer(1)),))
    case = Case(parse_query(PREFIXES + ALL), (annotation,), until=2)
    assert lines(answers(case)[2]) == []
    text = ALL.replace("?y :p ?x", "<< ?y :p ?x >> :q 1")
    assert len(lines(answers(Case(parse_query(PREFIXES + text), (annotation,), until=2))[2])) == 1


# 2. Windows


def test_range_without_step_slides_by_one_instant() -> None:
    case = case_of(ALL.replace(" STEP 2", ""), stream("s", ("a p 1", 1)), until=4)
    assert case.query.sliding_windows(1)[0].slide == 1
    assert list(answers(case)) == [2, 3, 4]


def test_an_undefined_window_contributes_the_empty_graph() -> None:
    """In its gap (1,4] the second window is undefined; the first makes the query evaluate."""
    case = case_of(
        "SELECT ?x ?z FROM NAMED WINDOW :w ON STREAM :s [RANGE 3 STEP 3] "
        "FROM NAMED WINDOW :v ON STREAM :s [RANGE 1 STEP 4] "
        "WHERE { WINDOW :w { ?y :p ?x } OPTIONAL { WINDOW :v { ?z :p ?x } } }",
        stream("s", ("a p 1", 2)),
        until=3,
    )
    (row,) = lines(answers(case, report="WC[w]")[3])
    assert row.endswith("None")
    assert list(answers(case, report="WC[v]")) == [1], "a strategy bound to it does not hold"
    assert list(answers(case, report="NC[v]")) == []
    assert list(answers(case, report="CC[v]", content_change="any")) == []


# 3. Report and tick


def test_p_does_not_ask_for_content_nor_for_a_window() -> None:
    count = ALL.replace("?x", "(COUNT(*) AS ?n)", 1).replace("RANGE 2 STEP 2", "RANGE 1 STEP 4")
    case = case_of(count, stream("s", ("a p 1", 1), ("a p 2", 5)), until=6)
    found = answers(case, report="P(1)")
    assert found == {t: rows(f"n={int(t in (1, 5))}") for t in range(1, 7)}


def test_under_tuple_ticks_an_instant_without_elements_is_tested_once() -> None:
    case = case_of(ALL, stream("s", ("a p 1", 1), ("a p 2", 1)), until=2)
    own = answer(case, dials(t0=0, report="NC", tick="tuple"), (0,))
    assert [evaluation.t for evaluation in own] == [1, 1, 2]
    assert [len(lines(evaluation.content)) for evaluation in own] == [1, 2, 2]


# 4. Evaluation


TWICE = stream("s", ("a p 1", 1), ("b p 1", 2), ("a p 1", 3), ("a p 2", 4))
"""1 twice, then 1 and 2."""


def test_streaming_operators_apply_after_the_solution_modifiers() -> None:
    distinct = case_of(
        "REGISTER ISTREAM :o AS " + ALL.replace("?x", "DISTINCT ?x", 1), TWICE, until=4
    )
    assert [len(lines(content)) for content in answers(distinct).values()] == [1, 1]
    plain = case_of("REGISTER DSTREAM :o AS " + ALL, TWICE, until=4)
    assert [len(lines(content)) for content in answers(plain).values()] == [0, 1]


def test_streaming_operators_apply_before_the_query_form() -> None:
    ask = case_of(
        f"REGISTER ISTREAM :o AS ASK {WINDOW}WHERE {{ WINDOW :w {{ ?y :p ?x }} }}", TWICE, until=6
    )
    assert answers(ask) == {2: Truth(True), 4: Truth(True), 6: Truth(False)}
    construct = case_of(
        f"REGISTER DSTREAM :o AS CONSTRUCT {{ ?y :was ?x }} {WINDOW}"
        "WHERE { WINDOW :w { ?y :p ?x } }",
        TWICE,
        until=4,
    )
    gone = Triple(iri("b"), iri("was"), integer(1))
    assert answers(construct) == {2: Triples(frozenset()), 4: Triples(frozenset({gone}))}


@pytest.mark.parametrize(("operator", "ordered"), [("RSTREAM", True), ("ISTREAM", False)])
def test_order_is_compared_under_rstream_alone(operator: str, ordered: bool) -> None:
    case = case_of(f"REGISTER {operator} :o AS {ALL} ORDER BY ?x", TWICE, until=4)
    for content in answers(case).values():
        assert isinstance(content, Rows)
        assert (content.ties is not None) is ordered


def test_an_empty_window_is_evaluated_without_nc() -> None:
    text = ALL.replace("?x", "(COUNT(*) AS ?n) (AVG(?x) AS ?m)", 1)
    case = case_of(text, stream("s", ("a p 3", 3)), until=4)
    assert answers(case)[2] == rows("n=0 m=0")
    assert list(answers(case, report="WC & NC")) == [4]


def test_what_empty_answers_no_drops() -> None:
    late = stream("s", ("a p 3", 3))
    where = f"{WINDOW}WHERE {{ WINDOW :w {{ ?y :p ?x }} }}"
    kept = {"SELECT ?x": [4], "CONSTRUCT { ?y :p ?x }": [4], "ASK": [2, 4]}
    kept["SELECT (COUNT(*) AS ?n)"] = [2, 4]
    for form, instants in kept.items():
        case = case_of(f"{form} {where}", late, until=4)
        assert list(answers(case)) == [2, 4]
        assert list(answers(case, empty_answers="no")) == instants
    ask = case_of(f"ASK {where}", late, until=4)
    assert answers(ask, empty_answers="no") == {2: Truth(False), 4: Truth(True)}


def test_the_first_evaluation_follows_an_empty_one() -> None:
    for operator, found in (("ISTREAM", [2]), ("DSTREAM", [0]), ("RSTREAM", [2])):
        case = case_of(f"REGISTER {operator} :o AS {ALL}", TWICE, until=2)
        assert [len(lines(content)) for content in answers(case).values()] == found


# 5. Profiles


def test_later_overrides_win() -> None:
    profile = PROFILES.read(
        Profile,
        {
            "overrides": [
                {"when": ["select"], "dials": {"bounds": "[o,c)", "tick": "tuple"}},
                {"when": ["tumbling"], "dials": {"bounds": "[o,c]"}},
            ]
        },
    )
    found = profile.dials(parse_query(PREFIXES + ALL))
    assert (found.bounds, found.tick) == ("[o,c]", "tuple")


def test_equal_elements_may_repeat() -> None:
    same = element(1, "a", "p", "b")
    case = Case(parse_query(PREFIXES + ALL), (same, same), until=2)
    assert len(lines(answers(case)[2])) == 1
    assert len(lines(answers(case, window_content="bag")[2])) == 2
