"""Where a folder holds CSRBench's data, queries and recorded answers.

Two layouts: a checkout of csrbench-oracle, which has its answers and queries under
``src/main/resources``, and a folder that has ``data`` and ``answers`` at the top.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rsp_conformance.corpora.csrbench.queries import NUMBERS
from rsp_conformance.corpora.csrbench.recordings import ENGINES
from rsp_conformance.files.files import FileError

_RESOURCES = Path("src", "main", "resources")
_ANSWER = re.compile(r"([a-z]+)-answer-(\d+)\.json")


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of the folder ``root``; ``properties`` None where it has no queries of its own.

    ``answers`` maps an engine and the number of a query to the file of its answers.
    """

    root: Path
    data: Path
    properties: Path | None
    answers: dict[tuple[str, int], Path]

    def engines(self) -> tuple[str, ...]:
        """The engines that answers were recorded of, in the order of ENGINES."""
        present = {engine for engine, _ in self.answers}
        return tuple(engine for engine in ENGINES if engine in present)

    def answers_of(self, engine: str, number: int) -> Path:
        """The file with what ENGINE answered to query NUMBER.

        Raises:
            FileError: there is none.
        """
        if (engine, number) in self.answers:
            return self.answers[engine, number]
        engines = self.engines()
        if engine not in engines:
            known = f"it has those of {', '.join(engines)}" if engines else "it has none at all"
            raise FileError(self.root, f"holds no answers of {engine} ({known})")
        raise FileError(self.root, f"holds no {engine}-answer-{number}.json")


def find_layout(root: Path) -> Layout:
    """The parts of ROOT.

    Raises:
        FileError: ROOT is no folder, or holds no data.
    """
    if not root.is_dir():
        said = "no folder" if root.exists() else "there is no such folder"
        raise FileError(root, f"{said}: give a checkout of csrbench-oracle")
    data = root / "data"
    if not data.is_dir():
        raise FileError(
            root, "holds no folder data: give the top folder of a checkout of csrbench-oracle"
        )
    properties = root / _RESOURCES / "srbench-queries.properties"
    folders = (root / "answers", root / _RESOURCES / "answers")
    return Layout(
        root,
        data,
        properties if properties.is_file() else None,
        _answers(path for folder in folders if folder.is_dir() for path in folder.iterdir()),
    )


def _answers(paths: Iterable[Path]) -> dict[tuple[str, int], Path]:
    found = {}
    for path in sorted(paths):
        match = _ANSWER.fullmatch(path.name)
        if match and match[1] in ENGINES and int(match[2]) in NUMBERS:
            found[match[1], int(match[2])] = path
    return found
