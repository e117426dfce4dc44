"""The table of docs/semantics.md: what the recommendation, the kit and two libraries answer."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from tests.builders.sparql import query, solutions
from tests.builders.terms import EX, PREFIXES
from tests.oracles.plain_oxigraph import from_ox

pytestmark = [
    pytest.mark.usefixtures("evaluator"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib"),
]

PAGE = (Path(__file__).parents[2] / "docs" / "semantics.md").read_text(encoding="utf-8")
DATA = PAGE.partition("```trig\n")[2].partition("```")[0]
TABLE = PAGE.partition("| query | recommendation |")[2].partition("\n\n")[0]
ROWS = [
    [cell.strip().replace("\\|", "|").replace("\\_", "_") for cell in cells]
    for cells in (re.split(r"(?<!\\)\|", line)[1:-1] for line in TABLE.splitlines()[2:])
]
BEHIND = re.compile(r" \([^()]*\)$")
"""The section behind an answer."""
ALL_AGREE = [
    # Bottom-up, and who sees what.
    ("SELECT ?s ?x { ?s :p ?o OPTIONAL { ?s :q ?x FILTER(?o = 1) } }", "a 1; a –; b –"),
    ("SELECT ?s ?x { ?s :p ?o OPTIONAL { { ?s :q ?x FILTER(?o = 1) } } }", "a –; a –; b –"),
    ("SELECT ?s ?o { ?s :p ?o { ?s :q ?x FILTER(?o = 1) } }", "none"),
    ("SELECT ?s ?y { ?s :p ?o { BIND(?o AS ?y) } }", "a –; a –; b –"),
    ("SELECT ?a ?b ?c { ?a :p 3 OPTIONAL { ?b :q 1 OPTIONAL { ?a :q ?c } } }", "b a 4"),
    ("SELECT ?s { { ?s :p ?o } UNION { ?s :q ?o FILTER(?p = 1) } }", "a; a; b"),
    ("SELECT ?g { GRAPH ?g {} }", "g; h"),
    # MINUS.
    ("SELECT ?s ?o { ?s :p ?o MINUS { ?s :q ?x } }", "none"),
    ("SELECT ?s ?o { ?s :p ?o MINUS { ?x :q ?y } }", "a 1; a 2; b 3"),
    ("SELECT ?s ?o { ?s :p ?o MINUS { :a :q 1 } }", "a 1; a 2; b 3"),
    ("SELECT ?s ?o { ?s :p ?o MINUS { ?s :q ?x FILTER(?x = ?o) } }", "a 1; a 2; b 3"),
    (
        "SELECT ?o { ?s :p ?o OPTIONAL { ?s :p ?z FILTER(?z = 2) } MINUS { VALUES ?z { 2 } } }",
        "3",
    ),
    ("SELECT ?o { ?s :p ?o MINUS { VALUES (?s ?o) { (:a UNDEF) (UNDEF 3) } } }", "none"),
    ("SELECT ?o { ?s :p ?o MINUS { VALUES (?s ?o) { (UNDEF UNDEF) } } }", "1; 2; 3"),
    # Subqueries.
    ("SELECT ?s ?o { { ?s :p ?o } MINUS { { SELECT ?s { ?s :q ?o } } } }", "none"),
    ("SELECT ?s ?o { ?s :p ?o { SELECT ?s { ?s :q ?x FILTER(?x = ?o) } } }", "none"),
    (
        "SELECT ?s ?n { ?s :q ?x { SELECT ?s (COUNT(?o) AS ?n) { ?s :p ?o } GROUP BY ?s } }",
        "a 2; b 1",
    ),
    (
        "SELECT ?s ?o { ?s :q ?x { SELECT ?s ?o { ?s :p ?o } ORDER BY DESC(?o) LIMIT 1 } }",
        "b 3",
    ),
    # Errors.
    ("SELECT ?o { ?s :p ?o FILTER(?o = 1 && ?nothing) }", "none"),
    ('SELECT ?o { :c :r ?o FILTER(?o != "x") }', "_"),
    ("SELECT ?o { :c :r ?o FILTER(?o < 1 || ISBLANK(?o)) }", "_"),
    ('SELECT ?o { :c :r ?o FILTER(?o IN (1/0, "x")) }', "x"),
    ("SELECT ?s ?y { ?s :p ?o BIND(1/(?o - 1) AS ?y) }", "a 1; a –; b 0.5"),
    ("SELECT ?y { BIND(COALESCE(?x, 1/0, 7) AS ?y) }", "7"),
    ("SELECT ?y { BIND(IF(1/0 = 1 || true, 1, 2) AS ?y) }", "1"),
    ("SELECT ?y { BIND(IF(?x, 1, 2) AS ?y) }", "–"),
    # EXISTS.
    ("SELECT ?s ?o { ?s :p ?o FILTER EXISTS { ?s :q ?o } }", "a 1"),
    ("SELECT ?s ?o { ?s :p ?o FILTER NOT EXISTS { ?s :q ?o } }", "a 2; b 3"),
    ("SELECT ?s ?o { ?s :p ?o FILTER EXISTS { ?s :q ?x { FILTER(?o = ?x) } } }", "none"),
    ("SELECT ?s ?o { ?s :p ?o FILTER EXISTS { ?s :q ?x FILTER(BOUND(?s)) } }", "a 1; a 2; b 3"),
    ("SELECT ?s ?o { ?s :p ?o FILTER EXISTS { ?s :p ?x VALUES ?x { 1 } } }", "a 1; a 2"),
    ("SELECT ?s ?o { ?s :p ?o FILTER EXISTS { GRAPH ?g { ?s :p ?x } } }", "a 1; a 2"),
    ("SELECT ?g ?o { GRAPH ?g { ?s :p ?o } FILTER EXISTS { GRAPH ?g { ?x :q ?o } } }", "h 7"),
    ("SELECT ?g ?o { GRAPH ?g { ?s :p ?o FILTER NOT EXISTS { ?s :q ?o } } }", "g 5"),
    ("SELECT ?o { GRAPH :g { ?s :p ?o FILTER EXISTS { GRAPH :h { ?s :q ?x } } } }", "5"),
    ("SELECT ?o { :c :r ?o FILTER(ISBLANK(?o)) FILTER NOT EXISTS { :d :p ?o } }", "_"),
    ("SELECT ?s ?o { ?s :p ?o FILTER EXISTS { SELECT ?s { ?s :q ?x } } }", "a 1; a 2; b 3"),
    (
        "SELECT ?s ?o { ?s :p ?o FILTER EXISTS { SELECT ?s { ?s :q ?x } ORDER BY ?x LIMIT 1 } }",
        "a 1; a 2; b 3",
    ),
    (
        "SELECT ?s ?o { ?s :p ?o FILTER EXISTS "
        "{ SELECT ?s (COUNT(*) AS ?n) { ?s :p ?x } GROUP BY ?s HAVING(COUNT(*) > 1) } }",
        "a 1; a 2",
    ),
    ("SELECT ?s ?e { ?s :q ?o BIND(EXISTS { ?s :p ?o } AS ?e) }", "a true; b false"),
    (
        "SELECT ?s ?x { ?s :p ?o OPTIONAL { ?s :q ?x FILTER NOT EXISTS { ?s :q ?o } } }",
        "a 1; a –; b 4",
    ),
    (
        "SELECT ?o { ?s :p ?o FILTER EXISTS "
        "{ ?s :p ?x FILTER(?x != ?o) FILTER NOT EXISTS { ?s :q ?o } } }",
        "2",
    ),
]


def written(rows: list[list[Term | None]]) -> str:
    """An answer as the page writes it."""

    def short(term: Term | None) -> str:
        if isinstance(term, IRI):
            return term.value.removeprefix(EX)
        if isinstance(term, Literal):
            return term.lexical
        return "_" if isinstance(term, BlankNode) else "–"

    return "; ".join(sorted(" ".join(map(short, row)) for row in rows)) or "none"


@pytest.fixture(scope="module")
def store() -> ox.Store:
    store = ox.Store()
    store.load(DATA.encode(), format=ox.RdfFormat.TRIG)
    return store


@pytest.fixture(scope="module")
def graphs() -> rdflib.Dataset:
    return rdflib.Dataset(default_union=False).parse(data=DATA, format="trig")


def of_ours(text: str, store: ox.Store) -> str:
    default: list[Triple] = []
    named: dict[IRI, list[Triple]] = {}
    for quad in store:
        parts = [from_ox(part) for part in (quad.subject, quad.predicate, quad.object)]
        name = quad.graph_name
        graph = (
            default if isinstance(name, ox.DefaultGraph) else named.setdefault(IRI(name.value), [])
        )
        graph.append(Triple(*parts))  # type: ignore[arg-type]
    dataset = Dataset(GraphBag(default), {name: GraphBag(graph) for name, graph in named.items()})
    found = solutions(query(text), dataset)
    answer = written([list(row) for row in found.rows])
    return answer if found.determined else f"{answer}, left open"


def of_pyoxigraph(text: str, store: ox.Store) -> str:
    found = store.query(PREFIXES + text)
    names = [variable.value for variable in found.variables]
    return written([[None if s[n] is None else from_ox(s[n]) for n in names] for s in found])


def of_rdflib(text: str, graphs: rdflib.Dataset) -> str:
    def term(node: object) -> Term | None:
        if isinstance(node, rdflib.URIRef):
            return IRI(str(node))
        if isinstance(node, rdflib.BNode):
            return BlankNode(str(node))
        return None if node is None else Literal(str(node))

    try:
        found = graphs.query(PREFIXES + text)
        rows = [[term(row.get(v)) for v in found.vars or ()] for row in found.bindings]
    except Exception:  # whatever it raises, it answers nothing
        return "error"
    return written(rows)


@pytest.mark.parametrize(("text", "expected"), ALL_AGREE)
def test_all_answer_as_the_recommendation_does(
    text: str, expected: str, store: ox.Store, graphs: rdflib.Dataset
) -> None:
    answers = of_ours(text, store), of_rdflib(text, graphs), of_pyoxigraph(text, store)
    assert answers == (expected,) * 3


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_where_they_differ(row: list[str], store: ox.Store, graphs: rdflib.Dataset) -> None:
    text, recommendation, ours, by_rdflib, by_pyoxigraph = row
    text = text.strip("`")
    assert of_ours(text, store) == ours
    assert of_rdflib(text, graphs) == by_rdflib
    assert of_pyoxigraph(text, store) == by_pyoxigraph
    if recommendation.startswith("open"):
        assert ours.endswith(", left open")
    else:
        assert BEHIND.sub("", recommendation) == ours
        assert {by_rdflib, by_pyoxigraph} != {ours}


def test_the_page_has_a_table() -> None:
    assert len(ROWS) > 25
