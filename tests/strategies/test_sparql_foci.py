"""The foci of SPARQL beyond basic patterns: what they draw, and that sound engines agree on it."""

from __future__ import annotations

from itertools import product

import pytest

from rsp_conformance.model.algebra import Extend, Minus, SubSelect, Values
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import FunctionCall, Variable
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.uncertainty import COMPARISONS, RSPU, function_name
from rsp_conformance.model.usage import case_features
from rsp_conformance.model.variables import in_scope
from rsp_conformance.model.walk import subpatterns
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.strategies import cases
from rsp_conformance.strategies.expressions import threshold_conditions, written
from rsp_conformance.strategies.vocabulary import DISTRIBUTIONS
from tests.builders.drawing import draw_many, draw_runs, drawn

FOCUS_OF = {
    "minus": "minus",
    "exists": "exists",
    "subqueries": "subqueries",
    "values": "values",
    "paths": "paths",
    "functions": "functions",
    "aggregates": "errors",
    "rdf-star": "rdf-star",
    "triple-terms": "triple-terms",
    "uncertainty": "uncertainty",
}
"""The focus of each feature."""


@pytest.mark.parametrize(("feature", "focus"), FOCUS_OF.items())
def test_a_focus_draws_its_feature(feature, focus):
    every = drawn(focus)
    assert sum(feature in case_features(case) for case in every) >= len(every) / 2


def test_triple_terms_alone_are_objects_alone():
    features = frozenset(FEATURES) - {"rdf-star"}
    found = draw_many(cases(features, focus="triple-terms"), 150)
    assert all("rdf-star" not in case_features(case) for case in found)
    assert any(isinstance(t.object, Triple) for c in found for e in c.elements for t in e.graph)


def test_minus_shares_variables_and_does_not():
    found = [
        bool(set(in_scope(part.left)) & set(in_scope(part.right)))
        for case in draw_runs(cases(focus="minus"), 40)
        for part in subpatterns(case.query.pattern)
        if isinstance(part, Minus)
    ]
    assert found.count(True) >= 10
    assert found.count(False) >= 10


def test_subqueries_hide_variables_that_are_used_outside():
    every = drawn("subqueries", 3)
    assert any(_hides_what_is_used(case.query) for case in every)
    inner = [p.query for c in every for p in subpatterns(c.query.pattern) if _nested(p)]
    assert any(query.distinct for query in inner)
    assert any(query.group_by for query in inner)
    assert any(query.limit for query in inner)


def _nested(pattern):
    return isinstance(pattern, SubSelect)


def _hides_what_is_used(query):
    """Whether a subquery and the pattern beside it have a variable that both call the same."""
    for part in subpatterns(query.pattern):
        sides = (getattr(part, "left", None), getattr(part, "right", None))
        if isinstance(sides[0], SubSelect) and sides[1] is not None:
            inner = sides[0].query
            shown = inner.projection
            if shown is None:  # SELECT * hides nothing
                continue
            hidden = set(in_scope(inner.pattern)) - {p.variable.name for p in shown}
            if hidden & set(in_scope(sides[1])):
                return True
    return False


def test_values_stand_inside_and_at_the_end_with_undef():
    queries = [case.query for case in drawn("values", 3)]
    inside = [p for q in queries for p in subpatterns(q.pattern) if isinstance(p, Values)]
    ends = [query.values for query in queries if query.values is not None]
    assert inside and ends
    for found in (inside, ends):
        assert any(None in row for values in found for row in values.rows)
        assert any(len(values.variables) == 2 for values in found)


def test_no_probability_is_near_its_threshold():
    """Each condition, over all distributions that cases hold: 0.01 more or less is all the same."""
    first, second = Variable("a"), Variable("b")
    options = threshold_conditions((first, second))
    asked = [written(text, **bound) for text, bound in options]
    assert len(asked) > 10
    for condition in asked:
        call, threshold = condition.arguments
        assert call.function.value.startswith(RSPU)
        for one, other in product(DISTRIBUTIONS, DISTRIBUTIONS):
            given = Values((first, second), ((one, other),))
            shown = (Projection(Variable("p"), call),)
            ((value,),) = solutions(Query(given, projection=shown), Dataset()).rows
            if value is not None:
                assert abs(float(value.lexical) - float(threshold.lexical)) > 0.01, condition


def test_probabilities_are_shown_only_where_the_profile_has_a_tolerance():
    def shows(dials: Dials) -> bool:
        found = draw_many(cases(profile=dials, focus="uncertainty"), 150)
        parts = [part for case in found for part in subpatterns(case.query.pattern)]
        return any(
            isinstance(part, Extend)
            and isinstance(part.expression, FunctionCall)
            and function_name(part.expression) in COMPARISONS
            for part in parts
        )

    assert shows(Dials().with_dial("numbers", "tolerance(1e-6)"))
    assert not shows(Dials())
    assert not shows(Dials().with_dial("numbers", "value"))
