"""A suite in one file, as the package holds it: its label, then a test per line.

A line has what the manifest says of the test, and what each of its files holds: a text, or the JSON
values of the file. Left out are the paths, which follow from the test's name, and the second form
of the streams, which `export` makes from the first. The file is compressed, since every user of
the package has it: to a thirtieth of the text, half of what a wheel compresses it to. `xzcat` shows
it.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rsp_conformance.files.codec import Format
from rsp_conformance.files.files import (
    FileError,
    missing,
    parse_json,
    read_bytes,
    write_bytes,
)
from rsp_conformance.test_suite.case_files import (
    MANIFESTS,
    NAMES,
    CaseFiles,
    TextOf,
    folder_of,
    json_lines,
    json_text,
    paths_of,
    read_case,
    written,
)
from rsp_conformance.test_suite.entry import SuiteEntry

PACKED: Final = "cases.jsonl.xz"
"""The name of the file."""
LARGEST: Final = 64 * 2**20
"""Bytes of the text: more than fifty times those of the packaged suite."""


@dataclass(frozen=True, slots=True)
class HeadJson:
    """The first line: what the suite is called."""

    label: str


@dataclass(frozen=True, slots=True)
class PackedJson:
    """A test: what the manifest says of it, and its files by their names in its folder."""

    test: Mapping[str, Any]
    files: Mapping[str, Any]


_PACKED: Final = Format({}, open=True)


def packed(label: str, tests: Sequence[SuiteEntry]) -> str:
    """Return a suite as the text of one file.

    Raises:
        Unsupported: as for ``case_files.written``.
    """
    lines = [{"label": label}, *map(_packed_case, tests)]
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )


def write_packed(path: Path, label: str, tests: Sequence[SuiteEntry]) -> None:
    """Write a suite into one file, whole or not at all.

    Raises:
        OSError: the file cannot be written.
        Unsupported: as for ``case_files.written``.
    """
    text = packed(label, tests).encode("utf-8", "backslashreplace")
    write_bytes(path, lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


def _unpacked(path: Path) -> str:
    """The text of a compressed file.

    Raises:
        FileError: the file cannot be read, is not compressed, is cut off, or is too large.
    """
    unpacking = lzma.LZMADecompressor(memlimit=4 * LARGEST)
    try:
        text = unpacking.decompress(read_bytes(path), LARGEST)
        if not unpacking.eof:
            more = unpacking.needs_input
            said = "cut off" if more else f"more than {LARGEST:,} bytes of text"
            raise FileError(path, said)
        return text.decode("utf-8")
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise FileError(path, f"not a compressed suite ({error})") from None


def _packed_case(entry: SuiteEntry) -> dict[str, Any]:
    said, files = written(entry)
    test = MANIFESTS.write(CaseFiles, said)
    test = {key: value for key, value in test.items() if key not in NAMES}
    names = {path: path.rpartition("/")[2] for path in files if path != said.trig}
    return {"test": test, "files": {name: _content(name, files[p]) for p, name in names.items()}}


def _content(name: str, text: str) -> Any:
    """Return what a file holds: JSON values if it is JSON, else its text."""
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text) if name.endswith(".json") else text


def _text(content: Any) -> str:
    """Return the text of the file that holds `content`."""
    if isinstance(content, str):
        return content
    return json_lines(content) if isinstance(content, list) else json_text(content)


def read_packed(path: Path) -> tuple[str, tuple[SuiteEntry, ...]]:
    """Return the label and the tests of a suite in one file.

    Raises:
        FileError: the file is not a suite; the error names the line, or the test's file and the
            place in it.
    """
    lines = enumerate(_unpacked(path).removesuffix("\n").split("\n"), 1)
    values = ((number, parse_json(line, path, number)) for number, line in lines)
    number, first = next(values)
    label = _formed(_PACKED, HeadJson, first, path, number).label
    if not (tests := tuple(_tests(values, path))):
        raise FileError(path, "holds no test")
    return label, tests


def _tests(values: Iterator[tuple[int, Any]], path: Path) -> Iterator[SuiteEntry]:
    for number, value in values:
        form: PackedJson = _formed(_PACKED, PackedJson, value, path, number)
        name = form.test.get("name")
        test = {**form.test, **paths_of(name)}
        said: CaseFiles = _formed(MANIFESTS, CaseFiles, test, path, number)
        folder = path / folder_of(name)
        files = {folder / file: _text(content) for file, content in form.files.items()}
        yield read_case(path, said, _reader(files))


def _formed(form: Format, kind: type, value: Any, path: Path, line: int) -> Any:
    try:
        return form.read(kind, value, "test" if kind is CaseFiles else "")
    except ValueError as error:
        raise FileError(path, str(error), line) from None


def _reader(files: Mapping[Path, str]) -> TextOf:
    def text_of(path: Path) -> str:
        if path not in files:
            raise missing(path)
        return files[path]

    return text_of
