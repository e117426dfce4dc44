"""What a burn-in costs: time and memory by the number of elements."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

SIZES: Final = (10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Cost:
    """One burn-in of the faultless engine ``reference``: seconds, and megabytes at the most.

    ``kit`` is the driver's Python, the JVM and its Python workers together; the session's start
    counts in, the search for growth too.
    """

    elements: int
    evaluations: int
    seconds: float
    engine: float
    kit: float

    def to_json(self) -> dict[str, Any]:
        """The figures by name."""
        return asdict(self)


def measure() -> Iterator[Cost]:
    """The costs for all SIZES, each in a process of its own, as they come."""
    with tempfile.TemporaryDirectory(prefix="rsp-bench-") as folder:
        for size in SIZES:
            yield _cost(size, folder)


def _cost(size: int, folder: str) -> Cost:
    command = [sys.executable, "-m", "rsp_conformance", "burnin", "--engine", "reference"]
    command += ["--elements", str(size), "--spark", "local[2]", "--format", "json"]
    run = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=3_600, check=False
    )
    if run.returncode != 0:
        last = (run.stdout + run.stderr).strip().splitlines()[-1:]
        raise RuntimeError(f"{' '.join(command)} ended with {run.returncode}: {last}")
    found = json.loads(run.stdout)
    memory = found["memory_mb"]
    return Cost(size, found["evaluations"], found["seconds"], memory["engine"], memory["kit"])
