"""Building the driver of rsp-rs with cargo, from the crate as it is published.

The driver goes into `rsp-rs` below `install_dir.home()`. What cargo builds on the way is removed,
unless CARGO_TARGET_DIR names a place for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from rsp_conformance.adapters.install_dir import beside, check_program, home, put
from rsp_conformance.protocol import EngineUnavailable

HERE: Final = Path(__file__).parent
LEAST_RUST: Final = (1, 87)
DISK: Final = 2_000_000_000
"""The bytes that a build takes at most, with what cargo downloads."""

_BINARY: Final = "rsp-rs-driver"
_STAMP: Final = "built-from"
_RUST_HINT: Final = "install it from https://rustup.rs"
_COMPILER_HINT: Final = (
    "RocksDB is compiled, which rsp-rs brings along (Debian, Ubuntu: sudo apt install g++ "
    "libclang-dev; macOS: xcode-select --install)"
)
_QUIET: Final = 60.0
"""Seconds without a word of cargo's, after which a line says that it still works."""

_LIBCLANG_FOLDERS: Final = (
    "/usr/lib*",
    "/usr/lib/*-linux-gnu*",
    "/usr/lib/llvm*/lib*",
    "/usr/local/lib*",
    "/usr/local/llvm*/lib*",
    "/usr/local/opt/llvm*/lib*",
    "/opt/homebrew/opt/llvm*/lib*",
    "/Library/Developer/CommandLineTools/usr/lib",
    "/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib",
)
"""Where bindgen, which RocksDB's bindings are made with, looks for libclang."""


def driver() -> Path:
    """The program that speaks the engine protocol, once it is built."""
    return home() / "rsp-rs" / _BINARY


def installed() -> bool:
    """Whether the driver is there, built from exactly these sources."""
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
            "rsp-rs brings RocksDB along, so building it takes 10 to 30 minutes, and up to "
            f"{DISK / 1e9:.0f} GB of disk meanwhile (20 MB afterwards); Ctrl-C leaves nothing.",
            file=sys.stderr,
            flush=True,
        )
        ready = made / "ready"
        ready.mkdir()
        shutil.copy2(_build(cargo, made), ready / _BINARY)
        (ready / _STAMP).write_text(_digest())
        put(ready, target, installed)
    return f"rsp-rs is installed in {target}"


def check_tools() -> str:
    """The path of cargo, where all is there that the build needs.

    Raises:
        EngineUnavailable: cargo, Rust, a C++ compiler or libclang is missing or too old.
    """
    rustc = r"rustc (\d+)\.(\d+)\."
    check_program("rustc", "Rust", LEAST_RUST, rustc, engine="rsp-rs", hint=_RUST_HINT)
    cargo = shutil.which("cargo")
    if cargo is None:
        raise EngineUnavailable("cargo is missing, which builds rsp-rs", hint=_RUST_HINT)
    if not (os.environ.get("CXX") or any(map(shutil.which, ("c++", "g++", "clang++")))):
        raise EngineUnavailable(
            "a C++ compiler is missing, which rsp-rs needs", hint=_COMPILER_HINT
        )
    if not (os.environ.get("LIBCLANG_PATH") or _finds_libclang()):
        raise EngineUnavailable(
            "libclang is missing, which rsp-rs needs",
            hint=f"{_COMPILER_HINT}; elsewhere LIBCLANG_PATH names its folder",
        )
    return cargo


def _finds_libclang() -> bool:
    if shutil.which("llvm-config"):
        return True
    places = (place for folder in _LIBCLANG_FOLDERS for place in Path("/").glob(folder[1:]))
    found = (file.name for place in places for file in place.glob("libclang*"))
    return any("-cpp" not in name and (".so" in name or ".dylib" in name) for name in found)


def _check_disk(folder: Path) -> None:
    built = Path(os.environ.get("CARGO_TARGET_DIR") or folder)
    free = shutil.disk_usage(built if built.is_dir() else folder).free
    if free < DISK:
        raise EngineUnavailable(
            f"building rsp-rs needs {DISK / 1e9:.0f} GB of disk, and {free / 1e9:.1f} are free",
            hint="CARGO_TARGET_DIR names another place for it",
        )


def _digest() -> str:
    """What tells these sources from others."""
    found = hashlib.sha256()
    for path in [HERE / "Cargo.toml", *sorted((HERE / "src").glob("*.rs"))]:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _build(cargo: str, folder: Path) -> Path:
    """The program that cargo builds in FOLDER, which gets the sources."""
    shutil.copy2(HERE / "Cargo.toml", folder)
    shutil.copytree(HERE / "src", folder / "src")
    artifacts = folder / "artifacts.json"
    with artifacts.open("wb") as out:
        try:
            # In a session of its own: ending cargo alone would leave its compilers running.
            child = subprocess.Popen(
                [cargo, "build", "--release", "--message-format=json-render-diagnostics"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineUnavailable(f"{cargo} does not run: {error}", hint=_RUST_HINT) from error
        try:
            errors = _follow(child)
            status = child.wait()
        finally:
            _end(child)
    for line in artifacts.read_text(encoding="utf-8").splitlines():
        executable = json.loads(line).get("executable") if line.startswith("{") else None
        if status == 0 and executable:
            return Path(executable)
    raise EngineUnavailable(
        f"cargo build failed: {errors[0] if errors else f'exit status {status}'}",
        hint="its own words stand above; building rsp-rs needs crates.io once",
    )


def _follow(child: subprocess.Popen[bytes]) -> list[str]:
    """Show what cargo says, and that it works where it says nothing; its errors."""
    assert child.stderr is not None
    errors: list[str] = []
    began = time.monotonic()
    while True:
        if not select.select([child.stderr], [], [], _QUIET)[0]:
            minutes = (time.monotonic() - began) / 60
            print(f"    … still building after {minutes:.0f} min", file=sys.stderr, flush=True)
            continue
        said = child.stderr.readline()
        if not said:
            return errors
        line = said.decode("utf-8", "replace").rstrip()
        print(line, file=sys.stderr, flush=True)
        if line.startswith("error"):
            errors.append(line.partition(":")[2].strip() or line)


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
