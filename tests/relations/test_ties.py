"""Relations for engines that may hold any of simultaneous elements: their cases can be judged."""

from __future__ import annotations

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.model.windows import Count
from rsp_conformance.relations.queries import LAW_RELATIONS
from rsp_conformance.relations.registry import BETWEEN_CASES
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.sparql.open_points import CUT_INSTANT
from rsp_conformance.spec.correctness import judge
from tests.builders.drawing import draw_apart
from tests.generators.profiles import subject

LAWS = [relation for relation in LAW_RELATIONS if relation.name in ("JComm", "FWPush")]
TURNED = [
    {"report": "WC"},
    {"report": "CC"},
    {"report": "WC", "tick": "tuple"},
    {"report": "CC", "tick": "tuple"},
    {"report": "WC", "tick": "tuple", "n0": "fill"},
    {"report": "WC", "tick": "tuple", "count_slide": "width"},
]


def is_cut(case: Case, dials: Dials) -> bool:
    try:
        judge(case, dials, ())
    except LeftOpen as error:
        return CUT_INSTANT in error.why
    return False


@pytest.mark.parametrize("relation", [*BETWEEN_CASES, *LAWS], ids=lambda relation: relation.name)
def test_no_case_of_a_relation_has_an_instant_that_is_cut(relation: MetamorphicRelation) -> None:
    for turned in TURNED:
        tested = subject({**turned, "ties": "open"})
        if relation.not_applicable(tested) is not None:
            continue
        for trial in draw_apart(relation.trials(tested), 40):
            for variant in trial.variants:
                if any(isinstance(own.width, Count) for own in variant.case.query.windows):
                    assert not is_cut(variant.case, tested.dials(variant.case))


def test_tumbling_windows_keep_instants_that_no_end_comes_between() -> None:
    """Of elements in bursts some stay, and under the other value all do."""
    (tumbling,) = (relation for relation in BETWEEN_CASES if relation.name == "tumbling")
    bursts = []
    for ties in ("open", "arrival"):
        tested = subject({"report": "WC", "tick": "tuple", "ties": ties})
        cases = [t.variants[0].case for t in draw_apart(tumbling.trials(tested), 100)]
        counted = [own for own in cases if isinstance(own.query.windows[0].width, Count)]
        bursts.append(sum(len({e.t for e in own.elements}) < len(own.elements) for own in counted))
    assert 0 < bursts[0] < bursts[1]
