"""What the tests of files share: the crash file that they change, and how files are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.hostile.readers import changed

CRASH = Path(__file__).parents[1] / "judge" / "crashes" / "version-1.json"
HUGE = 10**40
"""A number that no time is."""


def crash_with(place: str, value: Any) -> dict[str, Any]:
    """The crash file with another value at a place, such as ``case.until``."""
    document = json.loads(CRASH.read_text("utf-8"))
    return dict(json.loads(changed(document, place, value)))


def written(folder: Path, content: object, name: str = "crash.json") -> Path:
    """A file of this content: bytes, text, or JSON."""
    path = folder / name
    if not isinstance(content, bytes):
        text = content if isinstance(content, str) else json.dumps(content)
        content = text.encode("utf-8", "surrogatepass")
    path.write_bytes(content)
    return path
