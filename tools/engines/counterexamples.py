"""The smallest cases of a recorded run: one packed file beside the record.

A line of the file is a crash file as JSON. xz, because the cases of an engine are much alike: 25
crash files of YASPER, 100 kB, take 5 kB.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from pathlib import Path

SUFFIX = ".crashes.jsonl.xz"


def pack(crash_files: Iterable[Path], path: Path) -> None:
    """Write crash files into one file.

    What the driver wrote to standard error is left out: it may name places of this machine.
    """
    lines = []
    for own in crash_files:
        document = json.loads(own.read_text("utf-8"))
        document.pop("stderr", None)
        lines.append(json.dumps({"name": own.name, "crash": document}, ensure_ascii=False))
    with lzma.open(path, "wt", encoding="utf-8", preset=9) as file:
        file.writelines(line + "\n" for line in lines)


def unpack(path: Path, folder: Path) -> list[str]:
    """Write the crash files of a packed file into a folder, and return their names.

    There are none if there is no such file.
    """
    if not path.exists():
        return []
    names = []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            own = json.loads(line)
            (folder / own["name"]).write_text(json.dumps(own["crash"]) + "\n", "utf-8")
            names.append(own["name"])
    return names
