"""An engine on the Java virtual machine as the registry knows it: its jars are the user's.

Which folders they are in is remembered in `NAME/jars.json` below `install_dir.home()`, written
whole or not at all, and only once the driver has started with them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from rsp_conformance.adapters.install_dir import VARIABLE, home, steps
from rsp_conformance.adapters.jvm.jars import holders, jars_in, version_of
from rsp_conformance.adapters.jvm.java import find_java
from rsp_conformance.files.files import write_whole
from rsp_conformance.model.errors import excerpt
from rsp_conformance.model.tables import read_table
from rsp_conformance.protocol import Engine, EngineUnavailable, Log, ProtocolEngine
from rsp_conformance.protocol.registry import EngineEntry, check_choices

_PACKAGE_ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class JvmEngine:
    """The facts about an engine that are needed before Java starts.

    Attributes:
        name: the name in `--engine=NAME`, and of the package with its driver in `adapters`, with
            `_` for `-`.
        title: its name on its own pages.
        summary: one line for lists.
        classes: the full names of the classes that the driver calls. The jar that holds the first
            is the engine's: its version is the engine's.
        folder: the folder of its adapter, whose README has the commands that get it.
        least_java: the oldest version of Java that it runs in.
        java_options: options of Java beside those of the base.
        options: further options of the engine, as of `EngineEntry`; none is about jars. They reach
            the driver as ``--NAME VALUE``.
        choices: the values of those options that take only a few.
        hello: the members of its driver's hello but for the version and what the base adds.
        variants: other members, by option and value.
        trials: queries over the stream ``urn:rsp:trial``, asked when the engine starts: one for
            each form that other jars serve. They match ``urn:rsp:p`` in a window of two seconds,
            and ``urn:rsp:q`` in the background if the engine joins the two. If the engine answers
            nothing, some of its jars are missing.
    """

    name: str
    title: str
    summary: str
    classes: tuple[str, ...]
    folder: Path
    least_java: int = 17
    java_options: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    trials: tuple[str, ...] = ()
    hello: Mapping[str, Any] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)

    @classmethod
    def of(cls, module: str) -> Self:
        """Read the engine that ``engine.toml`` next to a module describes."""
        described: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in read_table(module, "engine.toml").items()
        }
        return cls(folder=Path(str(files(module.rpartition(".")[0]))), **described)

    def hello_of(self, version: str, options: Mapping[str, str]) -> dict[str, Any]:
        """Return the members of the hello for a version of the engine under these options."""
        said = {"version": version, **self.hello}
        for option, values in self.choices.items():
            variants = self.variants.get(option, {})
            said |= variants.get(options.get(option, values[0]), {})
        return said

    def entry(self) -> EngineEntry:
        """Return the engine for the registry."""
        return EngineEntry(
            name=self.name,
            summary=self.summary,
            connect=self.connect,
            options={
                "jars": f"the folders of its jars for this run, separated by {os.pathsep!r}",
                **self.options,
            },
            harmless=tuple(self.options),
            installed=self.installed,
            install_jars=self.install,
            steps=partial(steps, self.folder),
        )

    def connect(
        self, options: Mapping[str, str], time_limit: float, log: Log | None = None, /
    ) -> Engine:
        """Return the driver, with the jars of the option `jars` or else those that are remembered.

        Args:
            options: the engine's options, by name.
            time_limit: the seconds that each case may take.
            log: called with each line that is sent or received; None for no log.

        Raises:
            ValueError: an option has none of the values that it may have.
            EngineUnavailable: there are no jars, or they lack what the driver calls.
        """
        check_choices(options, self.choices)
        written = options.get("jars")
        folders = self.remembered() if written is None else written.split(os.pathsep)
        if not all(folders):
            raise ValueError(f"jars is {excerpt(written or '')}, expected folders")
        if not folders:
            raise EngineUnavailable(f"the engine {self.name} is not installed", hint=self.how())
        self.check(folders)
        command = [sys.executable, "-P", "-m", f"rsp_conformance.adapters.{self._module}"]
        for folder in folders:
            command += ["--jars", str(Path(folder).expanduser().absolute())]
        for name in self.options:
            if name in options:
                command += [f"--{name}", options[name]]
        paths = filter(None, (os.environ.get("PYTHONPATH"), str(_PACKAGE_ROOT)))
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        return ProtocolEngine(command, time_limit=time_limit, env=env, log=log)

    def installed(self) -> bool:
        """Return whether folders are remembered and there."""
        folders = self.remembered()
        return bool(folders) and all(os.path.exists(folder) for folder in folders)

    def install(self, folders: Sequence[str]) -> str:
        """Check the jars in `folders`, start the engine once, and remember them; a line says so.

        Without `folders` it says where the remembered ones are.

        Raises:
            EngineUnavailable: no folders are given and none remembered; jars, classes, JPype or
                Java are missing; the engine does not start; the per-user place is not writable.
        """
        chosen = [str(Path(folder).expanduser().absolute()) for folder in folders]
        already = not chosen and self.installed()
        chosen = chosen or (self.remembered() if already else [])
        if not chosen:
            raise EngineUnavailable(f"{self.title} comes as jars of your own", hint=self.how())
        version = self.check(chosen)
        find_java(self.least_java)
        with self.connect({"jars": os.pathsep.join(chosen)}, 30.0, None) as engine:
            engine.hello()
        if not already:
            self._remember(chosen)
        word = "already installed" if already else "installed"
        return f"{self.name} is {word}: {self.title} {version} in {', '.join(chosen)}"

    def check(self, folders: Sequence[str | Path]) -> str:
        """Check that the jars in `folders` hold what the driver calls; the engine's version.

        Raises:
            EngineUnavailable: something is missing, or there are two of the engine's jar.
        """
        jars = jars_in(folders)
        held = holders(jars, self.classes)
        where = ", ".join(map(str, folders))
        if missing := [name for name, inside in held.items() if not inside]:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise EngineUnavailable(
                f"the {len(jars)} jars in {where} lack the class {missing[0]}{more}",
                hint=self.how(),
            )
        own = held[self.classes[0]]
        if len(own) > 1:
            raise EngineUnavailable(
                f"{self.title} is there twice, in {own[0]} and {own[1]}", hint="keep one of them"
            )
        return version_of(own[0])

    def how(self) -> str:
        """Return how a user gets the engine, in a line."""
        return (
            f"rsp-conformance engines install {self.name} prints the commands that get its "
            "jars, and then takes --jars FOLDER (--jars again for further folders)"
        )

    def remembered(self) -> list[str]:
        """Return the folders that were installed; none where that cannot be read."""
        try:
            found = json.loads(self._file().read_text("utf-8"))["folders"]
        except (OSError, ValueError, KeyError, TypeError):
            return []
        whole = isinstance(found, list) and all(isinstance(one, str) for one in found)
        return found if whole else []

    @property
    def _module(self) -> str:
        return self.name.replace("-", "_")

    def _file(self) -> Path:
        return home() / self.name / "jars.json"

    def _remember(self, folders: Sequence[str]) -> None:
        path = self._file()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps({"folders": list(folders)}, indent=2) + "\n")
        except OSError as error:
            raise EngineUnavailable(
                f"cannot write {path}: {error.strerror or error}",
                hint=f"name another directory with {VARIABLE}",
            ) from error
