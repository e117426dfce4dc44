"""Operators stand within operators, share variables, and have any modifiers at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest

from rsp_conformance.cells.operators import operators_met
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Exists, Variable
from rsp_conformance.model.query import Form, Query, StreamOperator
from rsp_conformance.model.terms import IRI, BlankNode
from rsp_conformance.model.usage import case_features
from rsp_conformance.model.variables import certain, in_scope, is_grouped
from rsp_conformance.model.walk import children, mentioned, within
from rsp_conformance.strategies import GENERATED, some_cases
from rsp_conformance.strategies.cases import PLAIN
from rsp_conformance.strategies.clauses import inner_pattern
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.plan import Plan
from rsp_conformance.strategies.query_builder import NAME, RESOURCE, QueryBuilder
from tests.builders.drawing import drawn, missing, parts_of

OPERATORS_OF_ALGEBRA = (Join, LeftJoin, Union, Minus, Filter, Extend, SubSelect)


FOCI = ("any", "optional", "union", "minus", "exists", "subqueries", "named-graphs")
"""Foci that are about operators."""


def test_every_operator_stands_directly_within_every_other() -> None:
    def met(case: Case) -> Iterator[tuple[type, type]]:
        for part in parts_of(case, *OPERATORS_OF_ALGEBRA):
            yield from ((type(part), type(child)) for child in children(part))

    leaves = (BGP, Values, Graph, Window)
    wanted = {*product(OPERATORS_OF_ALGEBRA, (*OPERATORS_OF_ALGEBRA, *leaves))}
    assert not missing(wanted, met, FOCI, 3)


def test_exists_holds_every_operator() -> None:
    def met(case: Case) -> Iterator[type]:
        for exists in parts_of(case, Exists):
            yield type(exists.pattern)
            yield from (Exists for part in within(exists.pattern) if isinstance(part, Exists))

    assert not missing({*OPERATORS_OF_ALGEBRA, BGP, Exists}, met, FOCI, 3)


def test_operands_share_variables_that_may_be_unbound() -> None:
    for kind in (Join, LeftJoin, Union, Minus):
        every = (case for focus in FOCI for case in drawn(focus))
        pairs = [(part.left, part.right) for case in every for part in parts_of(case, kind)]
        unsure = [
            {*in_scope(one)} & {*in_scope(other)} - (certain(one) & certain(other))
            for one, other in pairs
        ]
        assert sum(map(bool, unsure)) > len(pairs) / 25, kind


# Modifiers


def modifiers(query: Query) -> set[str]:
    has = {
        "DISTINCT": query.distinct,
        "REDUCED": query.reduced,
        "ORDER BY": query.order_by,
        "LIMIT": query.limit is not None,
        "OFFSET": query.offset is not None,
        "GROUP BY": query.group_by is not None,
        "HAVING": query.having,
        "VALUES": query.values is not None,
        "*": query.form is Form.SELECT and query.projection is None,
        "AS": any(p.expression for p in query.projection or ()),
    }
    return {name for name, there in has.items() if there}


_APART = [{"DISTINCT", "REDUCED"}, {"*", "AS"}, {"*", "GROUP BY"}, {"*", "HAVING"}]


MODIFIED = ("order", "aggregates", "distinct", "subqueries", "r2s")
"""Foci that are about modifiers."""


@pytest.mark.parametrize("whole", [True, False], ids=["query", "subquery"])
def test_any_two_modifiers_stand_together(whole: bool) -> None:
    def met(case: Case) -> Iterator[frozenset[str]]:
        for part in parts_of(case, Query):
            if (part is case.query) is whole:
                yield from map(frozenset, combinations(sorted(modifiers(part)), 2))

    names = [*"DISTINCT REDUCED LIMIT OFFSET HAVING VALUES * AS".split(), "ORDER BY", "GROUP BY"]
    wanted = {frozenset(pair) for pair in combinations(names, 2) if {*pair} not in _APART}
    assert not missing(wanted, met, MODIFIED, 7)


def test_modifiers_stand_under_every_streaming_operator() -> None:
    def met(case: Case) -> Iterator[tuple[StreamOperator | None, bool]]:
        if len(modifiers(case.query)) > 2:
            yield case.query.operator, is_grouped(case.query)

    assert not missing({*product((None, *StreamOperator), (True, False))}, met, MODIFIED, 7)


def test_what_select_computes_is_used_again() -> None:
    def uses_again(query: Query) -> bool:
        computed = [p for p in query.projection or () if p.expression is not None]
        names = {p.variable.name for p in computed}
        return any(not names.isdisjoint(mentioned(p.expression)) for p in computed)

    every = (case for focus in MODIFIED for case in drawn(focus))
    queries = [query for case in every for query in parts_of(case, Query)]
    assert sum(map(uses_again, queries)) > len(queries) / 200


# Forms


def test_templates_have_several_triples_nodes_constants_and_unbound_variables() -> None:
    templates = [case.query.template for case in drawn("construct", 2)]
    triples = [triple for template in templates for triple in template]
    assert sum(len(template) > 2 for template in templates) > len(templates) / 20
    assert any(isinstance(part, BlankNode) for t in triples for part in within(t))
    assert any(not [*mentioned(t)] for t in triples)
    assert any(isinstance(t.predicate, Variable) for t in triples)
    unbound = [
        {*mentioned(triple)} - certain(case.query.pattern)
        for case in drawn("construct", 2)
        for triple in case.query.template
        if not is_grouped(case.query)
    ]
    assert any(unbound)


def test_an_engine_without_blank_nodes_makes_none() -> None:
    features = {"construct", "optional", "filter"}
    for case in some_cases(features, PLAIN, "construct", 200, seed=1):
        assert not any(isinstance(p, BlankNode) for t in case.query.template for p in within(t))
        assert "blank-nodes" not in case_features(case)


def test_ask_has_modifiers_at_times() -> None:
    every = drawn("ask", 3)
    rich = [case for case in every if modifiers(case.query)]
    assert len(every) / 20 < len(rich) < len(every) / 2


def test_elements_are_graphs_of_a_window_by_name_and_by_variable() -> None:
    """Also under WINDOW ?w, and one of them by its IRI (RSP-QL* Definition 6)."""

    def met(case: Case) -> Iterator[tuple[type, type]]:
        for window in parts_of(case, Window):
            if isinstance(window.pattern, Graph):
                yield type(window.name), type(window.pattern.name)

    assert not missing({*product((IRI, Variable), (IRI, Variable))}, met, ["named-elements"], 10)
    every = drawn("named-elements")
    graphs = [w.pattern for c in every for w in parts_of(c, Window) if isinstance(w.pattern, Graph)]
    names = {element.name for case in every for element in case.elements}
    assert {graph.name for graph in graphs if isinstance(graph.name, IRI)} <= names


def test_clauses_about_a_shared_variable_come_last() -> None:
    """Also under the name of a graph, and outside of windows and graphs."""
    every = some_cases(GENERATED, PLAIN, "nesting", 1_000, seed="cells")
    met = {cell for case in every for cell in operators_met(case.query)}
    assert met >= {
        "SELECT beside SELECT, shared maybe unbound",
        "VALUES beside VALUES, shared maybe unbound",
        "GRAPH beside SELECT, shared maybe unbound",
        "GRAPH beside VALUES, shared maybe unbound",
    }


def test_a_pattern_within_exists_repeats_no_variable_that_is_also_a_predicate() -> None:
    """In ``?x ?p ?p`` the object has the values of predicates, of which no pattern is made."""
    plan = Plan(clauses=frozenset(("predicate-variables", "exists")))
    builder = QueryBuilder(lambda strategy: 0, plan, limits(GENERATED, PLAIN))  # type: ignore[arg-type]
    subject, predicate = builder.fresh(RESOURCE), builder.fresh(NAME, "p")
    builder.add((None,), TriplePattern(subject, predicate, predicate))
    pattern = inner_pattern(builder, (None,), ("same",))
    assert predicate.name not in in_scope(pattern)
