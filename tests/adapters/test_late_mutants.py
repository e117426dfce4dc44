"""Mutants that only a long stream shows, with small periods; the engine's state without them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

import psutil
import pytest

from rsp_conformance.adapters.reference.mutants import LATE_MUTANTS, MUTANTS
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.protocol import Engine, EngineUnavailable, FeedLost, ProtocolEngine, registry
from tests.builders.terms import EX
from tests.builders.wire import opened, run_of

Shown = tuple[int, list[int]]

DRIVER = [sys.executable, "-m", "rsp_conformance.adapters.reference"]


def opening(width: int = 10, slide: int = 5, until: int = 100) -> dict[str, Any]:
    """A case to be fed, about what is in a window."""
    query = (
        f"PREFIX : <{EX}> SELECT ?x ?y FROM NAMED WINDOW :w ON STREAM :s "
        f"[RANGE {width} STEP {slide}] WHERE {{ WINDOW :w {{ ?x :p ?y }} }}"
    )
    return opened(run_of(query, until=until))


def elements(instants: Iterable[int]) -> list[dict[str, Any]]:
    """An element at each instant, with terms of its own."""
    return [
        {"stream": f"{EX}s", "t": t, "graph": f'<{EX}x{t}> <{EX}p> "{t}" .\n'} for t in instants
    ]


def fed(engine: Engine, instants: Sequence[int], piece: int = 7, **opened: int) -> list[Shown]:
    """What the engine answers when it is fed piece by piece."""
    found: list[Shown] = []
    with engine, engine.feed(opening(**opened)) as feed:
        for start in range(0, len(instants), piece):
            found += shown(feed.push(elements(instants[start : start + piece])))
        found += shown(feed.close())
    return found


def shown(answers: Iterable[Observed]) -> list[Shown]:
    """When each answer was for, and the instants of the elements in it."""
    found = []
    for answer in answers:
        assert isinstance(answer.t, int)
        assert isinstance(answer.content, Rows)
        rows = sorted(int(row["y"].lexical) for row in answer.content.solutions())
        found.append((answer.t, rows))
    return found


def reference(**options: str) -> Engine:
    return registry.connect("reference", {"t0": "first", **options})


def test_late_mutants_are_apart_from_those_that_are_hunted() -> None:
    assert not LATE_MUTANTS.keys() & MUTANTS.keys()
    assert all(mutant.summary and mutant.imitates for mutant in LATE_MUTANTS.values())


def test_an_answer_in_so_many_is_lost() -> None:
    instants = range(1, 80)
    right = fed(reference(), instants)
    assert [t for t, _ in right] == list(range(10, 101, 5))
    lost = fed(reference(fault="lost-late", every="4"), instants)
    assert lost == [a for n, a in enumerate(right, 1) if n % 4]
    assert fed(reference(fault="lost-late"), instants) == right


@pytest.mark.parametrize("pause", [10, 11])
def test_windows_are_shifted_after_a_pause_longer_than_their_width(pause: int) -> None:
    instants = [*range(1, 31), *range(30 + pause, 70)]
    right = fed(reference(), instants)
    seen = fed(reference(fault="misaligned-after-pause"), instants)
    if pause == 10:
        assert seen == right
        return
    # 41 ends the pause; what had closed by then is right, and one more closes now.
    same = [t for t, _ in right if t <= 40]
    assert seen[: len(same)] == right[: len(same)]
    shifted = range(41, 101, 5)
    assert seen[len(same) :] == [(t, [i for i in instants if t - 10 < i <= t]) for t in shifted]


def resident_growth(*options: str) -> float:
    """By how many MB a driver grows from 4,000 elements to 24,000, each with terms of its own."""
    driver = ProtocolEngine([*DRIVER, *options])
    with driver as engine, engine.feed(opening(100, 50, 25_000)) as feed:
        sizes = []
        for start in range(0, 24_000, 2000):
            feed.push(elements(range(start, start + 2000)))
            pid = engine.pid()
            assert pid is not None
            sizes.append(psutil.Process(pid).memory_info().rss)
        feed.close()
    return (sizes[-1] - sizes[1]) / 1e6


def test_memory_leaks_with_the_mutant_and_not_without() -> None:
    assert resident_growth() < 6
    assert resident_growth("fault=leaking") > 18


def cpu_of_answers(mutant: str, before: int) -> float:
    """The processor's seconds for 40 windows that close after so many elements."""
    engine = reference(fault=mutant)
    with engine, engine.feed(opening(10, 5, 1000)) as feed:
        # What has expired at once is let go before the clock starts.
        feed.push(elements([1] * before + [15, 35]))
        start = time.process_time()
        answers = feed.push(elements([235]))
        spent = time.process_time() - start
        assert len(answers) == 40
    return spent


def test_latency_grows_with_the_elements_seen() -> None:
    # Ten times what a processor's clock may be coarse by, 4 ms.
    few = min(cpu_of_answers("slowing", 10) for _ in range(3))
    many = cpu_of_answers("slowing", 60_000)
    right = min(cpu_of_answers("none", 60_000) for _ in range(3))
    assert many > 4 * few
    assert many > 4 * right


@pytest.mark.parametrize("mutant", ["slowing", "leaking"])
def test_an_engine_that_grows_answers_rightly(mutant: str) -> None:
    instants = [*range(1, 31), *range(50, 70)]
    assert fed(reference(fault=mutant), instants) == fed(reference(), instants)


def test_the_process_ends_after_so_many_elements() -> None:
    right = fed(reference(), range(1, 40))
    with ProtocolEngine([*DRIVER, "t0=first", "fault=dies-late", "after=25"]) as engine:
        with engine.feed(opening()) as feed, pytest.raises(FeedLost) as lost:
            found = shown(feed.push(elements(range(1, 11))))
            found += shown(feed.push(elements(range(11, 26))))
            feed.push(elements(range(26, 27)))
        assert lost.value.failure.kind == "died"
        assert "exit status 3" in lost.value.failure.message
        assert lost.value.failure.stderr[-1] == "reference: the end, after 25 elements"
        assert found == [(t, rows) for t, rows in right if t < 25]
        # The next case meets a new process.
        assert fed(engine, range(1, 20)) == fed(reference(), range(1, 20))


def test_the_kits_own_process_is_not_ended() -> None:
    engine = reference(fault="dies-late", after="1")
    with engine, pytest.raises(EngineUnavailable, match="ends the process") as refused:
        engine.feed(opening())
    assert refused.value.hint.endswith("fault=dies-late after=1'")
