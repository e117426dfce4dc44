"""Cases keep to the parts of features where windows and background data are read as one."""

from __future__ import annotations

import pytest

from rsp_conformance.laws import law_named
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import with_implied
from rsp_conformance.model.usage import case_features
from rsp_conformance.strategies import GENERATED, cases, law_cases
from tests.builders.drawing import draw_many

MERGED = Dials(windows_in="default")


@pytest.mark.parametrize(
    ("focus", "left_out", "dials"),
    [
        ("named-graphs", "optional-stream", Dials()),  # GRAPH ?g has windows among its graphs
        ("exists", "exists-stream", Dials()),
        ("union", "union-static", MERGED),
        ("union", "union-stream", MERGED),
        ("optional", "optional-static", MERGED),
    ],
)
def test_a_part_that_is_left_out_is_not_drawn(focus: str, left_out: str, dials: Dials) -> None:
    features = with_implied(GENERATED) - {left_out}
    for case in draw_many(cases(features, dials, focus=focus), 150):
        assert case_features(case) <= with_implied(features)


def test_a_law_about_named_graphs_may_range_over_windows() -> None:
    features = with_implied(GENERATED) - {"optional-stream"}
    for case in draw_many(law_cases(law_named("BGPush"), features), 300):
        assert case_features(case.left) <= with_implied(features)
