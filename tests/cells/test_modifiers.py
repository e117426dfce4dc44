"""Solution modifiers, clauses, forms and templates."""

from __future__ import annotations

import pytest

from rsp_conformance.cells.modifiers import instantiated, modifier_cells, modifiers_met
from rsp_conformance.model.terms import BlankNode, Literal
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import PREFIXES, iri

WHERE = "WHERE { ?s :p ?x }"
CASES = [
    (f"SELECT DISTINCT ?x {WHERE} LIMIT 1", "DISTINCT & LIMIT, not grouped, query, no operator"),
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
    (f"SELECT (MAX(?x) AS ?y) {WHERE} GROUP BY (STR(?s) AS ?k)", "GROUP BY (expr AS ?v), query"),
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
]


def met(text: str) -> frozenset[str]:
    return modifiers_met(parse_query(PREFIXES + text))


@pytest.mark.parametrize(("text", "cell"), CASES)
def test_a_query_meets_its_cell(text: str, cell: str) -> None:
    assert cell in met(text)
    assert modifier_cells()[cell] == ""


def test_every_cell_that_is_met_is_listed() -> None:
    assert {cell for text, _ in CASES for cell in met(text)} <= modifier_cells().keys()


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        (f"SELECT (1 AS ?y) (?x AS ?z) {WHERE}", "name used again in the SELECT, query"),
        (f"SELECT ?s {WHERE} GROUP BY ?s HAVING(?s = :a)", "HAVING by an aggregate, query"),
        (f"SELECT ?s {WHERE} ORDER BY ?s", "ORDER BY what is not shown, query"),
        (f"SELECT ?x {WHERE}", "SELECT what the pattern never binds, query"),
        (f"CONSTRUCT {{ ?s :q _:b . _:c :q ?x }} {WHERE}", "template: one blank node twice"),
    ],
)
def test_a_query_does_not_meet_another_one(text: str, cell: str) -> None:
    assert cell not in met(text)


def test_a_template_is_looked_at_with_its_solutions() -> None:
    query = parse_query(f"{PREFIXES} CONSTRUCT {{ ?s :q ?x }} {WHERE}")

    def of(*row: object) -> set[str]:
        return instantiated(query, Relation(("s", "x"), [row]))  # type: ignore[list-item]

    assert of(iri("a"), iri("b")) == of(BlankNode("a"), Literal("x")) == set()
    assert of(iri("a"), None) == {"template: unbound variable"}
    assert of(Literal("x"), iri("a")) == {"template: no RDF triple"}
    assert {"template: unbound variable", "template: no RDF triple"} <= modifier_cells().keys()


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("DISTINCT & REDUCED", "no such text"),
        ("SELECT * & SELECT (expr AS ?v)", "no such text"),
        ("HAVING, not grouped", "open: "),
        ("DESCRIBE", "refused"),
    ],
)
def test_what_cannot_be_met_has_a_reason(start: str, reason: str) -> None:
    own = [why for cell, why in modifier_cells().items() if cell.startswith(start)]
    assert own and all(why.startswith(reason) for why in own)
