"""The driver."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rsp_conformance.protocol import ProtocolEngine
from tests.adapters.rsp_js.asking import DRIVER, MODULES, NODE


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProtocolEngine]:
    """The driver, in a folder of its own that must stay empty."""
    folder = tmp_path_factory.mktemp("cwd")
    command = [NODE or "node", str(DRIVER), "--modules", str(MODULES)]
    with ProtocolEngine(command, cwd=folder) as started:
        yield started
    assert list(folder.iterdir()) == []
