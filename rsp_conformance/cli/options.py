"""The options that several commands share, with their help, and what they give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

import typer

import rsp_conformance as rsp
from rsp_conformance.model.errors import BadInput, excerpt, read_settings, reading
from rsp_conformance.model.profiles import Profile

PLAIN: Final[dict[str, Any]] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
}
"""Of every Typer: without rich's panels, help is plain text on any terminal, and there at once."""


class Format(StrEnum):
    """How a command shows its result."""

    table = "table"
    json = "json"


def option(metavar: str, help: str, *names: str, **more: Any) -> Any:
    """An option that takes a value; named as its parameter, unless NAMES say otherwise."""
    return typer.Option(*names, metavar=metavar, help=help, **more)


def repeatable(metavar: str, help: str, *names: str) -> Any:
    """An option that may be given several times; none is the empty list."""
    return option(metavar, help, *names, default_factory=list, show_default=False)


def integer(what: str, least: int | None = None) -> Callable[[str], int]:
    """The parser of an option that takes an integer, at LEAST so many; WHAT it is, in words."""

    def read(written: str) -> int:
        with suppress(ValueError):
            number = int(written)
            if least is None or number >= least:
                return number
        raise typer.BadParameter(f"expected an integer ({what}), found {excerpt(written)}")

    return read


FormatOption: TypeAlias = Annotated[Format, typer.Option(help="How to show the result.")]
DialSettings: TypeAlias = Annotated[
    list[str],
    repeatable("NAME=VALUE", "A dial of the profile to turn, such as bounds=[o,c). Repeatable."),
]
EngineSettings: TypeAlias = Annotated[
    list[str], repeatable("NAME=VALUE", "An option of the engine. Repeatable.")
]
TimeLimit: TypeAlias = Annotated[float, option("SECONDS", "For each case.", min=0.1)]
JudgingLimit: TypeAlias = Annotated[
    float,
    option("SECONDS", "Processor time of the kit's own evaluation and explanation, each.", min=0.1),
]
ENGINE: Final = "A name that `engines` lists, or stdio:COMMAND LINE."


def read_profile(name: str, settings: Sequence[str]) -> Profile:
    """A bundled profile, or one in a JSON file, with dials turned."""
    profile = rsp.profile(name)
    with reading("--dial"):
        return profile.with_dials(dial_texts(settings))


def dial_texts(settings: Sequence[str]) -> dict[str, str]:
    """The values of ``--dial NAME=VALUE``, by dial."""
    dials = read_settings(settings, lambda one: BadInput(f"--dial {one!r}: write it as NAME=VALUE"))
    return {dial: value.strip() for dial, value in dials.items()}
