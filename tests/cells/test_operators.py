"""Operators in operators, side by side and nested: what a query meets, and what can be met."""

from __future__ import annotations

import pytest

from rsp_conformance.cells.labels import UNSURE
from rsp_conformance.cells.operators import operator_cells, operators_met
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import PREFIXES
from tools.curation.used import OPERATORS, operators_used

CASES = [
    ("?s :p ?x OPTIONAL { ?s :q ?y }", "LeftJoin.right > BGP"),
    ("?s :p ?x OPTIONAL { { ?s :q ?y } UNION { ?s :r ?x } }", f"LeftJoin.right > Union{UNSURE}"),
    ("?s :p ?x OPTIONAL { ?s :q ?y FILTER EXISTS { ?x :r ?y } }", "LeftJoin.condition > Exists"),
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
]


def met(pattern: str) -> frozenset[str]:
    return operators_met(parse_query(f"{PREFIXES} SELECT * WHERE {{ {pattern} }}"))


@pytest.mark.parametrize(("pattern", "cell"), CASES)
def test_a_pattern_meets_its_cell(pattern: str, cell: str) -> None:
    assert cell in met(pattern)


@pytest.mark.parametrize(
    ("pattern", "cell"),
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
)
def test_a_pattern_does_not_meet_another_one(pattern: str, cell: str) -> None:
    assert cell not in met(pattern)
    assert operator_cells()[cell] == ""


def test_every_cell_that_is_met_is_listed() -> None:
    cells = operator_cells()
    assert {cell for pattern, _ in CASES for cell in met(pattern)} <= cells.keys()


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("Join.left > empty BGP", "no query text parses to this"),
        ("Filter > Service", "refused by name"),
        ("Window iri > Window ?v", "always empty"),
        (f"Join.left > BGP{UNSURE}", ""),
        (f"Filter > BGP{UNSURE}", "always bound"),
    ],
)
def test_what_cannot_be_met_has_a_reason(cell: str, reason: str) -> None:
    assert reason in operator_cells()[cell]
    assert bool(reason) == bool(operator_cells()[cell])


def test_the_operators_that_a_query_uses_are_found_wherever_they_stand() -> None:
    text = "?s :p* ?x MINUS { ?s :q ?x FILTER EXISTS { ?s :r ?y FILTER(-?y NOT IN (1)) } }"
    query = parse_query(f"{PREFIXES} SELECT (MAX(?x) AS ?m) WHERE {{ {text} }}")
    used = {"BGP", "RepeatedPath", "Minus", "Filter", "Exists", "UNARY-", "NOT IN", "MAX"}
    assert {*operators_used(query)} == used <= {*OPERATORS}
