"""Settings of the suite in a project's files, for every run.

The option of the field ``examples`` is ``rsp_examples`` in pytest's own configuration file, and
``examples`` in the table ``[tool.rsp_conformance]`` of ``pyproject.toml``. Pytest's file goes
before the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from rsp_conformance.model.errors import BadInput, did_you_mean

TABLE: Final = "rsp_conformance"

NAMED: Final = re.compile(r"rsp[-_]conformance[\"']?\s*[].=]")
"""The pattern that a file must contain for the table to be in it."""

SettingKind: TypeAlias = tuple[Any, tuple[type, ...], str]

KINDS: Final[Mapping[str, SettingKind]] = {
    "text": (str, (str,), "a text"),
    "file": (str, (str,), "the name of a file"),
    "name or file": (str, (str,), "a name, or that of a file"),
    "number": (int | str, (int,), "a whole number"),
    "number or text": (int | str, (int, str), "a whole number, or random"),
    "seconds": (float | str, (int, float), "a number of seconds"),
    "flag": (bool | str, (bool,), "true or false"),
    "list": ("args", (list, dict), "a list of texts NAME=VALUE, or a table"),
}
"""The kinds of settings: pytest's type, the types of TOML, and the words for them."""

_STASH: Final = pytest.StashKey[dict[str, Any]]()


def home(config: pytest.Config) -> Path:
    """The folder of the configuration file, from which settings name files."""
    return config.rootpath if config.inipath is None else config.inipath.parent


def find(config: pytest.Config, name: str, kind: str) -> tuple[str, Any] | None:
    """Find a setting.

    Args:
        config: pytest's configuration.
        name: the name of the setting.
        kind: its kind, one of `KINDS`.

    Returns:
        Where it is set, and its value as a command line would have it; None if it is not set.

    Raises:
        BadInput: the value has another type.
    """
    value = config.getini(f"rsp_{name}")
    where = f"{config.inipath.name if config.inipath else '--override-ini'}, rsp_{name}"
    if value is None:
        table = _table(config)
        if name not in table:
            return None
        value, where = table[name], f"pyproject.toml, [tool.{TABLE}] {name}"
    if kind == "flag" and not isinstance(value, bool):
        raise BadInput(f"{where}: expected true or false, found {value!r:.80}")
    return where, _as_written(value, kind, home(config))


def _as_written(value: Any, kind: str, folder: Path) -> Any:
    if isinstance(value, bool | list):
        return value
    if isinstance(value, dict):
        return [f"{name}={_text(own)}" for name, given in value.items() for own in _several(given)]
    is_path = kind == "file" or (kind == "name or file" and ("/" in value or ".json" in value))
    return str(folder / value if is_path and value else value)


def _several(value: Any) -> list[Any]:
    """The values of a name in a table: a list gives the option several times."""
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def check(config: pytest.Config, kinds: Mapping[str, str]) -> None:
    """Make sure that all settings exist and those in the table have the right types.

    The spelling of pytest's own settings is checked as far as pytest shows them; it warns by
    itself.

    Args:
        config: pytest's configuration.
        kinds: the kind of each setting.

    Raises:
        BadInput: a setting is unknown or has another type.
    """
    for key in getattr(config, "_inicfg", {}):
        near = did_you_mean(key, (f"rsp_{name}" for name in kinds))
        if key.startswith("rsp_") and key[4:] not in kinds and near:
            raise BadInput(f"{config.inipath or '--override-ini'}: unknown setting {key!r}{near}")
    for name, value in _table(config).items():
        where = f"pyproject.toml, [tool.{TABLE}]"
        if name not in kinds:
            raise BadInput(f"{where}: unknown setting {name!r}{did_you_mean(name, kinds)}")
        _, types, words = KINDS[kinds[name]]
        texts = value if isinstance(value, list) else []
        if type(value) not in types or not all(isinstance(text, str) for text in texts):
            raise BadInput(f"{where} {name}: expected {words}, found {value!r:.80}")
        for key, given in value.items() if isinstance(value, dict) else ():
            if not all(isinstance(own, str | int | float) for own in _several(given)):
                expected = "expected a text or a list of texts"
                raise BadInput(f"{where} {name}.{key}: {expected}, found {given!r:.80}")


def _table(config: pytest.Config) -> dict[str, Any]:
    """The project's own table; it is read once, and parsed only if the file has its name."""
    if _STASH not in config.stash:
        path, tools = home(config) / "pyproject.toml", {}
        try:
            text = path.read_text("utf-8") if path.is_file() else ""
            if NAMED.search(text):
                import tomllib

                tools = tomllib.loads(text).get("tool", {})
        except (OSError, ValueError) as error:
            raise BadInput(f"{path}: {error}") from error
        if "rsp-conformance" in tools:
            raise BadInput(f"{path}: [tool.rsp-conformance] is written [tool.{TABLE}]")
        found = tools.get(TABLE, {})
        if not isinstance(found, dict):
            raise BadInput(f"{path}: [tool.{TABLE}]: expected a table, found {found!r:.80}")
        config.stash[_STASH] = {name.replace("-", "_"): value for name, value in found.items()}
    return config.stash[_STASH]
