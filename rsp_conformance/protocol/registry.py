"""Find engines by the text that users write: a registered name, or `stdio:` and a command line.

An engine package registers itself by an entry point of the group `rsp_conformance.engines` whose
object is an `EngineEntry`; users name it in `--engine=NAME`. The kit's own engines are known
without an entry point, so they are available in a checkout that is not installed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, Protocol

from rsp_conformance.model.errors import (
    BadInput,
    KitError,
    did_you_mean,
    excerpt,
    read_settings,
)
from rsp_conformance.model.features import redeclared
from rsp_conformance.model.tables import read_table
from rsp_conformance.protocol import Engine, EngineError, EngineUnavailable, Log, ProtocolEngine

GROUP: Final = "rsp_conformance.engines"
"""The entry point group in which engine packages register themselves."""

STDIO: Final = "stdio:"
"""The prefix of a driver's command line."""

TIME_LIMIT: Final = 30.0
"""The seconds that a case may take, unless another limit is given. Cases take milliseconds, but the
first one of an engine on the JVM takes seconds, and more on a busy machine."""

_OWN: Final = tuple(
    EntryPoint(name, f"rsp_conformance.adapters.{name.replace('-', '_')}.register:ENGINE", GROUP)
    for name in (
        "cqels cqels1 csparql csparql2 kolibrie reference roxi rsp-js rsp-rs yasper".split()
    )
)

_TABLE: Final = read_table(__name__, "engines.toml")

DECLARING: Final[Mapping[str, str]] = _TABLE["declaring"]
"""The options that every engine has, each with a line about its value and its effect."""

LISTED: Final = frozenset({*DECLARING, "fault"})
"""Options whose values are lists: they may be given several times, or once with commas."""

_ALSO_CALLED: Final[Mapping[str, str]] = _TABLE["also-called"]
"""Other names of engines, in the form that `_bare` returns."""

WITHOUT_DRIVER: Final[Mapping[str, str]] = _TABLE["without-driver"]
"""Engines that people look for and that have no driver here, each with the reason."""


class EngineSpecError(KitError, ValueError):
    """The text names no engine, or an option that the engine does not have."""


class EngineOptionError(EngineSpecError):
    """The engine does not have the option, or refuses its value."""


@contextmanager
def named_by(option: str, spec: str, options: str = "") -> Iterator[None]:
    """Turn errors about an engine into `BadInput` that names the option in which it was written.

    Args:
        option: the option that names the engine, such as ``--engine``.
        spec: the engine as the user wrote it.
        options: the option that sets the engine's options; by default `option` with ``-option``
            appended, such as ``--engine-option``.

    Raises:
        BadInput: the body raised an error about an engine.
    """
    try:
        yield
    except EngineOptionError as error:
        raise BadInput(f"{options or f'{option}-option'}: {error}") from error
    except EngineSpecError as error:
        raise BadInput(f"{option}: {error}") from error
    except EngineError as error:
        raise BadInput(f"{option}={spec}: {error.line}") from error


class Connect(Protocol):
    """Creates a connection to the engine; nothing starts before the first call on it."""

    def __call__(
        self, options: Mapping[str, str], time_limit: float, log: Log | None = None, /
    ) -> Engine:
        """Return an `Engine` with these options.

        Args:
            options: the values of the engine's options, by name.
            time_limit: seconds per case.
            log: receives all messages, if given (see `ProtocolEngine`).

        Raises:
            ValueError: an option has a value that it does not take; one line names both.
        """


def check_choices(options: Mapping[str, str], choices: Mapping[str, Sequence[str]]) -> None:
    """Check options that have one of a few values.

    Args:
        options: the engine's options, by name.
        choices: the values of each option that has few.

    Raises:
        ValueError: an option has none of its values.
    """
    for name, known in choices.items():
        if name in options and options[name] not in known:
            raise ValueError(f"{name} is {excerpt(options[name])}, expected {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """An engine that can be named.

    Attributes:
        name: the name that users write in `--engine=NAME`.
        summary: one line for lists, which describes the engine.
        connect: creates a connection to the engine.
        options: the names that `--engine-option NAME=VALUE` takes, beside those of `DECLARING`,
            each with a line about its value and its effect. Any other option is refused before
            `connect` is called.
        installed: whether the engine is installed, as `install` leaves it. It must be quick,
            because lists call it for every engine. The driver reports any other missing
            requirement when it starts.
        harmless: the options that a file may set, because their values name nothing that is
            started or loaded.
        install: installs the engine for this user and returns one line that says where; None for
            an engine that needs no installation. Returns quickly, and changes nothing, if the
            engine is installed already. Raises `EngineUnavailable` with the missing part and how
            to get it.
        install_jars: replaces `install` for an engine whose jars the user has: takes the folders
            with the jars, checks them and remembers them for this user. Without folders it
            returns where the remembered ones are, or raises `EngineUnavailable` with how to get
            them. `connect` raises it too if there are none.
        install_checkout: replaces `install` for an engine that is built from the user's checkout of
            its sources: takes the checkout's folder, and builds the driver against it for this
            user. For None it returns where the built one is, or raises `EngineUnavailable` with how
            to get it. `connect` raises it too if there is none.
        steps: returns the commands that get what `install_jars` or `install_checkout` takes; None
            for other engines.
        known: a file of known causes of the engine (docs/known.md), for runs that name no such
            file.
        releases: asks the engine's package registry, and returns the version that was tested and
            the newest one; None for an engine that is in no registry. Raises `EngineUnavailable` if
            the registry can't be asked.
    """

    name: str
    summary: str
    connect: Connect
    options: Mapping[str, str] = field(default_factory=dict)
    harmless: Collection[str] = ()
    installed: Callable[[], bool] = lambda: True
    install: Callable[[], str] | None = None
    install_jars: Callable[[Sequence[str]], str] | None = None
    install_checkout: Callable[[str | None], str] | None = None
    steps: Callable[[], str] | None = None
    known: Path | None = None
    releases: Callable[[], tuple[str, str]] | None = None


def connect(
    spec: str,
    options: Mapping[str, str] | None = None,
    time_limit: float = TIME_LIMIT,
    log: Log | None = None,
) -> Engine:
    """Return an engine by its name or by its driver's command line; it starts with the first call.

    A command line is split as a shell would split it, but no shell runs it. Its program is looked
    up on PATH, or from the working directory.

    Args:
        spec: ``NAME`` or ``stdio:COMMAND LINE``.
        options: the values of the engine's options, by name.
        time_limit: seconds per case.
        log: receives all messages.

    Raises:
        EngineSpecError: an unknown engine or option; one line lists the known ones.
        EngineUnavailable: the engine is not installed, or its program does not exist.
    """
    given = dict(options or {})
    declaring = {name: _names(given.pop(name, "")) for name in DECLARING}
    try:
        redeclared((), *declaring.values())
    except ValueError as error:
        raise EngineOptionError(f"engine {spec}: {error}") from error
    engine = _connected(spec, given, time_limit, log)
    engine.added, engine.left_out = declaring.values()
    return engine


def _names(written: str) -> list[str]:
    return [name.strip() for name in written.split(",") if name.strip()]


def _connected(spec: str, given: Mapping[str, str], time_limit: float, log: Log | None) -> Engine:
    if spec.startswith(STDIO):
        return _driver(spec, given, time_limit, log)
    entry = find(spec)
    check_options(entry, given)
    if entry.install is not None and not entry.installed():
        raise EngineUnavailable(
            f"the engine {entry.name} is not installed",
            hint=f"run rsp-conformance engines install {entry.name}",
        )
    try:
        return entry.connect(given, time_limit, log)
    except ValueError as error:
        raise EngineOptionError(f"engine {entry.name}: {error}") from error


def asks_to_run(spec: str, options: Mapping[str, str]) -> str | None:
    """Return what an engine named in a file would start or load beyond installed engines, or None.

    That is a command line, any other `spec` that is not a name, or an option that is not known to
    be harmless.

    Raises:
        EngineSpecError: the engine is unknown.
    """
    if ":" in spec:
        return spec
    entry = find(spec)
    harmful = [name for name in entry.options if name in options and name not in entry.harmless]
    settings = " ".join(f"{name}={options[name]}" for name in harmful)
    return f"{spec} with {settings}" if harmful else None


def find(name: str) -> EngineEntry:
    """Return the entry of an engine; no other engine is imported.

    `name` may differ from the engine's own name in the case of its letters and in the marks
    between its words.

    Raises:
        EngineSpecError: the engine is unknown; the line lists the names and the nearest one.
    """
    points, _ = _points()
    if name not in points:
        bare = _bare(name)
        bare = _ALSO_CALLED.get(bare, bare)
        alike = [known for known in points if _bare(known) == bare]
        if len(alike) == 1:
            return _load(points[alike[0]])
        if bare in WITHOUT_DRIVER:
            raise EngineSpecError(
                f"the engine {bare} has no driver here: {WITHOUT_DRIVER[bare]} "
                "(a driver of your own is stdio:COMMAND LINE)"
            )
        hint = did_you_mean(name, (*points, *WITHOUT_DRIVER))
        raise EngineSpecError(
            f"unknown engine {name!r}{hint} (the engines are {', '.join(sorted(points))}; "
            "a driver of your own is stdio:COMMAND LINE)"
        )
    return _load(points[name])


def known_of(spec: str) -> Path | None:
    """Return the file of known causes that is part of the engine `spec`, if there is one."""
    try:
        return find(spec).known
    except EngineSpecError:  # `connect` reports it
        return None


def registered() -> tuple[list[EngineEntry], list[str]]:
    """Return every usable engine, by name, and a line for each registration that is not usable."""
    points, problems = _points()
    found = []
    for _, point in sorted(points.items()):
        try:
            found.append(_load(point))
        except EngineSpecError as error:
            problems.append(str(error))
    return found, problems


def names() -> tuple[str, ...]:
    """Return the names of all registered engines; none of them is imported."""
    return tuple(sorted(_points()[0]))


def check_options(entry: EngineEntry, options: Iterable[str]) -> None:
    """Check that an engine has these options.

    Raises:
        EngineOptionError: it lacks an option; the message lists those that it has.
    """
    known = {**entry.options, **DECLARING}
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known)
            names = ", ".join(known)
            raise EngineOptionError(
                f"engine {entry.name}: unknown option {name!r}{hint} (its options are {names})"
            )


def parse_options(settings: Iterable[str]) -> dict[str, str]:
    """Read settings `NAME=VALUE` as a mapping.

    Raises:
        EngineOptionError: a setting has another form.
    """
    return read_settings(
        settings,
        lambda one: EngineOptionError(f"engine option {one!r}: write it as NAME=VALUE"),
        LISTED,
    )


def _points() -> tuple[dict[str, EntryPoint], list[str]]:
    """Return the entry points by name, the kit's own first, and a line per name taken twice."""
    points = {point.name: point for point in _OWN}
    problems = []
    for point in entry_points(group=GROUP):
        known = points.setdefault(point.name, point)
        if known.value != point.value:
            problems.append(
                f"engine {point.name!r} of {_source(point)} is left out: "
                f"{_source(known)} has registered that name"
            )
    return points, problems


def _bare(name: str) -> str:
    """Return `name` as it is looked up: in lower case, without the marks between its words."""
    return re.sub(r"[-_. ]", "", name).casefold()


def _source(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "rsp-conformance"


def _load(point: EntryPoint) -> EngineEntry:
    where = f"engine {point.name!r} of {_source(point)}"
    try:
        entry = point.load()
    except Exception as error:  # another package's code may raise anything
        said = " ".join(str(error).split())
        raise EngineSpecError(
            f"{where} cannot be loaded from {point.value}: {type(error).__name__}: {said}"
        ) from error
    if not isinstance(entry, EngineEntry):
        raise EngineSpecError(f"{where}: {point.value} is no EngineEntry")
    if entry.name != point.name:
        raise EngineSpecError(f"{where} calls itself {entry.name!r}: the two names must agree")
    return entry


def _driver(
    spec: str, options: Mapping[str, str], time_limit: float, log: Log | None
) -> ProtocolEngine:
    if options:
        raise EngineOptionError(
            f"engine {spec!r} takes no engine option ({', '.join(options)}): "
            "write it into the command line"
        )
    try:
        command = shlex.split(spec.removeprefix(STDIO))
    except ValueError as error:
        raise EngineSpecError(f"engine {spec!r}: {error} in its command line") from error
    if not command:
        raise EngineSpecError(
            f"engine {spec!r}: a command line has to follow, as in stdio:./my-driver"
        )
    here = os.getcwd()
    return ProtocolEngine(
        [_program(command[0], here), *command[1:]], time_limit=time_limit, cwd=here, log=log
    )


def _program(name: str, here: str) -> str:
    """Return the absolute path of a driver's program."""
    if os.sep not in name and (found := shutil.which(name)):
        return os.path.abspath(found)
    path = Path(here, name)
    if os.path.isdir(path):
        raise EngineUnavailable(
            f"the driver's program {name!r} is a folder",
            hint="name the program in it after stdio:",
        )
    if not os.path.isfile(path):
        places = here if os.sep in name else f"PATH or {here}"
        raise EngineUnavailable(
            f"the driver's program {name!r} was not found (looked in {places})",
            hint="check the command line after stdio:",
        )
    if not os.access(path, os.X_OK):
        raise EngineUnavailable(
            f"the driver's program {path} may not be executed",
            hint=f"run chmod +x {shlex.quote(str(path))}, or name its interpreter first",
        )
    return str(path)
