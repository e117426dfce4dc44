"""Operators stand within operators, share variables, and have any modifiers at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

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
from rsp_conformance.model.dials import Dials
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
from rsp_conformance.strategies.nesting import OPERATORS, operators_of
from rsp_conformance.strategies.plan import Plan
from rsp_conformance.strategies.query_builder import NAME, RESOURCE, QueryBuilder
from tests.builders.drawing import drawn

OPERATORS_OF_ALGEBRA = (Join, LeftJoin, Union, Minus, Filter, Extend, SubSelect)


FOCI = ("any", "optional", "union", "minus", "exists", "subqueries", "named-graphs")
"""Foci that are about operators."""


def parts_of(kind: type) -> Iterator[Any]:
    every = (case for focus in FOCI for case in drawn(focus, 3))
    return (part for case in every for part in within(case.query) if isinstance(part, kind))


def test_every_operator_stands_directly_within_every_other() -> None:
    leaves = (BGP, Values, Graph, Window)
    found = {
        (type(part), type(child))
        for kind in OPERATORS_OF_ALGEBRA
        for part in parts_of(kind)
        for child in children(part)
    }
    wanted = {*product(OPERATORS_OF_ALGEBRA, (*OPERATORS_OF_ALGEBRA, *leaves))}
    assert not wanted - found


def test_exists_holds_every_operator() -> None:
    inner = {type(e.pattern) for e in parts_of(Exists)}
    assert inner >= {*OPERATORS_OF_ALGEBRA, BGP}
    within_exists = (p for e in parts_of(Exists) for p in within(e.pattern))
    assert any(isinstance(part, Exists) for part in within_exists)


def test_operands_share_variables_that_may_be_unbound() -> None:
    for kind in (Join, LeftJoin, Union, Minus):
        pairs = [(part.left, part.right) for part in parts_of(kind)]
        unsure = [
            {*in_scope(one)} & {*in_scope(other)} - (certain(one) & certain(other))
            for one, other in pairs
        ]
        assert sum(map(bool, unsure)) > len(pairs) / 25, kind


def test_fewer_features_mean_fewer_operators() -> None:
    plan = Plan(clauses=frozenset({"nested"}))
    able = limits({"select", "optional", "filter"}, PLAIN)
    names = {o.name for o in operators_of(able, plan)}
    assert names == {"join", "optional", "filter", "condition", "window"}
    every = {o.name for o in operators_of(limits(GENERATED, PLAIN), plan)}
    assert {o.name for o in OPERATORS} - every == {"graph", "graph-variable"}
    merged = Dials().with_dial("windows_in", "default")
    assert "window" not in {o.name for o in operators_of(limits(GENERATED, merged), plan)}


def test_what_a_plan_asks_for_comes_often() -> None:
    plan = Plan(clauses=frozenset({"nested", "minus"}))
    found = [o.name for o in operators_of(limits(GENERATED, PLAIN), plan)]
    assert found.count("minus") >= len(found) / 3


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


def modified() -> Iterator[Case]:
    for focus in ("order", "aggregates", "distinct", "subqueries", "r2s"):
        yield from drawn(focus, 7)


@pytest.mark.parametrize("whole", [True, False], ids=["query", "subquery"])
def test_any_two_modifiers_stand_together(whole: bool) -> None:
    found: set[frozenset[str]] = set()
    for case in modified():
        for part in within(case.query):
            if isinstance(part, Query) and (part is case.query) is whole:
                found |= {frozenset(pair) for pair in combinations(sorted(modifiers(part)), 2)}
    names = [*"DISTINCT REDUCED LIMIT OFFSET HAVING VALUES * AS".split(), "ORDER BY", "GROUP BY"]
    wanted = {frozenset(pair) for pair in combinations(names, 2) if {*pair} not in _APART}
    assert not wanted - found


def test_modifiers_stand_under_every_streaming_operator() -> None:
    for operator in (None, *StreamOperator):
        own = [c.query for c in modified() if c.query.operator is operator]
        rich = [q for q in own if len(modifiers(q)) > 2]
        assert any(is_grouped(q) for q in rich), operator
        assert any(not is_grouped(q) for q in rich), operator


def test_what_select_computes_is_used_again() -> None:
    def uses_again(query: Query) -> bool:
        computed = [p for p in query.projection or () if p.expression is not None]
        names = {p.variable.name for p in computed}
        return any(not names.isdisjoint(mentioned(p.expression)) for p in computed)

    queries = [q for case in modified() for q in within(case.query) if isinstance(q, Query)]
    assert sum(map(uses_again, queries)) > len(queries) / 200


# Forms


def test_templates_have_several_triples_nodes_constants_and_unbound_variables() -> None:
    templates = [case.query.template for case in drawn("construct", 4)]
    triples = [triple for template in templates for triple in template]
    assert sum(len(template) > 2 for template in templates) > len(templates) / 20
    assert any(isinstance(part, BlankNode) for t in triples for part in within(t))
    assert any(not [*mentioned(t)] for t in triples)
    assert any(isinstance(t.predicate, Variable) for t in triples)
    unbound = [
        {*mentioned(triple)} - certain(case.query.pattern)
        for case in drawn("construct", 4)
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


@cache
def nested(focus: str) -> tuple[Case, ...]:
    return tuple(some_cases(GENERATED, PLAIN, focus, 1_000, seed="cells"))


def test_elements_are_graphs_of_a_window_by_name_and_by_variable() -> None:
    """Also under WINDOW ?w, and one of them by its IRI (RSP-QL* Definition 6)."""
    windows = [
        part
        for case in nested("named-elements")
        for part in within(case.query)
        if isinstance(part, Window) and isinstance(part.pattern, Graph)
    ]
    found = {(type(window.name), type(window.pattern.name)) for window in windows}
    assert found == {*product((IRI, Variable), (IRI, Variable))}
    names = {e.name for case in nested("named-elements") for e in case.elements}
    assert {w.pattern.name for w in windows if isinstance(w.pattern.name, IRI)} <= names


def test_clauses_about_a_shared_variable_come_last() -> None:
    """Also under the name of a graph, and outside of windows and graphs."""
    met = {cell for case in nested("nesting") for cell in operators_met(case.query)}
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
