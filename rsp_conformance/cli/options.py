"""The options that several commands share, each with its help, and the readers of their values."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
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
"""The arguments of every Typer: without rich's panels, help is plain text, and quick."""


class Format(StrEnum):
    """How a command shows its result."""

    table = "table"
    json = "json"


def option(metavar: str, help: str, *names: str, **more: Any) -> Any:
    """Make an option that takes a value.

    Args:
        metavar: the placeholder of the value in the help.
        help: the text of the help.
        names: the option's names; by default that of the parameter.
        more: further arguments for ``typer.Option``.
    """
    return typer.Option(*names, metavar=metavar, help=help, **more)


def repeatable(metavar: str, help: str, *names: str, **more: Any) -> Any:
    """Make an option that may be used several times; without it, the value is an empty list.

    Args:
        metavar: the placeholder of the value in the help.
        help: the text of the help.
        names: the option's names; by default that of the parameter.
        more: further arguments for ``typer.Option``.
    """
    return option(metavar, help, *names, default_factory=list, show_default=False, **more)


def integer(what: str, least: int | None = None) -> Callable[[str], int]:
    """Make the parser of an option that takes an integer.

    Args:
        what: the meaning of the integer, for the message about a bad value.
        least: the smallest integer that is accepted.

    Returns:
        A function that raises ``typer.BadParameter`` for any other text.
    """

    def read(written: str) -> int:
        with suppress(ValueError):
            number = int(written)
            if least is None or number >= least:
                return number
        raise typer.BadParameter(f"expected an integer ({what}), found {excerpt(written)}")

    return read


FormatOption: TypeAlias = Annotated[Format, typer.Option(help="The form of the output.")]
DialSettings: TypeAlias = Annotated[
    list[str],
    repeatable("NAME=VALUE", "Override one dial of the profile, e.g. bounds=[o,c). Repeatable."),
]
EngineSettings: TypeAlias = Annotated[
    list[str],
    repeatable("NAME=VALUE", "Set an option of the engine, as `engines` lists it. Repeatable."),
]
TimeLimit: TypeAlias = Annotated[
    float, option("SECONDS", "Time limit of the engine for each case.", min=0.1)
]
JudgingLimit: TypeAlias = Annotated[
    float,
    option(
        "SECONDS",
        "Limit on the processor time of the kit's own evaluation, and of its explanation.",
        min=0.1,
    ),
]
ENGINE: Final = "A name that `engines` lists, or stdio:COMMAND LINE."
"""The help of every option that names an engine."""


def check_writable(path: Path | None, name: str) -> None:
    """Check that a file can be written, before minutes are spent on its content.

    Args:
        path: the file; None for an option that is not given.
        name: the option that names it.

    Raises:
        BadInput: it cannot be written.
    """
    if path is None:
        return
    folder = path.absolute().parent
    wrong = (
        "it is a folder"
        if path.is_dir()
        else "there is no such folder"
        if not folder.is_dir()
        else ""
        if os.access(folder, os.W_OK)
        else "the folder is not yours"
    )
    if wrong:
        raise BadInput(f"{name} {path}: cannot be written: {wrong}")


def write_file(path: Path, text: str, name: str) -> None:
    """Write a file, whole or not at all.

    Args:
        path: the file.
        text: its content.
        name: the option that names it.

    Raises:
        BadInput: it cannot be written.
    """
    from rsp_conformance.files.files import write_whole

    try:
        write_whole(path, text)
    except OSError as error:
        raise BadInput(f"{name} {path}: cannot be written: {error.strerror}") from None


def read_profile(name: str, settings: Sequence[str]) -> Profile:
    """Read the engine profile that a user names.

    Args:
        name: a bundled profile, or a JSON file.
        settings: the values of ``--dial``.

    Raises:
        BadInput: there is no such profile or dial, or a dial does not take the value.
    """
    return turned(rsp.profile(name), settings)


def turned(profile: Profile, settings: Sequence[str]) -> Profile:
    """Turn dials of a profile.

    Args:
        profile: the profile.
        settings: the values of ``--dial``.

    Raises:
        BadInput: there is no such dial, or a dial does not take the value.
    """
    with reading("--dial"):
        return profile.turn(dial_texts(settings))


def dial_texts(settings: Sequence[str]) -> dict[str, str]:
    """Read the values of ``--dial NAME=VALUE``, by dial.

    Raises:
        BadInput: a value is not of this form.
    """
    dials = read_settings(settings, lambda one: BadInput(f"--dial {one!r}: write it as NAME=VALUE"))
    return {dial: value.strip() for dial, value in dials.items()}
