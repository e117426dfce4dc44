"""Building a driver in Rust with cargo: what that needs, and what cargo says meanwhile."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from rsp_conformance.adapters.install_dir import check_program
from rsp_conformance.protocol.failures import EngineUnavailable

_RUST_HINT: Final = "install it from https://rustup.rs"


def check_tools(engine: str, least: tuple[int, ...]) -> str:
    """Return the path of cargo, if all is there that a build needs.

    Args:
        engine: the engine's name, for messages.
        least: the oldest version of Rust that will do.

    Raises:
        EngineUnavailable: cargo or Rust is missing or too old.
    """
    rustc = r"rustc (\d+)\.(\d+)\."
    check_program("rustc", "Rust", least, rustc, engine=engine, hint=_RUST_HINT)
    cargo = shutil.which("cargo")
    if cargo is None:
        raise EngineUnavailable(f"cargo is missing, which builds {engine}", hint=_RUST_HINT)
    return cargo


def check_disk(engine: str, folder: Path, needed: int) -> None:
    """Check that a build in `folder`, or where CARGO_TARGET_DIR says, finds room for its bytes.

    Raises:
        EngineUnavailable: there is less.
    """
    built = Path(os.environ.get("CARGO_TARGET_DIR") or folder)
    free = shutil.disk_usage(built if built.is_dir() else folder).free
    if free < needed:
        raise EngineUnavailable(
            f"building {engine} needs {needed / 1e6:.0f} MB of disk, and {free / 1e6:.0f} are free",
            hint="CARGO_TARGET_DIR names another place for it",
        )


def digest(files: Iterable[Path]) -> str:
    """Return a digest that identifies the sources of a driver."""
    found = hashlib.sha256()
    for path in files:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def build(
    engine: str, cargo: str, folder: Path, *more: str, env: Mapping[str, str] | None = None
) -> Path:
    """Return the program that cargo builds in `folder`, in release.

    Args:
        engine: the engine's name, for messages.
        cargo: the path of cargo.
        folder: the folder of the driver's crate.
        more: further arguments of ``cargo build``.
        env: further variables of its environment.

    Raises:
        EngineUnavailable: cargo does not run, or fails.
    """
    # What the compiler says is among the messages: of errors all is shown, of warnings, of which an
    # engine may have hundreds, nothing.
    command = [cargo, "build", "--release", "--message-format=json", *more]
    for message in run(engine, command, folder, env=env):
        if message.get("executable"):
            return Path(message["executable"])
    raise EngineUnavailable("cargo build made no program", hint="see its output above")


def run(
    engine: str, command: list[str], folder: Path, *, env: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Run cargo in a folder, and return its output as JSON.

    What it says is shown as it says it, on standard error.

    Args:
        engine: the engine's name, for messages.
        command: the path of cargo and its arguments.
        folder: the folder of a crate.
        env: further variables of its environment.

    Raises:
        EngineUnavailable: it does not run, or fails.
    """
    output = folder / "output.json"
    with output.open("wb") as out:
        try:
            # In a session of its own: ending cargo alone would leave its compilers running.
            child = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            message = f"{command[0]} does not run: {error}"
            raise EngineUnavailable(message, hint=_RUST_HINT) from error
        try:
            errors = _follow(child)
            status = child.wait()
        finally:
            _end(child)
    lines = output.read_text(encoding="utf-8").splitlines()
    messages = [json.loads(line) for line in lines if line.startswith("{")]
    if status:
        for message in messages:
            if message.get("message", {}).get("level") == "error":
                print(message["message"]["rendered"], file=sys.stderr, flush=True)
        raise EngineUnavailable(
            f"cargo {command[1]} failed: {errors[0] if errors else f'exit status {status}'}",
            hint=f"see its output above; building {engine} needs crates.io once",
        )
    return messages


def _follow(child: subprocess.Popen[bytes]) -> list[str]:
    """Show the messages of cargo, and return its errors."""
    assert child.stderr is not None
    errors: list[str] = []
    for said in child.stderr:
        line = said.decode("utf-8", "replace").rstrip()
        print(line, file=sys.stderr, flush=True)
        if line.startswith("error"):
            errors.append(line.partition(":")[2].strip() or line)
    return errors


def _end(child: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a build, and wait until it is gone."""
    for _ in range(100):
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # macOS: a group of zombies
            break
        child.poll()  # else it stays in its group
        time.sleep(0.05)
    child.wait()
