"""What the tests of damaged documents share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the documents of a module."""
    return tmp_path_factory.mktemp("damaged")
