"""Installing rsp-js: whole or not at all, where the user said, and clear where it cannot be done.

npm itself is stood in for, so that no test needs the network.
"""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from rsp_conformance.adapters.rsp_js import install
from rsp_conformance.protocol import EngineUnavailable, registry

NPM = """#!{python}
import json, os, pathlib, sys
if os.environ.get("NPM_SAYS"):
    print(os.environ["NPM_SAYS"], file=sys.stderr)
    sys.exit(1)
here = pathlib.Path.cwd()
manifest = json.loads((here / "package.json").read_text())
for name, version in manifest["dependencies"].items():
    folder = here / "node_modules" / name
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({{"version": version, "args": sys.argv[1:]}}))
"""


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a Node and an npm of our own, and a home for engines."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program(folder / "node", "#!/bin/sh\necho v22.1.0\n")
    program(folder / "npm", NPM.format(python=sys.executable))
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path / "home"))
    return folder


def program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def beside(tmp_path: Path) -> list[str]:
    return sorted(entry.name for entry in (tmp_path / "home").iterdir())


def test_it_goes_where_the_user_said(tools: Path, tmp_path: Path) -> None:
    assert not install.installed()
    assert install.install() == f"rsp-js is installed in {tmp_path / 'home' / 'rsp-js'}"
    assert install.installed()
    assert beside(tmp_path) == ["rsp-js"]
    package = install.modules() / "node_modules" / "rsp-js" / "package.json"
    assert json.loads(package.read_text())["version"] == "1.3.5"
    assert "--no-package-lock" in json.loads(package.read_text())["args"]
    assert stat.S_IMODE(install.modules().stat().st_mode) == 0o755


def test_by_default_it_goes_into_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RSP_CONFORMANCE_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert install.modules().parts[-2:] == ("rsp-conformance", "rsp-js")
    assert not install.modules().is_relative_to(install.HERE)


def test_twice_is_once(tools: Path) -> None:
    install.install()
    (tools / "npm").unlink()
    (tools / "node").unlink()
    assert "already installed" in install.install()


def test_another_version_is_replaced(tools: Path, tmp_path: Path) -> None:
    install.install()
    (install.modules() / "package.json").write_text('{"dependencies": {"rsp-js": "1.0.0"}}')
    assert not install.installed()
    install.install()
    assert install.installed()
    assert beside(tmp_path) == ["rsp-js"]


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (
            "npm error code ETARGET\n"
            "npm error notarget No matching version found for rsp-js@9.\n"
            "npm error A complete log of this run can be found in: /x.log",
            "npm install failed: notarget No matching version found for rsp-js@9.",
        ),
        (
            "npm warn Unknown user config\nnpm error code ENOTFOUND\nnpm error errno ENOTFOUND\n"
            "npm error network request to https://r.example/n3 failed",
            "npm install failed: network request to https://r.example/n3 failed",
        ),
        ("npm ERR! code E500", "npm install failed: code E500"),
        ("Killed", "npm install failed: Killed"),
    ],
)
def test_what_npm_said_is_passed_on(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, expected: str
) -> None:
    monkeypatch.setenv("NPM_SAYS", says)
    with pytest.raises(EngineUnavailable) as caught:
        install.install()
    assert caught.value.message == expected
    assert not install.installed()
    assert beside(tmp_path) == [], "nothing half installed stays"


def test_a_failure_keeps_what_was_there(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install.install()
    (install.modules() / "package.json").write_text("{}")
    monkeypatch.setenv("NPM_SAYS", "npm error code X")
    with pytest.raises(EngineUnavailable):
        install.install()
    assert beside(tmp_path) == ["rsp-js"]
    assert (install.modules() / "node_modules").is_dir()


@pytest.mark.parametrize("missing", ["node", "npm"])
def test_a_missing_program_is_named(tools: Path, missing: str) -> None:
    (tools / missing).unlink()
    with pytest.raises(EngineUnavailable) as caught:
        install.install()
    assert caught.value.message.lower().startswith(missing)
    assert "https://nodejs.org" in caught.value.hint


@pytest.mark.parametrize("says", ["v18.20.0", "", "garbage"])
def test_a_node_that_does_not_do_is_named(tools: Path, says: str) -> None:
    program(tools / "node", f"#!/bin/sh\necho {says}\n")
    with pytest.raises(EngineUnavailable) as caught:
        install.install()
    assert "rsp-js needs 20 or newer" in caught.value.message


def test_a_home_that_cannot_be_written_is_named(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(EngineUnavailable) as caught:
        install.install()
    assert str(tmp_path / "file" / "home") in caught.value.message
    assert "RSP_CONFORMANCE_HOME" in caught.value.hint


def test_two_at_once_both_succeed(tools: Path, tmp_path: Path) -> None:
    code = "from rsp_conformance.adapters.rsp_js import install; install.install()"
    root = Path(install.__file__).parents[3]
    runs = [
        subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(root)})
        for _ in range(3)
    ]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    assert install.installed()
    assert beside(tmp_path) == ["rsp-js"]


def test_an_engine_that_is_not_installed_is_not_started(tools: Path) -> None:
    with pytest.raises(EngineUnavailable, match="the engine rsp-js is not installed"):
        registry.connect("rsp-js")
