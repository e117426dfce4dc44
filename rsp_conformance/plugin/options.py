"""The suite's options: each is a field, with its help and with the function that reads it.

Every pytest run of an environment loads this, so it imports nothing heavy.
"""

from __future__ import annotations

import random
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from rsp_conformance.model.errors import BadInput, read_settings, reading

if TYPE_CHECKING:
    from rsp_conformance.model.profiles import Profile
    from rsp_conformance.suite.xfails import Mark

PREFIX = "rsp::"
"""Node ids of the suite begin so."""

ENGINE_NAMES = {"engine": ("--engine", "--rsp-engine"), "engine_option": ("--engine-option",)}
"""Names of options that do not begin with ``--rsp-``."""

Read: TypeAlias = Callable[[str, Any], Any]
"""Makes a value of what was written behind an option; BadInput where that makes no sense."""


def _value(metavar: str, help: str, read: Read | None = None, default: str | None = None) -> Any:
    return _option(read, metavar=metavar, help=help, default=default)


def _values(metavar: str, help: str, read: Read) -> Any:
    return _option(read, metavar=metavar, help=help, default=[], action="append")


def _flag(help: str) -> Any:
    return _option(help=help, action="store_true")


def _option(read: Read | None = None, **settings: Any) -> Any:
    return field(metadata={"read": read or (lambda _, value: value), "settings": settings})


def _pairs(option: str, given: list[str]) -> dict[str, str]:
    return read_settings(
        given, lambda text: BadInput(f"{option} {shlex.quote(text)}: expected NAME=VALUE")
    )


def _dials(option: str, given: list[str]) -> dict[str, Any]:
    from rsp_conformance.model.dials import parse_dial

    pairs = _pairs(option, given)
    with reading(option):
        return {dial: parse_dial(dial, value) for dial, value in pairs.items()}


def _profile(option: str, name: str) -> Profile:
    import rsp_conformance as rsp

    try:
        return rsp.profile(name)
    except BadInput as error:
        raise BadInput(f"{option}: {error}") from error


def _at_least_one(option: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise BadInput(f"{option} {text}: expected a whole number, at least 1")
    return int(text)


def _seconds(option: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 86_400:
        raise BadInput(f"{option} {text}: expected a number of seconds above 0")
    return seconds


def _marks(option: str, text: str) -> tuple[Mark, ...]:
    from rsp_conformance.suite.xfails import read_marks

    with reading(option):
        return read_marks(Path(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user asked for.

    ``selected`` are node ids of the suite named on the command line. The suite ``joins`` the tests
    that stand here, unless these alone were named, or runs ``alone``.
    """

    engine: str = _value(
        "NAME",
        "run the RSP conformance suite against this engine: a name that "
        "`rsp-conformance engines` lists, or stdio:COMMAND for a driver of your own",
    )
    engine_option: dict[str, str] = _values(
        "K=V", "an option of the engine; may be repeated", _pairs
    )
    only: bool = _flag("run the suite alone, without the tests that stand here")
    profile: Profile | None = _value(
        "NAME",
        "hold the engine to this profile (a bundled name or a JSON file), not to its own",
        _profile,
    )
    dial: dict[str, Any] = _values(
        "DIAL=VALUE", "turn one dial of the profile; may be repeated", _dials
    )
    examples: int | None = _value(
        "N", "cases a property (default: Hypothesis' max_examples, 100)", _at_least_one
    )
    seed: str = _value("SEED", "generate the cases of the run that printed this seed")
    spark: str = _value(
        "MASTER",
        "where Spark judges: a master URL, an sc:// remote, or off "
        "(the specification and `reference` judge alone); default: local[*]",
        default="local[*]",
    )
    max_time: float | None = _value(
        "SECONDS",
        "time for asking the engine, spread over the properties; default: as long as it "
        "takes (shrinking has 60 s a finding of its own)",
        _seconds,
    )
    time_limit: float = _value("SECONDS", "time limit of one case; default: 30", _seconds, "30")
    burnin: int = _value(
        "N",
        "the elements of the burn-in's stream, which runs with -m burnin alone; default: 100000",
        _at_least_one,
        "100000",
    )
    xfails: tuple[Mark, ...] = _value(
        "FILE", "failures that are expected: lines of property[:kind[:dial]] and a reason", _marks
    )
    xfails_strict: bool = _flag("fail the run where an expected failure did not come")
    trace: str | None = _value("FILE", "write what goes between the kit and the driver")
    dir: Path = _value(
        "DIR", "where crash files go; default: .rsp in the root directory", default=".rsp"
    )
    selected: tuple[str, ...]
    joins: bool
    alone: bool


NAMES: Mapping[str, tuple[str, ...]] = {
    one.name: ENGINE_NAMES.get(one.name, (f"--rsp-{one.name.replace('_', '-')}",))
    for one in fields(Options)
    if one.metadata
}
"""The names of every option by its field, in the order of the help."""


def add_options(group: pytest.OptionGroup) -> None:
    """Declare the options."""
    for one in fields(Options):
        if one.metadata:
            group.addoption(*NAMES[one.name], dest=_dest(one.name), **one.metadata["settings"])


def written(config: pytest.Config, name: str) -> Any:
    """What was written behind the option of the field NAME, or its default."""
    return config.getoption(_dest(name))


def _dest(name: str) -> str:
    return name if name in ENGINE_NAMES else f"rsp_{name}"


def worker_input(config: pytest.Config) -> Mapping[str, Any]:
    """What xdist's controller gave this worker; nothing elsewhere."""
    return getattr(config, "workerinput", {})


def is_controller(config: pytest.Config) -> bool:
    """Whether this process hands its tests to workers of xdist."""
    return not worker_input(config) and config.pluginmanager.hasplugin("dsession")


def read(config: pytest.Config) -> Options:
    """The options of this run; BadInput for one that makes no sense."""
    if sys.platform == "win32":
        raise BadInput("rsp-conformance does not run on native Windows; use WSL")
    values: dict[str, Any] = {}
    for one in fields(Options):
        if one.metadata:
            value = written(config, one.name)
            read = one.metadata["read"]
            values[one.name] = None if value is None else read(NAMES[one.name][0], value)
    named = tuple(str(a) for a in config.args if str(a).startswith(PREFIX))
    paths = config.args_source is pytest.Config.ArgsSource.ARGS and len(named) < len(config.args)
    alone = values["only"] or (bool(named) and not paths)
    values |= {
        "seed": _seed(config, values["seed"]),
        "dir": config.rootpath / values["dir"],
        "xfails": values["xfails"] or (),
    }
    return Options(**values, selected=named, joins=alone or bool(named) or not paths, alone=alone)


def _seed(config: pytest.Config, given: str | None) -> str:
    """The run's seed: given, shared by the controller of xdist, or new.

    A profile of Hypothesis that is derandomized (as in CI) gets the same seed every time.
    """
    seed = (
        worker_input(config).get("rsp_seed") or given or config.getoption("--hypothesis-seed", None)
    )
    if seed is not None:
        return str(seed)
    from hypothesis import settings

    return "0" if settings().derandomize else str(random.SystemRandom().getrandbits(32))
