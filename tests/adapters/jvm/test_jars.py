"""Jars are found where they are said to be, and known by what is in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.adapters.jvm.jars import holders, jars_in, version_of
from rsp_conformance.protocol import EngineUnavailable
from tests.adapters.jvm.toy import write_jar


def test_the_jars_of_folders_and_jars_by_themselves(tmp_path: Path) -> None:
    one = write_jar(tmp_path / "a" / "one.jar")
    two = write_jar(tmp_path / "b" / "two.jar")
    write_jar(tmp_path / "a" / "deeper" / "three.jar")
    (tmp_path / "a" / "readme.txt").write_text("no jar")
    assert jars_in([tmp_path / "a", str(two), tmp_path / "b"]) == [one, two]


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


def test_the_jars_that_hold_a_class(tmp_path: Path) -> None:
    one = write_jar(tmp_path / "one.jar", "org.A", "org.B")
    two = write_jar(tmp_path / "two.jar", "org.B")
    assert holders([one, two], ["org.B", "org.A", "org.C"]) == {
        "org.B": [one, two],
        "org.A": [one],
        "org.C": [],
    }


def test_a_file_that_is_no_jar_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jar"
    bad.write_bytes(b"<html>not found</html>")
    with pytest.raises(EngineUnavailable, match=r"bad\.jar is no jar"):
        holders([bad], ["org.A"])


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
