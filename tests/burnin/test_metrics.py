"""Trends: what grows is found, and noise accuses nobody."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from rsp_conformance.burnin.metrics import (
    LATENCY,
    LEAST_SAMPLES,
    MB,
    MEMORY,
    WALL,
    WORK,
    Peak,
    PushMeasure,
    growing_latency,
    growing_memory,
    usage,
)

SAMPLES, PUSH = 100, 1_000


def samples(memory=lambda n: 100 * MB, latency=lambda n: 2e-4, count=SAMPLES):  # type: ignore[no-untyped-def]
    return [
        PushMeasure(n * PUSH, PUSH, 100, latency(n) * PUSH, None, int(memory(n)))
        for n in range(1, count + 1)
    ]


def test_memory_that_grows_to_the_end_is_found_with_its_numbers() -> None:
    found = growing_memory(samples(memory=lambda n: 100 * MB + n * PUSH * 1_000))

    assert found is not None
    assert found.kind == MEMORY
    assert found.each == pytest.approx(1_000, rel=0.01)
    assert found.start == pytest.approx(120 * MB, rel=0.05)
    assert found.end == pytest.approx(200 * MB, rel=0.05)
    assert "1,000 bytes an element" in found.text()


@pytest.mark.parametrize(
    "memory",
    [
        lambda n: 100 * MB,
        lambda n: 100 * MB + min(n, 60) * MB,  # settles
        lambda n: 100 * MB + (n % 10) * 8 * MB,  # garbage is collected
        lambda n: 100 * MB + (50 * MB if n > 50 else 0),  # one step
        lambda n: 100 * MB + n * 20_000,  # a little
        lambda n: 0,  # no process of its own
    ],
)
def test_memory_that_does_not_go_on_growing_is_no_finding(memory) -> None:  # type: ignore[no-untyped-def]
    assert growing_memory(samples(memory=memory)) is None


def test_noise_and_a_busy_machine_accuse_nobody() -> None:
    for seed in range(40):
        noise = random.Random(seed)
        found = samples(
            memory=lambda n: 100 * MB + noise.gauss(0, 8 * MB),  # noqa: B023
            latency=lambda n: 2e-4 * noise.lognormvariate(0, 0.5),  # noqa: B023
        )

        assert growing_memory(found) is None
        assert growing_latency(found) is None
    assert growing_latency(samples(latency=lambda n: 6e-4 if 40 < n < 60 else 2e-4)) is None


def test_latency_that_grows_is_found_through_noise() -> None:
    noise = random.Random(1)
    found = growing_latency(
        samples(latency=lambda n: (1e-4 + n * 4e-6) * noise.lognormvariate(0, 0.2))
    )

    assert found is not None
    assert found.kind == LATENCY
    assert found.end > 2 * found.start


def test_latency_is_that_of_work_where_it_is_known() -> None:
    noise = random.Random(2)
    busy = [
        PushMeasure(n * PUSH, PUSH, 100, noise.uniform(0.1, 9), 0.1 + n * 4e-3)
        for n in range(1, SAMPLES + 1)
    ]
    waiting = [PushMeasure(n * PUSH, PUSH, 100, 0.1 + n * 4e-3, 0.1) for n in range(1, SAMPLES + 1)]

    for samples, clock in ((busy, WORK), (waiting, WALL)):
        found = growing_latency(samples)
        assert found is not None and found.clock == clock


def test_more_answers_cost_more_and_are_no_growth() -> None:
    # Pauses towards the end bring ever more answers for an element; the next engine does grow.
    def pushes(slower: float) -> list[PushMeasure]:
        return [
            PushMeasure(n * PUSH, PUSH, 50 + 5 * n, (0.02 + (50 + 5 * n) * 1e-3) * (1 + slower * n))
            for n in range(1, SAMPLES + 1)
        ]

    assert growing_latency(pushes(0)) is None
    assert growing_latency(pushes(0.02)) is not None


def test_too_few_samples_say_nothing() -> None:
    def grown(count: int) -> object:
        return growing_memory(samples(memory=lambda n: n * 100 * MB, count=count))

    assert grown(LEAST_SAMPLES) is None
    assert grown(2 * LEAST_SAMPLES) is not None


def test_resident_memory_is_that_of_a_process_with_its_children() -> None:
    program = (
        "import subprocess, sys; a = bytearray(30_000_000); "
        "c = subprocess.Popen([sys.executable, '-c', "
        "'a = bytearray(60_000_000); print(1, flush=True); input()'], stdin=subprocess.PIPE); "
        "input(); c.communicate(b'\\n')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        together = usage(child.pid).memory
        own = usage(os.getpid(), without=child.pid).memory
        everything = usage(os.getpid()).memory
        child.communicate(b"\n")

    assert together > 90 * MB
    assert everything - own > 80 * MB
    assert usage(child.pid).memory == 0


def test_the_peak_outlives_what_caused_it() -> None:
    with Peak(lambda: None, interval=0.01) as peak:
        block = bytearray(200 * MB)
        before = usage(os.getpid()).memory
        while peak.bytes < before - 20 * MB:
            pass
        del block

    assert peak.bytes > usage(os.getpid()).memory + 100 * MB
