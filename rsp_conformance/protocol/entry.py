"""What an engine says of itself to the kit: the object behind an entry point.

An engine package registers itself by an entry point of the group `rsp_conformance.engines` whose
object is an `EngineEntry`; `registry` finds it and users name it in `--engine=NAME`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rsp_conformance.protocol import Engine, Log


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


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """An engine that can be named.

    Attributes:
        name: what users write in `--engine=NAME`.
        summary: one line for lists, which says what the engine is.
        connect: makes a connection to it.
        options: the names that `--engine-option NAME=VALUE` takes, each with what it takes and
            does, in one line. Any other option is refused before `connect` is called.
        installed: whether the engine can start here; quick, for lists ask it of every engine.
        install: installs the engine for this user and says in one line where; None for an engine
            that needs no installing. Does nothing, quickly, where it is installed already. Raises
            `EngineUnavailable` with what is missing and how to get it.
    """

    name: str
    summary: str
    connect: Connect
    options: Mapping[str, str] = field(default_factory=dict)
    installed: Callable[[], bool] = _always
    install: Callable[[], str] | None = None
