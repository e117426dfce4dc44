r"""Java properties, as far as csrbench-oracle writes them: ``key = value``, continued by ``\``.

The published file has blanks after some of the backslashes that continue a line. Java would take
those for escaped blanks and end the value there; the library that csrbench-oracle reads it with
drops them first, and so does this module.
"""

from __future__ import annotations

from pathlib import Path

from rsp_conformance.files.files import FileError, read_text


def read_properties(path: Path) -> dict[str, str]:
    """The values of a file by key; a continued value keeps its line breaks.

    Raises:
        FileError: the file cannot be read, or a line is neither a comment nor ``key = value``.
    """
    found: dict[str, str] = {}
    lines = enumerate(read_text(path).splitlines(), 1)
    for number, line in lines:
        if not line.strip() or line.lstrip()[0] in "#!":
            continue
        key, equals, value = line.partition("=")
        if not equals or not key.strip():
            raise FileError(path, "expected key = value", number)
        parts = [value.strip()]
        while parts[-1].endswith("\\"):
            parts[-1] = parts[-1][:-1].rstrip()
            following = next(lines, None)
            if following is None:
                raise FileError(path, f"{key.strip()} is continued, and nothing follows", number)
            parts.append(following[1].strip())
        found[key.strip()] = "\n".join(parts).strip()
    return found
