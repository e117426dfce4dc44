"""The walk knows every operator by the types that its fields declare."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest

from rsp_conformance.model.algebra import BGP, Extend, Filter, Pattern, SubSelect, TriplePattern
from rsp_conformance.model.expressions import Exists, Operation, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import (
    children,
    conditions,
    mentioned,
    parts,
    rewritten,
    rewritten_pattern,
    subpatterns,
    substituted,
    with_children,
    within,
)
from rsp_conformance.text.parse import parse_query

QUERY = parse_query(
    """PREFIX : <http://ex.org/>
    SELECT ?a (SUM(?n + 1) AS ?sum) FROM NAMED WINDOW :w ON STREAM :s [RANGE PT5S]
    WHERE {
      WINDOW :w { ?a :p ?n OPTIONAL { ?a :q << ?b :r ?c >> FILTER(?b != ?c) } }
      GRAPH ?g { { ?a :p ?x } UNION { ?a :p*/^:q ?y } MINUS { ?a :r ?z } }
      SERVICE :far { ?a :s ?far }
      VALUES ?v { 1 UNDEF }
      BIND(IF(EXISTS { ?a :p ?hidden { SELECT ?k { ?k :p ?deep } } }, 1, 2) AS ?bound)
      FILTER(?n > 2)
    } GROUP BY ?a HAVING(COUNT(?group) > 1) ORDER BY DESC(?order)"""
)
PATTERNS = list(subpatterns(QUERY.pattern))


def test_every_operator_is_met() -> None:
    assert {type(pattern) for pattern in PATTERNS} == set(get_args(Pattern))


def test_every_variable_is_met_wherever_it_stands() -> None:
    assert set(mentioned(QUERY)) >= {*"anbcgxyzkv"} | {
        "sum",
        "far",
        "hidden",
        "deep",
        "bound",
        "group",
        "order",
    }


def test_parts_that_are_whole_are_met_and_not_looked_into() -> None:
    met = list(within(QUERY, whole=Exists))
    names = {part.name for part in met if isinstance(part, Variable)}
    assert names.isdisjoint({"hidden", "deep"})
    assert set(mentioned(QUERY)) == names | {"hidden", "k", "deep"}
    assert any(isinstance(part, Exists) for part in met)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: type(pattern).__name__)
def test_operands_and_conditions_are_the_fields_that_hold_them(pattern: Pattern) -> None:
    held = [getattr(pattern, field.name) for field in fields(pattern)]
    if isinstance(pattern, SubSelect):
        held = [pattern.query.pattern]
    assert list(children(pattern)) == [value for value in held if isinstance(value, Pattern)]
    assert with_children(pattern, children(pattern)) == pattern
    if not isinstance(pattern, (Filter, Extend)):
        assert len(conditions(pattern)) <= 1
    else:
        assert len(conditions(pattern)) == 1


def test_rewriting_by_nothing_keeps_the_very_query() -> None:
    assert rewritten(QUERY, lambda part: part) is QUERY
    assert rewritten_pattern(QUERY.pattern, lambda part: part) == QUERY.pattern


def test_rewriting_reaches_everything_and_leaves_declarations_alone() -> None:
    def primed(part: object) -> object:
        if isinstance(part, Variable):
            return Variable(part.name + "_")
        return IRI(part.value + "_") if isinstance(part, IRI) else part

    changed = rewritten(QUERY, primed)
    assert {*mentioned(changed)} == {name + "_" for name in mentioned(QUERY)}
    assert changed.windows == QUERY.windows
    assert changed.prefixes == QUERY.prefixes


def test_parts_are_put_in_the_place_of_others_everywhere_but_in_what_is_whole() -> None:
    one, other = Variable("a"), IRI("urn:a")
    changed = substituted(QUERY.pattern, {one: other})
    assert one not in within(changed) and substituted(changed, {other: one}) == QUERY.pattern
    whole = substituted(QUERY.pattern, {one: other}, Exists)
    (exists,) = (part for part in within(whole) if isinstance(part, Exists))
    assert exists in within(QUERY) and [*mentioned(whole)].count("a") == 1


def test_patterns_of_exists_are_within_and_no_operands() -> None:
    inner = BGP((TriplePattern(Variable("s"), IRI("urn:p"), Variable("o")),))
    outer = Filter(Operation("!", (Exists(inner),)), BGP())
    assert inner in list(subpatterns(outer))
    assert children(outer) == (BGP(),)
    assert rewritten_pattern(outer, lambda part: BGP() if part == inner else part) == outer


def test_parts_are_no_numbers_and_no_texts() -> None:
    for node in within(QUERY):
        assert not [part for part in parts(node) if isinstance(part, (int, str, bytes))], node
    assert Query() == rewritten(Query(), lambda part: part)
