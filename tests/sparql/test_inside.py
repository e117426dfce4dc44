"""MINUS, EXISTS and subqueries beside, around and inside WINDOW and GRAPH; what they leave open."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rsp_conformance.model.algebra import BGP, TriplePattern
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Exists, Variable
from rsp_conformance.model.terms import BlankNode, Term, Triple
from rsp_conformance.spark.worker.expressions import Frame, compile_test
from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from rsp_conformance.sparql.open_points import (
    ASSIGNED_GIVEN,
    CUT,
    GRAPH_OF_WINDOW,
    HIDDEN_GIVEN,
    MINUS_OF_GIVEN,
    SUBSTITUTED,
)
from tests.builders.sparql import evaluate, graph
from tests.builders.terms import iri, triple

TABLES = tomllib.loads(Path(__file__).with_name("inside.toml").read_text("utf-8"))

pytestmark = pytest.mark.usefixtures("evaluator")


BACKGROUND = graph((":a", ":p", 1), (":b", ":p", 2), (":c", ":p", 3))
ROOMS = graph((":a", ":in", ":x"), (":b", ":in", ":y"))
HOT = WindowDataset(
    graph((":a", ":hot", 30), (":a", ":hot", 31), (":b", ":hot", 32)),
    {iri("e"): graph((":a", ":by", ":s1"))},
)
COLD = WindowDataset(graph((":b", ":cold", 1), (":c", ":cold", 2)))
DATASET = Dataset(BACKGROUND, {iri("g"): ROOMS}, {iri("w"): HOT, iri("v"): COLD})


def shown(text: str, dataset: Dataset = DATASET) -> str:
    """The solutions of a SELECT, in one line."""
    return listed(evaluate(text, dataset).rows)


def listed(rows: list[tuple[Term | None, ...]]) -> str:
    def short(part: Term | None) -> str:
        return str(getattr(part, "lexical", getattr(part, "value", "–"))).rpartition("/")[2]

    return "; ".join(sorted(" ".join(map(short, row)) for row in rows))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    TABLES["exists_and_minus"],
)  # fmt: skip
def test_where_it_looks(pattern, expected):
    assert shown(f"SELECT ?s {{ {pattern} }}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    TABLES["elsewhere"],
)  # fmt: skip
def test_in_every_clause(text, expected):
    assert shown(text) == expected


def test_the_left_side_of_minus_keeps_its_counts():
    """18.5: card[Minus(Ω1, Ω2)](μ) = card[Ω1](μ)."""
    left = GraphBag({triple(":a", ":p", 1): 2, triple(":b", ":p", 1): 3})
    right = GraphBag({triple(":b", ":p", 1): 5})
    dataset = Dataset(left, windows={iri("w"): WindowDataset(right)}, bags=True)
    assert shown("SELECT ?s { ?s :p ?o MINUS { WINDOW :w { ?s :p ?x } } }", dataset) == "a; a"
    assert shown("SELECT ?s { ?s :p ?o MINUS { ?x :q ?y } }", dataset) == "a; a; b; b; b"
    text = "SELECT ?s { ?s :p ?o FILTER EXISTS { WINDOW :w { ?s :p ?x } } }"
    assert shown(text, dataset) == "b; b; b"
    text = "SELECT ?n { { SELECT (COUNT(*) AS ?n) { WINDOW :w { ?s :p ?x } } } }"
    assert shown(text, dataset) == "5"


def test_minus_wants_a_variable_that_both_rows_bind():
    """8.3: sides that share a variable may have rows that share none."""
    text = (
        "SELECT ?s ?r { ?s :p ?o OPTIONAL { GRAPH :g { ?s :in ?r } } MINUS { VALUES ?r { :x } } }"
    )
    assert shown(text) == "b y; c –"


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("{ SELECT ?s { ?s :p ?o } LIMIT 1 }", CUT),
        ("?s :p ?o { SELECT ?s { WINDOW :w { ?s :hot ?t } } LIMIT 1 }", CUT),
        ("?s :p ?o OPTIONAL { { SELECT ?s { ?s :p ?o } OFFSET 1 } }", CUT),
        ("?s :p ?o FILTER EXISTS { ?s :p ?x { SELECT ?x { WINDOW :w { ?z :hot ?x } } LIMIT 1 } }",
         CUT),
        ("?s :p ?o FILTER EXISTS { ?z :p ?o MINUS { { SELECT ?o { ?y :p ?o } LIMIT 2 } } }",
         MINUS_OF_GIVEN),  # and no CUT: the tested ?o leaves the subquery one row
        ("?s :p ?o FILTER EXISTS { SELECT ?x { ?x :p ?y } LIMIT 1 }", None),
        ("?s :p ?o FILTER EXISTS { SELECT REDUCED ?x { ?x ?q ?y } }", None),
        ("?s :p ?o FILTER EXISTS { SELECT ?x { ?x :p ?y } LIMIT 0 }", None),
        ("{ SELECT ?s { ?s :p ?o } ORDER BY ?o LIMIT 1 }", None),
        ("{ SELECT (SAMPLE(?o) AS ?s) { ?x :p ?o } }", "sample-of-several"),
        ("?s :p ?o FILTER EXISTS { ?z :in ?x MINUS { ?w :q ?y } }", None),
        ("?s :p ?o FILTER EXISTS { ?z :p 1 MINUS { ?w :p 2 } }", MINUS_OF_GIVEN),
        ("?s :p ?o FILTER EXISTS { ?s :p ?o MINUS { ?s :p ?o } }", MINUS_OF_GIVEN),
        ("?s :p ?o FILTER EXISTS { ?s :p ?x MINUS { ?s :p ?x } }", None),
        ("?s :p ?o FILTER EXISTS { SELECT ?x { WINDOW :w { ?s :hot ?x } } }", HIDDEN_GIVEN),
        ("VALUES ?s { :a :b } FILTER EXISTS { SELECT ?x { WINDOW :w { ?s :hot ?x } } }", None),
        ("VALUES ?s { :a :b } FILTER EXISTS { { SELECT ?x { WINDOW :w { ?s :hot ?x } } } "
         "FILTER(?x > 0) }", HIDDEN_GIVEN),
        ("?s :p ?o FILTER EXISTS { SELECT ?s { WINDOW :w { ?s :hot ?x } } }", None),
        ("?s :p ?o FILTER EXISTS { BIND(1 AS ?o) }", ASSIGNED_GIVEN),
        ("?s :p ?o FILTER EXISTS { BIND(?nothing AS ?o) }", None),
        ("?s :p ?o FILTER EXISTS { SELECT (1 AS ?o) {} }", ASSIGNED_GIVEN),
        ("?s :p ?o FILTER EXISTS { SELECT ?s (SUM(?x) AS ?o) { ?s :p ?x } GROUP BY ?s }", None),
        # VALUES of a tested variable: the rows that agree, a new binding, or as it is.
        ("?s :p ?o FILTER EXISTS { VALUES ?s { :b } }", SUBSTITUTED),
        ("?s :p ?o FILTER EXISTS { VALUES ?s { :b } FILTER(?s = :a) }", SUBSTITUTED),
        ("?s :p ?o FILTER EXISTS { SELECT * {} VALUES ?s { :b } }", SUBSTITUTED),
        ("?s :p ?o FILTER EXISTS { VALUES ?s { :b } FILTER(?s = :d) }", None),
        ("?s :p ?o FILTER EXISTS { VALUES ?s { :a :b :c } }", None),
        ("?s :p ?o FILTER EXISTS { VALUES ?s { UNDEF } }", None),
        ("?s :p ?o FILTER EXISTS { VALUES ?x { :b } ?s :p 1 }", None),
        # BOUND of one: of the term, or by the pattern inside alone.
        ("?s :p ?o FILTER EXISTS { ?z :p 1 FILTER(!BOUND(?s)) }", SUBSTITUTED),
        ("?s :p ?o FILTER EXISTS { OPTIONAL { ?s :p 1 } FILTER(BOUND(?s)) }", SUBSTITUTED),
        ("?s :p ?o FILTER EXISTS { { SELECT ?z { ?z :p 1 } } BIND(BOUND(?s) AS ?b) "
         "FILTER(?b) }", SUBSTITUTED),
        ("?s :p ?o FILTER EXISTS { ?s :p ?x FILTER(BOUND(?s)) }", None),
        ("?s :p ?o FILTER EXISTS { { SELECT ?s { ?s :p ?x } } FILTER(BOUND(?s)) }", None),
        ("?s :p ?o FILTER EXISTS { ?z :p 9 FILTER(!BOUND(?s)) }", None),
        ("?s :p ?o FILTER EXISTS { ?z :p 1 FILTER(!BOUND(?y)) }", None),
        ("?s :p ?o FILTER EXISTS { VALUES ?s { :b } FILTER(!BOUND(?s)) }", None),
        # A path of length zero at a term that is not in the graph: of the term, or of nodes alone.
        ("VALUES ?s { :z } FILTER EXISTS { ?s :p? ?x }", SUBSTITUTED),
        ("VALUES ?s { :z } FILTER EXISTS { ?x ^(:p*) ?s }", SUBSTITUTED),
        ("VALUES ?s { :z } FILTER EXISTS { [] :p? ?s . ?y :p ?o }", SUBSTITUTED),
        ("VALUES ?s { :a } FILTER NOT EXISTS { WINDOW :v { ?s :cold|:hot? ?x } }", SUBSTITUTED),
        ("VALUES ?s { :z } FILTER EXISTS { BIND(1 AS ?y) ?s (:p*)+ ?s }", SUBSTITUTED),
        ("VALUES ?s { :z :a } FILTER EXISTS { { FILTER(?s = :a) ?s :q? ?x } }", None),
        ("VALUES ?s { :a :b 1 } FILTER EXISTS { ?s :p? ?x }", None),
        ("VALUES ?s { :z } FILTER EXISTS { :z :p? ?s }", None),
        ("VALUES ?s { :z } FILTER EXISTS { ?s :p+ ?x }", None),
        ("VALUES ?s { :z } FILTER EXISTS { ?s :p?/:p ?x }", None),
        ("VALUES ?z { :z } ?s :p ?o FILTER EXISTS { ?s :q* ?x }", None),
    ],
)  # fmt: skip
def test_what_is_left_open(pattern, why):
    found = evaluate(f"SELECT ?s {{ {pattern} }}", DATASET)
    assert found.undetermined == (() if why is None else (why,))


@pytest.mark.parametrize(
    ("pattern", "expected", "why"),
    [
        # By the letter a blank node that is tested becomes a variable, which any node matches.
        ("?s :p ?o FILTER EXISTS { ?s :q ?x }", "n1", (SUBSTITUTED,)),
        ("?s :p ?o FILTER NOT EXISTS { ?z :r* ?s . ?z :q ?x }", "a; n2", (SUBSTITUTED,)),
        ("?s :p ?o FILTER(ISIRI(?s)) FILTER EXISTS { ?s :q ?x }", "", ()),
        ("?s :p ?o FILTER EXISTS { ?s :p ?x }", "a; n1; n2", ()),
        ("?s :p ?o FILTER EXISTS { ?s :none ?x }", "", ()),
        ("?s :p ?o FILTER EXISTS { GRAPH ?g { :a :p ?x } }", "", ()),
        # It is one node throughout a basic graph pattern.
        ("?s :p ?o FILTER EXISTS { ?s :q ?x . ?s :r ?y }", "", ()),
        ("?s :p ?o BIND(?s AS ?z) FILTER EXISTS { ?s :q ?x . ?z :r ?y }", "", ()),
        ("?s :p ?o FILTER EXISTS { { ?s :q ?x } { ?s :r ?y } }", "", (SUBSTITUTED,)),
        ("?s :p ?o FILTER EXISTS { ?x ?s ?y }", "", ()),
    ],
)
def test_a_blank_node_that_is_tested(pattern, expected, why):
    one, two = BlankNode("n1"), BlankNode("n2")
    held = [triple(":a", ":p", 1), triple(":a", ":r", 2)]
    held += [Triple(node, iri("p"), iri("v")) for node in (one, two)]
    found = evaluate(f"SELECT ?s {{ {pattern} }}", Dataset(GraphBag([*held, _q(one)])))
    assert (listed_nodes(found.rows), found.undetermined) == (expected, why)


def _q(node: BlankNode) -> Triple:
    return Triple(node, iri("q"), iri("v"))


def listed_nodes(rows: list[tuple[Term | None, ...]]) -> str:
    names = [part.label if isinstance(part, BlankNode) else listed([(part,)]) for (part,) in rows]
    return "; ".join(sorted(names))


def test_a_window_that_graph_variables_do_not_reach():
    dataset = Dataset(BACKGROUND, {}, {iri("w"): HOT}, "background")
    text = "SELECT ?w { WINDOW ?w { :a :hot 30 } FILTER EXISTS { GRAPH ?w { ?s :hot ?t } } }"
    found = evaluate(text, dataset)
    assert (listed(found.rows), found.undetermined) == ("w", (GRAPH_OF_WINDOW,))


def test_one_query_over_changing_data():
    """What is compiled once keeps nothing of the data it saw."""
    text = "SELECT ?s { ?s :p ?o FILTER EXISTS { ?s :q ?x MINUS { VALUES ?x { 1 } } } }"
    for data, expected in (
        (((":a", ":p", 1), (":a", ":q", 2)), "a"),
        (((":a", ":p", 1), (":a", ":q", 1)), ""),
        (((":b", ":p", 1), (":b", ":q", 3)), "b"),
    ):
        assert shown(text, Dataset(graph(*data))) == expected


def test_exists_without_data_is_refused():
    pattern = BGP((TriplePattern(Variable("s"), iri("p"), Variable("o")),))
    with pytest.raises(Unsupported, match="EXISTS"):
        compile_test(Exists(pattern), Frame({}))
