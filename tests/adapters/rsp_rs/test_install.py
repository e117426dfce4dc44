"""Building the driver of rsp-rs: whole or not at all, and clear where it cannot be done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import psutil
import pytest

from rsp_conformance.adapters.rsp_rs import install
from rsp_conformance.protocol import EngineUnavailable, registry
from tests.adapters.rsp_rs.tools import write_program, write_tools


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with the stand-ins alone, and a home for engines."""
    folder = tmp_path / "bin"
    folder.mkdir()
    write_tools(folder)
    monkeypatch.setenv("PATH", f"{folder}:/bin")
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path / "home"))
    for name in ("CARGO_TARGET_DIR", "CARGO_SAYS", "CARGO_HANGS", "CARGO_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    return folder


def beside(tmp_path: Path) -> list[str]:
    return sorted(entry.name for entry in (tmp_path / "home").iterdir())


def test_it_goes_where_the_user_said(
    tools: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not install.installed()
    assert install.install() == f"rsp-rs is installed in {tmp_path / 'home' / 'rsp-rs'}"
    assert install.installed()
    assert beside(tmp_path) == ["rsp-rs"]
    assert len(list(install.driver().parent.iterdir())) == 2, "nothing of the build stays"
    said = capsys.readouterr().err
    assert said.index("takes a minute or two") < said.index("Compiling oxigraph")


def test_other_sources_are_built_anew(tools: Path, tmp_path: Path) -> None:
    install.install()
    (install.driver().with_name("built-from")).write_text("others")
    assert not install.installed()
    install.install()
    assert install.installed()
    assert beside(tmp_path) == ["rsp-rs"]


def test_cargo_builds_where_it_is_told_to(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_TARGET_DIR", str(tmp_path / "target"))
    install.install()
    assert install.installed()
    assert (tmp_path / "target" / "rsp-rs-driver").is_file()


def test_what_cargo_said_is_shown_and_its_error_passed_on(
    tools: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(
        "CARGO_SAYS",
        "error: could not compile `oxigraph` (lib)\n\nCaused by:\n  process exited unsuccessfully",
    )
    with pytest.raises(EngineUnavailable) as caught:
        install.install()
    assert caught.value.message == "cargo build failed: could not compile `oxigraph` (lib)"
    assert "Caused by" in capsys.readouterr().err
    assert beside(tmp_path) == []


def test_without_crates_io_it_is_named(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_OFFLINE", "1")
    with pytest.raises(EngineUnavailable) as caught:
        install.install()
    assert caught.value.message == "cargo metadata failed: failed to get `rsp-rs`"
    assert "crates.io" in str(caught.value.hint)
    assert beside(tmp_path) == []


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("rustc", "Rust 1.87 or newer is missing"),
        ("cargo", "cargo is missing"),
    ],
)
def test_what_is_missing_is_named(
    tools: Path, monkeypatch: pytest.MonkeyPatch, program: str, says: str
) -> None:
    monkeypatch.setenv("PATH", str(tools))
    (tools / program).unlink()
    with pytest.raises(EngineUnavailable, match=says) as caught:
        install.install()
    assert caught.value.hint


@pytest.mark.parametrize("says", ["rustc 1.86.0 (05f9846f8 2025-03-31)", "", "error: no toolchain"])
def test_a_rust_that_does_not_do_is_named(tools: Path, says: str) -> None:
    write_program(tools / "rustc", f"#!/bin/sh\necho '{says}'\n")
    with pytest.raises(EngineUnavailable, match=r"rsp-rs needs 1\.87 or newer"):
        install.install()


def test_a_full_disk_is_named_before_the_build(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(install.shutil, "disk_usage", lambda path: usage(10**10, 10**10, 10**8))
    with pytest.raises(EngineUnavailable, match="needs 500 MB of disk, and 100 are free"):
        install.install()
    assert beside(tmp_path) == []


def test_ctrl_c_leaves_nothing_behind(tools: Path, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    run = subprocess.Popen(
        [sys.executable, "-m", "rsp_conformance", "engines", "install", "rsp-rs"],
        env={**os.environ, "CARGO_HANGS": str(pids), "PYTHONPATH": str(install.HERE.parents[2])},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (pids.exists() and pids.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    assert run.stderr is not None
    assert "Traceback" not in run.stderr.read()
    assert run.wait(20) == 130
    assert beside(tmp_path) == []
    alive = [int(pid) for pid in pids.read_text().split() if psutil.pid_exists(int(pid))]
    assert all(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE for pid in alive)


def test_an_engine_that_is_not_installed_is_not_started(tools: Path) -> None:
    with pytest.raises(EngineUnavailable, match="the engine rsp-rs is not installed"):
        registry.connect("rsp-rs")


def test_the_driver_is_started_as_the_option_says(tools: Path) -> None:
    install.install()
    with registry.connect("rsp-rs") as engine:
        assert engine.hello().profile == "rsp-rs"
    with registry.connect("rsp-rs", {"feed": "threads"}) as engine:
        assert engine.hello().profile == {"base": "rsp-rs", "answer_time": "none"}
    with pytest.raises(registry.EngineSpecError, match="feed is one of window, threads"):
        registry.connect("rsp-rs", {"feed": "by-hand"})
