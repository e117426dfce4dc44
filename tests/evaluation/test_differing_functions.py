"""Functions whose value SPARQL does not determine: evaluated by the library, never judged."""

from __future__ import annotations

import pytest

from rsp_conformance.evaluation.ways import solutions
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import BlankNode
from rsp_conformance.sparql.dataset import Dataset, Graph
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.text.parse import parse_query


def solved(text: str) -> Relation:
    return solutions(parse_query(text), Dataset(Graph([])))


@pytest.mark.parametrize(
    "text",
    [
        "SELECT (RAND() AS ?r) {}",
        "SELECT (1 AS ?r) { FILTER(RAND() < 2) }",
        "SELECT (1 AS ?r) { FILTER EXISTS { BIND(RAND() AS ?x) } }",
        "SELECT (1 AS ?r) { { SELECT (STR(RAND()) AS ?x) {} } }",
        "SELECT (1 AS ?r) {} ORDER BY RAND()",
        "SELECT (EXISTS { BIND(RAND() AS ?x) } AS ?r) {}",
        "SELECT (COUNT(*) AS ?r) {} HAVING(MAX(RAND()) < 2)",
    ],
)
def test_the_answer_is_open(text: str) -> None:
    found = solved(text)
    assert len(found.rows) == 1
    assert found.undetermined == ("RAND, whose value differs from call to call",)


def test_now_is_one_instant_and_every_uuid_another() -> None:
    found = solved("SELECT (NOW() = NOW() AS ?same) (UUID() = UUID() AS ?equal) {}")
    assert [[term and term.lexical for term in row] for row in found.rows] == [["true", "false"]]  # type: ignore[union-attr]


def test_a_string_names_one_blank_node_in_one_solution() -> None:
    text = 'SELECT (BNODE("a") AS ?x) (BNODE("a") AS ?y) (BNODE("b") AS ?z) (BNODE() AS ?n)'
    rows = solved(f"{text} {{ VALUES ?v {{ 1 2 }} }}").rows
    nodes = {term for row in rows for term in row}
    assert all(isinstance(node, BlankNode) for node in nodes)
    assert [row[0] == row[1] for row in rows] == [True, True]
    assert len(nodes) == 6


@pytest.mark.parametrize(
    "text",
    [
        'SELECT ?x { BIND(BNODE("a") AS ?x) }',
        'SELECT (BNODE("a") AS ?x) (COUNT(*) AS ?n) {}',
        'SELECT (BNODE("a") AS ?x) {} GROUP BY ?y',
    ],
)
def test_elsewhere_a_string_names_no_blank_node(text: str) -> None:
    with pytest.raises(Unsupported, match="BNODE of a string anywhere but in SELECT"):
        solved(text)
