"""Installing rsp-js and rsp-rs: whole or not at all, where the user said, and clear where not.

npm, cargo and what they need are stood in for, so that no test needs them or the network.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.install_dir import steps
from rsp_conformance.adapters.rsp_js import install as rsp_js
from rsp_conformance.adapters.rsp_rs import install as rsp_rs
from rsp_conformance.files.profiles import ProfileJson
from rsp_conformance.protocol import EngineUnavailable, registry
from tests.adapters.tools import ROOT, interrupt_a_build, write_program, write_tools
from tests.builders.command_line import cli

ENGINES: dict[str, Any] = {"rsp-js": rsp_js, "rsp-rs": rsp_rs}
each = pytest.mark.parametrize("name", ENGINES)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with the stand-ins alone, and a home for engines."""
    folder = tmp_path / "bin"
    folder.mkdir()
    write_tools(folder)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path / "home"))
    for name in ("CARGO_TARGET_DIR", "TOOL_SAYS", "CARGO_HANGS", "CARGO_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    return folder


def beside(tmp_path: Path) -> list[str]:
    return sorted(entry.name for entry in (tmp_path / "home").iterdir())


def refused(name: str) -> EngineUnavailable:
    """Why it cannot be installed."""
    with pytest.raises(EngineUnavailable) as caught:
        ENGINES[name].install()
    assert not ENGINES[name].installed()
    return caught.value


def test_what_is_installed(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rsp_js.install()
    package = json.loads((rsp_js.modules() / "node_modules/rsp-js/package.json").read_text())
    assert package["version"] == "1.3.5" and "--no-package-lock" in package["args"]
    rsp_rs.install()
    assert len(list(rsp_rs.driver().parent.iterdir())) == 2, "nothing of the build stays"
    said = capsys.readouterr().err
    assert said.index("takes a minute or two") < said.index("Compiling oxigraph")


def test_by_default_it_goes_into_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RSP_CONFORMANCE_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert rsp_js.modules().parts[-2:] == ("rsp-conformance", "rsp-js")
    assert not rsp_js.modules().is_relative_to(rsp_js.HERE)


OTHERS = {
    "rsp-js": ("package.json", '{"dependencies": {"rsp-js": "1.0.0"}}'),
    "rsp-rs": ("built-from", "others"),
}


@each
@pytest.mark.usefixtures("tools")
def test_another_version_is_replaced_if_that_does_not_fail(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine, (file, text) = ENGINES[name], OTHERS[name]
    engine.install()
    before = {path.name for path in (tmp_path / "home" / name).iterdir()}
    (tmp_path / "home" / name / file).write_text(text)
    assert not engine.installed()
    monkeypatch.setenv("TOOL_SAYS", "error: X\n\nCaused by: Y")
    refused(name)
    # What cargo does is shown as it does it.
    assert ("Caused by" in capsys.readouterr().err) is (name == "rsp-rs")
    assert beside(tmp_path) == [name]
    assert {path.name for path in (tmp_path / "home" / name).iterdir()} == before
    monkeypatch.delenv("TOOL_SAYS")
    engine.install()
    assert engine.installed()
    assert beside(tmp_path) == [name]


@pytest.mark.parametrize(
    ("name", "says", "expected"),
    [
        (
            "rsp-js",
            "npm error code ETARGET\n"
            "npm error notarget No matching version found for rsp-js@9.\n"
            "npm error A complete log of this run can be found in: /x.log",
            "npm install failed: notarget No matching version found for rsp-js@9.",
        ),
        (
            "rsp-js",
            "npm warn Unknown user config\nnpm error code ENOTFOUND\nnpm error errno ENOTFOUND\n"
            "npm error network request to https://r.example/n3 failed",
            "npm install failed: network request to https://r.example/n3 failed",
        ),
        ("rsp-js", "npm ERR! code E500", "npm install failed: code E500"),
        ("rsp-js", "Killed", "npm install failed: Killed"),
        (
            "rsp-rs",
            "error: could not compile `oxigraph` (lib)\n\nCaused by:\n  process exited",
            "cargo build failed: could not compile `oxigraph` (lib)",
        ),
    ],
)
@pytest.mark.usefixtures("tools")
def test_what_the_tool_said_is_passed_on(
    name: str, says: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_SAYS", says)
    assert refused(name).message == expected
    assert beside(tmp_path) == [], "nothing half installed stays"


@pytest.mark.parametrize(
    ("name", "program", "says", "hint"),
    [
        ("rsp-js", "node", "Node", "https://nodejs.org"),
        ("rsp-js", "npm", "npm", "https://nodejs.org"),
        ("rsp-rs", "rustc", "Rust 1.87 or newer is missing", "https://rustup.rs"),
        ("rsp-rs", "cargo", "cargo is missing", "https://rustup.rs"),
    ],
)
def test_a_missing_program_is_named(
    name: str, program: str, says: str, hint: str, tools: Path
) -> None:
    (tools / program).unlink()
    error = refused(name)
    assert error.message.startswith(says) and hint in error.hint


@pytest.mark.parametrize(
    ("name", "program", "says", "needs"),
    [
        *(("rsp-js", "node", says, "20") for says in ("v18.20.0", "", "garbage")),
        *(("rsp-rs", "rustc", says, "1.87") for says in ("rustc 1.86.0 (05f9846f8)", "", "error")),
    ],
)
def test_one_that_does_not_do_is_named(
    name: str, program: str, says: str, needs: str, tools: Path
) -> None:
    write_program(tools / program, f"#!/bin/sh\necho '{says}'\n")
    assert f"{name} needs {needs} or newer" in refused(name).message


@each
def test_a_home_that_cannot_be_written_is_named(
    name: str, tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path / "file" / "home"))
    error = refused(name)
    assert str(tmp_path / "file" / "home") in error.message
    assert "RSP_CONFORMANCE_HOME" in error.hint


def test_without_crates_io_or_disk_it_is_named(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_OFFLINE", "1")
    error = refused("rsp-rs")
    assert error.message == "cargo metadata failed: failed to get `rsp-rs`"
    assert "crates.io" in error.hint
    assert beside(tmp_path) == []
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(rsp_rs.shutil, "disk_usage", lambda path: usage(10**10, 10**10, 10**8))
    assert "needs 500 MB of disk, and 100 are free" in refused("rsp-rs").message
    assert beside(tmp_path) == []


def test_cargo_builds_where_it_is_told_to(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_TARGET_DIR", str(tmp_path / "target"))
    rsp_rs.install()
    assert rsp_rs.installed()
    assert (tmp_path / "target" / "rsp-rs-driver").is_file()


def test_two_at_once_both_succeed(tools: Path, tmp_path: Path) -> None:
    code = "from rsp_conformance.adapters.rsp_js import install; install.install()"
    runs = [
        subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)})
        for _ in range(3)
    ]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    assert rsp_js.installed()
    assert beside(tmp_path) == ["rsp-js"]


def test_ctrl_c_leaves_nothing_behind(tools: Path, tmp_path: Path) -> None:
    interrupt_a_build(tools, tmp_path / "pids", "rsp-rs")
    assert beside(tmp_path) == []


@each
def test_it_starts_once_it_is_installed_where_the_user_said(
    name: str, tools: Path, tmp_path: Path
) -> None:
    with pytest.raises(EngineUnavailable, match=f"the engine {name} is not installed"):
        registry.connect(name)
    engine, target = ENGINES[name], tmp_path / "home" / name
    assert not engine.installed()
    assert engine.install() == f"{name} is installed in {target}"
    assert engine.installed()
    assert beside(tmp_path) == [name]
    assert stat.S_IMODE(target.stat().st_mode) == 0o755
    for program in tools.iterdir():
        if program.is_file():
            program.unlink()
    assert engine.install() == f"{name} is already installed in {target}"


def test_the_driver_is_started_as_the_option_says(tools: Path) -> None:
    rsp_rs.install()
    with registry.connect("rsp-rs") as engine:
        assert engine.hello().profile == "rsp-rs"
    with registry.connect("rsp-rs", {"feed": "threads"}) as engine:
        own = ProfileJson(base="rsp-rs", dials={"answer_time": "none"})
        assert engine.hello().profile == own
    with pytest.raises(registry.EngineSpecError, match="feed is one of window, threads"):
        registry.connect("rsp-rs", {"feed": "by-hand"})


@each
def test_a_newer_version_is_told(tools: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tested = ENGINES[name].releases()[0]
    ran = cli("engines", "check", name, "--newer")
    assert (ran.status, ran.out) == (1, f"{name} {tested} was tested, and 9.0.1 is there\n")
    monkeypatch.setattr(ENGINES[name], "asked_of", lambda *_, **__: tested)
    ran = cli("engines", "check", name, "--newer")
    assert (ran.status, ran.out) == (0, f"{name} {tested} was tested, the newest version\n")


def test_what_no_registry_can_say(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "yasper is in no package registry" in cli("engines", "check", "yasper", "--newer").err
    assert "is in no registry" in cli("engines", "check", "stdio:driver", "--newer").err
    monkeypatch.setenv("TOOL_SAYS", "no route")
    ran = cli("engines", "check", "rsp-js", "--newer")
    assert ran.status == 2 and "npm view rsp-js version says no version" in ran.err


GOTTEN = [entry for entry in registry.registered()[0] if entry.steps is not None]


def test_each_engine_that_has_to_be_gotten_prints_its_commands() -> None:
    names = {entry.name for entry in GOTTEN}
    assert names == {"cqels", "cqels1", "csparql", "csparql2", "kolibrie", "roxi", "yasper"}


@pytest.mark.parametrize("entry", GOTTEN, ids=lambda entry: str(entry.name))
def test_the_commands_go_from_the_sources_to_a_run(
    entry: registry.EngineEntry, tools: Path
) -> None:
    ran = cli("engines", "install", entry.name)
    assert ran.status == 2
    first, *_, install, run = ran.out.splitlines()
    assert first.startswith("git clone ") and "https://github.com/" in first
    option = "--checkout " if entry.install_checkout else "--jars jars"
    assert install.startswith(f"rsp-conformance engines install {entry.name} {option}")
    assert run == f"pytest --engine={entry.name} --rsp-only"
    said = f"{entry.name} is not installed yet; the commands above get it"
    assert ran.err == f"rsp-conformance: {said}\n"


def test_a_readme_without_commands_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Toy\n\nNo commands.\n")
    with pytest.raises(ValueError, match="no block of code"):
        steps(tmp_path)
