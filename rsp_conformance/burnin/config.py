"""What a burn-in is asked for, and how it tells how far it is."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query

CHUNK: Final = 10_000
"""The elements that are judged at once, unless told otherwise."""

PUSHES: Final = 10
"""The engine gets a chunk in so many pushes, each a sample of latency and memory."""

SAMPLES: Final = 100
"""A short stream is pushed in so many pieces, so that it has a trend."""

LEAST_PUSH: Final = 20


class NotRun(KitError):
    """The burn-in cannot be run as it was asked for; one line that says why."""


@dataclass(frozen=True, slots=True)
class BurnInConfig:
    """What is asked for.

    ``engine`` and ``options`` as the registry takes them, ``size`` in elements, ``query`` None for
    the kit's own, ``dials`` turned on top of the ``profile`` (None: the engine's own); the file of
    the query, the profile's name and the ``settings`` of dials as the command line wrote them.
    ``time_limit`` is in seconds for each push, ``locate_seconds`` for the search for the shortest
    stretch. ``keep_going`` feeds a wrong engine to the end, to watch its memory. ``folder`` is
    where crash files go.
    """

    engine: str
    size: int
    seed: str
    options: Mapping[str, str] = field(default_factory=dict)
    query: Query | None = None
    profile: Profile | None = None
    dials: Mapping[str, Any] = field(default_factory=dict)
    query_file: str = ""
    profile_name: str = ""
    settings: tuple[str, ...] = ()
    chunk: int = CHUNK
    time_limit: float = 30.0
    locate_seconds: float = 600.0
    keep_going: bool = False
    folder: Path = Path(".rsp")

    @property
    def push(self) -> int:
        """The elements of a push."""
        return max(1, min(self.chunk // PUSHES, max(LEAST_PUSH, self.size // SAMPLES)))

    @property
    def compared_pushes(self) -> int:
        """So many pushes at the end are compared with those of a fresh engine (``control``)."""
        return max(1, min(10, self.size // self.push // 10))

    @property
    def keeper(self) -> Keeper:
        """Writes crash files."""
        return Keeper(self.folder, self.engine, self.options, self.seed)

    @property
    def command(self) -> str:
        """The command line that asks for the same."""
        words = ["rsp-conformance", "burnin", "--engine", self.engine]
        words += [w for k, v in self.options.items() for w in ("--engine-option", f"{k}={v}")]
        words += ["--elements", str(self.size), "--seed", self.seed]
        words += ["--query", self.query_file] if self.query_file else []
        words += ["--profile", self.profile_name] if self.profile_name else []
        words += [word for setting in self.settings for word in ("--dial", setting)]
        words += ["--chunk", str(self.chunk)] if self.chunk != CHUNK else []
        return shlex.join(words)


@dataclass(frozen=True, slots=True)
class BurnInProgress:
    """How far a burn-in is.

    ``elements`` of ``size`` have been taken, the last at ``instant``; ``alive`` t0 vectors are
    still right (None before the first verdict); ``rate`` is elements per second, memory in bytes.
    ``doing`` says what is going on besides feeding.
    """

    elements: int
    size: int
    instant: int
    answers: int
    alive: int | None
    rate: float
    engine_bytes: int
    doing: str = ""


Tell: TypeAlias = Callable[[BurnInProgress], None]
"""Hears of progress."""
