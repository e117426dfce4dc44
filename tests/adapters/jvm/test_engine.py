"""Installing an engine whose jars the user has: checked, started once, remembered."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rsp_conformance.adapters.jvm import engine as module
from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.protocol import EngineUnavailable, ProtocolEngine
from tests.adapters.jvm.toy import TOY, write_jar


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The per-user place, and a Java that nobody starts."""
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(module, "find_java", lambda least: Path("libjvm.so"))
    return tmp_path / "home"


@pytest.fixture
def folders(tmp_path: Path) -> list[str]:
    write_jar(tmp_path / "toy" / "toy-1.0.jar", "org.toy.Engine")
    write_jar(tmp_path / "lib" / "rdf-2.jar", "org.rdf.Model")
    return [str(tmp_path / "toy"), str(tmp_path / "lib")]


def test_folders_are_checked_and_remembered_as_long_as_they_are_there(
    place: Path, folders: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not TOY.installed()
    said = TOY.install(folders)
    assert said == f"toy-engine is installed: Toy 1 1.0 in {', '.join(folders)}"
    assert TOY.installed()
    assert [path.name for path in (place / "toy-engine").iterdir()] == ["jars.json"]
    assert TOY.install(()).startswith("toy-engine is already installed: Toy 1 1.0 in ")
    TOY.install(folders)
    assert json.loads((place / "toy-engine" / "jars.json").read_text()) == {"folders": folders}
    monkeypatch.chdir(tmp_path)
    TOY.install(["toy", "lib"])
    assert TOY.remembered() == folders
    TOY.install(folders)
    Path(folders[1], "rdf-2.jar").unlink()
    Path(folders[1]).rmdir()
    assert not TOY.installed()


def test_nothing_is_remembered_of_what_cannot_be_used(
    place: Path, folders: list[str], tmp_path: Path
) -> None:
    with pytest.raises(EngineUnavailable) as caught:
        TOY.install(folders[:1])
    assert f"the 1 jars in {folders[0]} lack the class org.rdf.Model" in caught.value.message
    assert "rsp-conformance engines install toy-engine prints the commands" in caught.value.hint
    write_jar(tmp_path / "lib" / "toy-0.9.jar", "org.toy.Engine")
    with pytest.raises(EngineUnavailable, match="Toy 1 is there twice"):
        TOY.install(folders)
    assert not place.exists()


def test_without_folders_it_is_said_how_to_get_it() -> None:
    with pytest.raises(EngineUnavailable) as caught:
        TOY.install(())
    assert caught.value.line == (
        "Toy 1 comes as jars of your own; rsp-conformance engines install toy-engine prints the "
        "commands that get its jars, and then takes --jars FOLDER (--jars again for further "
        "folders)"
    )
    with pytest.raises(EngineUnavailable, match="the engine toy-engine is not installed"):
        JvmEngine.connect(TOY, {}, 5.0)


@pytest.mark.parametrize("text", ["", "[]", '{"folders": "x"}', '{"folders": [1]}', "\xff"])
def test_what_is_remembered_badly_is_not_installed(text: str, place: Path) -> None:
    (place / "toy-engine").mkdir(parents=True)
    (place / "toy-engine" / "jars.json").write_text(text, "latin-1")
    assert not TOY.installed()


def test_a_place_that_cannot_be_written(place: Path, folders: list[str]) -> None:
    place.write_text("a file")
    with pytest.raises(EngineUnavailable) as caught:
        TOY.install(folders)
    assert "cannot write" in caught.value.message
    assert "RSP_CONFORMANCE_HOME" in caught.value.hint


def test_what_the_driver_is_started_with(folders: list[str]) -> None:
    options = {"jars": ":".join(folders), "class": "x"}
    engine = JvmEngine.connect(TOY, options, 5.0)
    assert isinstance(engine, ProtocolEngine)
    assert engine._command == (
        *(sys.executable, "-P", "-m", "rsp_conformance.adapters.toy_engine"),
        *("--jars", folders[0], "--jars", folders[1], "--class", "x"),
    )
    entry = TOY.entry()
    assert set(entry.options) == {"jars", "class"}
    assert set(entry.harmless) == {"class"}


@pytest.mark.parametrize("jars", ["", "a:", ":"])
def test_no_folder_is_no_folder_of_jars(jars: str, folders: list[str]) -> None:
    """Neither are those that are remembered meant by it, nor the working directory."""
    TOY.install(folders)
    with pytest.raises(ValueError, match=f"jars is '{jars}', expected folders"):
        JvmEngine.connect(TOY, {"jars": jars}, 5.0)
