"""Shrinking leads to what a person would write."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, find, settings

from rsp_conformance.model.answers import Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.terms import XSD_FLOAT, Literal
from rsp_conformance.model.usage import case_features
from rsp_conformance.spec.correctness import rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import cases
from rsp_conformance.strategies.clock import SIGNED_32
from rsp_conformance.test_suite.declined import declinable

PLAIN = Dials()


def rows(case: Case) -> int:
    """The most rows of an answer that is compared, for any t0; ``true`` counts as one."""
    expectation, start, most = Expectation(case, PLAIN), t_s(case, PLAIN), 0
    for vector in rspql_queries(case, PLAIN):
        for evaluation in expectation.answer(vector):
            content = evaluation.content
            if start <= evaluation.t:
                most = max(most, content.value if isinstance(content, Truth) else len(content))
    return most


def smallest(
    condition: Callable[[Case], bool], focus: str | None = None, seed: int | None = None
) -> Case:
    """What Hypothesis shrinks to, from SEED if it is given."""
    options = settings(
        max_examples=2000,
        database=None,
        deadline=None,
        derandomize=seed is None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    random = None if seed is None else Random(seed)
    return find(cases(focus=focus), condition, settings=options, random=random)


def shape(case: Case) -> list[str]:
    """The case's text without the prefix, all braces and line ends as spaces."""
    lines = repr(case).splitlines()[1:]
    where = lines.index("WHERE {")
    streams = next(n for n, line in enumerate(lines) if line.startswith(":s1 ="))
    pattern = " ".join(" ".join(lines[where + 1 : streams]).split())
    return [*lines[:where], pattern, *lines[streams:]]


TUMBLING = "FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 1 STEP 1]"
ONE = "WINDOW :w1 { ?x :p ?y } }"
ELEMENT = ":s1 = (:a :p :b, 1)"
END = "registered at 0, compared until 3"


def smallest_case(
    pattern: str, variables: str = "?x ?y", *data: str, window: str = TUMBLING, end: str = END
) -> list[str]:
    """The shape of a case with a PATTERN in its window, or with a group that begins with WINDOW."""
    group = pattern if pattern.startswith("WINDOW") else f"WINDOW :w1 {{ {pattern} }} }}"
    return [f"SELECT {variables}", window, group, *(data or (ELEMENT,)), end]


XP, XPZ = "?x :p ?y", "WINDOW :w1 { ?x :p ?y } ?x :q ?z . }"
SMALLEST = {
    "any": smallest_case(XP),
    "optional": smallest_case(f"{XP} . OPTIONAL {{ ?x :q ?z }}", "?x ?y ?z"),
    "filter": smallest_case(f"{XP} . FILTER(?x = :a)"),
    "static-data": smallest_case(XPZ, "?x ?y ?z", ELEMENT, "background = :a :q :c"),
    "time-varying-data": smallest_case(XPZ, "?x ?y ?z", ELEMENT, "background = :a :q :c on [,1]"),
    "named-graphs": smallest_case(
        *("WINDOW :w1 { ?x :p ?y } GRAPH :g { ?x :q ?z } }", "?x ?y ?z"),
        *(ELEMENT, "background = :a :q :c in :g"),
    ),
    "distinct": smallest_case(XP, "DISTINCT ?x ?y"),
    "window-variable": smallest_case("WINDOW ?w { ?x :p ?y } }", "?x ?y ?w"),
    "gap-windows": smallest_case(
        XP, window=TUMBLING.replace("STEP 1", "STEP 2"), end=END.replace("3", "4")
    ),
    "count-windows": smallest_case(XP, window=TUMBLING.replace("RANGE 1 STEP 1", "ELEMENTS 1")),
    "now-window": smallest_case(XP, window=TUMBLING.replace("RANGE 1 STEP 1", "NOW")),
    "past-windows": smallest_case(
        XP,
        window=TUMBLING.replace("RANGE 1 STEP 1", "FROM NOW-2 TO NOW-1 STEP 1"),
        end=END.replace("3", "4"),
    ),
    "language-tags": smallest_case("?x :label ?l", "?x ?l", ':s1 = (:a :label "x"@en, 1)'),
    "blank-nodes": smallest_case(XP, "?x ?y", ":s1 = (_:b :p _:c, 1)"),
    "minus": smallest_case(f"{XP} . MINUS {{ ?x :q ?z }}"),
    "exists": smallest_case(f"{XP} . FILTER NOT EXISTS {{ ?x :q ?z }}"),
    "subqueries": smallest_case(f"SELECT ?x ?y WHERE {{ {XP} . }}"),
    "paths": smallest_case("?x :p|:q ?y"),
    "values": smallest_case(f"{XP} . VALUES ?x {{ :a }}"),
    "functions": smallest_case(
        '?x :label ?l . FILTER(STR(?l) = "x")', "?x ?l", ':s1 = (:a :label "x", 1)'
    ),
    "rdf-star": smallest_case(
        "<< ?x :p ?y >> :value ?n", "?x ?y ?n", ":s1 = (<< :a :p :b >> :value 1, 1)"
    ),
    "triple-terms": smallest_case(
        "?x :says << ?y :p ?z >>", "?x ?y ?z", ":s1 = (:a :says << :b :p :c >>, 1)"
    ),
    "uncertainty": [
        "PREFIX rspu: <http://w3id.org/rsp/rspu#>",
        *smallest_case(
            *("?x :reading ?f . FILTER(rspu:greaterThan(?f, 18) > 0.8)", "?x ?f"),
            ':s1 = (:a :reading "N(20,4)"^^<http://w3id.org/rsp/rspu#distribution>, 1)',
        ),
    ],
}
FOCUS = {
    "any": None,
    "static-data": "static",
    "time-varying-data": "time-varying",
    "gap-windows": "gaps",
    "language-tags": "values-literals",
}


@pytest.mark.parametrize("feature", SMALLEST)
def test_a_case_with_an_answer_has_nothing_that_does_not_matter(feature):
    def wanted(case: Case) -> bool:
        # COUNT has a row of nothing, which is smaller still; a call may have the feature as well.
        features = case_features(case)
        if any(call in repr(case) for call in ("?one", "?value", "FILTER COALESCE(")):
            return False
        return {feature} - {"any"} <= features and "aggregates" not in features and rows(case) > 0

    # What a search comes to first may shrink to what only another case is simpler than.
    found = (shape(smallest(wanted, FOCUS.get(feature, feature), seed)) for seed in range(5))
    assert SMALLEST[feature] in found


OF_TERMS = {
    "without-repeated-variables": smallest_case("?x :p ?x", "?x", ":s1 = (:a :p :a, 1)"),
    "without-pattern-literals": smallest_case("?x :value 1", "?x", ":s1 = (:a :value 1, 1)"),
    "without-odd-strings": smallest_case("?x :label ?l", "?x ?l", ':s1 = (:a :label "\\"x\\"", 1)'),
}
"""What real engines fail at in patterns and strings, by who declines it."""


@pytest.mark.parametrize("restriction", OF_TERMS)
def test_what_an_engine_may_decline_comes_with_nothing_else(restriction):
    def wanted(case: Case) -> bool:
        return restriction in declinable(case, PLAIN) and rows(case) > 0

    assert shape(smallest(wanted, "terms")) == OF_TERMS[restriction]
    assert shape(smallest(lambda case: rows(case) > 0, "terms")) == SMALLEST["any"]


def test_two_windows_hold_one_element_each():
    case = smallest(
        lambda case: {"multi-window"} <= case_features(case) and rows(case) > 0, "multi-window"
    )
    assert len(case.query.windows) == 2
    assert len(case.elements) <= 2
    assert {w.slide for w in case.query.windows} == {1}
    assert case_features(case) == {"select", "multi-window"}


def test_an_aggregate_needs_no_element():
    case = smallest(lambda case: "aggregates" in case_features(case), "aggregates")
    assert shape(case)[0] == "SELECT (COUNT(*) AS ?c)"
    assert shape(case)[2] == ONE
    assert case.elements == ()


def test_an_operator_leaves_the_rest_plain():
    case = smallest(
        lambda case: case.query.operator is StreamOperator.ISTREAM and rows(case) > 0, "r2s"
    )
    assert shape(case)[:2] == ["REGISTER IStream :out AS", "SELECT ?x ?y"]
    assert shape(case)[2:] == [TUMBLING, ONE, ELEMENT, END]


def test_three_ordered_rows_are_three_elements_at_most():
    # VALUES make several rows of one element.
    case = smallest(
        lambda case: (
            bool(case.query.order_by) and "values" not in case_features(case) and rows(case) >= 3
        ),
        "order",
    )
    assert len(case.elements) <= 3
    assert case_features(case) == {"select", "order"}


def test_a_long_case_becomes_short():
    case = smallest(lambda case: rows(case) >= 2, "long")
    assert len(case.elements) == 2
    assert shape(case)[2] == ONE


def test_equal_elements_are_two():
    case = smallest(
        lambda case: len(set(map(repr, case.elements))) < len(case.elements) and rows(case) > 0,
        "duplicates",
    )
    assert shape(case) == ["SELECT ?x ?y", TUMBLING, ONE, ":s1 = (:a :p :b, 1), (:a :p :b, 1)", END]


def test_a_counterexample_keeps_a_late_clock_only_if_it_matters():
    plain = smallest(lambda case: len(case.elements) > 0)
    assert plain.registered == 0 and [e.t for e in plain.elements] == [1]
    late = smallest(lambda case: len(case.elements) > 0 and case.elements[-1].t >= SIGNED_32)
    assert late.registered >= SIGNED_32 - 3
    assert len(late.elements) <= 3


def test_a_kind_of_value_is_all_that_is_odd():
    case = smallest(
        lambda case: (
            any(
                isinstance(t.object, Literal) and t.object.datatype == XSD_FLOAT
                for e in case.elements
                for t in e.graph
            )
            and "aggregates" not in case_features(case)
            and rows(case) > 0
        ),
        "windows",
    )
    assert shape(case)[:3] == ["SELECT ?x ?n", TUMBLING, "WINDOW :w1 { ?x :value ?n } }"]
    assert len(case.elements) == 1
    assert shape(case)[-1] == END


def test_a_call_is_of_the_simplest_arguments_and_alone():
    case = smallest(
        lambda case: (
            any(p.variable.name.startswith("value") for p in case.query.projection or ())
            and not case.query.group_by
            and rows(case) > 0
        ),
        "windows",
    )
    assert shape(case) == ["SELECT ?x ?y (?x = ?x AS ?value)", TUMBLING, ONE, ELEMENT, END]
