"""Runs of pytest in processes of their own that import nothing: each is forked from this one.

Importing pytest, Hypothesis and the kit costs a second, and so does what the first cases make once
for a process; each is several times what most of the runs do. A request is a line of JSON: folder,
arguments, variables of the environment, and the files for what the run writes. The reply is its
exit status. Nothing is shared between the runs but what importing has made, and RSP-QL's parser.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import xdist.plugin
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.strategies import integers

import rsp_conformance.plugin.main
from rsp_conformance.text.parse import parser

__all__ = ["rsp_conformance", "xdist"]


def prepare() -> None:
    """Make what each run would make for itself, and none changes."""
    # The parser's parts are compiled where a text first comes to them.
    for lexer in parser("rsp_ql").parser.lexer.lexers.values():
        _ = lexer.scanner

    # Hypothesis reads the constants of all modules that are there. Its chance is a thread's own, so
    # that no run begins with that of another.
    @hypothesis.settings(max_examples=1, database=None)
    @hypothesis.given(integers())
    def draw(_: int) -> None: ...

    thread = threading.Thread(target=draw)
    thread.start()
    thread.join()
    importlib.import_module("_hypothesis_pytestplugin")  # which wants nothing drawn before pytest
    # No run's collector goes through what stays; nor are its pages copied.
    gc.collect()
    gc.freeze()


def run(
    folder: str, arguments: Sequence[str], variables: Mapping[str, str], out: str, err: str
) -> int:
    """What the process of one run does; its exit status."""
    os.chdir(folder)
    os.environ.update(variables)
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
    prepare()
    for line in sys.stdin:
        asked = json.loads(line)
        print(forked(asked["run"], asked["timeout"]), flush=True)
