"""Dials that cannot matter for a case are put back, and nothing that is expected changes."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import pytest

from rsp_conformance.diagnosis.mattering import decided, settings
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Content
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.spec.alignment_stamps import expected_stamp
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import cases
from rsp_conformance.text.parse import parse_query
from tests.builders.drawing import draw_apart
from tests.builders.terms import PREFIXES, iri
from tests.generators.profiles import SETTINGS

FEW_STARTS = 3
COMPARED_UP_TO_NAMES = "blank_nodes"
"""Under another value the nodes have other labels, and answers compare up to a bijection."""


def expected(case: Case, dials: Dials) -> list[list[tuple[int | None, Content]]]:
    """The answers that are compared, with their stamps, for some z."""
    own = Expectation(case, dials)
    return [
        [
            (
                None if dials.answer_time == "none" else expected_stamp(answer, case, dials),
                answer.content,
            )
            for answer in sorted(own.answer(starts), key=lambda answer: answer.trigger or (0, 0))
            if own.t_s <= answer.t <= case.until
        ]
        for starts in islice(rspql_queries(case, dials), FEW_STARTS)
    ]


@pytest.mark.parametrize(
    "focus",
    [
        *("windows", "count-windows", "now-window", "unbounded-window", "past-windows"),
        *("report", "multi-window", "aggregates", "duplicates", "istream", "gaps"),
    ],
)
def test_settings_that_come_to_the_same_for_a_case_expect_the_same(focus: str) -> None:
    chance, compared = random.Random(focus), 0
    for case in draw_apart(cases(focus=focus), 12, start=focus):
        chosen = {dial: chance.choice(values) for dial, values in SETTINGS.items()}
        kept = {dial: SETTINGS[dial][0] for dial in ("windows_in", COMPARED_UP_TO_NAMES)}
        with suppress(Unsupported, ValueError, LimitExceeded), limited():
            dials = Dials().with_dials({**chosen, **kept})
            before = expected(case, dials)
            assert expected(case, decided(dials, case)) == before
            compared += 1
    assert compared


def case_over(window: str, *instants: int) -> Case:
    query = f"{PREFIXES} SELECT ?x FROM NAMED WINDOW :w ON STREAM :s {window} "
    elements = (
        StreamElement(iri("s"), t, (Triple(iri(f"i{number}"), iri("p"), iri("o")),))
        for number, t in enumerate(instants)
    )
    return Case(
        parse_query(query + "WHERE { WINDOW :w { ?x :p ?y } }"), tuple(elements), until=instants[-1]
    )


def test_a_window_by_count_may_close_within_an_instant() -> None:
    """Under WC an instant is tested once if windows are by time: all elements have come then."""
    dials = Dials().with_dials({"report": "WC", "tick": "tuple"})
    for window, matters in (("[ELEMENTS 2 STEP 2]", True), ("[RANGE 2 STEP 2]", False)):
        case = case_over(window, 1, 2, 2, 3, 4)
        assert (expected(case, dials) != expected(case, replace(dials, tick="time"))) is matters
        assert (decided(dials, case) != decided(replace(dials, tick="time"), case)) is matters
        assert (("tick", "time") in settings(case, dials)) is matters


def test_a_window_by_count_that_closed_within_an_instant_is_not_the_active_one() -> None:
    for window, matters in (("[ELEMENTS 2 STEP 2]", True), ("[RANGE 2 STEP 2]", False)):
        case = case_over(window, 1, 2, 2, 3, 4)
        dials = Dials().with_dials({"report": "WC", "window": "last-closed-inclusive"})
        active = dials.with_dial("window", "active")
        assert (expected(case, dials) != expected(case, active)) is matters
        assert (decided(dials, case) != decided(active, case)) is matters
        assert (("window", "last-closed-inclusive") in settings(case, active)) is matters


def test_a_change_of_what_closed_last_is_not_a_change_of_the_active_window() -> None:
    case = case_over("[RANGE 3 STEP 2]", 1, 2, 4, 4, 5, 6)
    for report, matters in (("WC", False), ("WC & NC", False), ("WC & CC", True)):
        dials = Dials().with_dials({"report": report, "window": "last-closed-inclusive"})
        active = dials.with_dial("window", "active")
        assert (expected(case, dials) != expected(case, active)) is matters
        assert (decided(dials, case) != decided(active, case)) is matters
        assert (("window", "last-closed-inclusive") in settings(case, active)) is matters
