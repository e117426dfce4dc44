"""Running the command line, in this process or in one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from rsp_conformance.cli.main import main

ROOT = Path(__file__).parent.parent.parent
FIXTURES = ROOT / "rsp_conformance" / "examples"


@dataclass(frozen=True)
class Ran:
    """What became of a command line."""

    status: int
    out: str
    err: str

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


def cli(*arguments: object, terminal: bool = False) -> Ran:
    """In this process, which is quick; standard error may be a TERMINAL's."""
    out, err = _Stream(False), _Stream(terminal)
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    return Ran(status, out.written(), err.written())


def run_process(
    *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Ran:
    """In a process of its own, as users do."""
    found = subprocess.run(
        [sys.executable, "-m", "rsp_conformance", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return Ran(found.returncode, found.stdout, found.stderr)
