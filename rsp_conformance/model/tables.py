"""Reads tables of data from TOML files in the folders of the modules that use them."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def read_table(module: str, file: str) -> dict[str, Any]:
    """Read a table from a TOML file.

    Args:
        module: the ``__name__`` of a module in the same folder.
        file: the name of the file.
    """
    folder = resources.files(module.rpartition(".")[0])
    return tomllib.loads((folder / file).read_text(encoding="utf-8"))
