"""An engine that is built from a checkout of its sources, as the registry knows it.

A driver is a crate of ours: the files of the adapter's folder, those of `src/` here, and beside
them a link `checkout` that leads to the user's folder. It goes into `NAME` below
`install_dir.home()`; what cargo builds on the way is removed, unless CARGO_TARGET_DIR names a place
for it. Nothing is written into the checkout.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Self

from rsp_conformance.adapters import cargo
from rsp_conformance.adapters.install_dir import beside, home, put, steps
from rsp_conformance.model.tables import read_table
from rsp_conformance.protocol import Engine, EngineUnavailable, Log, ProtocolEngine
from rsp_conformance.protocol.registry import EngineEntry, check_choices

SHARED: Final = Path(__file__).parent / "src"
"""The sources that all these drivers have in common."""
_STAMP: Final = "built-from.json"


@dataclass(frozen=True, slots=True)
class CheckoutEngine:
    """The facts about an engine that are needed before its driver is built.

    Attributes:
        name: the name in `--engine=NAME`, and of the adapter's folder.
        title: its name on its own pages.
        summary: one line for lists.
        folder: the folder of the adapter, whose README has the commands that get the engine.
        manifest: the file of a checkout that names the engine's package and its version.
        package: the name of that package.
        minutes: how long a build takes, in words.
        disk: the bytes that a build takes at most, rounded up.
        least_rust: the oldest version of Rust that will do.
        options: further options of the engine, as of `EngineEntry`. They reach the driver as
            ``--NAME=VALUE``.
        choices: the values of those options.
    """

    name: str
    title: str
    summary: str
    folder: Path
    manifest: str
    package: str
    minutes: str
    disk: int
    least_rust: Sequence[int]
    options: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, module: str) -> Self:
        """Read the engine that ``engine.toml`` next to a module describes."""
        described: dict[str, Any] = dict(read_table(module, "engine.toml"))
        folder = Path(str(files(module.rpartition(".")[0])))
        return cls(folder=folder, **described)

    def entry(self) -> EngineEntry:
        """Return the engine for the registry."""
        return EngineEntry(
            name=self.name,
            summary=self.summary,
            connect=self.connect,
            options=self.options,
            harmless=tuple(self.options),
            installed=self.installed,
            install_checkout=self.install,
            steps=partial(steps, self.folder),
        )

    def connect(
        self, options: Mapping[str, str], time_limit: float, log: Log | None = None, /
    ) -> Engine:
        """Return the driver that was built for this user.

        Args:
            options: the engine's options, by name.
            time_limit: the seconds that each case may take.
            log: called with each line that is sent or received; None for no log.

        Raises:
            ValueError: an option has none of the values that it may have.
            EngineUnavailable: there is no driver.
        """
        if not self.installed():
            raise EngineUnavailable(f"the engine {self.name} is not installed", hint=self.how())
        check_choices(options, self.choices)
        chosen = [f"--{name}={options[name]}" for name in self.choices if name in options]
        command = [str(self.driver()), *chosen]
        return ProtocolEngine(command, time_limit=time_limit, log=log)

    def driver(self) -> Path:
        """Return the program that speaks the engine protocol, once it is built."""
        return home() / self.name / f"{self.name}-driver"

    def installed(self) -> bool:
        """Return whether the driver is there, built from exactly these sources of ours."""
        built = self._stamp().get("sources") == self._digest()
        return built and os.access(self.driver(), os.X_OK)

    def install(self, checkout: str | None) -> str:
        """Build the driver against a checkout; one line that says where.

        What it will take is said beforehand, and what cargo does as it does it, on standard error.
        Without a checkout it says which one the driver was built against.

        Raises:
            EngineUnavailable: there is no checkout, it is of another project, something that the
                build needs is missing, or the build failed.
        """
        target = self.driver().parent
        if checkout is None:
            if not self.installed():
                raise EngineUnavailable(
                    f"{self.title} is built from a checkout of yours", hint=self.how()
                )
            version = self._stamp()["version"]
            return f"{self.name} is already installed in {target}: {self.title} {version}"
        sources = Path(checkout).expanduser().absolute()
        version = self.version_of(sources)
        program = cargo.check_tools(self.name, tuple(self.least_rust))
        with beside(target) as made:
            cargo.check_disk(self.name, made, self.disk)
            print(
                f"Building {self.title} takes {self.minutes}, and up to "
                f"{self.disk / 1e6:.0f} MB of disk meanwhile; Ctrl-C leaves nothing.",
                file=sys.stderr,
                flush=True,
            )
            crate = self.write_crate(sources, made)
            env = {"RSP_ENGINE_VERSION": version}
            ready = made / "ready"
            ready.mkdir()
            shutil.copy2(
                cargo.build(self.name, program, crate, env=env), ready / self.driver().name
            )
            stamp = {"sources": self._digest(), "version": version, "checkout": str(sources)}
            (ready / _STAMP).write_text(json.dumps(stamp, indent=2) + "\n", "utf-8")
            # Never kept: two builds of one commit may be of different changes to it.
            put(ready, target, lambda: False)
        return f"{self.name} is installed in {target}: {self.title} {version} from {sources}"

    def version_of(self, checkout: Path) -> str:
        """Return the version that a checkout has, with its commit if git knows it.

        Raises:
            EngineUnavailable: the folder is no checkout of this engine.
        """
        try:
            manifest = (checkout / self.manifest).read_text("utf-8")
            package = tomllib.loads(manifest)["package"]
            name, version = package["name"], str(package["version"])
        except (OSError, ValueError, KeyError, TypeError):
            name = version = ""
        if name != self.package:
            raise EngineUnavailable(
                f"{checkout} is no checkout of {self.title}: it has no {self.manifest} of the "
                f"package {self.package}",
                hint=self.how(),
            )
        commit = _commit(checkout)
        return f"{version}+{commit}" if commit else version

    def write_crate(self, checkout: Path, folder: Path) -> Path:
        """Write the driver's crate into `folder`, with its link to the checkout; the crate."""
        crate = folder / "driver"
        shutil.copytree(SHARED, crate / "src")
        shutil.copytree(self.folder / "src", crate / "src", dirs_exist_ok=True)
        shutil.copy2(self.folder / "Cargo.toml", crate)
        (folder / "checkout").symlink_to(checkout)
        # What its authors build it with: newer versions of its libraries are not tried.
        lock = checkout / "Cargo.lock"
        if lock.is_file():
            shutil.copy2(lock, crate)
        return crate

    def how(self) -> str:
        """Return how a user gets the engine, in a line."""
        return (
            f"rsp-conformance engines install {self.name} prints the commands that get it, and "
            "then takes --checkout DIR"
        )

    def _digest(self) -> str:
        return cargo.digest(self._sources())

    def _sources(self) -> Iterable[Path]:
        own = [self.folder / "Cargo.toml", *sorted((self.folder / "src").glob("*.rs"))]
        return [*own, *sorted(SHARED.glob("*.rs"))]

    def _stamp(self) -> dict[str, str]:
        """Return what was built; nothing if that cannot be read."""
        try:
            found = json.loads(self.driver().with_name(_STAMP).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _commit(checkout: Path) -> str:
    """Return the commit of a checkout, marked if files of it were changed; empty without git."""
    try:
        ran = subprocess.run(
            ["git", "describe", "--always", "--abbrev=7", "--exclude=*", "--dirty"],
            cwd=checkout,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
