"""Building the driver of rsp-rs with cargo, from the sources that crates.io has of it.

rsp-rs asks for Oxigraph with its default features, and so for RocksDB: ten minutes of C++, for
stores on disk, which it never opens. Only its own manifest can say no to that, so the crate is
built from a copy whose manifest does. The driver goes into `rsp-rs` below `install_dir.home()`.
What cargo builds on the way is removed, unless CARGO_TARGET_DIR names a place for it.
"""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Final

from rsp_conformance.adapters import cargo
from rsp_conformance.adapters.install_dir import asked_of, beside, home, put

HERE: Final = Path(__file__).parent
LEAST_RUST: Final = (1, 87)
"""The oldest version of Rust that will do, as in ``Cargo.toml``: Oxigraph asks for it."""
DISK: Final = 500_000_000
"""The bytes that a build takes at most, including cargo's downloads, rounded up."""

_BINARY: Final = "rsp-rs-driver"
_STAMP: Final = "built-from"
CONFIG: Final = ("--config", 'patch.crates-io.rsp-rs.path="rsp-rs"')
"""The arguments of cargo that make it use the rsp-rs next to the driver."""

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
    program = cargo.check_tools("rsp-rs", LEAST_RUST)
    with beside(target) as made:
        cargo.check_disk("rsp-rs", made, DISK)
        print(
            "Building rsp-rs takes a minute or two, and up to "
            f"{DISK / 1e6:.0f} MB of disk meanwhile (8 MB afterwards); Ctrl-C leaves nothing.",
            file=sys.stderr,
            flush=True,
        )
        ready = made / "ready"
        ready.mkdir()
        write_crate(program, made)
        shutil.copy2(cargo.build("rsp-rs", program, made, *CONFIG), ready / _BINARY)
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
    program = cargo.check_tools("rsp-rs", LEAST_RUST)
    command = [program, "info", "--quiet", "--color=never", "rsp-rs"]
    newest = asked_of(command, r"^version: ([^\s]+)", hint="check the network and cargo's settings")
    return pinned.removeprefix("="), newest


def _digest() -> str:
    """Return a digest that identifies these sources."""
    return cargo.digest([HERE / "Cargo.toml", *sorted((HERE / "src").glob("*.rs"))])


def write_crate(program: str, folder: Path) -> None:
    """Write the driver's crate into `folder`, and rsp-rs without RocksDB, which CONFIG names.

    Raises:
        EngineUnavailable: cargo does not find its way to crates.io.
    """
    shutil.copy2(HERE / "Cargo.toml", folder)
    shutil.copytree(HERE / "src", folder / "src")
    (found,) = cargo.run("rsp-rs", [program, "metadata", "--format-version=1"], folder)
    (crate,) = (one for one in found["packages"] if one["name"] == "rsp-rs")
    shutil.copytree(Path(crate["manifest_path"]).parent, folder / "rsp-rs")
    manifest = folder / "rsp-rs" / "Cargo.toml"
    published = manifest.read_text(encoding="utf-8")
    plain = published.replace(_DEPENDENCY, _DEPENDENCY + "default-features = false\n")
    manifest.write_text(plain, encoding="utf-8")
