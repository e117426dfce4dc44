"""``--engine`` for ``--rsp-engine``, if nobody else has it.

Other plugins and a project's own conftest files may have an ``--engine`` too, and conftest files
come after plugins, some of them only while tests are collected. So the short forms are never
declared: a short form that nobody has claimed when the command line is parsed for good is written
in full.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from rsp_conformance.model.errors import BadInput, did_you_mean
from rsp_conformance.plugin.options import OPTIONS, flag

FULL: Final = {
    short: short.replace("--", "--rsp-", 1)
    for short in ("--engine", "--engine-option", "--against", "--against-option")
}
"""The short forms, with the full ones."""
STEMS: Final = ("--engine", "--against")


def keep_values_apart(config: pytest.Config, args: list[str]) -> None:
    """Keep the value of ``--engine NAME`` from being taken for the path of a conftest.

    So is the value in ``--engine=NAME`` if it has a space, for argparse. A file of arguments that
    has a short form is read here, as pytest is about to do.

    Args:
        config: pytest's early configuration.
        args: the command line, which is changed.
    """
    lines = [line for arg in args for line in _lines(arg)]
    if not any(line.startswith(STEMS) for line in lines):
        return
    args[:] = lines
    paths = config.known_args_namespace.file_or_dir
    ours = {value for short in FULL for value in _values(args, short)}
    here = config.invocation_params.dir
    paths[:] = [
        path
        for path in paths
        if not (path in ours or path.startswith(STEMS)) or (here / path).exists()
    ]


def write_in_full(parser: pytest.Parser, args: list[str]) -> None:
    """Replace the short forms that no plugin and no conftest has.

    Args:
        parser: pytest's parser.
        args: the command line, which is changed.

    Raises:
        pytest.UsageError: ``--engine`` and ``--rsp-engine`` name different engines, or an option
            that nobody has is like one of ours.
    """
    used = {arg.partition("=")[0] for arg in args} & FULL.keys()
    free = {short for short in used if _is_free(parser, short)}
    if "--engine" in free:
        last = {name: [*_values(args, name)][-1:] for name in ("--engine", "--rsp-engine")}
        if all(last.values()) and len({*map(tuple, last.values())}) > 1:
            said = " and ".join(f"{name}={value}" for name, (value,) in last.items())
            raise pytest.UsageError(f"{said}: which engine is to be tested?")
    end = args.index("--") if "--" in args else len(args)
    for place, arg in enumerate(args[:end]):
        name, equals, value = arg.partition("=")
        if name in free:
            args[place] = FULL[name] + equals + value
    ours = [*FULL, *map(flag, OPTIONS)]
    for word in parser.parse_known_and_unknown_args(args)[1]:
        near = did_you_mean(name := word.partition("=")[0], ours)
        if near and name.startswith(("--rsp", "--en", "--ag")):
            raise pytest.UsageError(f"unknown option {name}{near}")


def refuse_misread(config: pytest.Config) -> None:
    """Refuse a value in a word of its own that pytest has taken for a path.

    When pytest looks for its configuration it has loaded no plugin yet, so it takes an existing
    file after one of our options for a test's. If the file stands elsewhere, that moves the root
    folder.

    Raises:
        BadInput: there is such a value.
    """
    given, here = config.invocation_params.args, config.invocation_params.dir
    words = [*shlex.split(os.environ.get("PYTEST_ADDOPTS", "")), *map(str, given)]
    ours = {flag(name) for name, option in OPTIONS.items() if option.kind != "flag"}
    for name, value in pairwise(words):
        path = here / value
        if name in ours and path.exists() and not path.resolve().is_relative_to(here.resolve()):
            raise BadInput(
                f"{name} {value}: pytest takes this for a path of tests, and looks there for its "
                f"configuration; write {name}={value}"
            )


def _is_free(parser: pytest.Parser, name: str) -> bool:
    try:
        return parser.parse_known_and_unknown_args([f"{name}=x"])[1] == [f"{name}=x"]
    except pytest.UsageError:
        return False  # somebody has it, and takes no such value


def _lines(arg: str) -> list[str]:
    return Path(arg[1:]).read_text("utf-8").splitlines() if arg.startswith("@") else [arg]


def _values(args: list[str], name: str) -> Iterator[str]:
    """The values of an option in the command line, in the same word or in the next."""
    for place, arg in enumerate(args):
        if arg.startswith(f"{name}="):
            yield arg.partition("=")[2]
        elif arg == name and place + 1 < len(args):
            yield args[place + 1]
