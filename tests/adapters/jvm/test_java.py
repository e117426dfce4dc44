"""Java is looked for before it is started, and one that is too old is said to be."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from rsp_conformance.adapters.jvm.jars import holders, jars_in, version_of
from rsp_conformance.adapters.jvm.java import find_java, java_version
from rsp_conformance.model import errors
from rsp_conformance.protocol import EngineUnavailable
from tests.adapters.jvm.toy import write_jar


def java_in(folder: Path, release: str | None) -> Path:
    library = folder / "lib" / "server" / "libjvm.so"
    library.parent.mkdir(parents=True)
    library.touch()
    if release is not None:
        (folder / "release").write_text(release)
    return library


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ('IMPLEMENTOR="X"\nJAVA_VERSION="17.0.15"\n', 17),
        ('JAVA_VERSION="1.8.0_292"\n', 8),
        ('JAVA_VERSION="21"\n', 21),
        ("nothing of the kind\n", None),
        (None, None),
    ],
)
def test_the_version_by_the_file_beside_it(
    release: str | None, version: int | None, tmp_path: Path
) -> None:
    assert java_version(java_in(tmp_path, release)) == version


@pytest.fixture
def jpype(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A JPype that finds the Java of `tmp_path`."""
    fake = SimpleNamespace(getDefaultJVMPath=lambda: str(tmp_path / "lib/server/libjvm.so"))
    monkeypatch.setitem(sys.modules, "jpype", fake)
    monkeypatch.setattr(errors, "find_spec", lambda module: module == "jpype" or None)
    return fake


@pytest.mark.usefixtures("jpype")
def test_a_java_that_is_new_enough(tmp_path: Path) -> None:
    library = java_in(tmp_path, 'JAVA_VERSION="17.0.1"\n')
    assert find_java(17) == library
    with pytest.raises(EngineUnavailable) as caught:
        find_java(21)
    assert "is version 17, and the engine needs 21 or newer" in caught.value.message
    assert "adoptium.net" in caught.value.hint and "\n" not in caught.value.line


def test_no_java_or_no_jpype(jpype: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise ValueError("No JVM shared library file (libjvm.so) found.")

    jpype.getDefaultJVMPath = missing
    with pytest.raises(EngineUnavailable, match="Java 17 or newer is missing"):
        find_java(17)
    monkeypatch.setattr(errors, "find_spec", lambda module: None)
    with pytest.raises(EngineUnavailable) as caught:
        find_java(17)
    assert caught.value.message == "jpype is not installed"
    assert caught.value.hint == "pip install 'rsp-conformance[jvm]'"


# --- Jars are found where they are said to be, and known by what is in them -----------------------


def test_jars_are_found_and_known_by_the_classes_that_they_hold(tmp_path: Path) -> None:
    one = write_jar(tmp_path / "a" / "one.jar")
    two = write_jar(tmp_path / "b" / "two.jar")
    write_jar(tmp_path / "a" / "deeper" / "three.jar")
    (tmp_path / "a" / "readme.txt").write_text("no jar")
    assert jars_in([tmp_path / "a", str(two), tmp_path / "b"]) == [one, two]
    one = write_jar(tmp_path / "one.jar", "org.A", "org.B")
    two = write_jar(tmp_path / "two.jar", "org.B")
    assert holders([one, two], ["org.B", "org.A", "org.C"]) == {
        "org.B": [one, two],
        "org.A": [one],
        "org.C": [],
    }
    bad = tmp_path / "bad.jar"
    bad.write_bytes(b"<html>not found</html>")
    with pytest.raises(EngineUnavailable, match=r"bad\.jar is no jar"):
        holders([bad], ["org.A"])


@pytest.mark.parametrize(
    ("folder", "said", "hint"),
    [
        ("nowhere", "No such file or directory", "name"),
        ("empty", "there is no jar in", "name another folder"),
        ("above", "there is no jar in", "those in it have: lib, more"),
    ],
)
def test_a_folder_without_jars_is_named(folder: str, said: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_jar(tmp_path / "above" / "lib" / "x.jar")
    write_jar(tmp_path / "above" / "more" / "x.jar")
    with pytest.raises(EngineUnavailable) as caught:
        jars_in([tmp_path / folder])
    assert said in caught.value.message and str(tmp_path / folder) in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("name", "texts", "version"),
    [
        ("x-1.2.3-alpha.4.jar", {}, "1.2.3-alpha.4"),
        ("x.jar", {}, "?"),
        ("x-1.jar", {"properties": "groupId=g\nversion=2.0\n"}, "2.0"),
        ("x-1.jar", {"manifest": "Manifest-Version: 1.0\nImplementation-Version: 3\n"}, "3"),
        ("x-1.jar", {"manifest": "Manifest-Version: 1.0\nBundle-Version: 4.0.1\r\n"}, "4.0.1"),
        ("x-1.jar", {"manifest": "Manifest-Version: 1.0\n"}, "1"),
    ],
)
def test_the_version_of_a_jar(
    name: str, texts: dict[str, str], version: str, tmp_path: Path
) -> None:
    assert version_of(write_jar(tmp_path / name, **texts)) == version
