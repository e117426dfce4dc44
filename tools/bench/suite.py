"""The suite's time on the engine ``reference``."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SuiteTime:
    """Seconds of a whole run, and the split that the plugin leaves in ``.rsp/timings.json``."""

    seconds: float
    split: dict[str, float]


def measure(marks: str) -> SuiteTime:
    """Run the packaged suite as a user does, in an empty folder.

    MARKS are pytest's ``-m``: which part of the suite.
    """
    with tempfile.TemporaryDirectory(prefix="rsp-bench-") as folder:
        command = [sys.executable, "-m", "pytest", "--engine=reference", "--rsp-only", "-q"]
        command += ["-m", marks]
        started = time.perf_counter()
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=1800, check=False
        )
        taken = time.perf_counter() - started
        if run.returncode != 0:
            last = (run.stdout + run.stderr).strip().splitlines()[-1:]
            raise RuntimeError(f"{' '.join(command)} ended with {run.returncode}: {last}")
        split = json.loads((Path(folder) / ".rsp" / "timings.json").read_text("utf-8"))
    return SuiteTime(taken, {name: float(value) for name, value in split.items()})
