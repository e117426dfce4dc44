"""What the workers of one run tell each other: causes that were set aside, and that a case hung.

Each of them would otherwise shrink the same failures, search for the same causes, and wait for
as long.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rsp_conformance.causes.cause import CAUSES, Cause
from rsp_conformance.files.files import parse_json, read_text, write_whole

_FILES: Final = "cause-*.json"
_HUNG: Final = "hung.json"


class Exchange:
    """Files in FOLDER, which is the run's own; WORKER is who leaves and reads them."""

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
        with suppress(OSError):
            write_whole(self._folder / name, json.dumps(CAUSES.write(Cause, cause)))

    @property
    def has_news(self) -> bool:
        """Whether others have left causes since ``news`` was asked."""
        return not self._met.issuperset(self._folder.glob(_FILES))

    def news(self) -> Iterator[Cause]:
        """The causes that others have left since this was asked last."""
        for path in sorted({*self._folder.glob(_FILES)} - self._met):
            self._met.add(path)
            yield CAUSES.read(Cause, parse_json(read_text(path), path))

    def leave_hung(self, seconds: float) -> None:
        """Let the others know that a case has hung for SECONDS, which is the whole time limit."""
        with suppress(OSError):
            write_whole(self._folder / _HUNG, json.dumps(seconds))

    @property
    def hung(self) -> float:
        """For how many seconds a case of another worker has hung; 0 if none has."""
        path = self._folder / _HUNG
        return float(parse_json(read_text(path), path)) if path.exists() else 0.0
