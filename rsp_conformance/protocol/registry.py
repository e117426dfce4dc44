"""Finding engines by what users write: a registered name, or `stdio:` and a command line.

An engine package registers itself by an entry point of the group `rsp_conformance.engines` whose
object is an `EngineEntry`; users name it in `--engine=NAME`. The kit's own engines are known
without it, so they are there in a checkout that is not installed.
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

from rsp_conformance.model.errors import BadInput, KitError, did_you_mean, read_settings
from rsp_conformance.model.features import redeclared
from rsp_conformance.model.tables import read_table
from rsp_conformance.protocol import Engine, EngineError, EngineUnavailable, Log, ProtocolEngine

GROUP: Final = "rsp_conformance.engines"
"""The entry point group in which engine packages register themselves."""

STDIO: Final = "stdio:"
"""What begins a driver's command line."""

TIME_LIMIT: Final = 30.0
"""The seconds that a case may take, unless told otherwise."""

_OWN: Final = tuple(
    EntryPoint(name, f"rsp_conformance.adapters.{name.replace('-', '_')}.register:ENGINE", GROUP)
    for name in "cqels cqels1 csparql reference rsp-js rsp-rs yasper".split()
)

_TABLE: Final = read_table(__name__, "engines.toml")

DECLARING: Final[Mapping[str, str]] = _TABLE["declaring"]
"""The options that every engine has, each with what it takes and does."""

LISTED: Final = frozenset({*DECLARING, "fault"})
"""Options whose values are lists: they may be given several times, or once with commas."""

_ALSO_CALLED: Final[Mapping[str, str]] = _TABLE["also-called"]
"""Other names of engines, as `_bare` has them."""

WITHOUT_DRIVER: Final[Mapping[str, str]] = _TABLE["without-driver"]
"""Engines that people ask for and that no driver here starts, each with the reason."""


class EngineSpecError(KitError, ValueError):
    """What was written names no engine, or an option that the engine does not have."""


class EngineOptionError(EngineSpecError):
    """What was written is an option that the engine does not have, or a value that it refuses."""


@contextmanager
def named_by(option: str, spec: str, options: str = "") -> Iterator[None]:
    """Within it, what is wrong with the engine SPEC is BadInput that says where it was written.

    That is OPTION, such as ``--engine``; what is wrong with the engine's options was written at
    OPTIONS, by default ``--engine-option`` then.
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
    """Makes a connection to the engine; nothing starts before the first call on it."""

    def __call__(
        self, options: Mapping[str, str], time_limit: float, log: Log | None = None, /
    ) -> Engine:
        """An `Engine` under OPTIONS, with TIME_LIMIT seconds a case.

        LOG gets the wire, if there is one (`ProtocolEngine` takes it as it is).

        Raises:
            ValueError: an option has a value it does not take; one line says which and what.
        """


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """An engine that can be named.

    Attributes:
        name: what users write in `--engine=NAME`.
        summary: one line for lists, which says what the engine is.
        connect: makes a connection to it.
        options: the names that `--engine-option NAME=VALUE` takes, each with what it takes and
            does, in one line, beside those of DECLARING. Any other option is refused before
            `connect` is called.
        installed: whether the engine is here, as `install` leaves it; quick, for lists ask it of
            every engine. What else it needs, its driver says as it starts.
        harmless: those of the options that a file may set, for their values name nothing that is
            started or loaded.
        install: installs the engine for this user and says in one line where; None for an engine
            that needs no installing. Does nothing, quickly, where it is installed already. Raises
            `EngineUnavailable` with what is missing and how to get it.
        install_jars: in place of `install` for an engine whose jars the user has: takes the
            folders that they are in, checks them and remembers them for this user. Without
            folders it says where the remembered ones are, or raises `EngineUnavailable` with
            how to get them. `connect` raises that, too, where there are none.
        known: a file of causes that are known of the engine (docs/known.md), for runs that name
            none of their own.
    """

    name: str
    summary: str
    connect: Connect
    options: Mapping[str, str] = field(default_factory=dict)
    harmless: Collection[str] = ()
    installed: Callable[[], bool] = lambda: True
    install: Callable[[], str] | None = None
    install_jars: Callable[[Sequence[str]], str] | None = None
    known: Path | None = None


def connect(
    spec: str,
    options: Mapping[str, str] | None = None,
    time_limit: float = TIME_LIMIT,
    log: Log | None = None,
) -> Engine:
    """An engine by NAME or `stdio:COMMAND LINE`; it starts with the first call on it.

    The command line is split as a shell would (no shell takes part), and its program is looked
    for on PATH, or from the working directory. TIME_LIMIT is in seconds, for each case. LOG gets
    the wire.

    Raises:
        EngineSpecError: no such engine, or no such option; one line that says what there is.
        EngineUnavailable: the engine is not installed, or its program is not there.
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
    """What an engine that a file names would start or load beside engines installed here, or None.

    A command line, whatever else is no name, or an option that is not known to be harmless. Raises
    `EngineSpecError` where there is no such engine.
    """
    if ":" in spec:
        return spec
    entry = find(spec)
    harmful = [name for name in entry.options if name in options and name not in entry.harmless]
    settings = " ".join(f"{name}={options[name]}" for name in harmful)
    return f"{spec} with {settings}" if harmful else None


def find(name: str) -> EngineEntry:
    """The entry of the engine NAME; imports no other engine.

    NAME may be in other letters, and with other marks between its words, than the engine's own.

    Raises:
        EngineSpecError: there is none; the line lists the names and the nearest one.
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
    """The file of known causes that comes with the engine that SPEC names, if there is one."""
    try:
        return find(spec).known
    except EngineSpecError:  # which `connect` says
        return None


def registered() -> tuple[list[EngineEntry], list[str]]:
    """Every engine that can be used, by name, and a line for each registration that cannot."""
    points, faults = _points()
    found = []
    for _, point in sorted(points.items()):
        try:
            found.append(_load(point))
        except EngineSpecError as error:
            faults.append(str(error))
    return found, faults


def check_options(entry: EngineEntry, options: Iterable[str]) -> None:
    """Raise `EngineSpecError` for an option that the engine does not have."""
    known = {**entry.options, **DECLARING}
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known)
            names = ", ".join(known)
            raise EngineOptionError(
                f"engine {entry.name}: unknown option {name!r}{hint} (its options are {names})"
            )


def parse_options(settings: Iterable[str]) -> dict[str, str]:
    """Settings `NAME=VALUE` as a mapping; `EngineSpecError` for one of another form."""
    return read_settings(
        settings,
        lambda one: EngineOptionError(f"engine option {one!r}: write it as NAME=VALUE"),
        LISTED,
    )


def _points() -> tuple[dict[str, EntryPoint], list[str]]:
    """The entry points by name, the kit's own first, and the faults of names taken twice."""
    points = {point.name: point for point in _OWN}
    faults = []
    for point in entry_points(group=GROUP):
        known = points.setdefault(point.name, point)
        if known.value != point.value:
            faults.append(
                f"engine {point.name!r} of {_source(point)} is left out: "
                f"{_source(known)} has registered that name"
            )
    return points, faults


def _bare(name: str) -> str:
    """NAME as it is looked up: in small letters, without what parts its words."""
    return re.sub(r"[-_. ]", "", name).casefold()


def _source(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "rsp-conformance"


def _load(point: EntryPoint) -> EngineEntry:
    where = f"engine {point.name!r} of {_source(point)}"
    try:
        entry = point.load()
    except Exception as error:  # another package's code: whatever it raises is its fault alone
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
    """The absolute path of a driver's program."""
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
