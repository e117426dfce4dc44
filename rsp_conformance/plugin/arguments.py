"""The suite's command line, read once and checked."""

from __future__ import annotations

import random
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from rsp_conformance.files.files import parse_json, read_text
from rsp_conformance.model.dials import parse_dial
from rsp_conformance.model.errors import BadInput, read_settings, reading
from rsp_conformance.model.profiles import Profile, bundled_profile, profile_from_json

if TYPE_CHECKING:
    from rsp_conformance.suite.xfails import Mark

Value = TypeVar("Value")

PREFIX = "rsp::"
"""Node ids of the suite begin so."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the user asked for. ``selected`` are node ids of the suite named on the command line."""

    engine: str
    engine_options: dict[str, str]
    profile: Profile | None
    dials: dict[str, Any]
    examples: int | None
    seed: str
    spark: str
    time_limit: float
    max_seconds: float | None
    marks: tuple[Mark, ...]
    strict_marks: bool
    trace: Path | None
    folder: Path
    joins: bool
    alone: bool
    selected: tuple[str, ...]
    burnin: int


def read(config: pytest.Config) -> Arguments:
    """The arguments of this run; BadInput for one that makes no sense."""
    if sys.platform == "win32":
        raise BadInput("rsp-conformance does not run on native Windows; use WSL")
    named = [str(a) for a in config.args if str(a).startswith(PREFIX)]
    paths = config.args_source is pytest.Config.ArgsSource.ARGS and len(named) < len(config.args)
    alone = bool(config.getoption("rsp_only"))
    return Arguments(
        engine=str(config.getoption("engine")),
        engine_options=_pairs("--engine-option", config.getoption("engine_option")),
        profile=_optional(_profile, config.getoption("rsp_profile")),
        dials=_dials(config.getoption("rsp_dial")),
        examples=_optional(
            lambda text: _at_least_one("--rsp-examples", text), config.getoption("rsp_examples")
        ),
        seed=_seed(config),
        spark=str(config.getoption("rsp_spark")),
        time_limit=_seconds("--rsp-time-limit", config.getoption("rsp_time_limit")),
        max_seconds=_optional(
            lambda text: _seconds("--rsp-max-time", text), config.getoption("rsp_max_time")
        ),
        marks=_optional(_marks, config.getoption("rsp_xfails")) or (),
        strict_marks=bool(config.getoption("rsp_xfails_strict")),
        trace=_optional(Path, config.getoption("rsp_trace")),
        folder=config.rootpath / str(config.getoption("rsp_dir")),
        joins=alone or bool(named) or not paths,
        alone=alone or (bool(named) and not paths),
        selected=tuple(named),
        burnin=_at_least_one("--rsp-burnin", config.getoption("rsp_burnin")),
    )


def _pairs(option: str, given: Iterable[str]) -> dict[str, str]:
    return read_settings(
        given, lambda text: BadInput(f"{option} {shlex.quote(text)}: expected NAME=VALUE")
    )


def _dials(given: Iterable[str]) -> dict[str, Any]:
    pairs = _pairs("--rsp-dial", given)
    with reading("--rsp-dial"):
        return {dial: parse_dial(dial, value) for dial, value in pairs.items()}


def _optional(read: Callable[[str], Value], text: str | None) -> Value | None:
    return None if text is None else read(text)


def _profile(name: str) -> Profile:
    if name.endswith(".json"):
        with reading("--rsp-profile"):
            document = parse_json(read_text(Path(name)), Path(name))
    with reading(f"--rsp-profile {name}"):
        if not name.endswith(".json"):
            return bundled_profile(name)
        return profile_from_json(document, name=Path(name).stem)


def _at_least_one(option: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise BadInput(f"{option} {text}: expected a whole number, at least 1")
    return int(text)


def _marks(text: str) -> tuple[Mark, ...]:
    from rsp_conformance.suite.xfails import read_marks

    with reading("--rsp-xfails"):
        return read_marks(Path(text))


def _seconds(option: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 86_400:
        raise BadInput(f"{option} {text}: expected a number of seconds above 0")
    return seconds


def _seed(config: pytest.Config) -> str:
    """The run's seed: given, shared by the controller of xdist, or new.

    A profile of Hypothesis that is derandomized (as in CI) gets the same seed every time.
    """
    shared = getattr(config, "workerinput", {}).get("rsp_seed")
    given = shared or config.getoption("rsp_seed") or config.getoption("--hypothesis-seed", None)
    if given is not None:
        return str(given)
    from hypothesis import settings

    return "0" if settings().derandomize else str(random.SystemRandom().getrandbits(32))
