"""Read files that users write; each error is one line that begins with the file's name."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

from rsp_conformance.files.fields import double
from rsp_conformance.files.json_text import load, too_deep
from rsp_conformance.model.errors import KitError, did_you_mean, excerpt, one_line

LARGEST: Final = 256 * 1024 * 1024
"""The largest file that is read, in bytes: its values take about ten times that in memory."""
DEEPEST: Final = 150
"""How deep arrays and objects of a file may be nested; a quoted triple takes two levels."""


class FileError(KitError, ValueError):
    """A file that cannot be used: in one printable line the place in it and what is wrong there."""

    def __init__(self, path: Path, message: str, line: int | None = None) -> None:
        place = f"{path}" if line is None else f"{path}, line {line}"
        super().__init__(one_line(f"{place}: {message}"))
        self.path = path
        self.message = message
        self.line = line

    def __reduce__(self) -> tuple[type[FileError], tuple[Path, str, int | None]]:
        return type(self), (self.path, self.message, self.line)


def missing(path: Path, what: str = "file") -> FileError:
    """Return the error for a missing file, with the name of a similar file in its folder."""
    try:
        beside = os.listdir(path.parent)
    except (OSError, ValueError):
        beside = []
    # Names with only the ending in common are not similar.
    alike = [name for name in beside[:1_000] if did_you_mean(path.stem, [Path(name).stem])]
    return FileError(path, f"there is no such {what}{did_you_mean(path.name, alike)}")


def examples() -> dict[str, Path]:
    """Return the papers' examples, which are part of the package: files by name, ``rsp-ql/ex7.rq``.

    ``located`` takes ``@`` and a name for the file.
    """
    folder = Path(str(resources.files("rsp_conformance") / "examples"))
    files = sorted(
        path for path in folder.glob("*/*") if path.is_file() and path.parent.name != "suite"
    )
    return {path.relative_to(folder).as_posix(): path for path in files}


def located(path: Path, suffixes: Sequence[str] = (".rq", ".json")) -> Path:
    """Return `path`, or the file of the example that it names, such as ``@rsp-ql/ex7``.

    Args:
        path: a file, or ``@`` and the name of an example.
        suffixes: suffixes that are tried if the example's name has none.

    Raises:
        FileError: there is no such example.
    """
    if not str(path).startswith("@"):
        return path
    name, known = str(path)[1:], examples()
    for suffix in ("", *suffixes):
        if name + suffix in known:
            return known[name + suffix]
    hint = did_you_mean(name, [*known, *(os.path.splitext(file)[0] for file in known)])
    hint = hint.replace("mean '", "mean '@")
    raise FileError(path, f"there is no such example{hint} (rsp-conformance examples lists them)")


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, or of an example (``located``).

    Raises:
        FileError: the file does not exist, may not be read, is not a regular file, or is too large.
    """
    path = located(path)
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise FileError(path, "a pipe or a device, where a file was expected")
        if found.st_size > LARGEST:
            raise FileError(path, f"has {found.st_size:,} bytes, more than {LARGEST:,}")
        return path.read_bytes()
    except FileNotFoundError:
        raise missing(path) from None
    except IsADirectoryError:
        raise FileError(path, "a directory, where a file was expected") from None
    except FileError:
        raise
    except (OSError, ValueError) as error:  # ValueError: the name has a null character
        said = getattr(error, "strerror", None) or str(error)
        raise FileError(path, f"cannot be read: {said}") from None


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, or of an example (``located``).

    Raises:
        FileError: as for `read_bytes`, or the file is not text.
    """
    path = located(path)
    content = read_bytes(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(path, "no UTF-8 text", line) from None


def from_here(path: Path) -> Path:
    """Return `path` relative to the current folder, if it is in it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def write_whole(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
"""Matches half of a character as JSON writes it; two halves may be a whole character."""


def parse_json(
    text: str, path: Path, line: int | None = None, numbers: Callable[[str], Any] = double
) -> Any:
    """Return the JSON value of a text.

    Args:
        text: the text.
        path: its file, for errors.
        line: the text's line, if it is one line of the file.
        numbers: reads numbers with a point or an exponent.

    Raises:
        FileError: it is not JSON (NaN and Infinity are not), is nested deeper than `DEEPEST`, gives
            a field twice, or contains half of a character.
    """
    try:
        value = load(text, numbers)
        if too_deep(value, DEEPEST) is not None:
            raise RecursionError
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False, default=str).encode()
        return value
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if line is not None else ""
        said = f"no JSON ({error.msg}{f' at {where}' if where else ''})"
        raise FileError(path, said, error.lineno if line is None else line) from None
    except (ValueError, RecursionError) as error:
        said = str(error)
        if isinstance(error, RecursionError):
            said = f"nested more than {DEEPEST} deep"
        elif isinstance(error, UnicodeEncodeError):
            said = f"half of a character, {excerpt(error.object[error.start])}"
        raise FileError(path, f"no JSON ({said})", line) from None
