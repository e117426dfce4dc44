"""The figures of a measurement, written down as they come: a later failure takes none away."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.progress import report


class Record:
    """The figures in PATH, those of earlier measurements included; how each was found beside them.

    ``failed`` names what could not be measured, with why.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.figures: dict[str, Any] = {}
        self.notes: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        self._known = json.loads(path.read_text("utf-8")) if path.exists() else {}

    def add(self, name: str, value: Any, note: str | None = None) -> None:
        """Write down what figure NAME came to, and in a NOTE how."""
        self.figures[name] = value
        if note is not None:
            self.notes[name] = note
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self._known | self.figures, indent=2) + "\n"
        # Whole or not at all: who stops a measurement keeps what was there.
        whole = self.path.with_suffix(".new")
        whole.write_text(text, "utf-8")
        whole.replace(self.path)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """What is measured within; where it fails it is named, and the next part goes on."""
        try:
            yield
        except Exception as error:  # whatever it is, the other figures are still to be measured
            traceback.print_exc()
            self.failed[name] = f"{type(error).__name__}: {error}"
            report(f"{name} failed: {self.failed[name]}")
