"""Running the command line, in this process or in one of its own."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rsp_conformance.cli.main import main

ROOT = Path(__file__).parent.parent.parent
FIXTURES = ROOT / "rsp_conformance" / "examples"


@dataclass(frozen=True)
class Ran:
    """What became of a command line."""

    status: int
    out: str
    err: str

    @property
    def well(self) -> str:
        """What it wrote to standard output, for it has ended well."""
        assert self.status == 0, self
        return self.out

    def line(self) -> str:
        """The one line on standard error that bad input gives, and nothing else."""
        assert self.status == 2, self
        assert self.out in {"", "ERROR\n"}, self
        assert self.err.endswith("\n") and self.err.count("\n") == 1, self
        assert self.err.startswith("rsp-conformance: "), self
        assert "Traceback" not in self.err, self
        return self.err


class _Stream(io.TextIOWrapper):
    """A standard stream in memory, perhaps for a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), "utf-8", newline="", write_through=True)
        self.isatty = lambda: terminal  # type: ignore[method-assign]

    def written(self) -> str:
        self.seek(0)
        return self.read()


def cli(*arguments: object, terminal: bool = False, log: bool = False) -> Ran:
    """In this process, which is quick; standard error may be a TERMINAL's.

    Lines of progress, which appear only if the machine is busy, are kept for LOG alone.
    """
    out, err = _Stream(False), _Stream(terminal)
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    return Ran(status, out.written(), err.written() if log else _without_progress(err.written()))


def _without_progress(err: str) -> str:
    return re.sub(r"^rsp-conformance: [\d,]+ s: .*\n", "", err, flags=re.MULTILINE)


def run_process(*arguments: object, **how: Any) -> Ran:
    """In a process of its own, as users do."""
    ran = python("-m", "rsp_conformance", *arguments, **how)
    return replace(ran, err=_without_progress(ran.err))


def python(*arguments: object, **how: Any) -> Ran:
    """Python in a process of its own, with the kit on its path."""
    return program(sys.executable, *arguments, **how)


def program(
    *command: object, env: Mapping[str, str] | None = None, timeout: float = 300, **how: Any
) -> Ran:
    """A program in a process of its own; ENV is its environment besides this one's."""
    found = subprocess.run(
        [*map(str, command)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        **how,
    )
    return Ran(found.returncode, found.stdout, found.stderr)
