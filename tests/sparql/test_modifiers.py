"""ORDER BY, DISTINCT, REDUCED, LIMIT and OFFSET (SPARQL 1.1, 15; decision 17)."""

from __future__ import annotations

import pytest

from rsp_conformance.sparql.relation import Relation
from tests.builders.sparql import evaluate, graph
from tests.builders.terms import iri

pytestmark = pytest.mark.usefixtures("evaluator")


def ordered(values: list[object], modifiers: str, select: str = "?v") -> Relation:
    data = graph(*((f":s{i}", ":p", value) for i, value in enumerate(values)))
    return evaluate(f"SELECT {select} {{ ?s :p ?v }} {modifiers}", data)


def column(found: Relation) -> list[str]:
    return ["-" if r[0] is None else getattr(r[0], "lexical", repr(r[0])) for r in found.rows]


def test_order_of_kinds_of_terms():
    found = evaluate(
        "SELECT ?v { { ?s :p ?v } UNION {} } ORDER BY ?v",
        graph((":a", ":p", 3), (":a", ":p", ":i"), (":a", ":p", "_:x"), (":a", ":p", ":h")),
    )
    assert column(found) == ["-", "_:x", "<http://ex.org/h>", "<http://ex.org/i>", "3"]
    assert found.ties == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("values", "expected", "ties"),
    [
        ([10, 9, '"9.5"^^xsd:decimal'], ["9", "9.5", "10"], (0, 1, 2)),
        (["b", "a", "B"], ["B", "a", "b"], (0, 1, 2)),
        (['"true"^^xsd:boolean', '"false"^^xsd:boolean'], ["false", "true"], (0, 1)),
        ([2, 1, '"01"^^xsd:integer'], ["01", "1", "2"], (0, 0, 1)),
        ([1, 1], ["1", "1"], (0, 0)),
        (
            ['"2011-01-10T12:00:00Z"^^xsd:dateTime', '"2011-01-10T12:30:00+01:00"^^xsd:dateTime'],
            ["2011-01-10T12:30:00+01:00", "2011-01-10T12:00:00Z"],
            (0, 1),
        ),
        (["_:x", "_:y", ":a"], ["_:x", "_:y", "<http://ex.org/a>"], (0, 0, 1)),
        (['"NaN"^^xsd:double'], ["NaN"], (0,)),
        ([1, '"-INF"^^xsd:double'], ["-INF", "1"], (0, 1)),
        # IRIs are ordered by code points.
        (
            [":é", ":z", ":Z", ":𝄞", ":\uffee"],
            [f"<http://ex.org/{c}>" for c in ("Z", "z", "é", "\uffee", "𝄞")],
            (0, 1, 2, 3, 4),
        ),
        # 0.1 and 0.1e0 are equal under promotion, so neither is less.
        (['"0.1"^^xsd:decimal', '"0.1e0"^^xsd:double'], ["0.1", "0.1e0"], (0, 0)),
    ],
)
def test_order_and_ties(values, expected, ties):
    found = ordered(values, "ORDER BY ?v")
    assert column(found) == expected
    assert found.ties == ties


@pytest.mark.parametrize(
    "values",
    [
        [1, "a"],
        ["a", '"a"@en'],
        ['"a"@en', '"b"@en'],
        ['"x"^^:t', '"y"^^:t'],
        ["a", '"x"^^:t'],
        [1, '"NaN"^^xsd:double'],
        [1, '"x"^^xsd:integer'],
        ['"2011-01-10T12:00:00Z"^^xsd:dateTime', '"2011-01-10T13:00:00"^^xsd:dateTime'],
    ],
)
def test_literals_that_do_not_compare_leave_a_multiset(values):
    assert ordered(values, "ORDER BY ?v").ties is None


def test_descending_and_several_columns():
    data = graph(
        (":a", ":p", 1),
        (":a", ":q", 7),
        (":b", ":p", 1),
        (":b", ":q", 9),
        (":c", ":p", 2),
        (":c", ":q", 0),
    )
    found = evaluate("SELECT ?s { ?s :p ?v ; :q ?w } ORDER BY DESC(?v) ?w", data)
    assert found.rows == [(iri("c"),), (iri("a"),), (iri("b"),)]
    assert found.ties == (0, 1, 2)


def test_rows_of_different_terms_of_one_rank_stay_tied_whatever_follows():
    """15.1 goes on to the next comparator only where this one gives the same term."""
    data = graph((":a", ":p", "_:x"), (":a", ":q", 2), (":b", ":p", "_:y"), (":b", ":q", 1))
    assert evaluate("SELECT ?s { ?s :p ?v ; :q ?w } ORDER BY ?v ?w", data).ties == (0, 0)
    same = graph((":a", ":p", "_:x"), (":a", ":q", 2), (":b", ":p", "_:x"), (":b", ":q", 1))
    found = evaluate("SELECT ?s { ?s :p ?v ; :q ?w } ORDER BY ?v ?w", same)
    assert (found.rows, found.ties) == ([(iri("b"),), (iri("a"),)], (0, 1))


def test_conditions_may_be_errors_and_of_what_is_not_selected():
    # An error comes first.
    assert column(ordered([1, ":x"], "ORDER BY (?v + 1)")) == ["<http://ex.org/x>", "1"]
    found = column(ordered([3, 1, 2], "ORDER BY DESC(?v)", "?s"))
    assert found == [f"<http://ex.org/s{i}>" for i in (0, 2, 1)]


def test_without_order_by_there_are_no_ties():
    assert ordered([1, 2], "").ties is None


def test_distinct_keeps_the_order():
    found = ordered([2, 1, 2], "ORDER BY ?v", "DISTINCT ?v")
    assert (column(found), found.ties) == (["1", "2"], (0, 1))


def test_distinct_loses_the_order_where_duplicates_stand_apart():
    data = graph((":a", ":p", 1), (":b", ":p", 2), (":a", ":p", 3))
    found = evaluate("SELECT DISTINCT ?s { ?s :p ?v } ORDER BY ?v", data)
    assert found.ties is None
    assert len(found.rows) == 2


@pytest.mark.parametrize(
    ("values", "modifiers", "expected", "determined"),
    [
        ([3, 1, 2], "ORDER BY ?v LIMIT 2", ["1", "2"], True),
        ([3, 1, 2], "ORDER BY ?v OFFSET 1", ["2", "3"], True),
        ([3, 1, 2], "ORDER BY ?v OFFSET 1 LIMIT 1", ["2"], True),
        ([3, 1, 2], "ORDER BY DESC(?v) LIMIT 0", [], True),
        ([3, 1, 2], "OFFSET 3", [], True),
        ([1, 1, 1], "LIMIT 2", ["1", "1"], True),
        ([1, 1, 2], "LIMIT 2", ["1", "1"], False),
        ([1, 2], "LIMIT 2", ["1", "2"], True),
        ([1, 2], "OFFSET 1", ["2"], False),
        (["_:x", "_:y"], "ORDER BY ?v LIMIT 1", ["_:x"], False),
        ([1, "a"], "ORDER BY ?v LIMIT 1", ["1"], False),
    ],
)
def test_slices(values, modifiers, expected, determined):
    found = ordered(values, modifiers)
    assert column(found) == expected
    assert found.determined is determined


def test_a_slice_is_undetermined_only_if_the_rows_themselves_may_differ():
    """Two solutions that ORDER BY leaves tied and that look the same may change places."""
    assert ordered([1, 1, 2], "ORDER BY ?v LIMIT 1").determined
    assert not ordered([1, 1, 2], "ORDER BY ?v LIMIT 1", "?s").determined


def test_reduced_keeps_duplicates_and_says_so():
    found = ordered([1, 1], "", "REDUCED ?v")
    assert column(found) == ["1", "1"]
    assert found.undetermined == ("reduced",)
    assert ordered([1, 2], "", "REDUCED ?v").determined


def test_select_star_names_the_variables_in_order_of_appearance():
    text = (
        "SELECT * { ?b :p ?a OPTIONAL { GRAPH ?g { [] :q ?c } } BIND(1 AS ?d) FILTER(?z) } "
        "VALUES ?e { 1 }"
    )
    assert evaluate(text).variables == ("b", "a", "g", "c", "d", "e")
