"""The clock of a case: where its instants lie, and what it costs."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import parse_policy
from rsp_conformance.strategies.cases import GENERATED, some_cases
from rsp_conformance.strategies.clock import (
    CLOCKS,
    EPOCH_MILLISECONDS,
    LARGE,
    SIGNED_32,
    Clocks,
    not_scalable,
)
from rsp_conformance.strategies.windows import slide_of, width_of

EVERY = tuple({*CLOCKS, *LARGE} - {None})


@given(st.sampled_from(EVERY), st.integers(0, 500), st.integers(0, 500))
def test_time_keeps_its_order(clock, one, other):
    assert (one < other) == (clock.at(one) < clock.at(other))


@pytest.mark.parametrize("clock", sorted({clock for clock in EVERY if clock.scale > 1}, key=str))
def test_even_instants_are_multiples_of_the_scale_and_most_odd_ones_lie_between(clock):
    rests = [(clock.at(t) - clock.origin) % clock.scale for t in range(20)]
    assert not any(rests[::2])
    assert sum(map(bool, rests[1::2])) >= 8


def test_times_of_all_sizes_are_drawn():
    drawn = some_cases(GENERATED, Dials(), "windows", 1_500, seed="clocks")
    classes = Counter[str]()
    for case in drawn:
        times = [element.t for element in case.elements]
        (window, *_) = case.query.windows
        width, slide = width_of(window), slide_of(window)
        bursts = [len([*group]) for _, group in groupby(times)]
        gaps = [later - earlier for earlier, later in pairwise(times)]
        classes.update(
            name
            for name, has in {
                "across 2^31": times and times[0] < SIGNED_32 <= times[-1],
                "at milliseconds since 1970": case.registered >= EPOCH_MILLISECONDS,
                "fifty windows open": width >= 50 * slide,
                "a width above 1000": width > 1000,
                "a slide above 1000": slide > 1000,
                "a hundred elements": len(times) >= 100,
                "a burst of ten": bursts and max(bursts) >= 10,
                "a silence of ten widths": gaps and max(gaps) >= 10 * width,
                "five triples": any(len(element.graph) >= 5 for element in case.elements),
            }.items()
            if has
        )
        large = width > 100 or len(times) > 30 or width >= 50 * slide
        classes["large"] += large
    assert min(classes.values()) >= 2, classes
    assert classes["large"] <= 0.04 * len(drawn), classes


def test_several_windows_whose_start_is_open_keep_their_slides():
    for case in some_cases(GENERATED, Dials(), "multi-window", 400, seed="z"):
        if len(case.query.windows) > 1:
            assert max(map(slide_of, case.query.windows)) <= 12


def test_a_fixed_start_lets_several_windows_slide_far():
    dials = Dials(t0="registration")
    drawn = some_cases(GENERATED, dials, "multi-window", 800, seed="z")
    assert any(
        len(case.query.windows) > 1 and min(map(slide_of, case.query.windows)) >= 50
        for case in drawn
    )


@pytest.mark.parametrize(
    ("left", "holds"),
    [
        (Clocks(numbered_starts=True), lambda clock: clock.origin == 0),
        (Clocks(scalable=False), lambda clock: clock.scale == 1),
        (Clocks(bags=True), lambda clock: clock.crowd <= 3),
        (
            Clocks(long_windows=False),
            lambda clock: (clock.scale, clock.wider, clock.silence) == (1, 0, 1),
        ),
    ],
)
def test_what_an_engine_excludes_is_not_drawn(left, holds):
    @given(st.data())
    def drawn(data):
        assert holds(left.draw(data.draw))

    drawn()


@pytest.mark.parametrize("policy", ["CC", "WC & NC & P(3)", "!WC"])
def test_policies_that_look_at_every_instant_are_not_scaled(policy):
    assert not_scalable(Dials(report=parse_policy(policy)))
