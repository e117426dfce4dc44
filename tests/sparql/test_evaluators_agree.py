"""Three evaluators agree: the specification, the compiled one, and pyoxigraph by `reference`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.model.algebra import Pattern
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Aggregate, Operation, Variable
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.variables import in_scope
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.open_points import FORM
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec import evaluate as specification
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import cases
from tests.builders import compiled
from tests.builders.terms import integer
from tests.generators.datasets import datasets, groups, same
from tests.generators.patterns import patterns
from tests.oracles import oxigraph

NUMBERS = ("COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE", "GROUP_CONCAT")


@st.composite
def queries(draw: st.DrawFn, pattern: Pattern) -> Query:
    """PATTERN under a form and solution modifiers, with groups or without."""
    scope = [Variable(name) for name in in_scope(pattern)]
    if not scope or draw(st.integers(0, 3)) == 0:
        return Query(pattern, form=draw(st.sampled_from([Form.SELECT, Form.ASK])))
    chosen = draw(st.lists(st.sampled_from(scope), min_size=1, max_size=3, unique=True))
    if draw(st.booleans()):
        query = Query(pattern, projection=tuple(map(Projection, chosen)))
        keys = [*scope, Operation("+", (draw(st.sampled_from(scope)), integer(1)))]
    else:
        name = draw(st.sampled_from(NUMBERS))
        counts = Aggregate(name, draw(st.sampled_from(scope)), draw(st.booleans()))
        query = Query(
            pattern,
            projection=(*map(Projection, chosen), Projection(Variable("n"), counts)),
            group_by=tuple(map(GroupKey, chosen)),
            having=draw(st.sampled_from([(), (Operation(">", (counts, integer(1))),)])),
        )
        keys = [*chosen, Variable("n"), counts, Operation("+", (Variable("n"), integer(1)))]
    order = draw(st.lists(st.builds(OrderKey, st.sampled_from(keys), st.booleans()), max_size=2))
    return replace(
        query,
        order_by=tuple(order),
        distinct=draw(st.booleans()),
        limit=draw(st.none() | st.integers(0, 3)),
        offset=draw(st.none() | st.integers(0, 2)),
    )


def agree(query: Query, dataset: Dataset) -> None:
    one = specification.solutions(query, dataset)
    other = compiled.solutions(query, dataset)
    assert same(one, other), f"{one}\n{other}"
    if one.determined:
        by_oxigraph(one, oxigraph.solutions(query, dataset))


def by_oxigraph(one: Relation, other: Relation) -> None:
    """The library answers with one order of many: groups of ties have to follow each other."""
    assert set(one.variables) == set(other.variables)
    places = [other.variables.index(name) for name in one.variables]
    rows = [tuple([row[place] for place in places]) for row in other.rows]
    assert len(rows) == len(one.rows), f"{one}\n{other}"
    start = 0
    for group in groups(one):
        end = start + group.total()
        assert Counter(rows[start:end]) == group, f"{one}\n{other}"
        start = end


@settings(max_examples=120, deadline=None)
@given(st.data(), datasets(), patterns(2, windows=True))
def test_random_queries(data: st.DataObject, dataset: Dataset, pattern: Pattern) -> None:
    agree(data.draw(queries(pattern)), dataset)


@settings(max_examples=60, deadline=None)
@given(datasets(), patterns(2, windows=True, nested=True, rich=True))
def test_random_queries_that_look_at_data_again(dataset: Dataset, pattern: Pattern) -> None:
    agree(Query(pattern), dataset)


def by_library(query: Query, dataset: Dataset, *_: object) -> Relation:
    return oxigraph.solutions(query, dataset)


def _answers(case: Case, dials: Dials) -> tuple[Expectation, list[object]]:
    expectation = Expectation(case, dials)
    starts = next(iter(rspql_queries(case, dials)))
    return expectation, list(expectation.answer(starts))


@pytest.mark.parametrize(
    "focus", ["any", "aggregates", "order", "named-elements", "construct", "exists", "minus"]
)
@pytest.mark.parametrize("held", ["set", "bag"])
def test_cases_of_the_suite(focus: str, held: str) -> None:
    dials = Dials(window_content=held)
    answered = 0

    @settings(max_examples=12, deadline=None)
    @given(cases(profile=dials, focus=focus))
    def agrees(case: Case) -> None:
        nonlocal answered
        first, one = _answers(case, dials)
        with patch("rsp_conformance.spec.trace.solutions_of_covered", by_library):
            _, other = _answers(case, dials)
        read_otherwise = {choice.point for choice, _ in first.choices} - {FORM}
        if first.undetermined is not None or read_otherwise:
            return
        assert [e.t for e in one] == [e.t for e in other]
        for left, right in zip(one, other, strict=True):
            assert difference(left.content, right.content, "value") is None
        if one:
            answered += 1

    agrees()
    assert answered, "no case had an evaluation"
