"""``demo``: the first minute, in which a bug is found, shrunk, explained and named."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated, Final

import pytest

from rsp_conformance.cli import completion
from rsp_conformance.cli.options import option
from rsp_conformance.cli.tables import BAD_INPUT, CORRECT, WRONG, say
from rsp_conformance.protocol import registry

MUTANT: Final = ("--rsp-engine-option=fault=newest-only", "--rsp-engine-option=profile=c-sparql")
"""The options of the demo's engine: a mutant of a bug that rsp-js, rsp-rs and YASPER have."""
_ARGUMENTS: Final = (
    # The tests and the settings of the current folder have no part in it.
    *("--rsp-only", "-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider"),
    # Pytest would warn that the plugin is imported already.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
    # The counterexample of this seed has a second window, so that it shows the bug.
    *("--rsp-mode=quick", "--rsp-stop-after=1", "--rsp-spark=off", "--rsp-seed=3"),
)
_NEXT: Final = """
What to do next:
  rsp-conformance engines                  list the engines that can be tested
  pytest --engine=NAME                     test one of them
  pytest --engine="stdio:COMMAND LINE"     test yours: docs/test-your-engine.md
  pytest --engine=NAME --rsp-stop-after=1  stop at the first cause, as here"""


def demo(
    *,
    engine: Annotated[
        str,
        option(
            "NAME",
            "Test this engine instead, named as for pytest --engine.",
            autocompletion=completion.engines,
        ),
    ] = "",
) -> int:
    """Find and explain a bug in a deliberately broken engine.

    Exit status: 0 it has shown the bug; with --engine 0 nothing is wrong, 1 something is; 2 bad
    input.

    Examples:
        rsp-conformance demo
        rsp-conformance demo --engine "stdio:python driver.py"
    """
    if engine and not engine.startswith(registry.STDIO):
        with registry.named_by("--engine", engine):
            registry.find(engine)
    asked = [f"--rsp-engine={engine or 'reference'}", *_ARGUMENTS]
    if not engine:
        asked += MUTANT
        say(
            "The engine of this demo is the kit's own with one bug: if several windows close at "
            "once, only the newest is answered. The kit does not know that."
        )
    with _interrupts() as came:
        status = pytest.main(asked)
    if came:
        raise KeyboardInterrupt
    if status == pytest.ExitCode.USAGE_ERROR:
        return BAD_INPUT
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return int(status)
    print(_NEXT)
    return WRONG if engine and status == pytest.ExitCode.TESTS_FAILED else CORRECT


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Note each Ctrl-C, after which pytest ends with the status of bad input."""
    came: list[int] = []
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if callable(before):
            before(number, frame)

    if threading.current_thread() is not threading.main_thread():
        yield came  # which gets no signals
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)
