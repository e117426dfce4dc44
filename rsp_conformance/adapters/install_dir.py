"""Where drivers in other languages are installed: a directory of the user, never site-packages."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "RSP_CONFORMANCE_HOME"
"""The environment variable that names another directory."""


def home() -> Path:
    """The directory below which every engine has one of its own; it need not exist."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("rsp-conformance", appauthor=False))
