"""Runs of pytest in processes of their own that import nothing: each is forked from this one.

Importing pytest, Hypothesis and the kit costs a second, several times what most of the runs do. A
request is a line of JSON: folder, arguments, and the files for what the run writes. The reply is
its exit status. Nothing is shared between the runs but what importing has made.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis.database import DirectoryBasedExampleDatabase

import rsp_conformance.plugin.main

__all__ = ["hypothesis", "rsp_conformance"]


def run(folder: str, arguments: Sequence[str], out: str, err: str) -> int:
    """What the process of one run does; its exit status."""
    os.chdir(folder)
    for stream, name in enumerate((os.devnull, out, err)):
        os.dup2(os.open(name, os.O_RDONLY if stream == 0 else os.O_WRONLY | os.O_CREAT), stream)
    # As in a process that has just been started there.
    random.seed()
    examples = DirectoryBasedExampleDatabase(Path(folder, ".hypothesis", "examples"))
    hypothesis.settings.register_profile("default", database=examples)
    hypothesis.settings.load_profile("default")
    sys.argv[:] = ["pytest", *arguments]
    sys.path[0] = folder
    status = int(pytest.main(list(arguments)))
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def forked(request: dict[str, Any], timeout: float) -> int:
    """The exit status of a run, which is killed after TIMEOUT seconds."""
    child = os.fork()
    if child == 0:
        status = 99
        try:
            status = run(**request)
        finally:
            os._exit(status)
    deadline = time.monotonic() + timeout
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            timeout = float("inf")
        time.sleep(0.01)


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        print(forked(asked["run"], asked["timeout"]), flush=True)
