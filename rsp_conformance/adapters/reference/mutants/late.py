"""Mutants that only a long stream shows: a burn-in finds them, the properties do not."""

from __future__ import annotations

import os
import sys
from typing import Any

from rsp_conformance.adapters.reference.mutant import (
    ANSWERS,
    CONTENT,
    ELEMENT,
    READS,
    MutatedRun,
    mutant,
)
from rsp_conformance.adapters.reference.window import Arrival


@mutant(
    ANSWERS,
    "engines that drop what does not fit a full buffer",
    where="as many answers as the option says",
    count="every",
)
def lost_late(answers: list[dict[str, Any]], run: MutatedRun) -> list[dict[str, Any]]:
    """Every 10,000th answer is lost."""
    before: int = run.memory.get("answers", 0)
    run.memory["answers"] = before + len(answers)
    every = run.counts.get("every", 10_000)
    return [answer for number, answer in enumerate(answers, before + 1) if number % every]


@mutant(
    READS,
    "engines that go on counting from the element that ends a silence",
    where="a pause longer than the width, and a slide of at least 2",
    by_time=True,
)
def misaligned_after_pause(reads: bool, run: MutatedRun) -> bool:
    """After a pause longer than its width a window opens one instant later than it should."""
    assert run.newest is not None
    window, now = run.window, run.newest.t
    pause = now - run.memory.get(id(window), now)
    run.memory[id(window)] = now
    if pause > window.window.width and window.t0 is not None:
        window.start(window.t0 + 1)
    return reads


@mutant(
    ELEMENT,
    "CQELS 1: elements that expired are never purged",
    where="resident memory watched over many elements; its answers are right",
)
def leaking(arrival: Arrival, run: MutatedRun) -> Arrival:
    """Every element is kept for ever, with a kilobyte beside it."""
    beside = bytes([arrival.position % 256]) * 1000
    run.memory.setdefault("kept", []).append((arrival, beside))
    return arrival


@mutant(
    CONTENT,
    "engines that look for what has expired among all that ever came",
    where="latency watched over many elements; its answers are right",
)
def slowing(content: tuple[Arrival, ...], run: MutatedRun) -> tuple[Arrival, ...]:
    """Every evaluation looks through all elements that ever came."""
    if run.newest is not None and run.window.instance is not None:
        opens, closes = run.window.instance
        sum(1 for position in range(run.newest.position) if opens <= position <= closes)
    return content


@mutant(
    ELEMENT,
    "engines that run out of memory",
    where="as many elements as the option says, and a process of the engine's own",
    count="after",
    fatal=True,
)
def dies_late(arrival: Arrival, run: MutatedRun) -> Arrival:
    """After 50,000 elements the engine's process ends."""
    if arrival.position == run.counts.get("after", 50_000):
        print(f"reference: the end, after {arrival.position} elements", file=sys.stderr, flush=True)
        os._exit(3)
    return arrival
