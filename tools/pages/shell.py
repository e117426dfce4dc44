"""Runs the commands of a page in a folder of its own, as a reader would."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.pages.commands import NotRead, Pipeline, Step
from tools.pages.items import ROOT

MODULES = {
    "rsp-conformance": ("-m", "rsp_conformance"),
    "pytest": ("-m", "pytest"),
    "python": (),
}
"""What this Python runs for a program of a page. `cat` and `echo` need no process."""
LIMIT = 900.0
"""Seconds for a command: `rsp-conformance profile` searches for up to ten minutes."""
GRACE = 5.0
"""Seconds for a program to end what it has started: the kit gives a driver 2 seconds."""
_PROGRESS: Final = re.compile(r"^rsp-conformance: [\d,]+ s: .*\n", re.MULTILINE)
"""Lines of a log on how far a command is, in place of what goes away on a terminal."""


class Shell:
    """A folder, in which commands are run with the settings that all pages share.

    Args:
        folder: the current directory of the commands.
        programs: a folder with the program `python`, for engines that name it.
    """

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        python = programs / "python"
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', "utf-8")
        python.chmod(0o755)
        # Nothing else of this environment: `CI`, for one, changes what pytest prints.
        self._environment = {
            "COLUMNS": "80",
            "HOME": os.environ.get("HOME", str(folder)),
            "NO_COLOR": "1",
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "PYTHONUTF8": "1",
        }

    def run(self, command: Pipeline) -> str:
        """Run a command, and return what a terminal would show.

        Raises:
            NotRead: pages may not run this program.
            TimeoutExpired: it takes more than `LIMIT` seconds.
        """
        seen, out = "", ""
        for step in command.steps:
            last = step is command.steps[-1] and not command.writes
            given = (self.folder / step.reads).read_text("utf-8") if step.reads else out
            out, err = self._step(step, given, together=last)
            seen += err
        if command.writes:
            (self.folder / command.writes).write_text(out, "utf-8")
            return _PROGRESS.sub("", seen)
        return _PROGRESS.sub("", seen + out)

    def _step(self, step: Step, given: str, *, together: bool) -> tuple[str, str]:
        program, *arguments = step.words
        if program == "echo":
            return " ".join(arguments) + "\n", ""
        if program == "cat":
            return "".join((self.folder / name).read_text("utf-8") for name in arguments), ""
        if program not in MODULES:
            known = ", ".join([*MODULES, "cat", "echo"])
            raise NotRead(f"expected a program of {known}, found '{program}'")
        return self.python([*MODULES[program], *arguments], given, together=together)

    def python(self, arguments: list[str], given: str, *, together: bool) -> tuple[str, str]:
        """Run this Python with arguments and an input, and end all that it has started.

        Args:
            arguments: those of the interpreter.
            given: its standard input.
            together: whether standard error goes where standard output goes.

        Returns:
            The standard output, and the standard error if it is not in there.

        Raises:
            TimeoutExpired: it takes more than `LIMIT` seconds.
        """
        with subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if together else subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(given, LIMIT)
            finally:
                _end(process)
        return out, err or ""


@contextmanager
def shell() -> Iterator[Shell]:
    """A shell in an empty folder, which is removed at the end."""
    with TemporaryDirectory(prefix="pages-") as parent:
        folder, programs = Path(parent, "page"), Path(parent, "programs")
        folder.mkdir()
        programs.mkdir()
        yield Shell(folder, programs)


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and its group, first by asking."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    with suppress(ProcessLookupError, PermissionError):  # macOS refuses for a group of zombies
        os.killpg(process.pid, signal.SIGKILL)
