"""Patterns against pyoxigraph and against the definitions."""

from __future__ import annotations

from collections import Counter

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
    Window,
)
from rsp_conformance.model.query import Query
from rsp_conformance.r2r.dataset import Dataset, WindowDataset
from rsp_conformance.r2r.dataset import Graph as Bag
from rsp_conformance.r2r.evaluate import solutions
from rsp_conformance.syntax.printer import print_query
from tests.r2r import naive
from tests.r2r.building import bag, ox_bag
from tests.r2r.generators import GRAPHS, WINDOWS, bags, graphs, patterns

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


@pytest.mark.burnin
@settings(QUICK, max_examples=20_000)
@given(patterns(4, windows=True), bags, bags, bags)
def test_bags_agree_with_the_definitions_at_length(pattern, default, background, window):
    dataset = Dataset(
        Bag(default), {GRAPHS[0]: Bag(background)}, {WINDOWS[0]: WindowDataset(Bag(window))}
    )
    expected = naive.solve(pattern, dataset.default, dataset)
    assert bag(solutions(Query(pattern), dataset)) == Counter(expected)
