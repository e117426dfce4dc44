"""The strategies for the parts of a case, and the text of what they draw."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import find

from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.features import query_features, with_implied
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement, check_order
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple, is_numeric
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import (
    GENERATED,
    backgrounds,
    graphs,
    queries,
    streams,
    terms,
    triples,
    windows,
)
from rsp_conformance.strategies.written import (
    WrittenBackground,
    WrittenCase,
    WrittenQuery,
    WrittenWindow,
)
from rsp_conformance.text.parse import parse_query
from tests.builders.drawing import draw_many


def ex(local: str) -> IRI:
    return IRI(f"http://ex.org/{local}")


def anything(_: object) -> bool:
    return True


def test_terms_follow_the_features():
    plain = draw_many(terms(set()), 100)
    assert {type(term) for term in plain} == {IRI, Literal}
    assert not any(is_numeric(term) for term in plain)
    everything = draw_many(terms(), 200)
    assert any(isinstance(term, BlankNode) for term in everything)
    assert any(isinstance(term, Literal) and term.language for term in everything)
    ones = {term.lexical for term in everything if is_numeric(term) and float(term.lexical) == 1}
    assert {"1", "01", "1.0", "1e0"} <= ones


def test_triples_share_terms():
    drawn = draw_many(triples(), 300)
    assert any(one.object == two.subject for one in drawn for two in drawn if one != two)
    for triple in drawn:
        assert is_numeric(triple.object) == (triple.predicate == ex("value"))


def test_graphs_hold_distinct_triples():
    for graph in draw_many(graphs(max_triples=3), 100):
        assert 1 <= len(graph) == len(set(graph)) <= 3


def test_streams_are_in_order_and_vary():
    drawn = draw_many(streams(count=2), 200)
    gaps: set[int] = set()
    for stream in drawn:
        check_order(stream)
        assert len(stream) <= 12
        gaps |= {two.t - one.t for one, two in pairwise(stream)}
    assert {0, 1, 2, 3, 10} <= gaps, "bursts, steps and silences"
    assert any(len(set(stream)) < len(stream) for stream in drawn), "equal elements"
    assert any(len(element.graph) == 2 for stream in drawn for element in stream)
    assert {e.stream for stream in drawn for e in stream} == {ex("s1"), ex("s2")}


def test_streams_start_after_an_instant():
    assert all(e.t >= 7 for stream in draw_many(streams(start=7), 50) for e in stream)


def test_windows_are_of_every_kind():
    drawn = [w for some in draw_many(windows(count=2), 300) for w in some]
    assert any(w.slide is None for w in drawn), "RANGE without STEP"
    pairs = {(w.width, w.slide) for w in drawn if w.slide}
    assert any(width == slide for width, slide in pairs), "tumbling"
    assert any(width > slide for width, slide in pairs), "sliding"
    assert any(width < slide for width, slide in pairs), "with gaps"
    assert any(width > slide and width % slide for width, slide in pairs), "no multiple"


def test_windows_follow_the_features():
    for some in draw_many(windows({"same-stream-windows"}, count=3), 50):
        assert {w.stream for w in some} == {ex("s1")}
        assert all(w.width >= (w.slide or 1) for w in some)
    for some in draw_many(windows({"multi-window"}, count=2), 50):
        assert [w.stream for w in some] == [ex("s1"), ex("s2")]
    with pytest.raises(ValueError, match="2 windows need the feature multi-window or same-stream"):
        windows(set(), count=2)


def test_backgrounds_follow_the_features():
    assert not any(draw_many(backgrounds(set()), 20))
    static = draw_many(backgrounds({"static-data"}), 50)
    assert any(static)
    assert not any(b.time_varying or b.graph_names() for b in static)
    everything = draw_many(backgrounds(), 200)
    assert any(b.time_varying for b in everything)
    assert any(b.graph_names() for b in everything)


def test_queries_follow_the_features():
    assert all(query_features(q) <= with_implied(GENERATED) for q in draw_many(queries(), 100))
    assert all(query_features(q) == {"ask"} for q in draw_many(queries({"ask"}), 50))


def test_parts_shrink_to_what_a_person_writes():
    assert find(terms(), anything) == ex("a")
    assert find(graphs(), anything) == (Triple(ex("a"), ex("p"), ex("a")),)
    assert find(streams(), anything) == ()
    assert repr(find(streams(), bool)) == "(:a :p :b, 1)"
    twice = find(streams(), lambda stream: len(stream) == 2)
    assert repr(twice) == "(:a :p :b, 1), (:a :p :b, 2)"
    assert repr(find(windows(), anything)[0]) == (
        "FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 1 STEP 1]"
    )
    assert find(backgrounds(), anything) == Background()
    assert repr(find(backgrounds(), bool)) == ":a :r :a"


def test_queries_shrink_to_one_pattern():
    assert repr(find(queries(), anything)).splitlines() == [
        "PREFIX : <http://ex.org/>",
        "SELECT ?x ?y",
        "FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 1 STEP 1]",
        "WHERE {",
        "  WINDOW :w1 { ?x :p ?y }",
        "}",
    ]


def test_values_print_in_the_papers_notation():
    near = Triple(ex("diana"), ex("isNearby"), ex("a"))
    text = """PREFIX : <http://ex.org/>
REGISTER RStream :out AS
SELECT ?x
FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 5 STEP 2]
WHERE {
  WINDOW :w1 { ?x :isNearby ?y }
  ?z :owns ?y .
}"""
    owns = Triple(ex("alice"), ex("owns"), ex("a"))
    size = Triple(ex("a"), ex("size"), Literal("x", language="en"))
    entries = find(backgrounds({"static-data"}), bool).entries
    entry = type(entries[0])
    background = (entry((owns, size), None, 2, 13), entry((owns,), ex("g"), None, 4))
    case = WrittenCase(
        query=parse_query(text),
        elements=(
            StreamElement(ex("s1"), 2, (near,)),
            StreamElement(ex("s2"), 2, (near, owns), ex("e")),
        ),
        background=Background(background),
        registered=1,
        until=9,
    )
    shown = '{:alice :owns :a. :a :size "x"@en} on [2,13], :alice :owns :a in :g on [,4]'
    assert repr(case) == (
        text
        + "\n:s1 = (:diana :isNearby :a, 2)"
        + "\n:s2 = (:e {:diana :isNearby :a. :alice :owns :a}, 2)"
        + "\nin the order :s1 :s2"
        + f"\nbackground = {shown}"
        + "\nregistered at 1, compared until 9"
    )
    assert repr(WrittenBackground(background)) == shown


def test_written_values_equal_the_plain_ones():
    query = draw_many(queries(), 1)[0]
    assert type(query) is WrittenQuery
    plain = parse_query(repr(query))
    assert type(plain) is Query
    assert query == plain and plain == query and hash(query) == hash(plain)
    one, two = WindowDeclaration(ex("w"), ex("s"), 5), WrittenWindow(ex("w"), ex("s"), 5)
    assert one == two and two == one and hash(one) == hash(two)
    assert WrittenWindow(ex("w"), ex("s"), 4) != one
    assert WrittenBackground() == Background()
    case = Case(query=plain, until=3)
    written = WrittenCase(query=query, until=3)
    assert case == written and written == case and hash(case) == hash(written)
    assert WrittenCase(query=query, until=4) != case
    assert written != "another thing"
