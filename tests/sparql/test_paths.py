"""Property paths against their definitions, over sets and bags."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern, Window
from rsp_conformance.model.algebra import Graph as InGraph
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import (
    PathElement,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import BlankNode, Term, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from tests.builders.sparql import bag, graph, query, solutions
from tests.builders.terms import integer, iri, triple
from tests.generators.datasets import datasets
from tests.generators.modified_queries import paths
from tests.generators.patterns import GRAPHS, WINDOWS
from tests.oracles.paths import pairs
from tests.oracles.patterns import join, solve

pytestmark = pytest.mark.usefixtures("evaluator")

P, Q = iri("p"), iri("q")
X, Y = Variable("x"), Variable("y")
others = st.builds(
    TriplePattern,
    st.sampled_from([X, iri("a")]),
    st.sampled_from([Variable("z"), X, Y, P]),
    st.sampled_from([Y, Variable("o")]),
)
starts = st.sampled_from([X, X, iri("a"), iri("nowhere")])
ends = st.sampled_from([Y, Y, X, iri("a"), integer(1), iri("nowhere")])
walks = st.builds(TriplePattern, starts, paths, ends)


def in_place(place: str, pattern: Pattern, dataset: Dataset) -> tuple[Pattern, GraphBag]:
    """PATTERN where PLACE says, and the graph that it is asked of there."""
    match place:
        case "window":
            return Window(WINDOWS[0], pattern), dataset.windows[WINDOWS[0]].default
        case "element":
            name, held = next(iter(dataset.windows[WINDOWS[0]].named.items()))
            return Window(WINDOWS[0], InGraph(name, pattern)), held  # type: ignore[arg-type]
        case "graph":
            return InGraph(GRAPHS[0], pattern), dataset.named[GRAPHS[0]]
        case _:
            return pattern, dataset.default


def expected(start: object, path: PathElement, end: object, held: GraphBag) -> Counter[object]:
    """The solutions as rows of ?x and ?y, as far as they are variables."""
    fixed = [None if isinstance(part, Variable) else part for part in (start, end)]
    found: Counter[object] = Counter()
    for (one, other), n in pairs(path, fixed[0], fixed[1], held).items():  # type: ignore[arg-type]
        if start == end and one != other:
            continue
        row: dict[str, Term] = {}
        for part, term in ((start, one), (end, other)):
            if isinstance(part, Variable):
                row[part.name] = term
        found[frozenset(row.items())] += n
    return found


@settings(max_examples=200, deadline=None)
@given(datasets(), starts, paths, ends, st.sampled_from(["default", "window", "element", "graph"]))
def test_random_paths(
    dataset: Dataset, start: object, path: PathElement, end: object, place: str
) -> None:
    pattern, held = in_place(place, BGP((TriplePattern(start, path, end),)), dataset)  # type: ignore[arg-type]
    asked = Query(pattern)
    found = solutions(asked, dataset)
    rows = Counter(
        frozenset((n, t) for n, t in zip(found.variables, row, strict=True) if t is not None)
        for row in found.rows
    )
    assert rows == expected(start, path, end, held)


@settings(max_examples=300, deadline=None)
@given(
    datasets(),
    st.lists(st.builds(TriplePattern, starts, paths, ends), min_size=1, max_size=2),
    others,
)
def test_paths_join_with_what_stands_beside_them(
    dataset: Dataset, walked: list[TriplePattern], plain: TriplePattern
) -> None:
    # A variable that another pattern binds, to a predicate for one, is no term of the path.
    found = bag(solutions(Query(BGP((*walked, plain))), dataset))
    due = solve(BGP((plain,)), dataset.default, dataset)
    for t in walked:
        due = join(due, expected(t.subject, t.predicate, t.object, dataset.default))  # type: ignore[arg-type]
    assert found == due


@pytest.mark.parametrize(
    ("path", "there"),
    [(":p*", "abn"), (":p+", "a"), (":p/:p*", "a"), ("^:p", "b"), (":q*/:q?", "ab")],
)
def test_exists_asks_for_a_path_from_the_term_that_it_tests(path: str, there: str) -> None:
    # 18.6 puts the term in the variable's place, so that it need not be a node of the graph.
    asked = query(f"SELECT ?x {{ VALUES ?x {{ :a :b :n }} FILTER EXISTS {{ ?x {path} ?y }} }}")
    found = solutions(asked, Dataset(graph((":a", ":p", ":b"))))
    assert sorted(found.rows, key=str) == [(iri(name),) for name in there]


def test_a_value_of_a_variable_that_is_no_node_goes_nowhere() -> None:
    held = Dataset(graph((":a", ":p", ":b")))
    assert solutions(query("SELECT * { ?s ?x ?o . ?x :q* ?y }"), held).rows == []
    assert len(solutions(query("SELECT * { ?s ?x ?o . ?x :q* :p }"), held).rows) == 1
    assert len(solutions(query("SELECT * { ?s ?q ?x . ?x :q* ?y }"), held).rows) == 1


def test_quoted_triples_are_ends_of_paths() -> None:
    held = Dataset(graph((Triple(*map(iri, "apb")), ":p", ":c"), (":c", ":p", ":d")))
    for text in ["<< ?x :p :b >> :p+ ?y", "<< ?x :p :b >> :p/:p* ?y", "?y ^:p+ << ?x ?z :b >>"]:
        found = solutions(query(f"SELECT ?x ?y {{ {text} }}"), held)
        assert sorted(found.rows, key=str) == [(iri("a"), iri("c")), (iri("a"), iri("d"))], text


CHAIN = graph((":a", ":p", ":b"), (":b", ":p", ":c"), (":a", ":q", ":b"), (":c", ":q", ":a"))


@pytest.mark.parametrize(
    ("path", "ends"),
    [
        (":p/:p", "c"),
        (":p|:q", "bb"),
        ("(:p|:q)/:p", "cc"),
        (":p+", "bc"),
        (":p*", "abc"),
        (":p?", "ab"),
        ("^:q", "c"),
        ("(:p|:q)+", "abc"),
        ("!:q", "b"),
        ("!^:p", "c"),
    ],
)
def test_from_a_by_hand(path: str, ends: str) -> None:
    asked = query(f"SELECT ?y {{ :a {path} ?y }}")
    found = solutions(asked, Dataset(CHAIN))
    assert sorted(str(row[0]) for row in found.rows) == [f"<{iri(e).value}>" for e in ends]


def test_over_a_bag_a_step_counts_as_its_triple_and_a_repeated_path_once() -> None:
    bag = GraphBag({triple(":a", ":p", ":b"): 2, triple(":b", ":p", ":c"): 3})
    dataset = Dataset(windows={WINDOWS[0]: WindowDataset(bag)}, bags=True)
    counts = {":p/:p": 6, ":p|:p": 4, ":p+": 1, ":p?": 1, "^(^:p)": 2, ":p/:p*": 2}
    for path, count in counts.items():
        asked = query(f"SELECT ?x {{ WINDOW :w1 {{ :a {path} ?x }} }}")
        found = Counter(solutions(asked, dataset).rows)
        assert found[iri("c"),] == count or found[iri("b"),] == count, path


def test_what_an_engine_may_count_once_or_twice_is_open() -> None:
    several = graph((":a", ":p", ":b"), (":a", ":q", ":b"), (":c", ":s", ":a"))
    for text, held, is_open in [
        ("!:r", several, True),
        ("!(:r|^:p)", several, True),
        ("!:p", several, False),
        ("(!:r)+", several, False),
        ("^(:s/!:r)", several, True),
        ("!:r", graph((":a", ":p", ":b"), (":b", ":q", ":a")), False),
    ]:
        found = solutions(query(f"SELECT * {{ ?x {text} ?y }}"), Dataset(held))
        assert found.determined is not is_open, text


def test_count_of_distinct_solutions_does_not_see_the_nodes_between() -> None:
    two = graph((":a", ":p", ":b"), (":a", ":p", ":c"), (":b", ":q", ":d"), (":c", ":q", ":d"))
    asked = query("SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT *) AS ?m) { ?x :p/:q ?y }")
    assert solutions(asked, Dataset(two)).rows == [(integer(2), integer(1))]


def test_a_path_over_graphs_that_blank_nodes_name() -> None:
    held = graph((":a", ":p", ":b"), (":b", ":p", ":c"))
    dataset = Dataset(named={BlankNode("g"): held, iri("h"): CHAIN})
    asked = query("SELECT ?g { GRAPH ?g { :a :p/:p :c } }")
    assert set(solutions(asked, dataset).rows) == {(BlankNode("g"),), (iri("h"),)}
