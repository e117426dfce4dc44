"""Tables of data, in TOML files beside the modules that use them."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def read_table(module: str, file: str) -> dict[str, Any]:
    """The table in FILE, which stands beside MODULE (a ``__name__``)."""
    folder = resources.files(module.rpartition(".")[0])
    return tomllib.loads((folder / file).read_text(encoding="utf-8"))
