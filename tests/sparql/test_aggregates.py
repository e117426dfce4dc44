"""GROUP BY, HAVING and the seven aggregates (SPARQL 1.1, 11 and 18.5.1)."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest

from rsp_conformance.model.terms import XSD, Literal
from rsp_conformance.sparql.arithmetic import watch_sum
from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from rsp_conformance.sparql.dataset import GraphBag as Bag
from rsp_conformance.sparql.open_points import ROUNDING
from rsp_conformance.sparql.readings import PLAIN, under
from rsp_conformance.sparql.values import Float, Number
from tests.builders.compiled import solutions
from tests.builders.sparql import evaluate, graph, query, rows
from tests.builders.terms import EX, integer, iri, term, triple

pytestmark = pytest.mark.usefixtures("evaluator")


NUMBERS = graph((":a", ":p", 1), (":a", ":p", 2), (":b", ":p", 5))
MIXED = graph((":a", ":p", 1), (":a", ":p", ":x"), (":b", ":p", 5))


def short(found: list[tuple[object, ...]]) -> list[str]:
    return [
        " ".join("-" if t is None else getattr(t, "lexical", repr(t)) for t in r) for r in found
    ]


def one(aggregate: str, data: GraphBag) -> str | None:
    [(found,)] = rows(f"SELECT ({aggregate} AS ?r) {{ ?s :p ?v }}", data)
    return None if found is None else getattr(found, "lexical", repr(found))


ONE_TWICE = graph((":a", ":p", 1), (":a", ":p", '"01"^^xsd:integer'), (":b", ":p", 1))
WHOLE = GraphBag({triple(":a", ":p", 1): 2, triple(":b", ":p", 1): 1})
PADDED = graph((":a", ":p", '"05"^^xsd:integer'), (":a", ":p", '"1.50"^^xsd:decimal'))
KINDS = graph((":a", ":p", "_:x"), (":a", ":p", ":i"), (":a", ":p", 3))
TYPES = graph(
    (":a", ":p", 1), (":a", ":p", '"2.0e0"^^xsd:float'), (":a", ":p", '"3.0"^^xsd:decimal')
)


def decimals(*values: str) -> GraphBag:
    return graph(*((":a", ":p", f'"{value}"^^xsd:decimal') for value in values))


@pytest.mark.parametrize(
    ("aggregate", "data", "expected"),
    [
        ("COUNT(*)", graph(), "0"),
        ("COUNT(?v)", graph(), "0"),
        ("SUM(?v)", graph(), "0"),
        ("AVG(?v)", graph(), "0"),
        ("GROUP_CONCAT(?v)", graph(), ""),
        ("MIN(?v)", graph(), None),
        ("MAX(?v)", graph(), None),
        ("SAMPLE(?v)", graph(), None),
        ("SUM(?v)", NUMBERS, "8"),
        ("AVG(?v)", NUMBERS, "2.666666666666666666"),
        ("MIN(?v)", NUMBERS, "1"),
        ("MAX(?v)", NUMBERS, "5"),
        ("COUNT(DISTINCT ?s)", NUMBERS, "2"),
        ("SUM(?v * 2)", NUMBERS, "16"),
        ('GROUP_CONCAT(STR(?v); SEPARATOR="|")', NUMBERS, "1|2|5"),
        ("GROUP_CONCAT(?v)", NUMBERS, None),  # CONCAT takes strings
        # COUNT passes errors over, and others can be protected from them.
        ("COUNT(?v + 1)", MIXED, "2"),
        ("COUNT(*)", MIXED, "3"),
        ("SUM(COALESCE(?v + 0, 10))", MIXED, "16"),
        # Distinct values are distinct terms (18.5.1): 1 and 01 are two of one value.
        ("SUM(DISTINCT ?v)", ONE_TWICE, "2"),
        ("SUM(?v)", ONE_TWICE, "3"),
        ("COUNT(DISTINCT ?v)", ONE_TWICE, "2"),
        # DISTINCT * is of whole solutions.
        ("COUNT(*)", WHOLE, "3"),
        ("COUNT(DISTINCT *)", WHOLE, "2"),
        # MIN and MAX return terms of the group, whose kinds are ordered as in 15.1.
        ("MIN(?v)", PADDED, "1.50"),
        ("MAX(?v)", PADDED, "05"),
        ("MIN(?v)", KINDS, "_:x"),
        ("MAX(?v)", KINDS, "3"),
        # Sums are promoted to the widest type, and one that is zero has the type of its values.
        ("SUM(?v)", TYPES, "6"),
        ("DATATYPE(SUM(?v))", TYPES, f"<{XSD}float>"),
        ("DATATYPE(SUM(?v))", decimals("0.0"), f"<{XSD}decimal>"),
        ("DATATYPE(SUM(?v))", decimals("1.5", "-1.5"), f"<{XSD}decimal>"),
    ],
)
def test_values(aggregate, data, expected):
    assert one(aggregate, data) == expected


UNBOUND = graph((":a", ":p", 1), (":a", ":q", 7), (":b", ":p", 1))
A, B = (f"<{EX}{name}>" for name in "ab")


@pytest.mark.parametrize(
    ("text", "data", "expected"),
    [
        # Where nothing matches there is one group without GROUP BY, and none with it.
        ("SELECT (COUNT(*) AS ?n) { ?s :p ?v }", graph(), ["0"]),
        ("SELECT ?s (COUNT(*) AS ?n) { ?s :p ?v } GROUP BY ?s", graph(), []),
        (
            "SELECT ?k (COUNT(*) AS ?n) { ?s :p ?v } GROUP BY (?v > 1 AS ?k)",
            MIXED,
            ["- 1", "false 1", "true 1"],
        ),
        (
            "SELECT ?v ?w (COUNT(*) AS ?n) { ?s :p ?v OPTIONAL { ?s :q ?w } } GROUP BY ?v ?w",
            UNBOUND,
            ["1 - 1", "1 7 1"],
        ),
        ("SELECT ?s { ?s :p ?v } GROUP BY ?s HAVING (COUNT(*) > 1) (SUM(?v) < 9)", NUMBERS, [A]),
        ("SELECT (COUNT(*) AS ?n) { ?s :p ?v } HAVING (COUNT(*) > 9)", NUMBERS, []),
        # 18.2.4.2: HAVING comes before the expressions of SELECT.
        ("SELECT (COUNT(*) AS ?n) { ?s :p ?v } HAVING (?n > 1)", NUMBERS, []),
        ("SELECT ?s { ?s :p ?v } GROUP BY ?s ORDER BY DESC(COUNT(*))", NUMBERS, [A, B]),
        ("SELECT ?s { ?s :p ?v } GROUP BY ?s ORDER BY COUNT(*)", NUMBERS, [B, A]),
        # VALUES joins after grouping.
        (
            "SELECT ?s (COUNT(*) AS ?n) { ?s :p ?v } GROUP BY ?s VALUES ?s { :b :c }",
            NUMBERS,
            [f"{B} 1"],
        ),
    ],
)
def test_groups(text, data, expected):
    found = short(rows(text, data))
    assert (found if "ORDER BY" in text else sorted(found)) == expected


@pytest.mark.parametrize("aggregate", ["SUM", "AVG", "GROUP_CONCAT"])
def test_an_error_makes_the_aggregate_an_error_in_its_group_alone(aggregate):
    argument = "STR(?v + 1)" if aggregate == "GROUP_CONCAT" else "?v"
    found = rows(f"SELECT ?s ({aggregate}({argument}) AS ?r) {{ ?s :p ?v }} GROUP BY ?s", MIXED)
    assert {s: r is None for s, r in found} == {iri("a"): True, iri("b"): False}


def test_an_unbound_value_is_the_least_so_min_is_an_error_and_max_is_not():
    """18.5.1.5 and 15.1: an error comes first in ORDER BY."""
    text = "SELECT ({}(?w) AS ?r) {{ ?s :p ?v OPTIONAL {{ ?s :q ?w }} }}"
    data = graph((":a", ":p", 1), (":a", ":q", 7), (":b", ":p", 5))
    assert rows(text.format("MIN"), data) == [(None,)]
    found = evaluate(text.format("MAX"), data)
    assert found.rows == [(term(7),)]
    assert not found.determined


def test_the_average_of_errors_alone_is_the_average_of_nothing():
    """18.5.1.4: Avg is 0 where Count is 0, and Count passes errors over."""
    found = evaluate("SELECT (AVG(?w) AS ?r) { ?s :p ?v }", NUMBERS)
    assert found.rows == [(term(0),)]
    assert not found.determined


@pytest.mark.parametrize(
    ("aggregate", "values", "determined"),
    [
        ("SAMPLE(?v)", (1, 2), False),
        ("SAMPLE(?v)", (1,), True),
        ("MAX(?v)", (1, "a"), False),
        ("MAX(?v)", ("a", "b"), True),
        ("MIN(?v)", ("_:x", "_:y"), False),
        ("GROUP_CONCAT(?v)", ("a", "b"), False),
        ("GROUP_CONCAT(?v)", ("a",), True),
        ("SUM(?v)", (1, 2), True),
    ],
)
def test_what_sparql_leaves_open_is_told(aggregate, values, determined):
    data = graph(*((":a", ":p", value) for value in values))
    assert evaluate(f"SELECT ({aggregate} AS ?r) {{ ?s :p ?v }}", data).determined is determined


def test_ask_and_construct_see_the_keys_alone():
    found = evaluate("CONSTRUCT { ?s :n ?v } { ?s :p ?v } GROUP BY ?s", NUMBERS)
    assert found.variables == ("s",)
    assert len(found.rows) == 2


def test_doubles_sum_to_one_value_in_any_order():
    values = [
        Literal(v, "http://www.w3.org/2001/XMLSchema#double")
        for v in ("0.1", "0.2", "0.3", "1e16", "-1e16")
    ]
    sums = set()
    for shift in range(len(values)):
        turned = values[shift:] + values[:shift]
        sums.add(one("SUM(?v)", graph(*((":a", ":p", v) for v in turned))))
    assert Counter(sums) == Counter({"0.6": 1})


@pytest.mark.parametrize(
    ("values", "is_open"),
    [
        ([Float(1.5), 1, Decimal("2.0")], False),
        ([Float(1.5), 1.5, 2.5], False),
        ([Decimal("0.5"), 1.5, 10**400], True),
        ([Float(1.5), 1, Decimal("0.1")], True),
        ([Float(2**24), Decimal(1), 1.0], True),
        ([float("inf"), Decimal(1), 1], True),
    ],
)
def test_a_sum_of_several_types_is_open_only_if_a_part_is_rounded(
    values: list[Number], is_open: bool
) -> None:
    with under(PLAIN) as ledger:
        watch_sum(values)
    assert list(ledger.left_open) == [ROUNDING] * is_open


# --- COUNT(*) of joins and products: counted by cardinalities, as if every solution had been made


def window(size: int) -> Dataset:
    held = [triple(f":s{i}", ":p" if i % 2 else ":q", i // 2) for i in range(size)]
    return Dataset(windows={iri("w"): WindowDataset(Bag(held))})


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("?s :p ?o . ?t :q ?r . ?u :p ?v . ?w :q ?x", 10**16),
        ("?s :p ?o . ?t :q ?o", 10**4),
        ("?s ?p ?o . ?t ?p ?r . ?u ?p ?v", 2 * 10**12),
        ("?s :p ?o . [] :q/^:q ?t . ?u :p|:q ?o", 2 * 10**8),
    ],
)
def test_a_product_is_not_enumerated(pattern: str, count: int) -> None:
    # The solutions of the first would take years.
    asked = query(f"SELECT (COUNT(*) AS ?n) {{ WINDOW :w {{ {pattern} }} }}")
    assert solutions(asked, window(20_000)).rows == [(integer(count),)]


def test_groups_having_and_order_see_the_counts() -> None:
    asked = query(
        "SELECT ?p (COUNT(?s) * 2 AS ?n) { WINDOW :w { ?s ?p ?o . ?t ?p ?r } } "
        "GROUP BY ?p HAVING (COUNT(*) > 4) ORDER BY DESC(COUNT(*)) ?p"
    )
    assert solutions(asked, window(5)).rows == [(iri("q"), integer(18))]


def test_a_counted_subquery_inside_exists_counts_what_the_tested_solution_leaves() -> None:
    asked = query(
        "SELECT ?s { WINDOW :w { ?s :p ?o FILTER EXISTS { "
        "{ SELECT ?s (COUNT(*) AS ?n) { ?s :p ?x . ?t :q ?x } GROUP BY ?s "
        "HAVING (COUNT(*) = 1) } } } }"
    )
    assert len(solutions(asked, window(6)).rows) == 3


def test_what_is_open_in_a_counted_path_is_open() -> None:
    held = Dataset(Bag([triple(":a", ":p", ":b"), triple(":a", ":q", ":b")]))
    asked = query("SELECT (COUNT(*) AS ?n) { ?s !:r ?o . ?t :p ?u }")
    found = solutions(asked, held)
    assert (found.rows, found.determined) == ([(integer(2),)], False)


def test_paths_are_counted() -> None:
    held = Dataset(Bag({triple(":a", ":p", ":b"): 2, triple(":b", ":q", ":c"): 3}))
    asked = query("SELECT (COUNT(*) AS ?n) { ?a :p/:q* ?b . ?c :p ?d }")
    assert solutions(asked, held).rows == [(integer(8),)]
