"""``fuzz --resume`` where there is nothing to go on with says so."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from rsp_conformance.campaigns import campaign
from rsp_conformance.campaigns.store import Store
from tests.builders.command_line import cli


@pytest.mark.parametrize("folder", ["gone", "begun"])
def test_a_folder_without_a_run_is_told_of(
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(campaign, "fuzz", stopped)
    Store(tmp_path / "begun", "reference")
    command = ("fuzz", "--engine", "reference", "--out", tmp_path / folder)
    said = f"note: --resume: {tmp_path / folder} holds no run to continue: a new one begins\n"
    assert said in cli(*command, "--resume").err
    assert said not in cli(*command).err
