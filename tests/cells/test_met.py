"""What a case meets of the tables of operators, modifiers and times, and what it cannot meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from rsp_conformance.cells.cell import ELSEWHERE
from rsp_conformance.cells.labels import UNSURE
from rsp_conformance.cells.modifiers import instantiated, modifier_cells, modifiers_met
from rsp_conformance.cells.operators import operator_cells, operators_met
from rsp_conformance.cells.times import BEYOND, held, instant, size, time_cells, times_met
from rsp_conformance.model.case import Case
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import BlankNode, Literal
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.text.parse import parse_query
from tests.builders.findings import case_of, stream
from tests.builders.terms import PREFIXES, iri
from tools.curation.used import OPERATORS, operators_used


class Counted(NamedTuple):
    """A table, with what meets each of some cells, what does not, and what cannot be met."""

    cells: Callable[[], Mapping[str, str]]
    met: Callable[[Any], frozenset[str]]
    meets: list[tuple[Any, str]]
    misses: list[tuple[Any, str]]
    impossible: list[tuple[str, str]]


def asked(text: str) -> Query:
    """A query, or one that selects all that a pattern gives."""
    is_query = text.startswith(("SELECT", "ASK", "CONSTRUCT"))
    return parse_query(PREFIXES + (text if is_query else f"SELECT * WHERE {{ {text} }}"))


def case(*times: int, windows: str = "", pattern: str = "?s :p ?x", registered: int = 0) -> Case:
    windows = windows or "FROM WINDOW :w ON :s [RANGE 4 STEP 2]"
    elements = stream("s", *[(f"a p {n}", t) for n, t in enumerate(times)])
    until = max(times, default=0) + 1
    query = f"SELECT * {windows} {{ {pattern} }}"
    return case_of(query, elements, until=until, registered=registered)


WHERE = "WHERE { ?s :p ?x }"
TWO = "FROM WINDOW :v ON :s [RANGE 3 STEP 3] FROM NAMED WINDOW :w ON :r [RANGE 3 STEP 5]"
PAST, WAITS = "[FROM NOW-3 TO NOW-2]", "in the past, an element that waits at the end"
OPERATORS_TABLE = Counted(
    operator_cells,
    lambda text: operators_met(asked(text)),
    [
        ("?s :p ?x OPTIONAL { ?s :q ?y }", "LeftJoin.right > BGP"),
        (
            "?s :p ?x OPTIONAL { { ?s :q ?y } UNION { ?s :r ?x } }",
            f"LeftJoin.right > Union{UNSURE}",
        ),
        (
            "?s :p ?x OPTIONAL { ?s :q ?y FILTER EXISTS { ?x :r ?y } }",
            "LeftJoin.condition > Exists",
        ),
        ("?s :p ?x OPTIONAL { SELECT ?s { ?s :q ?y } }", "LeftJoin.right > SubSelect"),
        ("?s :p ?x FILTER NOT EXISTS { { ?s :q ?x } UNION { ?s :r ?x } }", "NotExists > Union"),
        ("?s :p ?x OPTIONAL { ?s :q ?y } FILTER(?y > 1)", f"Filter > LeftJoin{UNSURE}"),
        ("?s :p ?x OPTIONAL { ?s :q ?y } FILTER(?x > 1)", "Filter > LeftJoin"),
        ("?s :p ?x BIND(EXISTS { ?s :q ?x } AS ?b)", "Extend.expression > Exists"),
        ("?s :p+ ?x MINUS { ?s :q ?x }", "Minus.left > BGP with path"),
        ("?s :p ?x OPTIONAL { ?s :q ?y } OPTIONAL { ?s :r ?z }", "OPTIONAL beside OPTIONAL"),
        (
            "?s :p ?x OPTIONAL { ?s :q ?y } OPTIONAL { ?y :r ?z }",
            f"OPTIONAL beside OPTIONAL{UNSURE}",
        ),
        ("{ ?s :p ?x } UNION { ?s :q ?x } { ?s :p ?y } UNION { ?s :q ?y }", "UNION beside UNION"),
        ("VALUES ?x { :a } ?s :p ?x FILTER(?x = :a)", "FILTER beside VALUES"),
        ("?s :p ?x FILTER EXISTS { ?s :q ?y FILTER EXISTS { ?y :r ?z } }", "EXISTS within EXISTS"),
        ("?s :p ?x OPTIONAL { ?s :q ?y OPTIONAL { ?y :r ?z } }", "OPTIONAL within OPTIONAL"),
        ("WINDOW ?w { GRAPH ?g { ?s :p ?x } }", "Window ?v > Graph ?v"),
        ("WINDOW ?w { GRAPH ?g { ?s :p ?x } }", "GRAPH within WINDOW"),
    ],
    [
        # What stands before OPTIONAL is not within it, and a chain of UNIONs is no nesting.
        ("?s :p ?x OPTIONAL { ?s :q ?y } OPTIONAL { ?s :r ?z }", "OPTIONAL within OPTIONAL"),
        ("{ ?s :p ?x } UNION { ?s :q ?x } UNION { ?s :r ?x }", "UNION within UNION"),
        (
            "?s :p ?x OPTIONAL { ?s :q ?y } OPTIONAL { ?x :r ?z }",
            f"OPTIONAL beside OPTIONAL{UNSURE}",
        ),
        ("?s :p ?x OPTIONAL { ?s :q ?y } FILTER(?x > 1)", f"Filter > LeftJoin{UNSURE}"),
        ("?s :p ?x FILTER(?x > 1)", "FILTER beside FILTER"),
    ],
    [
        ("Join.left > empty BGP", "no query text parses to this"),
        ("Filter > Service", "refused by name"),
        ("Window iri > Window ?v", "always empty"),
        (f"Join.left > BGP{UNSURE}", ""),
        (f"Filter > BGP{UNSURE}", "always bound"),
    ],
)
MODIFIERS_TABLE = Counted(
    modifier_cells,
    lambda text: modifiers_met(asked(text)),
    [
        (
            f"SELECT DISTINCT ?x {WHERE} LIMIT 1",
            "DISTINCT & LIMIT, not grouped, query, no operator",
        ),
        (f"SELECT ?x {WHERE} ORDER BY ?x", "ORDER BY, not grouped, query, no operator"),
        (f"SELECT * {WHERE} OFFSET 2", "OFFSET 2 or more, query"),
        ("SELECT * WHERE { SELECT ?x { ?s :p ?x } LIMIT 1 }", "LIMIT 1, subquery"),
        (f"SELECT (1 AS ?y) (?y AS ?z) {WHERE}", "name used again in the SELECT, query"),
        (
            f"SELECT ?s (MAX(?x) AS ?y) {WHERE} GROUP BY ?s HAVING(?y > 1)",
            "HAVING by a name of SELECT, query",
        ),
        (f"SELECT ?s {WHERE} GROUP BY ?s HAVING(MAX(?x) > 1)", "HAVING by an aggregate, query"),
        (f"SELECT ?s {WHERE} GROUP BY ?s HAVING(?s = :a)", "HAVING by a key, query"),
        (f"SELECT ?s {WHERE} GROUP BY ?s", "GROUP BY without an aggregate, query"),
        (
            f"SELECT (MAX(?x) AS ?y) {WHERE} GROUP BY (STR(?s) AS ?k)",
            "GROUP BY (expr AS ?v), query",
        ),
        (f"SELECT (MAX(?x) AS ?y) {WHERE} GROUP BY STR(?s)", "GROUP BY an expression, query"),
        (f"SELECT (MAX(?x) + 1 AS ?y) {WHERE}", "expression of an aggregate, query"),
        (f"SELECT (MAX(?x) AS ?y) {WHERE}", "aggregate without GROUP BY, query"),
        (f"SELECT ?s {WHERE} ORDER BY ?x", "ORDER BY what is not shown, query"),
        (f"SELECT ?s {WHERE} ORDER BY DESC(?s) STR(?x)", "ORDER BY an expression, query"),
        (f"SELECT ?q {WHERE}", "SELECT what the pattern never binds, query"),
        (f"ASK {WHERE} GROUP BY ?s", "ASK with GROUP BY"),
        (f"CONSTRUCT {{ ?s :q _:b . _:b :q ?x }} {WHERE}", "template: one blank node twice"),
        (f"CONSTRUCT {{ ?s ?p 1 }} {WHERE}", "template: variable predicate"),
        (f"CONSTRUCT {{ ?s :q 1 }} {WHERE} LIMIT 1", "CONSTRUCT with LIMIT"),
    ],
    [
        (f"SELECT (1 AS ?y) (?x AS ?z) {WHERE}", "name used again in the SELECT, query"),
        (f"SELECT ?s {WHERE} GROUP BY ?s HAVING(?s = :a)", "HAVING by an aggregate, query"),
        (f"SELECT ?s {WHERE} ORDER BY ?s", "ORDER BY what is not shown, query"),
        (f"SELECT ?x {WHERE}", "SELECT what the pattern never binds, query"),
        (f"CONSTRUCT {{ ?s :q _:b . _:c :q ?x }} {WHERE}", "template: one blank node twice"),
    ],
    [
        ("DISTINCT & REDUCED", "no such text"),
        ("SELECT * & SELECT (expr AS ?v)", "no such text"),
        ("HAVING, not grouped", "open: "),
        ("DESCRIBE", "refused"),
    ],
)
TIMES_TABLE = Counted(
    time_cells,
    lambda own: times_met(own, 1),
    [
        (case(1), "width 3 to 4"),
        (case(1), "open at once 2"),
        (case(1), "slide divides width"),
        (case(1, windows=TWO), "tumbling"),
        (case(1, windows=TWO), "gap"),
        (case(1, windows=TWO), "2 windows on 2 streams"),
        (case(1, windows=TWO), "2 windows, no operator"),
        (case(1, windows=TWO), "stream that never speaks"),
        (case(1, windows=TWO, pattern="WINDOW ?w { ?s :p ?x }"), "WINDOW ?v over 2 or more"),
        (case(1, windows="FROM WINDOW :w ON :s [RANGE 500]"), "RANGE without STEP"),
        (case(1, windows="FROM WINDOW :w ON :s [RANGE 500 STEP 10]"), "open at once 33 to 50"),
        (case(1, windows="FROM WINDOW :w ON :s [ELEMENTS 3]"), "by count of elements"),
        (case(1, windows="FROM WINDOW :w ON :s [ELEMENTS 3]"), "by count, without STEP"),
        (case(1, windows="FROM WINDOW :w ON :s [ELEMENTS 3]"), "by count, not full"),
        (case(1, windows="FROM WINDOW :w ON :s [ELEMENTS 1]"), "by count, slide 1"),
        (case(1, windows="FROM WINDOW :w ON :s [TRIPLES 3 STEP 3]"), "by count of triples"),
        (case(1, windows="FROM WINDOW :w ON :s [TRIPLES 3 STEP 3]"), "by count, tumbling"),
        (case(1, windows="FROM WINDOW :w ON :s [TRIPLES 2 STEP 3]"), "by count, gap"),
        (case(1, windows=f"FROM WINDOW :n ON :s [NOW] {TWO}"), "NOW beside by time"),
        (case(1, windows=f"FROM WINDOW :n ON :s {PAST} {TWO}"), "in the past"),
        (case(1, windows=f"FROM WINDOW :n ON :s {PAST} {TWO}"), "in the past beside now"),
        (case(1, windows=f"FROM WINDOW :n ON :s {PAST}"), WAITS),
        (case(3, 3), "ties"),
        (case(3, 43), "a silence of 10 widths"),
        (case(3, registered=3), "an element at registration"),
        (case(*[3] * 10), "a burst of 10 at one instant"),
        (case(1, 11, 21, 31), "all far apart (each gap beyond the width)"),
        (case(*range(3)), "3 to 4 elements"),
        (case(2**31 - 1, 2**31 + 1), "instants cross 2^31"),
    ],
    [
        (case(3, 42), "a silence of 10 widths"),
        (case(1, 5, 21), "all far apart (each gap beyond the width)"),
        (case(3), "an element at registration"),
        (case(1, windows=TWO), "same stream twice"),
        (case(1), "RANGE without STEP"),
        (case(1, windows=f"FROM WINDOW :w ON :s {PAST}"), "in the past beside now"),
        (case(1, windows="FROM WINDOW :w ON :s [FROM NOW-3 TO NOW-1]"), WAITS),
        (case(1, 2, 3, windows="FROM WINDOW :w ON :s [ELEMENTS 3]"), "by count, not full"),
        (case(1, windows="FROM WINDOW :w ON :s [ELEMENTS 3]"), "by count beside by time"),
        (case(1, windows="FROM WINDOW :w ON :s [ELEMENTS 3 STEP 1]"), "by count, without STEP"),
    ],
    [
        ("default and named", "no feature"),
        ("open at once more than 50", BEYOND),
        ("UNBOUNDED", ELSEWHERE),
    ],
)
TABLES = {"operators": OPERATORS_TABLE, "modifiers": MODIFIERS_TABLE, "times": TIMES_TABLE}


def each(rows: str) -> pytest.MarkDecorator:
    """A test of every row of the tables."""
    found = [(own, *row) for own in TABLES.values() for row in getattr(own, rows)]
    return pytest.mark.parametrize(("table", "own", "cell"), found, ids=[str(r[2]) for r in found])


def test_a_window_that_never_closes_is_met_under_policies_that_do_not_wait_for_it() -> None:
    unbounded = case(1, windows="FROM WINDOW :w ON :s [RANGE UNBOUNDED]")
    assert {"UNBOUNDED", "UNBOUNDED beside by time"} & TIMES_TABLE.met(unbounded) == {"UNBOUNDED"}


@each("meets")
def test_a_case_meets_its_cell_and_every_cell_that_it_meets_is_listed(
    table: Counted, own: Any, cell: str
) -> None:
    met = table.met(own)
    assert cell in met and table.cells()[cell] == ""
    assert met <= table.cells().keys()


@each("misses")
def test_a_case_does_not_meet_another_one(table: Counted, own: Any, cell: str) -> None:
    assert cell not in table.met(own)
    assert table.cells()[cell] == ""


@each("impossible")
def test_what_cannot_be_met_has_a_reason(table: Counted, own: str, cell: str) -> None:
    """OWN is how such cells begin, and CELL is part of the reason; none is none."""
    reasons = [why for name, why in table.cells().items() if name.startswith(own)]
    assert reasons and all(cell in why and bool(cell) == bool(why) for why in reasons)


def test_the_operators_that_a_query_uses_are_found_wherever_they_stand() -> None:
    text = "?s :p* ?x MINUS { ?s :q ?x FILTER EXISTS { ?s :r ?y FILTER(-?y NOT IN (1)) } }"
    query = parse_query(f"{PREFIXES} SELECT (MAX(?x) AS ?m) WHERE {{ {text} }}")
    used = {"BGP", "RepeatedPath", "Minus", "Filter", "Exists", "UNARY-", "NOT IN", "MAX"}
    assert {*operators_used(query)} == used <= {*OPERATORS}


def test_a_template_is_looked_at_with_its_solutions() -> None:
    query = parse_query(f"{PREFIXES} CONSTRUCT {{ ?s :q ?x }} {WHERE}")

    def of(*row: object) -> set[str]:
        return instantiated(query, Relation(("s", "x"), [row]))  # type: ignore[list-item]

    assert of(iri("a"), iri("b")) == of(BlankNode("a"), Literal("x")) == set()
    assert of(iri("a"), None) == {"template: unbound variable"}
    assert of(Literal("x"), iri("a")) == {"template: no RDF triple"}
    assert {"template: unbound variable", "template: no RDF triple"} <= modifier_cells().keys()


@pytest.mark.parametrize(
    ("t", "unit", "expected"),
    [
        (0, 1, "at 0"),
        (9, 1, "1 to 9"),
        (10, 1, "10 to 99"),
        (2**31 - 5, 1, "around 2^31"),
        (2**40, 1, "beyond 2^31"),
        (1_700_000_123, 1000, "around 1.7e9 at unit 1000"),
        (1_700_000_123, 1, "10^6 to 2^31"),
        (1_700_000_000_123, 1, "around 1.7e12 at unit 1"),
        (1_700_000_000_123, 1000, "around 1.7e12 at unit 1000"),
    ],
)
def test_instants_are_in_classes(t: int, unit: int, expected: str) -> None:
    assert instant(t, unit) == expected
    assert f"elements begin {expected}" in time_cells()


def test_sizes_are_in_classes() -> None:
    assert [size(n, (1, 2, 4)) for n in (1, 2, 3, 4, 5)] == [
        "1",
        "2",
        "3 to 4",
        "3 to 4",
        "more than 4",
    ]
    assert held(0) == "window holds 0" and held(7) == "window holds 6 to 20"
    assert held(20) in time_cells()


def test_windows_that_are_merged_may_stand_beside_named_ones() -> None:
    assert "default and named" in times_met(case(1, windows=TWO), 1)
