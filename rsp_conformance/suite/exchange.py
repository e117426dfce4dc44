"""What the workers of one run tell each other: the causes that one of them has set aside.

Each of them would otherwise shrink the same failures and search for the same causes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from rsp_conformance.causes.cause import Cause, cause_from_json
from rsp_conformance.files.files import parse_json, read_text, write_whole

_FILES: Final = "cause-*.json"


class Exchange:
    """Causes in files in FOLDER, which is the run's own; WORKER is who leaves and reads them."""

    def __init__(self, folder: Path, worker: str) -> None:
        self._folder = folder
        self._worker = worker
        self._met: set[Path] = set()

    @classmethod
    def of(cls, worker: Mapping[str, Any]) -> Exchange | None:
        """That of a WORKER, as the controller has set it up; None without one."""
        return cls(Path(worker["rsp_folder"]), worker["workerid"]) if worker else None

    def leave(self, cause: Cause) -> None:
        """Let the others know of CAUSE; what cannot be written they find by themselves."""
        name = _FILES.replace("*", f"{self._worker}-{len(self._met)}")
        self._met.add(self._folder / name)
        try:
            write_whole(self._folder / name, json.dumps(cause.to_json()))
        except OSError:
            return

    def news(self) -> Iterator[Cause]:
        """The causes that others have left since this was asked last."""
        for path in sorted({*self._folder.glob(_FILES)} - self._met):
            self._met.add(path)
            yield cause_from_json(parse_json(read_text(path), path))
