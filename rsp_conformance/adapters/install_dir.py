"""Where drivers in other languages are installed: a directory of the user, never site-packages.

An engine's directory appears complete or not at all: it is made next to its place, and renamed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from rsp_conformance.protocol.failures import EngineUnavailable

VARIABLE: Final = "RSP_CONFORMANCE_HOME"
"""The environment variable with the path of another directory."""


def home() -> Path:
    """Return the directory below which every engine has one of its own; it need not exist."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("rsp-conformance", appauthor=False))


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """Yield a new directory next to `target`, which is removed at the end unless it was renamed.

    Raises:
        EngineUnavailable: nothing can be written there.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(
            prefix=f".{target.name}-", dir=target.parent, ignore_cleanup_errors=True
        )
    except OSError as error:
        raise EngineUnavailable(
            f"cannot write to {target.parent}: {error.strerror or error}",
            hint=f"name another directory with {VARIABLE}",
        ) from error
    with made as name:
        Path(name).chmod(0o755)  # as mkdir would have made it
        yield Path(name)


def steps(folder: Path) -> str:
    """Return the commands that get an engine, as the README in its adapter's folder has them.

    They are the README's first block of code: it ends in a test run of the engine.

    Raises:
        ValueError: the README has no block of code.
    """
    blocks = (folder / "README.md").read_text("utf-8").split("```\n")
    if len(blocks) < 3:
        raise ValueError(f"{folder}/README.md has no block of code")
    return blocks[1].rstrip()


def put(made: Path, target: Path, installed: Callable[[], bool]) -> None:
    """Move a directory to its place, even if another process does the same at the same time.

    Args:
        made: the new directory.
        target: its place.
        installed: returns whether the directory at `target` is already as wanted.

    Raises:
        EngineUnavailable: `target` cannot be replaced.
    """
    for _ in range(5):
        with suppress(OSError):
            os.rename(made, target)
            return
        if installed():
            return
        # The old directory is of another version or broken; renamed first, it goes at one stroke.
        with beside(target) as old, suppress(OSError):
            os.rename(target, old / "old")
    raise EngineUnavailable(
        f"cannot put {target.name} into {target}", hint="remove what is there, then install again"
    )


def asked_of(command: Sequence[str], pattern: str, *, hint: str) -> str:
    """Ask a program that knows a package registry, and return what a pattern finds in its output.

    Args:
        command: the program's path with its arguments.
        pattern: finds the text in question in a line, in its only group.
        hint: what to do if the registry does not answer.

    Raises:
        EngineUnavailable: the program does not run, does not end, or says something else.
    """
    said = " ".join([Path(command[0]).name, *command[1:]])
    try:
        ran = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineUnavailable(f"{said} does not run: {error}", hint=hint) from error
    found = re.search(pattern, ran.stdout, re.MULTILINE)
    if ran.returncode != 0 or found is None:
        raise EngineUnavailable(f"{said} says no version", hint=hint)
    return found[1]


def check_program(
    name: str, called: str, least: tuple[int, ...], pattern: str, *, engine: str, hint: str
) -> str:
    """Find a program that an engine needs, and check its version.

    Args:
        name: the program's name.
        called: its name in messages.
        least: the oldest version that will do.
        pattern: finds the version in the output of ``--version``, each number in its own group.
        engine: the engine's name, for messages.
        hint: how to get the program.

    Returns:
        The path of the program.

    Raises:
        EngineUnavailable: it is missing, does not run, or is too old.
    """
    wanted = ".".join(map(str, least))
    path = shutil.which(name)
    if path is None:
        raise EngineUnavailable(
            f"{called} {wanted} or newer is missing, which {engine} needs", hint=hint
        )
    try:
        ran = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineUnavailable(f"{path} does not run: {error}", hint=hint) from error
    found = re.match(pattern, ran.stdout)
    if found is None or tuple(map(int, found.groups())) < least:
        version = ran.stdout.strip() or "of no known version"
        raise EngineUnavailable(
            f"{path} is {version}, and {engine} needs {wanted} or newer", hint=hint
        )
    return path
