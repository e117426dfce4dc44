"""Ans(Q) and Definition 26 on small cases (SEMANTICS 4, 5 and 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.algebra import BGP, Extend, Graph, Join, Window
from rsp_conformance.model.answers import Evaluation, Observed, Rows
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Projection, Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.verdict import Kind
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import answer
from tests.builders.cases import (
    S_NEARBY,
    dials,
    element,
    nearby_case,
    nearby_query,
    pattern,
    window,
)
from tests.builders.terms import iri


def who(evaluations: tuple[Evaluation, ...], variable: str = "who") -> list[tuple[int, list[str]]]:
    """Instants with the local names that VARIABLE takes."""
    found = []
    for evaluation in evaluations:
        assert isinstance(evaluation.content, Rows)
        column = evaluation.content.variables.index(variable)
        names = [str(row[column]).rsplit("/", 1)[-1].rstrip(">") for row in evaluation.content.rows]
        found.append((evaluation.t, sorted(names)))
    return found


def given(evaluations: tuple[Evaluation, ...]) -> list[Observed]:
    return [Observed(e.t, e.content) for e in evaluations]


def test_example_10() -> None:
    """Two windows, time-varying shops, WC[W2] & NC[W2] (alice, where the paper prints adam)."""
    coupons = (
        element(8, "alice", "offers", '"10% discount on ..."', stream="coupon"),
        element(15, "bob", "offers", '"free coffee at ..."', stream="coupon"),
    )
    elements = tuple(sorted((*S_NEARBY, *coupons), key=lambda e: e.t))
    shops = Background(
        (
            BackgroundEntry((Triple(iri("alice"), iri("owns"), iri("a")),), since=2, until=13),
            BackgroundEntry((Triple(iri("bob"), iri("owns"), iri("b")),), since=2),
        )
    )
    query = Query(
        pattern=Join(
            Join(
                Window(iri("w1"), BGP((pattern("?who", "near", "?shop"),))),
                Window(iri("w2"), BGP((pattern("?owner", "offers", "?what"),))),
            ),
            BGP((pattern("?owner", "owns", "?shop"),)),
        ),
        windows=(window("w1", 5, 2), window("w2", 2, 2, stream="coupon")),
        operator=StreamOperator.RSTREAM,
    )
    case = Case(query, elements, shops, until=16)
    found = answer(case, dials(report="WC[w2] & NC[w2]"), (1, 0))
    assert who(found) == [(8, ["carl", "eve"]), (16, ["diana"])]
    assert who(found, "owner") == [(8, ["alice", "alice"]), (16, ["bob"])]
    assert who(found, "shop") == [(8, ["a", "a"]), (16, ["b"])]


def test_streaming_operators_between_consecutive_evaluations() -> None:
    case = nearby_case(5, 2, until=12)

    def under(operator: StreamOperator) -> list[tuple[int, list[str]]]:
        asked = replace(case, query=replace(case.query, operator=operator))
        return who(answer(asked, dials(empty_answers="no"), (1,)))

    assert under(StreamOperator.RSTREAM) == [
        (6, ["carl", "diana", "eve"]),
        (8, ["carl", "eve"]),
        (10, ["eve"]),
        (12, ["diana"]),
    ]
    assert under(StreamOperator.ISTREAM) == [
        (6, ["carl", "diana", "eve"]),
        (8, ["eve"]),
        (12, ["diana"]),
    ]
    assert under(StreamOperator.DSTREAM) == [(8, ["diana", "eve"]), (10, ["carl"]), (12, ["eve"])]


def test_bag_and_set_differences() -> None:
    """Two rows alike, then one of them gone."""
    elements = (element(1, "a", "near", "b"), element(2, "a", "near", "c"))
    query = nearby_query(
        window("w", 3, 1),
        operator=StreamOperator.DSTREAM,
        projection=(Projection(Variable("who")),),
    )
    case = Case(query, elements, until=6)
    bag = who(answer(case, dials(report="NC", empty_answers="no"), (0,)))
    as_set = who(answer(case, dials(report="NC", empty_answers="no", r2s="set"), (0,)))
    assert bag == [(4, ["a"])]
    assert as_set == []


def test_istream_looks_back_to_before_the_compared_range() -> None:
    case = Case(
        nearby_query(window("w", 9, 3), operator=StreamOperator.ISTREAM),
        (element(2, "a", "near", "b"),),
        until=12,
    )
    found = answer(case, dials(), (0,))
    assert who(found) == [(9, ["a"]), (12, [])]
    right = judge(case, dials(empty_answers="no"), [Observed(10, found[0].content)])
    assert (right.correct, right.t0, right.t_s) == (True, (1,), 2)


def test_duplicates_add_up_where_the_profile_keeps_them() -> None:
    twice = (element(1, "a", "near", "b"), element(2, "a", "near", "b"))
    case = Case(nearby_query(window("w", 3, 3)), twice, until=3)
    assert who(answer(case, dials(), (0,))) == [(3, ["a"])]
    assert who(answer(case, dials(window_content="bag"), (0,))) == [(3, ["a", "a"])]


def test_background_is_invisible_inside_window_and_merged_windows_meet_it() -> None:
    shops = Background((BackgroundEntry((Triple(iri("x"), iri("near"), iri("y")),)),))
    case = Case(nearby_query(window("w", 3, 3)), S_NEARBY[:2], shops, until=3)
    assert who(answer(case, dials(), (0,))) == [(3, ["diana", "eve"])]
    merged = Query(
        pattern=BGP((pattern("?who", "near", "?where"),)), windows=(window("w", 3, 3, named=False),)
    )
    assert who(answer(replace(case, query=merged), dials(), (0,))) == [(3, ["diana", "eve", "x"])]
    under_default = dials(windows_in="default")
    assert who(answer(replace(case, query=merged), under_default, (0,))) == [
        (3, ["diana", "eve", "x"])
    ]
    with pytest.raises(Unsupported, match="WINDOW under a profile"):
        answer(case, under_default, (0,))


def test_a_named_elements_timestamp_stands_in_the_windows_default_graph() -> None:
    """RSP-QL* Definition 6."""
    named = StreamElement(iri("s"), 2, (Triple(iri("a"), iri("near"), iri("b")),), iri("g"))
    inside = Extend(
        Graph(Variable("g"), BGP((pattern("?who", "near", "?where"),))),
        Variable("seen"),
        Variable("g"),
    )
    stamp = pattern("?g", "unused", "?t")
    stamped = replace(stamp, predicate=IRI("http://www.w3.org/ns/prov#generatedAtTime"))
    query = Query(
        pattern=Window(iri("w"), Join(inside, BGP((stamped,)))), windows=(window("w", 3, 3),)
    )
    found = answer(Case(query, (named,), until=3), dials(), (0,))
    assert who(found) == [(3, ["a"])]
    plain = replace(query, pattern=Window(iri("w"), BGP((pattern("?who", "near", "?where"),))))
    assert who(answer(Case(plain, (named,), until=3), dials(), (0,))) == [(3, [])]


def test_an_operator_outside_the_profile_is_unsupported() -> None:
    case = nearby_case(5, 2)
    asked = replace(case, query=replace(case.query, operator=StreamOperator.ISTREAM))
    with pytest.raises(Unsupported, match="ISTREAM under this profile"):
        answer(asked, dials(stream_operators="R"), (1,))


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("slide", [1, 2, 4])
def test_every_legal_t0_is_right_and_others_are_not(width: int, slide: int) -> None:
    case = nearby_case(width, slide, until=16)
    for starts in rspql_queries(case, Dials()):
        verdict = judge(case, Dials(), given(answer(case, Dials(), starts)))
        assert verdict.correct
    full = given(answer(case, Dials(), (0,)))
    missing = judge(case, Dials(), full[:-1])
    assert not missing.correct
    assert missing.divergence is not None
    assert missing.divergence.kind is Kind.MISSING


def test_containment_is_not_enough() -> None:
    case = nearby_case(5, 2, until=16)
    full = given(answer(case, Dials(), (1,)))
    first = full[0]
    assert isinstance(first.content, Rows)
    fewer = replace(first, content=replace(first.content, rows=first.content.rows[1:]))
    verdict = judge(case, Dials(), [fewer, *full[1:]])
    assert not verdict.correct


def test_an_answer_that_sparql_leaves_open_is_not_judged() -> None:
    case = nearby_case(5, 2, until=16)
    cut = replace(case, query=replace(case.query, limit=1))
    with pytest.raises(Unsupported, match="leave open"):
        judge(cut, Dials(), [])
