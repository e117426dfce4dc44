"""A folder of CSRBench: its stream, its queries' file, and the answers recorded of real engines.

A fork may hold the answers of other engines than the three of CSRBench's paper, with a file
``NAME.properties`` that says how each reports and which streaming operator a query has. By that
they are judged: the file stands for the profile that the kit bundles of the three.

Two layouts: a checkout of csrbench-oracle, which has its answers and queries under
``src/main/resources``, and a folder that has ``data`` and ``answers`` at the top.

The stream is weather observations of hurricane Charley: each element holds the whole graph of one
``data_NN.ttl``, which arrives NN seconds after the start. Recorded answers are JSON, one relation
an answer: ``{"relations": [{"head": {"vars": […]}, "timestamp": 4000, "results": {"bindings":
[{"timestamp": 4000, "binding": {…}}]}}]}``, times in milliseconds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd
from pathlib import Path
from typing import Final, TypeAlias

from rsp_conformance.corpora.csrbench.queries import (
    NUMBERS,
    STREAM,
    BenchmarkQuery,
    read_properties,
)
from rsp_conformance.files.files import FileError
from rsp_conformance.files.stream_files import read_stream
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.streams import StreamElement

SECOND = 1000
"""The milliseconds that the number of a file counts (csrbench-oracle: importer.data.interval)."""

ENGINES = {"csparql": "c-sparql-papers", "cqels": "cqels", "sparqlstream": "sparqlstream"}
"""The bundled profile of each engine of the paper, by the name that the benchmark's files use."""

Recording: TypeAlias = tuple[Observed, ...]
"""What an engine answered: rows with stamps in milliseconds, None where it gave none."""

_OPERATORS = {"R": "RSTREAM", "I": "ISTREAM", "D": "DSTREAM"}
_RESOURCES = Path("src", "main", "resources")
_ANSWER = re.compile(r"([a-z][a-z0-9_-]*)-answer-(\d+)\.json")
_POLICIES: Final = {"windowclose": "WC", "nonemptycontent": "NC", "contentchange": "CC"}
"""The strategies of a report policy, by the last word of csrbench-oracle's settings."""
_LETTERS: Final = {word.lower(): letter for letter, word in _OPERATORS.items()}


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The parts of the folder ``root``; ``properties`` None where it has no queries of its own.

    ``answers`` maps an engine and the number of a query to the file of its answers, ``settings`` an
    engine to the file that says how it reports.
    """

    root: Path
    data: Path
    properties: Path | None
    answers: Mapping[tuple[str, int], Path]
    settings: Mapping[str, Path] = field(default_factory=dict)

    def engines(self) -> tuple[str, ...]:
        """The engines that answers were recorded of: those of the paper first, in its order."""
        present = {engine for engine, _ in self.answers}
        return (*(own for own in ENGINES if own in present), *sorted(present.difference(ENGINES)))

    def declared(self, engine: str, query: BenchmarkQuery) -> Profile:
        """The profile of an engine that is not in the paper, for a query, by its settings.

        What they don't say is as in the paper: windows (o,c], any t0, the instant of an evaluation
        as the stamp of its answer (CSRBench, Section 4).

        Raises:
            FileError: there are no settings, or a setting is missing or has another value.
        """
        if engine not in self.settings:
            raise FileError(
                self.root, f"holds no {engine}.properties: name a profile to judge {engine} by"
            )
        path = self.settings[engine]
        values = read_properties(path)
        report = [
            letters
            for word, letters in _POLICIES.items()
            if _choice(path, values, f"system.policy.{word}", ("true", "false")) == "true"
        ]
        if not report:
            raise FileError(path, "no system.policy is true, so the engine never reports")
        empty = _choice(path, values, "system.output.emptyrelation", ("true", "false"))
        operator = _choice(path, values, f"srb.query{query.number}.output", _LETTERS)
        dials = {
            "report": " & ".join(report),
            "empty_answers": "yes" if empty == "true" else "no",
            "stream_operators": _LETTERS[operator],
            "answer_time": "evaluation",
            "t0": "any",
            "unit": str(gcd(SECOND, query.width, query.slide)),
        }
        return Profile(path.name, Dials().with_dials(dials))

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


def find_benchmark(root: Path) -> Benchmark:
    """The parts of ROOT.

    Raises:
        FileError: ROOT is no folder, or holds no data.
    """
    hint = "give the top folder of a checkout of csrbench-oracle"
    if not os.path.isdir(root):
        raise FileError(
            root, f"{'no folder' if os.path.exists(root) else 'there is no such folder'}: {hint}"
        )
    if not (root / "data").is_dir():
        raise FileError(root, f"holds no folder data: {hint}")
    properties = root / _RESOURCES / "srbench-queries.properties"
    answers, settings = {}, {}
    for path in (*root.glob("answers/*"), *root.joinpath(_RESOURCES).glob("answers/*")):
        match = _ANSWER.fullmatch(path.name)
        if match and int(match[2]) in NUMBERS:
            answers[match[1], int(match[2])] = path
    for path in (*root.glob("*.properties"), *root.joinpath(_RESOURCES).glob("*.properties")):
        settings[path.stem] = path
    asked = properties if properties.is_file() else None
    return Benchmark(root, root / "data", asked, answers, settings)


def _choice(path: Path, values: Mapping[str, str], key: str, choices: Collection[str]) -> str:
    """The value of a setting, one of some.

    Raises:
        FileError: it is missing, or another.
    """
    value = values.get(key, "").lower()
    if value not in choices:
        found = f"found {value!r}" if value else "found nothing"
        raise FileError(path, f"{key}: expected {' or '.join(choices)}, {found}")
    return value


@lru_cache(maxsize=4)
def read_data(folder: Path, unit: int = SECOND) -> tuple[StreamElement, ...]:
    """The stream in FOLDER, the benchmark's ``data``, in instants of UNIT milliseconds.

    Read once, for all queries and engines are judged by the same.

    Raises:
        FileError: the folder or a file cannot be read, or UNIT does not divide a second.
    """
    return read_stream(folder, STREAM, unit=unit, file_unit=SECOND).elements


def operator_of(dials: Dials) -> str | None:
    """The streaming operator that an engine applies to a query that names none.

    The first of R, I and D that it has: what csrbench-oracle's properties say of each engine.
    """
    return next(
        (name for letter, name in _OPERATORS.items() if letter in dials.stream_operators), None
    )
