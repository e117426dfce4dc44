"""What the tests of files share: the crash file that they change, and how files are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CRASH = Path(__file__).parents[1] / "judge" / "crashes" / "version-1.json"
HUGE = 10**40
"""A number that no time is."""
GONE: Any = ...
"""Stands for a field that is taken away."""


def crash_with(place: str, value: Any) -> dict[str, Any]:
    """The crash file with another value at PLACE, such as ``case.elements.0.t``."""
    document = json.loads(CRASH.read_text("utf-8"))
    *path, last = place.split(".")
    holder = document
    for name in path:
        holder = holder[int(name)] if isinstance(holder, list) else holder.setdefault(name, {})
    if value is GONE:
        del holder[last]
    elif isinstance(holder, list):
        holder[int(last)] = value
    else:
        holder[last] = value
    return document


def written(folder: Path, content: object, name: str = "crash.json") -> Path:
    """A file of this content: bytes, text, or JSON."""
    path = folder / name
    if not isinstance(content, bytes):
        text = content if isinstance(content, str) else json.dumps(content)
        content = text.encode("utf-8", "surrogatepass")
    path.write_bytes(content)
    return path
