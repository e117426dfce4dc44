"""Building the driver of rsp-rs with cargo, from the sources that crates.io has of it.

rsp-rs asks for Oxigraph with its default features, and so for RocksDB: ten minutes of C++, for
stores on disk, which it never opens. Only its own manifest can say no to that, so the crate is
built from a copy whose manifest does. The driver goes into `rsp-rs` below `install_dir.home()`.
What cargo builds on the way is removed, unless CARGO_TARGET_DIR names a place for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rsp_conformance.adapters.install_dir import asked_of, beside, check_program, home, put
from rsp_conformance.protocol import EngineUnavailable

HERE: Final = Path(__file__).parent
LEAST_RUST: Final = (1, 87)
"""The oldest version of Rust that will do, as in ``Cargo.toml``: Oxigraph asks for it."""
DISK: Final = 500_000_000
"""The bytes that a build takes at most, including cargo's downloads, rounded up."""

_BINARY: Final = "rsp-rs-driver"
_STAMP: Final = "built-from"
CONFIG: Final = ("--config", 'patch.crates-io.rsp-rs.path="rsp-rs"')
"""The arguments of cargo that make it use the rsp-rs next to the driver."""

_RUST_HINT: Final = "install it from https://rustup.rs"
_DEPENDENCY: Final = "[dependencies.oxigraph]\n"
"""The line of the published manifest below which stands what it wants of Oxigraph."""


def driver() -> Path:
    """Return the program that speaks the engine protocol, once it is built."""
    return home() / "rsp-rs" / _BINARY


def installed() -> bool:
    """Return whether the driver is there, built from exactly these sources."""
    try:
        built_from = driver().with_name(_STAMP).read_text()
    except OSError:
        return False
    return built_from == _digest() and os.access(driver(), os.X_OK)


def install() -> str:
    """Build the driver, if it is not there yet; one line that says where.

    What it will take is said beforehand, and what cargo does as it does it, on standard error.

    Raises:
        EngineUnavailable: something that the build needs is missing, or the build failed.
    """
    target = driver().parent
    if installed():
        return f"rsp-rs is already installed in {target}"
    cargo = check_tools()
    with beside(target) as made:
        _check_disk(made)
        print(
            "Building rsp-rs takes a minute or two, and up to "
            f"{DISK / 1e6:.0f} MB of disk meanwhile (8 MB afterwards); Ctrl-C leaves nothing.",
            file=sys.stderr,
            flush=True,
        )
        ready = made / "ready"
        ready.mkdir()
        shutil.copy2(_build(cargo, made), ready / _BINARY)
        (ready / _STAMP).write_text(_digest())
        put(ready, target, installed)
    return f"rsp-rs is installed in {target}"


def releases() -> tuple[str, str]:
    """Return the version of rsp-rs that the driver is built with, and the newest one of crates.io.

    Raises:
        EngineUnavailable: cargo is missing, or the registry does not answer.
    """
    manifest = tomllib.loads((HERE / "Cargo.toml").read_text("utf-8"))
    pinned: str = manifest["dependencies"]["rsp-rs"]
    command = [check_tools(), "info", "--quiet", "--color=never", "rsp-rs"]
    newest = asked_of(command, r"^version: ([^\s]+)", hint="check the network and cargo's settings")
    return pinned.removeprefix("="), newest


def check_tools() -> str:
    """Return the path of cargo, where all is there that the build needs.

    Raises:
        EngineUnavailable: cargo or Rust is missing or too old.
    """
    rustc = r"rustc (\d+)\.(\d+)\."
    check_program("rustc", "Rust", LEAST_RUST, rustc, engine="rsp-rs", hint=_RUST_HINT)
    cargo = shutil.which("cargo")
    if cargo is None:
        raise EngineUnavailable("cargo is missing, which builds rsp-rs", hint=_RUST_HINT)
    return cargo


def _check_disk(folder: Path) -> None:
    built = Path(os.environ.get("CARGO_TARGET_DIR") or folder)
    free = shutil.disk_usage(built if built.is_dir() else folder).free
    if free < DISK:
        raise EngineUnavailable(
            f"building rsp-rs needs {DISK / 1e6:.0f} MB of disk, and {free / 1e6:.0f} are free",
            hint="CARGO_TARGET_DIR names another place for it",
        )


def _digest() -> str:
    """Return a digest that identifies these sources."""
    found = hashlib.sha256()
    for path in [HERE / "Cargo.toml", *sorted((HERE / "src").glob("*.rs"))]:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def write_crate(cargo: str, folder: Path) -> None:
    """Write the driver's crate into `folder`, and rsp-rs without RocksDB, which CONFIG names.

    Raises:
        EngineUnavailable: cargo does not find its way to crates.io.
    """
    shutil.copy2(HERE / "Cargo.toml", folder)
    shutil.copytree(HERE / "src", folder / "src")
    (found,) = _run([cargo, "metadata", "--format-version=1"], folder)
    (crate,) = (one for one in found["packages"] if one["name"] == "rsp-rs")
    shutil.copytree(Path(crate["manifest_path"]).parent, folder / "rsp-rs")
    manifest = folder / "rsp-rs" / "Cargo.toml"
    published = manifest.read_text(encoding="utf-8")
    plain = published.replace(_DEPENDENCY, _DEPENDENCY + "default-features = false\n")
    manifest.write_text(plain, encoding="utf-8")


def _build(cargo: str, folder: Path) -> Path:
    """Return the program that cargo builds in `folder`, which gets the sources."""
    write_crate(cargo, folder)
    messages = "--message-format=json-render-diagnostics"
    for message in _run([cargo, "build", "--release", messages, *CONFIG], folder):
        if message.get("executable"):
            return Path(message["executable"])
    raise EngineUnavailable("cargo build made no program", hint="see its output above")


def _run(command: list[str], folder: Path) -> list[dict[str, Any]]:
    """Run cargo in a folder, and return its output as JSON.

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
    if status:
        raise EngineUnavailable(
            f"cargo {command[1]} failed: {errors[0] if errors else f'exit status {status}'}",
            hint="see its output above; building rsp-rs needs crates.io once",
        )
    lines = output.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


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
        with suppress(subprocess.TimeoutExpired):
            child.wait(0.05)
    child.wait()
