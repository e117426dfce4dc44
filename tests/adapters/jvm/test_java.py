"""Java is looked for before it is started, and one that is too old is said to be."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from rsp_conformance.adapters.jvm.java import find_java, java_version
from rsp_conformance.model import errors
from rsp_conformance.protocol import EngineUnavailable


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


def test_no_java_at_all(jpype: SimpleNamespace) -> None:
    def missing() -> str:
        raise ValueError("No JVM shared library file (libjvm.so) found.")

    jpype.getDefaultJVMPath = missing
    with pytest.raises(EngineUnavailable, match="Java 17 or newer is missing"):
        find_java(17)


def test_without_jpype_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda module: None)
    with pytest.raises(EngineUnavailable) as caught:
        find_java(17)
    assert caught.value.message == "jpype is not installed"
    assert caught.value.hint == "pip install 'rsp-conformance[jvm]'"
