"""CSRBench where it lies, and small benchmarks made up for a test."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builders.command_line import cli

ROOT = Path(__file__).parents[3]

OM_OWL = "http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#"
WEATHER = "http://knoesis.wright.edu/ssw/ont/weather.owl#"
SENS_OBS = "http://knoesis.wright.edu/ssw/"


@pytest.fixture(scope="session")
def csrbench() -> Path:
    """The benchmark's public data: $CSRBENCH, or ../shared/csrbench."""
    folder = Path(os.environ.get("CSRBENCH", ROOT.parent / "shared" / "csrbench"))
    if not (folder / "data").is_dir():
        pytest.skip(f"no CSRBench at {folder}: set CSRBENCH to a checkout of csrbench-oracle")
    return folder


def judged(folder: Path, *arguments: object) -> list[dict[str, Any]]:
    """What the command says of the benchmark in FOLDER, a query of an engine's each."""
    ran = cli("csrbench", folder, *arguments, "--format", "json")
    found = json.loads(ran.out)
    assert isinstance(found, list)
    asked = [one for one in found if one.get("live", "--live" not in arguments)]
    assert ran.status == (0 if all(one["strict"] == "correct" for one in asked) else 1), ran
    return found


def rows(*seconds: int) -> list[dict[str, Any]]:
    """The rows of a query for hot readings."""
    return [{"sensor": "S", "obs": f"O_S_{t}"} for t in seconds]


def observation(sensor: str, t: int, value: int, kind: str = "_AirTemperature") -> str:
    """An observation as the benchmark's files write it."""
    name = f"<{SENS_OBS}O_{sensor}_{t}>"
    return (
        f"{name} <{OM_OWL}observedProperty> <{WEATHER}{kind}> ; <{OM_OWL}procedure> "
        f'<{SENS_OBS}{sensor}> ; <{OM_OWL}result> [ <{OM_OWL}floatValue> "{value}"^^'
        f"<http://www.w3.org/2001/XMLSchema#double> ] .\n"
    )


HOT = [observation("S", t, 90) for t in range(6)]
"""One hot reading a second, at 0 to 5."""


def write_benchmark(
    folder: Path,
    seconds: Sequence[str],
    answers: Mapping[tuple[str, int], Sequence[tuple[int, Sequence[Mapping[str, Any]]]]],
    *,
    checkout: bool = False,
) -> Path:
    """A benchmark in FOLDER: what arrives at each second, and what engines answered."""
    (folder / "data").mkdir(parents=True)
    for number, text in enumerate(seconds):
        (folder / "data" / f"data_{number:02}.ttl").write_text(text)
    held = folder / ("src/main/resources/answers" if checkout else "answers")
    held.mkdir(parents=True)
    for (engine, number), relations in answers.items():
        (held / f"{engine}-answer-{number}.json").write_text(json.dumps(recording(relations)))
    return folder


def recording(relations: Sequence[tuple[int, Sequence[Mapping[str, Any]]]]) -> dict[str, Any]:
    """Relations as the benchmark records them: milliseconds, and rows of variable → value."""
    return {
        "relations": [
            {
                "head": {"vars": sorted({name for row in rows for name in row})},
                "timestamp": stamp,
                "results": {
                    "bindings": [
                        {
                            "timestamp": stamp,
                            "binding": {name: _term(value) for name, value in row.items()},
                        }
                        for row in rows
                    ]
                },
            }
            for stamp, rows in relations
        ]
    }


def _term(value: object) -> dict[str, str]:
    if isinstance(value, int | float):
        kind = "integer" if isinstance(value, int) else "double"
        return {
            "type": "literal",
            "value": str(value),
            "datatype": f"http://www.w3.org/2001/XMLSchema#{kind}",
        }
    return {"type": "uri", "value": f"{SENS_OBS}{value}"}
