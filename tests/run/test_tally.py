"""When a property is tested, and when it is not."""

import pytest

from rsp_conformance.run.tally import Tally


@pytest.mark.parametrize(
    ("compared", "unsupported", "unasked", "asked_for", "tested"),
    [
        (100, 0, 0, 100, True),
        (50, 50, 0, 100, True),
        (49, 51, 0, 100, False),
        (20, 20, 0, 40, True),
        (19, 11, 0, 30, False),
        (20, 0, 10, 30, True),
        (5, 0, 0, 5, True),
        (4, 1, 0, 5, False),
        (40, 0, 0, 100, False),
        (0, 0, 0, 100, False),
        (0, 30, 0, 30, False),
    ],
)
def test_half_of_the_cases_and_twenty(compared, unsupported, unasked, asked_for, tested):
    tally = Tally(compared=compared, unsupported=unsupported, unasked=unasked)
    tally.reasons["no"] = unsupported
    assert (tally.too_few(asked_for) is None) is tested


def test_vacuous_cases_count_for_nothing():
    assert Tally(compared=20, vacuous=500).too_few(20) is None
    assert "500 with nothing due" in Tally(vacuous=500).too_few(20)


def test_the_reason_says_what_became_of_the_cases():
    tally = Tally(compared=3, unsupported=12, unasked=5, cut="the time was up")
    tally.reasons["no joins"] += 12
    assert tally.too_few(20) == (
        "3 cases compared, 20 needed; 12 unsupported by the engine (no joins); "
        "5 not asked (the time was up)"
    )
