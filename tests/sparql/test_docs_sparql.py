"""What the recommendation, the kit and two libraries answer (docs_sparql.toml)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from tests.builders.sparql import query, solutions
from tests.builders.terms import EX, PREFIXES
from tests.oracles.plain_oxigraph import from_ox

TABLES = tomllib.loads(Path(__file__).with_name("docs_sparql.toml").read_text("utf-8"))

pytestmark = [
    pytest.mark.usefixtures("evaluator"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib"),
]

DATA: str = TABLES["data"]
ROWS: list[list[str]] = TABLES["differ"]
BEHIND = re.compile(r" \([^()]*\)$")
"""The section behind an answer."""
ALL_AGREE = TABLES["all_agree"]


def written(rows: list[list[Term | None]]) -> str:
    """An answer as the file writes it."""

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
    assert of_ours(text, store) == ours
    assert of_rdflib(text, graphs) == by_rdflib
    assert of_pyoxigraph(text, store) == by_pyoxigraph
    if recommendation.startswith("open"):
        assert ours.endswith(", left open")
    else:
        assert BEHIND.sub("", recommendation) == ours
        assert {by_rdflib, by_pyoxigraph} != {ours}
