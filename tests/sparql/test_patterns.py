"""Patterns against pyoxigraph and against the definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from rsp_conformance.model.algebra import (
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import BlankNode
from rsp_conformance.sparql.dataset import Dataset, WindowDataset
from rsp_conformance.sparql.dataset import GraphBag as Bag
from rsp_conformance.sparql.open_points import GRAPH_OF_WINDOW
from rsp_conformance.text.printer.rspql import print_query
from tests.builders.sparql import bag, solutions
from tests.generators.patterns import (
    GRAPHS,
    WINDOWS,
    bags,
    fuller_bags,
    fuller_graphs,
    graphs,
    patterns,
)
from tests.oracles import patterns as naive
from tests.oracles.plain_oxigraph import ox_bag

pytestmark = pytest.mark.usefixtures("evaluator")


QUICK = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def windows_as_graphs(pattern: Pattern) -> Pattern:
    """The same pattern with GRAPH for WINDOW."""
    match pattern:
        case Join(left, right):
            return Join(windows_as_graphs(left), windows_as_graphs(right))
        case LeftJoin(left, right, condition):
            return LeftJoin(windows_as_graphs(left), windows_as_graphs(right), condition)
        case Union(left, right):
            return Union(windows_as_graphs(left), windows_as_graphs(right))
        case Filter(condition, inner):
            return Filter(condition, windows_as_graphs(inner))
        case Extend(inner, variable, expression):
            return Extend(windows_as_graphs(inner), variable, expression)
        case Window(name, inner) | Graph(name, inner):
            return Graph(name, inner)
    return pattern


def without_blank_nodes(part: Any) -> Any:
    """The same pattern with variables for blank nodes.

    Pyoxigraph tells solutions apart by what blank nodes of a pattern match: in COUNT(DISTINCT *),
    and where it asks whether the sides of a MINUS inside EXISTS share a variable.
    """
    return (
        Variable(part.label) if isinstance(part, BlankNode) else rebuilt(part, without_blank_nodes)
    )


def without_graph_variables(part: Any) -> Any:
    """The same pattern, GRAPH ?g as the union that defines it (18.6).

    Pyoxigraph evaluates the union otherwise: an aggregate inside counts over all graphs together.
    """
    part = rebuilt(part, without_graph_variables)
    if isinstance(part, Graph) and isinstance(part.name, Variable):
        first, second = (
            Join(Graph(name, part.pattern), Values((part.name,), ((name,),))) for name in GRAPHS
        )
        return Union(first, second)
    return part


def rebuilt(part: Any, change: Callable[[Any], Any]) -> Any:
    """PART with CHANGE applied to what it consists of."""
    if isinstance(part, tuple):
        return tuple([change(member) for member in part])
    if not is_dataclass(part):
        return part
    return replace(part, **{f.name: change(getattr(part, f.name)) for f in fields(part)})  # type: ignore[type-var]


@QUICK
@given(patterns(), graphs, graphs, graphs)
def test_patterns_over_graphs_agree_with_pyoxigraph(pattern, default, first, second):
    query = Query(pattern)
    named = dict(zip(GRAPHS, (first, second), strict=True))
    dataset = Dataset(Bag(default), {name: Bag(triples) for name, triples in named.items()})
    found = bag(solutions(query, dataset))
    event(f"solutions: {min(len(found), 3)}")
    assert found == ox_bag(print_query(query), default, named)


@QUICK
@given(patterns(windows=True), graphs, graphs, graphs)
def test_windows_of_plain_triples_agree_with_graphs_in_pyoxigraph(pattern, default, first, second):
    windows = dict(zip(WINDOWS, (first, second), strict=True))
    dataset = Dataset(
        Bag(default), windows={name: WindowDataset(Bag(t)) for name, t in windows.items()}
    )
    text = print_query(Query(windows_as_graphs(pattern)))
    assert bag(solutions(Query(pattern), dataset)) == ox_bag(text, default, windows)


@QUICK
@given(patterns(2, windows=True), bags, bags, bags, st.sampled_from(["windows", "background"]))
def test_bags_agree_with_the_definitions(pattern, default, background, window, ranges):
    dataset = Dataset(
        Bag(default),
        {GRAPHS[0]: Bag(background)},
        {WINDOWS[0]: WindowDataset(Bag(window), {GRAPHS[1]: Bag(background)})},
        ranges,
    )
    expected = naive.solve(pattern, dataset.default, dataset)
    assert bag(solutions(Query(pattern), dataset)) == Counter(expected)


RICH = settings(QUICK, max_examples=250)


@RICH
@given(
    patterns(3, windows=True, nested=True, rich=True)
    | patterns(2, windows=True, nested=True, rich=True, tested=True),
    fuller_bags,
    fuller_bags,
    fuller_bags,
    st.sampled_from(["windows", "background"]),
)
def test_what_looks_at_data_again_agrees_with_the_definitions(
    pattern, default, background, window, ranges
):
    """MINUS, EXISTS and subqueries, WINDOW and GRAPH anywhere in one another, over bags."""
    dataset = Dataset(
        Bag(default),
        {GRAPHS[0]: Bag(background)},
        {
            WINDOWS[0]: WindowDataset(Bag(window), {GRAPHS[1]: Bag(background)}),
            WINDOWS[1]: WindowDataset(Bag(background)),
        },
        ranges,
    )
    found = solutions(Query(pattern), dataset)
    event(f"left open: {found.undetermined}")
    event(f"solutions: {min(len(found.rows), 3)}")
    if GRAPH_OF_WINDOW not in found.undetermined:
        assert bag(found) == Counter(naive.solve(pattern, dataset.default, dataset))


@RICH
@given(
    (
        patterns(3, nested=True, rich=True, unknown=False)
        | patterns(2, nested=True, rich=True, unknown=False, tested=True)
    ).map(without_blank_nodes),
    fuller_graphs,
    fuller_graphs,
    fuller_graphs,
)
def test_what_looks_at_data_again_agrees_with_pyoxigraph(pattern, default, first, second):
    query = Query(pattern)
    named = dict(zip(GRAPHS, (first, second), strict=True))
    dataset = Dataset(Bag(default), {name: Bag(triples) for name, triples in named.items()})
    found = solutions(query, dataset)
    event(f"left open: {found.undetermined}")
    event(f"solutions: {min(len(found.rows), 3)}")
    if not found.undetermined:
        text = print_query(Query(without_graph_variables(pattern)))
        assert bag(found) == ox_bag(text, default, named)


@pytest.mark.burnin
@settings(QUICK, max_examples=5_000)
@given(patterns(3, windows=True, nested=True, rich=True), bags, fuller_bags, fuller_bags)
def test_bags_agree_with_the_definitions_at_length(pattern, default, background, window):
    dataset = Dataset(
        Bag(default), {GRAPHS[0]: Bag(background)}, {WINDOWS[0]: WindowDataset(Bag(window))}
    )
    expected = naive.solve(pattern, dataset.default, dataset)
    assert bag(solutions(Query(pattern), dataset)) == Counter(expected)
