"""Paths of length zero at terms that are not in the graph (SPARQL 1.1, 18.4, ZeroLengthPath).

``eval(Path(X:term, ZeroOrOnePath(P), Y:var))`` holds ``{(Y, X)}`` whatever the graph holds, and so
does ``*``. pyoxigraph by itself has no such solution where the term is not in the graph.
"""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from rsp_conformance.model.terms import IRI, Literal, Term, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.text.parse import parse_query
from tests.oracles import oxigraph

A, B, P, Q = (IRI(f"urn:{name}") for name in "abpq")
NOWHERE = IRI("urn:nowhere")
LITERAL = Literal("text")


def answers(pattern: str, triples: list[Triple]) -> list[Term | None]:
    query = parse_query(f"BASE <urn:x> SELECT ?x {{ {pattern} }}")
    bags = len(set(triples)) < len(triples)
    dataset = Dataset(GraphBag(triples), bags=bags)
    return [row[0] for row in oxigraph.solutions(query, dataset).rows]


GRAPHS = {
    "empty": [],
    "without the term": [Triple(A, P, B)],
    "a bag without the term": [Triple(A, P, B)] * 2,
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize(
    "path",
    [
        "<urn:p>*",
        "<urn:p>?",
        "^(<urn:p>*)",
        "(<urn:p>/<urn:q>)*",
        "<urn:p>|<urn:q>?",
        "(<urn:p>*)+",
    ],
)
def test_a_term_reaches_itself(path: str, graph: list[Triple]) -> None:
    assert answers(f"<urn:nowhere> {path} ?x", graph) == [NOWHERE]
    assert answers(f"?x {path} <urn:nowhere>", graph) == [NOWHERE]
    assert answers(f'?x {path} "text"', graph) == [LITERAL]
    same = f"<urn:nowhere> {path} <urn:nowhere> BIND(1 AS ?x)"
    other = f"<urn:nowhere> {path} <urn:elsewhere> BIND(1 AS ?x)"
    assert (len(answers(same, graph)), len(answers(other, graph))) == (1, 0)


@pytest.mark.parametrize("path", ["<urn:p>", "<urn:p>+", "<urn:p>/<urn:q>*", "!<urn:p>"])
def test_a_path_of_one_step_or_more_leaves_no_term_where_it_is(path: str) -> None:
    assert answers(f"<urn:nowhere> {path} ?x", [Triple(A, P, B)]) == []


def test_between_two_parts_stand_nodes_of_the_graph_only() -> None:
    # Path(X, seq(P, Q), Y) is a join (18.2.2.4), whose part between two variables ranges over the
    # nodes of the graph (18.4).
    assert answers("<urn:nowhere> <urn:p>*/<urn:q>* ?x", [Triple(A, P, B)]) == []
    found = answers("<urn:a> <urn:p>*/<urn:q>* ?x", [Triple(A, P, B)])
    assert sorted(found, key=str) == [A, B]


@pytest.mark.parametrize("graph", [[Triple(A, P, B)], [Triple(A, P, B)] * 2], ids=["set", "bag"])
def test_a_term_of_the_graph_reaches_itself_once(graph: list[Triple]) -> None:
    assert sorted(answers("<urn:a> <urn:p>* ?x", graph), key=str) == [A, B]
    assert answers("<urn:b> <urn:p>? ?x", graph) == [B]


def test_pyoxigraph_by_itself_has_no_such_solution() -> None:
    # Should this fail one day, ``adapters.reference.oxigraph.paths.stayed`` is no longer needed.
    store = ox.Store()
    assert len(list(store.query("SELECT * { <urn:nowhere> <urn:p>* ?x }"))) == 0  # type: ignore[arg-type]
