"""The search for the shortest stretch, on engines that are nothing but a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import pytest

from rsp_conformance.burnin.locate import SHORT, Trials, is_short, locate
from rsp_conformance.burnin.query import STREAM, default_query
from rsp_conformance.burnin.stream import Source
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.verdict import Divergence, Kind, Verdict

SIZE = 50_000


def wrong_at(t: int | None) -> Verdict:
    return Verdict(False, (0,), 9, Divergence(Kind.MISSING, t, None, None))


@dataclass
class Rule:
    """Trials of an engine that is first wrong where WRONG_FROM says, given its registration.

    The time for trials is over after MOST of them.
    """

    wrong_from: Callable[[int], int | None]
    most: int = 1_000
    tried: list[tuple[int, int]] = field(default_factory=list)
    source: Source = field(default_factory=lambda: Source("1", SIZE, (STREAM,)))
    dials: Dials = field(default_factory=Dials)

    @property
    def session(self) -> Rule:
        return self

    @property
    def case(self) -> Case:
        query = default_query(frozenset({"select"}), Profile("rsp-ql"))
        return Case(query, until=self.source.last + 110)

    @property
    def over(self) -> bool:
        return len(self.tried) >= self.most

    def wrong(self, since: int, until: int) -> Verdict | None:
        self.tried.append((since, until))
        t = self.wrong_from(since)
        return None if t is None or t > until else wrong_at(t)


def located(rule: Rule, t: int) -> tuple[int, int, int | None]:
    found = locate(cast(Trials, rule), wrong_at(t), t)
    assert found is not None
    assert found.elements == rule.source.count(found.since, found.until)
    return found.since, found.until, found.step


@pytest.mark.parametrize("place", [5, 150, 20_007, 49_000])
@pytest.mark.parametrize("needed", [1, 3, 99, 400])
def test_a_short_history_is_found_exactly(place: int, needed: int) -> None:
    start = max(0, place - needed)
    rule = Rule(lambda since: place if since <= start else None)

    since, until, step = located(rule, place)

    assert (since, until) == (start, place)
    assert step == 1 or start == place
    assert len(rule.tried) < 20


def test_a_long_history_is_found_to_a_hundredth() -> None:
    rule = Rule(lambda since: 48_000 if since <= 6_000 else None)

    since, until, step = located(rule, 48_000)

    assert 6_000 - 480 <= since <= 6_000
    assert until == 48_000
    assert step is not None and 6_000 < since + step <= since + 480
    assert len(rule.tried) < 20


def test_a_period_is_found_wherever_it_begins_and_nothing_if_it_does_not_come_again() -> None:
    # Every thousandth instant of its own life is wrong, so any start will do.
    rule = Rule(lambda since: since + 1_000)

    since, until, _ = located(rule, 48_000)

    assert until - since == 1_000
    rule = Rule(lambda since: None)

    assert locate(cast(Trials, rule), wrong_at(9_000), 9_000) is None
    # Not before the whole has been tried.
    assert rule.tried[-1][0] == 0


def test_a_search_that_runs_out_of_time_gives_what_it_has() -> None:
    rule = Rule(lambda since: 48_000 if since <= 6_000 else None, most=5)
    since, _, step = located(rule, 48_000)
    assert since <= 6_000
    assert step is None

    rule = Rule(lambda since: 48_000 if since <= 6_000 else None, most=2)
    assert locate(cast(Trials, rule), wrong_at(48_000), 48_000) is None


def test_what_is_short_is_found_without_an_instant_and_can_be_run_as_one_case() -> None:
    rule = Rule(lambda since: 20_000 if since <= 19_950 else None)
    found = locate(cast(Trials, rule), wrong_at(None), 20_100)

    assert found is not None
    assert (found.since, found.until) == (19_950, 20_000)
    assert is_short(found)
    rule = Rule(lambda since: 30_000 if since <= 30_000 - 3 * SHORT else None)
    found = locate(cast(Trials, rule), wrong_at(30_000), 30_000)

    assert found is not None
    assert not is_short(found)
