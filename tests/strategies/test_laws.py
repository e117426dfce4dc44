"""Cases of laws: within features, true, telling, and small once shrunk."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, find, settings

from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.laws import BAGS, HEURISTICS, LAWS, SETS, Law, law_named
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import with_implied
from rsp_conformance.model.usage import case_features
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import GENERATED, LawCase, applicable_law, law_cases, law_instances
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query
from tests.builders.drawing import draw_apart, draw_many

FEW = frozenset({"select", "filter", "optional"})
every_law = pytest.mark.parametrize("law", (*LAWS, *HEURISTICS), ids=lambda law: law.name)


def has_rows(case: LawCase) -> bool:
    expectation = Expectation(case.left, Dials())
    starts = rspql_queries(case.left, Dials())
    return any(e.content.rows for z in starts for e in expectation.answer(z))  # type: ignore[union-attr]


@every_law
def test_cases_are_instances_and_many_have_rows(law: Law) -> None:
    features = GENERATED | {"uncertainty"}
    drawn = list(dict.fromkeys(draw_apart(law_cases(law, features), 25)))
    for case in drawn:
        assert law.holds_for(case.binding, case.semantics)
        assert case_features(case.left) | case_features(case.right) <= with_implied(features)
        assert len(case.left.elements) <= 8
        for side in (case.left, case.right):
            assert parse_query(print_query(side.query)) == side.query
    assert sum(map(has_rows, drawn)) >= len(drawn) / 6


@pytest.mark.parametrize("name", profile_names())
def test_profiles_and_features_are_obeyed(name: str) -> None:
    profile = bundled_profile(name)
    for law in (*LAWS, *HEURISTICS):
        for features in (GENERATED, FEW):
            if applicable_law(law, features, profile) is not True:
                continue
            for case in draw_many(law_cases(law, features, profile), 2):
                used = case_features(case.left) | case_features(case.right)
                assert used <= with_implied(features)
                dials = profile.resolve(case_features(case.left))
                for side in (case.left, case.right):
                    Expectation(side, dials)


def test_what_cannot_be_expressed_is_said() -> None:
    reason = applicable_law(law_named("FDecompII"), frozenset({"select", "filter"}), Dials())
    assert reason == "the engine does not declare the feature distinct and union"
    assert applicable_law(law_named("WReord"), FEW, Dials()) == (
        "the engine declares neither multi-window nor same-stream-windows"
    )
    with pytest.raises(ValueError, match="BGPush: the engine does not declare the feature bind"):
        law_cases(law_named("BGPush"), FEW)
    with pytest.raises(ValueError, match="UComm has no condition to be broken"):
        law_instances(law_named("UComm"), GENERATED, satisfied=False)


def test_sets_are_asked_with_distinct() -> None:
    for case in draw_many(law_cases(law_named("FDecompII")), 10):
        assert case.left.query.distinct
        assert case.semantics == SETS
    for case in draw_many(law_cases(law_named("UComm"), distinct=False), 10):
        assert not case.right.query.distinct
        assert case.semantics == BAGS


def test_a_broken_instance_breaks_the_condition() -> None:
    for name in ("FJPush", "FLPush", "FWPush", "BGPush", "BWPush", "BJPush", "BLPush"):
        law = law_named(name)
        for binding in draw_many(law_instances(law, GENERATED, satisfied=False), 10):
            assert law.well_formed(binding)
            assert not law.holds_for(binding)


def test_a_case_shrinks_to_what_a_person_would_write() -> None:
    smallest = find(
        law_cases(law_named("FWPush")),
        has_rows,
        settings=settings(database=None, suppress_health_check=list(HealthCheck)),
    )
    assert repr(smallest) == (
        "PREFIX : <http://ex.org/>\n"
        "SELECT ?x ?y\n"
        "FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 1 STEP 1]\n"
        "WHERE {\n  WINDOW :w1 { ?x :p ?y }\n  FILTER(?x = :a)\n}\n"
        ":s1 = (:a :p :b, 1)\n"
        "registered at 0, compared until 3\n"
        "by FWPush the same as\n"
        "PREFIX : <http://ex.org/>\n"
        "SELECT ?x ?y\n"
        "FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 1 STEP 1]\n"
        "WHERE {\n  WINDOW :w1 {\n    ?x :p ?y .\n    FILTER(?x = :a)\n  }\n}"
    )
