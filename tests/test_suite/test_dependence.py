"""On which dials a case's answers depend, and what a case does that engines may decline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.laws.table import law_named
from rsp_conformance.model.algebra import BGP
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import RESTRICTIONS
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.strategies import GENERATED, applicable, some_cases
from rsp_conformance.test_suite.declined import declinable
from rsp_conformance.test_suite.dependence import Dependence, suite_dials
from rsp_conformance.test_suite.export import suite_case
from tests.builders.cases import nearby_case, pattern, window
from tools.curation.drawing import of_law

PLAIN = Dials(unit=1000)
TUMBLING = nearby_case(4, 4)


def test_what_matters_is_required() -> None:
    found = Dependence(TUMBLING, PLAIN).requires("0")
    assert found["bounds"] == ("(o,c]",)  # an element comes at 12, where a window closes
    assert found["windows_in"] == ("named",)
    # From t_s on tumbling windows are the same as those of some start in T⁰.
    assert not {"t0", "r2s", "stream_operators", "tick", "empty_group", "unit"} & found.keys()
    overlapping = Dependence(nearby_case(5, 2), PLAIN).requires("0")["t0"]
    assert overlapping[0] == "any" and "registration" in overlapping
    assert "first-aligned-close" not in overlapping  # its windows reach back


def test_a_merged_window_is_for_engines_that_merge_windows() -> None:
    """Others are never sent FROM WINDOW: rsp-js, rsp-rs and YASPER do not know it."""
    matched = BGP((pattern("?who", "near", "?where"),))
    own = replace(TUMBLING, query=Query(pattern=matched, windows=(window("w", 4, 4, named=False),)))
    found = Dependence(own, PLAIN.with_dial("windows_in", "default")).requires("0")
    assert found["windows_in"] == ("default",)
    assert "windows_in" not in Dependence(own, PLAIN).requires("0")


def test_an_operator_is_required() -> None:
    query = replace(TUMBLING.query, operator=StreamOperator.ISTREAM)
    found = Dependence(replace(TUMBLING, query=query), PLAIN).requires("0")
    assert all("I" in value for value in found["stream_operators"])


def test_a_stream_that_nobody_reads_keeps_stamps_by_arrivals_away() -> None:
    case = replace(TUMBLING, streams=(IRI("http://e/other"),))
    assert Dependence(case, PLAIN).requires("0")["answer_time"] == ("evaluation", "none")


def test_several_legal_answers_equal_ones_once() -> None:
    assert len(suite_case(TUMBLING, PLAIN, "c", "").legal) == 4
    silent = replace(TUMBLING, elements=(), until=8)
    assert len(suite_case(silent, PLAIN, "c", "").legal) == 4  # empty ones, at other instants
    fixed = PLAIN.with_dial("t0", 0)
    assert len(suite_case(TUMBLING, fixed, "c", "").legal) == 1


def test_a_suites_dials_hand_out_answers_plainly() -> None:
    dials = Dials(answer_time="arrival", clock="own", time_tolerance=2, bounds="[o,c)")
    assert suite_dials(dials) == Dials(bounds="[o,c)", unit=1000)


FOCI = "any terms windows multi-window filter aggregates exists functions named-graphs".split()
FEW = "without-keyword-names"
"""Of this few cases are looked at, for it takes a predicate `:step` for a name of a window."""


@pytest.mark.parametrize("restriction", RESTRICTIONS)
def test_declined_is_what_is_not_generated(restriction: str) -> None:
    """Cases for engines that declare a restriction have none of it; among others some do."""
    features = GENERATED | {restriction}
    for place, focus in enumerate(FOCI):
        number = 40 if place < 2 and restriction != FEW else 12
        if applicable(focus, features, PLAIN) is True:
            for case in some_cases(features, PLAIN, focus, number, seed=7):
                assert restriction not in declinable(case, PLAIN), case
    others = (c for focus in FOCI for c in some_cases(GENERATED, PLAIN, focus, 80, seed=7))
    if restriction == "without-filtered-binds":  # which laws alone have
        others = (one.entry.case for one in of_law(law_named("Lazy"), 20, "0"))
    assert any(restriction in declinable(case, PLAIN) for case in others)
