"""Engines that are built from a checkout: whole or not at all, and clear about what is missing.

Rust, cargo and the checkout are stood in for, so that no test needs them or the network.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rsp_conformance.adapters.checkout.engine import CheckoutEngine
from rsp_conformance.adapters.kolibrie.register import KOLIBRIE
from rsp_conformance.adapters.roxi.register import ROXI
from rsp_conformance.protocol import EngineUnavailable, registry
from tests.adapters.tools import RUSTC, interrupt_a_build, write_program
from tests.builders.command_line import cli

CARGO = """#!{python}
import json, os, pathlib, subprocess, sys, time
here = pathlib.Path.cwd()
assert sys.argv[1:] == ["build", "--release", "--message-format=json"]
sources = {{path.name for path in (here / "src").iterdir()}}
assert {{"main.rs", "case.rs", "wire.rs", "terms.rs"}} <= sources
assert (here / "Cargo.lock").read_text() == "the engine's"
manifest = here.parent / "checkout" / os.environ["MANIFEST"]
assert "version" in manifest.read_text()
print("   Compiling it", file=sys.stderr, flush=True)
if os.environ.get("CARGO_HANGS"):
    child = subprocess.Popen(["sleep", "600"])
    pathlib.Path(os.environ["CARGO_HANGS"]).write_text(f"{{os.getpid()}} {{child.pid}}")
    time.sleep(600)
if os.environ.get("TOOL_SAYS"):
    for level in "error", "warning":
        message = {{"level": level, "rendered": f"told: {{level}}"}}
        print(json.dumps({{"reason": "compiler-message", "message": message}}))
    print(os.environ["TOOL_SAYS"], file=sys.stderr)
    sys.exit(101)
built = here / "target" / "driver"
built.parent.mkdir()
built.write_text({driver!r}.replace("VERSION", os.environ["RSP_ENGINE_VERSION"]))
built.chmod(0o755)
print(json.dumps({{"reason": "compiler-artifact", "executable": str(built)}}))
"""

DRIVER = """#!{python}
import json, sys
hello = {{"protocol": 1, "engine": "it", "version": "VERSION", "language": "rsp-ql",
    "profile": "rsp-ql", "features": ["select"], "options": sys.argv[1:]}}
for line in sys.stdin:
    request = json.loads(line)
    about = {{key: request[key] for key in ("op", "id") if key in request}}
    print(json.dumps({{**about, **hello}}), flush=True)
"""

each = pytest.mark.parametrize("engine", [KOLIBRIE, ROXI], ids=lambda engine: str(engine.name))


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with the stand-ins alone, and a home for engines."""
    folder = tmp_path / "bin"
    folder.mkdir()
    write_program(folder / "rustc", RUSTC)
    driver = DRIVER.format(python=sys.executable)
    write_program(folder / "cargo", CARGO.format(python=sys.executable, driver=driver))
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path / "home"))
    for name in ("CARGO_TARGET_DIR", "TOOL_SAYS", "CARGO_HANGS"):
        monkeypatch.delenv(name, raising=False)
    return folder


def checkout(
    engine: CheckoutEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str = "1.2.3"
) -> str:
    """What stands for a checkout of the engine."""
    folder = tmp_path / "sources"
    manifest = folder / engine.manifest
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text(f'[package]\nname = "{engine.package}"\nversion = "{version}"\n')
    (folder / "Cargo.lock").write_text("the engine's")
    monkeypatch.setenv("MANIFEST", engine.manifest)
    return str(folder)


def beside(tmp_path: Path) -> list[str]:
    return sorted(entry.name for entry in (tmp_path / "home").iterdir())


@each
@pytest.mark.usefixtures("tools")
def test_it_is_built_against_the_checkout_and_starts(
    engine: CheckoutEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(EngineUnavailable, match="is not installed") as caught:
        registry.connect(engine.name)
    assert f"engines install {engine.name} prints the commands" in caught.value.hint
    assert "--checkout DIR" in caught.value.hint
    sources = checkout(engine, tmp_path, monkeypatch)
    before = sorted(Path(sources).rglob("*"))
    said = engine.install(sources)
    target = tmp_path / "home" / engine.name
    assert said == f"{engine.name} is installed in {target}: {engine.title} 1.2.3 from {sources}"
    assert beside(tmp_path) == [engine.name]
    assert len(list(target.iterdir())) == 2, "nothing of the build stays"
    assert sorted(Path(sources).rglob("*")) == before, "nothing is written into the checkout"
    shown = capsys.readouterr().err
    assert shown.index(engine.minutes) < shown.index("Compiling it")
    with registry.connect(engine.name) as started:
        assert started.hello().version == "1.2.3"
    assert "is already installed" in engine.install(None)
    # Another version is built where a checkout is named, for the user asks for it.
    engine.install(checkout(engine, tmp_path, monkeypatch, "1.2.4"))
    with registry.connect(engine.name) as started:
        assert started.hello().version == "1.2.4"


@each
@pytest.mark.usefixtures("tools")
def test_the_drivers_own_sources_are_what_it_is_built_from(
    engine: CheckoutEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.install(checkout(engine, tmp_path, monkeypatch))
    stamp = tmp_path / "home" / engine.name / "built-from.json"
    built = json.loads(stamp.read_text())
    stamp.write_text(json.dumps({**built, "sources": "others"}))
    assert not engine.installed()
    stamp.write_text("no JSON")
    assert not engine.installed()


@pytest.mark.usefixtures("tools")
def test_a_commit_is_part_of_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = Path(checkout(KOLIBRIE, tmp_path, monkeypatch))
    assert KOLIBRIE.version_of(sources) == "1.2.3"
    write_program(tmp_path / "bin" / "git", "#!/bin/sh\necho 846becb-dirty\n")
    assert KOLIBRIE.version_of(sources) == "1.2.3+846becb-dirty"


@each
def test_what_is_no_checkout_is_one_line(
    engine: CheckoutEngine, tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    for written in (None, "", '[package]\nname = "other"\nversion = "1"\n', "[package", "a = 1\n"):
        if written is not None:
            manifest = other / engine.manifest
            manifest.parent.mkdir(parents=True, exist_ok=True)
            manifest.write_text(written)
        ran = cli("engines", "install", engine.name, "--checkout", str(other))
        assert ran.status == 2
        assert f"{other} is no checkout of {engine.title}" in ran.line()
    assert not (tmp_path / "home").exists()
    ran = cli("engines", "install", engine.name)
    assert ran.status == 2 and "is not installed yet; the commands above get it" in ran.err


@pytest.mark.usefixtures("tools")
def test_what_the_compiler_says_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOOL_SAYS", "error: linking with `cc` failed\n  cannot find -lpython3.11")
    with pytest.raises(EngineUnavailable) as caught:
        KOLIBRIE.install(checkout(KOLIBRIE, tmp_path, monkeypatch))
    assert caught.value.message == "cargo build failed: linking with `cc` failed"
    assert beside(tmp_path) == [], "nothing half installed stays"
    shown = capsys.readouterr().err
    assert "told: error" in shown and "told: warning" not in shown


@pytest.mark.parametrize(
    ("program", "says"), [("rustc", "Rust 1.85 or newer is missing"), ("cargo", "cargo is missing")]
)
def test_a_missing_program_is_named(
    program: str, says: str, tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tools / program).unlink()
    with pytest.raises(EngineUnavailable, match=says):
        KOLIBRIE.install(checkout(KOLIBRIE, tmp_path, monkeypatch))


def test_other_engines_take_no_checkout_and_these_no_jars(tools: Path) -> None:
    for line in (("rsp-js", "--checkout", "x"), ("kolibrie", "--jars", "x")):
        ran = cli("engines", "install", *line)
        assert ran.status == 2 and f"{line[0]} does not take {line[1]}" in ran.err


@pytest.mark.usefixtures("tools")
def test_an_option_reaches_the_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    KOLIBRIE.install(checkout(KOLIBRIE, tmp_path, monkeypatch))
    with pytest.raises(registry.EngineSpecError, match="policy is 'never', expected wait, steal"):
        registry.connect("kolibrie", {"policy": "never"})
    assert registry.asks_to_run("kolibrie", {"policy": "steal"}) is None
    said: list[str] = []
    with registry.connect(
        "kolibrie", {"policy": "steal"}, log=lambda *line: said.append(str(line))
    ) as engine:
        engine.hello()
    assert any("--policy=steal" in line for line in said)


def test_ctrl_c_leaves_nothing_behind(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = checkout(ROXI, tmp_path, monkeypatch)
    interrupt_a_build(tools, tmp_path / "pids", "roxi", "--checkout", sources)
    assert beside(tmp_path) == []
