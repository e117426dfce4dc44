"""A run within limits: failures that are expected, and a time that is given."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.judge.crash_file import read
from rsp_conformance.protocol import Failure, InProcessEngine, Response
from rsp_conformance.run import asking, judging, naming, session, shrinking, worker
from rsp_conformance.run.events import CauseDiscovered
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.work import Work
from rsp_conformance.run.xfails import Mark
from tests.builders.engines import (
    ONE_START,
    Flawed,
    error,
    failures_of,
    kinds_of,
    perform,
    right,
    rows_lost,
    run_of,
)


def test_a_marked_failure_is_passed_over_and_the_next_one_found(tmp_path: Path) -> None:
    def two_flaws(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "STEP 1]" in request["query"]:
            return error(request, "crashed")
        return rows_lost(request, reply)

    mark = Mark("windows", "crashed", reason="issue 7")
    events: list[Any] = []
    run = run_of(lambda: Flawed(two_flaws), tmp_path, examples=60, marks=[mark], emit=events.append)
    assert "crashed" not in kinds_of(failures_of(run, "windows"))
    assert events[-1].marks == (str(mark),)
    written = [read(path).kind for path in (tmp_path / "crashes").iterdir()]
    assert written and "crashed" not in written


def test_a_mark_of_a_dial_covers_what_that_dial_explains(tmp_path: Path) -> None:
    explained = Mark("windows", "", "bounds", "closing ends are left out")
    other = Mark("windows", "", "numbers", "never so")
    for mark, fails in ((explained, False), (other, True)):
        run = run_of(lambda: Flawed(right, fault="bounds-end", **ONE_START), tmp_path, marks=[mark])
        if fails:
            failures_of(run, "windows")
        else:
            finished = perform(run, "windows")
            assert (finished.verdict, finished.marks) == ("xfailed", (str(mark),))
            assert finished.reason == f"{mark}: closing ends are left out"


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    perf_counter = process_time = monotonic


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The run's clock; every case that is drawn for the first time takes a second."""
    made, is_test = Clock(), judging.is_test

    def drawn(*case: Any) -> bool:
        made.now += 1.0
        return is_test(*case)

    monkeypatch.setattr(judging, "is_test", drawn)
    for module in (session, worker, shrinking, asking):
        monkeypatch.setattr(module, "time", made)
    return made


def test_time_is_spread_over_the_properties(tmp_path: Path, clock: Clock) -> None:
    engine = Flawed(right)
    run = run_of(engine, tmp_path, examples=60, max_seconds=100.0)
    first = run.run(property_named("windows"), 2)
    second = run.run(property_named("gaps"), 1)
    for finished in (first, second):
        counts = finished.counts
        assert (finished.verdict, finished.note) == ("passed", "the time was up")
        assert counts["compared"] + counts["unasked"] == 60 and 20 <= counts["compared"] <= 50


def test_every_property_is_asked_before_causes_take_all_the_time(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, own = list[str](), naming.Naming.name

    def named(self: naming.Naming, name: str, *more: Any) -> bool:
        slow.append(name)
        clock.now += 30.0
        return own(self, name, *more)

    def crashing(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        site = "abcdefgh"[len(request["query"]) % 8]
        return {**error(request, "crashed"), "error": {"kind": "crashed", "message": site}}

    monkeypatch.setattr(naming.Naming, "name", named)
    names = ["windows", "gaps", "join"]
    run = run_of(lambda: Flawed(crashing), tmp_path, max_seconds=120.0)
    ended = [run.run(property_named(name), 3 - place) for place, name in enumerate(names)]
    assert slow == ["windows", "join"]
    assert {own.verdict for own in ended} == {"failed"}
    assert all(own.counts["compared"] >= 15 for own in ended)
    assert ended[1].note == f"wrong, and not reduced: crashed ({ended[1].counts['compared']})"
    run.finish()
    assert slow[-1] == ""


def test_nothing_is_asked_after_the_end(tmp_path: Path, clock: Clock) -> None:
    engine = Flawed(right)
    run = run_of(engine, tmp_path, max_seconds=10.0)
    clock.now += 11.0
    finished = perform(run, "windows", "gaps")
    assert engine.asked == 0
    assert (finished.verdict, finished.note) == ("not tested", "the time was up")
    assert finished.counts["unasked"] == 20
    assert "0 cases compared, 20 needed" in finished.reason
    assert "the time was up" in finished.reason


def test_shrinking_ends_with_the_time_of_the_property(tmp_path: Path, clock: Clock) -> None:
    def late(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        clock.now += 0.9
        return error(request, "crashed") if len(request["elements"]) > 3 else reply

    run = run_of(lambda: Flawed(late), tmp_path, examples=60, max_seconds=200.0)
    started = clock.now
    finished = run.run(property_named("windows"), 2)
    assert finished.verdict == "failed" and clock.now - started < 120.0


def test_a_failure_is_shown_even_if_it_came_last(tmp_path: Path, clock: Clock) -> None:
    def late(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        clock.now += 1.9
        return error(request, "crashed") if clock.now > 1095.0 else reply

    run = run_of(lambda: Flawed(late), tmp_path, examples=60, max_seconds=100.0)
    assert kinds_of(failures_of(run, "windows")) == {"crashed"}


class Late(InProcessEngine):
    """The reference engine with OPTIONS, too late on some cases; ``patience`` is what these had."""

    LIMIT = 30.0

    def __init__(self, clock: Clock, **options: str) -> None:
        super().__init__(lambda: Flawed(right, **options))
        self._clock = clock
        self.patience: list[float] = []

    def is_late(self, request: Any, patience: float) -> bool:
        raise NotImplementedError

    def run_many(
        self, requests: Iterable[Any], *, patience: float = 1.0
    ) -> Iterator[tuple[str, Response]]:
        for request in requests:
            self._clock.now += 0.01
            if self.is_late(request, patience):
                self._clock.now += self.LIMIT * patience
                said = f"the driver did not answer within {self.LIMIT * patience:g} s"
                yield request["id"], Failure("timeout", said, "")
            else:
                yield from super().run_many([request])


class Slow(Late):
    """Slow on three elements and more under queries that slide by one.

    The first case takes for ever; the others TAKE a part of the limit.
    """

    def __init__(self, clock: Clock, take: float) -> None:
        super().__init__(clock)
        self._take = take
        self._first = ""

    def is_late(self, request: Any, patience: float) -> bool:
        if "STEP 1]" not in request["query"] or len(request["elements"]) <= 2:
            return False
        asked = json.dumps({**request, "id": ""})
        self._first = self._first or asked
        self.patience.append(patience)
        return asked == self._first or self._take > patience


class SlowWhileShrunk(Late):
    """With a fault, and no answer where it has not all of its time."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock, fault="bounds-start", **ONE_START)

    def is_late(self, request: Any, patience: float) -> bool:
        if patience < 1.0:
            self.patience.append(patience)
        return patience < 1.0


def test_a_failure_is_shrunk_no_further_where_its_cases_are_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(asking, "time", clock)
    engine, events = SlowWhileShrunk(clock), []
    run = run_of(engine, tmp_path, emit=events.append)
    assert "timeout" not in kinds_of(failures_of(run, "windows"))
    assert engine.patience == [asking.SHRINKING_PATIENCE] * asking.MOST_HUNG
    assert run.worker.asker.hung is None and not events[-1].lost


@pytest.mark.parametrize("take", [2.0, 0.5])
def test_once_a_case_has_hung_others_have_less_time_and_none_is_accused_of_that(
    take: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(asking, "time", clock)
    engine, events = Slow(clock, take), []
    run = run_of(engine, tmp_path, emit=events.append)
    (failure,) = failures_of(run, "windows")
    finding = failure.finding
    assert finding.kind == "timeout" and finding.failure is not None
    assert finding.failure.message == "the driver did not answer within 30 s"
    tried = len(finding.case.elements)
    # One that only is slow is no smaller case of it.
    hung = run.worker.asker.hung
    assert hung is not None and tried <= len(hung.stimulus.case.elements)
    assert (finding.case == hung.stimulus.case) is (take < 1.0)
    whole = engine.patience.count(1.0)
    assert engine.patience[0] == 1.0 and whole <= 3
    assert engine.patience.count(asking.IMPATIENCE) >= 2  # in the batch, and while shrinking
    assert [
        event.cause["properties"] for event in events if isinstance(event, CauseDiscovered)
    ] == [["windows"]]
    finished = perform(run, "gaps")
    assert engine.patience.count(1.0) == whole
    assert finished.losses == {"timeout": finished.lost}
    assert finished.lost and finished.counts["unasked"] and not finished.counts["known"]


def test_a_property_gets_its_least_number_though_its_share_is_over(tmp_path: Path) -> None:
    """As long as there is time at all: so a slow start leaves no property untested."""
    run = run_of(Flawed(right), tmp_path, examples=100)
    work = Work(property_named("windows"))
    over = time.monotonic() - 1.0
    for _ in run.worker.blocks(work, over):
        pass
    assert work.cut == asking.TIME_UP and 20 <= work.compared < 50
    work = Work(property_named("filter"))
    for _ in run.worker.blocks(work, over, last=over):
        pass
    assert work.cut == asking.TIME_UP and work.compared == 0
