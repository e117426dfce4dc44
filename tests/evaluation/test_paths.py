"""Property paths by the library, against their definitions and against rdflib; sets and bags."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.evaluation import by_library, by_rdflib
from rsp_conformance.evaluation.ways import defined, solutions
from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern, Window
from rsp_conformance.model.algebra import Graph as InGraph
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import BlankNode, Term
from rsp_conformance.sparql.dataset import Dataset, Graph, WindowDataset
from tests.builders.sparql import graph, integer, iri, query, triple
from tests.generators.datasets import datasets
from tests.generators.patterns import GRAPHS, WINDOWS
from tests.oracles.paths import pairs

P, Q = iri("p"), iri("q")
X, Y = Variable("x"), Variable("y")
sets = st.sampled_from([(), (P,), (Q,), (P, Q)])
negated = st.builds(NegatedPropertySet, sets, sets).filter(lambda s: s.forward or s.backward)
paths: st.SearchStrategy[PathElement] = st.recursive(
    st.sampled_from([P, Q]) | st.sampled_from([P, Q]) | negated,
    lambda inner: st.one_of(
        st.builds(InversePath, inner),
        st.builds(SequencePath, inner, inner),
        st.builds(AlternativePath, inner, inner),
        st.builds(RepeatedPath, inner, st.sampled_from("*+?")),
    ),
    max_leaves=4,
)
starts = st.sampled_from([X, X, iri("a"), iri("nowhere")])
ends = st.sampled_from([Y, Y, X, iri("a"), integer(1), iri("nowhere")])


def in_place(place: str, pattern: Pattern, dataset: Dataset) -> tuple[Pattern, Graph]:
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


def expected(start: object, path: PathElement, end: object, held: Graph) -> Counter[object]:
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
    assert found.way == ("definitions" if defined(asked) else "library")
    rows = Counter(
        frozenset((n, t) for n, t in zip(found.variables, row, strict=True) if t is not None)
        for row in found.rows
    )
    assert rows == expected(start, path, end, held)


@settings(max_examples=60, deadline=None)
@given(datasets(), paths)
def test_rdflib_agrees_between_variables(dataset: Dataset, path: PathElement) -> None:
    asked = Query(Window(WINDOWS[0], BGP((TriplePattern(X, path, Y),))))
    one, other = by_library.solutions(asked, dataset), by_rdflib.solutions(asked, dataset)
    # How often a row comes is `test_random_paths`' matter: where a triple leads from a term to
    # itself, rdflib takes p* from it to it twice.
    assert one.variables == other.variables
    assert set(one.rows) == set(other.rows), f"{one}\n{other}"


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
    for found in (solutions(asked, Dataset(CHAIN)), by_rdflib.solutions(asked, Dataset(CHAIN))):
        assert sorted(str(row[0]) for row in found.rows) == [f"<{iri(e).value}>" for e in ends]


def test_over_a_bag_a_step_counts_as_its_triple_and_a_repeated_path_once() -> None:
    bag = Graph({triple(":a", ":p", ":b"): 2, triple(":b", ":p", ":c"): 3})
    dataset = Dataset(windows={WINDOWS[0]: WindowDataset(bag)}, bags=True)
    counts = {":p/:p": 6, ":p|:p": 4, ":p+": 1, ":p?": 1, "^(^:p)": 2, ":p/:p*": 2}
    for path, count in counts.items():
        asked = query(f"SELECT ?x {{ WINDOW :w1 {{ :a {path} ?x }} }}")
        found = Counter(solutions(asked, dataset).rows)
        assert found[iri("c"),] == count or found[iri("b"),] == count, path


def test_what_an_engine_may_count_once_or_twice_is_open() -> None:
    several = graph((":a", ":p", ":b"), (":a", ":q", ":b"))
    for text, held, is_open in [
        ("!:r", several, True),
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
    for found in (solutions(asked, dataset), by_rdflib.solutions(asked, dataset)):
        assert set(found.rows) == {(BlankNode("g"),), (iri("h"),)}
