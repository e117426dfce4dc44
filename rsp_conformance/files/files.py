"""Reading files that users write; what is wrong is one line that begins with the file's name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from rsp_conformance.model.errors import KitError


class FileError(KitError, ValueError):
    """A file that cannot be used, with the file, the place in it and what is wrong there."""

    def __init__(self, path: Path, message: str, line: int | None = None) -> None:
        place = f"{path}" if line is None else f"{path}, line {line}"
        super().__init__(f"{place}: {message}")
        self.path = path
        self.line = line


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        FileError: there is no such file, it may not be read, or it is no text.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise FileError(path, "there is no such file") from None
    except IsADirectoryError:
        raise FileError(path, "a directory, where a file was expected") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        said = getattr(error, "strerror", None) or str(error)
        raise FileError(path, f"cannot be read: {said}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(path, "no UTF-8 text", line) from None


def parse_json(text: str, path: Path, line: int | None = None) -> Any:
    """The JSON value that TEXT writes; LINE is given where TEXT is one line of the file.

    Raises:
        FileError: it is not JSON (NaN and Infinity are not), or nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if line is not None else ""
        said = f"no JSON ({error.msg}{f' at {where}' if where else ''})"
        raise FileError(path, said, error.lineno if line is None else line) from None
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FileError(path, f"no JSON ({said})", line) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
