"""Measure the kit, and write the figures to ``tools/baseline.json``: ``python -m tools.baseline``.

The figures are those that a rebuilding must not lose sight of. Each is measured by a function of
its own; ``--only`` measures some of them anew and keeps the others. All of them take about an hour
on a quiet machine. The kit's tests are measured only if ``--only`` names them. The file names what
it lacks, with the command that measures it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.files.files import parse_json, read_text
from tools.judges.block import SIZE, Block, Found, examined
from tools.mutation.faults.measuring import searched
from tools.processes import results
from tools.progress import never_silent, reported

ROOT: Final = Path(__file__).parents[1]
FILE: Final = Path(__file__).with_suffix(".json")
CASES: Final = 2_000
"""So many cases are judged for the time a case: a minute and a half of processor time."""
SAMPLE: Final = 20
"""So many mutants are hunted, those whose names have the least digests: 35 s of processor time. The
first 31 took 75 s, so all 180 would take some eight minutes of it; ``--mutants`` hunts more."""
SEEDS: Final = 2
JOBS: Final = 2
SEED: Final = 1
"""The seed of the runs."""
HUNTED: Final = "mutants"
TESTS: Final = "tests"
"""The figure that is measured only if it is named."""


def lines() -> dict[str, int]:
    """Return the lines of Python in each package, and in the folders beside it."""
    rooms = [path for path in (ROOT / "rsp_conformance").iterdir() if path.is_dir()]
    rooms += [ROOT / "tools", ROOT / "tests"]
    found = {str(room.relative_to(ROOT)): _lines(room) for room in sorted(rooms)}
    return {room: number for room, number in found.items() if number}


def _lines(folder: Path) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.py"))


def wheel() -> dict[str, int]:
    """Return the bytes of the wheel that is built from the checkout."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder]
        subprocess.run([*command, str(ROOT)], check=True, capture_output=True)
        (built,) = Path(folder).glob("*.whl")
        return {"bytes": built.stat().st_size}


def milliseconds(cases: int = CASES) -> dict[str, float]:
    """Return the processor time of each part of the kit, in milliseconds a case.

    The parts are those of `tools.judges`: generating, the reference model, Spark's worker without
    Spark, and `reference`.
    """
    total = Found()
    for number in range(-(-cases // SIZE)):
        total.add(examined(Block("baseline", number)))
    parts = {who: round(1000 * s / total.cases, 2) for who, s in total.seconds.items()}
    return {"cases": total.cases, **parts}


def mutants(sample: int = SAMPLE, seeds: int = SEEDS, jobs: int = JOBS) -> dict[str, Any]:
    """Return the property that finds each mutant of the sample, and in how many cases."""
    names = sorted(MUTANTS, key=lambda name: sha256(name.encode()).digest())[:sample]
    found = dict(zip(names, results(partial(_hunted, seeds), names, jobs), strict=True))
    return {"sample": len(names), "of": len(MUTANTS), "seeds": seeds, "found": found}


def _hunted(seeds: int, name: str) -> dict[str, Any] | None:
    hunt = searched(MUTANTS[name], seeds)
    return None if hunt is None else {"property": hunt.found_by, "cases": list(hunt.cases)}


def suite_run(engine: str, *arguments: str) -> dict[str, Any]:
    """Return the processor seconds, the verdicts and the printed lines of a run of the suite.

    It prints to 80 columns. The seconds include processes that somebody waited for. Of Spark, the
    Python workers are missing if they end after the JVM.

    Raises:
        RuntimeError: the run did not end with status 0 or 1.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", f"--engine={engine}", "--rsp-only"]
        command += ["-n", str(JOBS), f"--rsp-seed={SEED}", "--rsp-json=run.json", *arguments]
        # The package of this checkout, whichever one is installed.
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
        seconds, printed = _timed(command, Path(folder), environment)
        run = parse_json(read_text(Path(folder) / "run.json"), Path(folder))
    seconds["printed lines"] = len(printed.splitlines())
    return {**seconds, "verdicts": run["verdicts"], "causes": [one["id"] for one in run["causes"]]}


def bench() -> dict[str, Any]:
    """Return the figures of ``make bench``."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.json"
        _timed([sys.executable, "-m", "tools.bench", "--output", str(file)], ROOT)
        found: dict[str, Any] = parse_json(read_text(file), file)
    return {**found, "load": _load()}


def tests() -> dict[str, Any]:
    """Return the minutes of the kit's own tests, as ``make test`` runs them."""
    seconds, _ = _timed(["make", "test"], ROOT)
    return {**seconds, "minutes": round(seconds["seconds"] / 60, 1)}


def _timed(
    command: Sequence[str], folder: Path, environment: Any = None
) -> tuple[dict[str, float], str]:
    """Run a command; return its seconds, by the clock and of the processors, and what it prints.

    The load is that at its end.
    """
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if run.returncode not in {0, 1}:
        last = (run.stdout + run.stderr).strip().splitlines()[-3:]
        raise RuntimeError(f"{' '.join(command)} ended with {run.returncode}: {last}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    taken = time.monotonic() - began
    figures = {"processor seconds": round(used, 1), "seconds": round(taken, 1), "load": _load()}
    return figures, run.stdout


def _load() -> float:
    """Return the load of the last fifteen minutes: figures of a busy machine are read with care."""
    return round(os.getloadavg()[2], 1)


MEASURES: Final[Mapping[str, Callable[[], Mapping[str, Any]]]] = {
    "lines": lines,
    "wheel": wheel,
    "milliseconds a case": milliseconds,
    HUNTED: mutants,
    "red run of rsp-js": partial(suite_run, "rsp-js"),
    "green run of reference": partial(suite_run, "reference"),
    "bench": bench,
    TESTS: tests,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write, and print what was measured."""
    parser = argparse.ArgumentParser(prog="python -m tools.baseline", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=MEASURES, metavar="FIGURE", help=", ".join(MEASURES)
    )
    parser.add_argument(
        "--mutants", type=int, metavar="N", default=SAMPLE, help=f"hunt N mutants, not {SAMPLE}"
    )
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args(arguments)
    chosen = given.only or [name for name in MEASURES if name != TESTS]
    with never_silent():
        for name in reported("measuring", chosen, chosen):
            found = mutants(given.mutants) if name == HUNTED else MEASURES[name]()
            print(f"{name}: {json.dumps(found)}", flush=True)
            _keep(given.out, name, found)
    return 0


def _keep(file: Path, name: str, figure: Mapping[str, Any]) -> None:
    """Write a figure into the file, beside those of earlier measurements."""
    known = parse_json(read_text(file), file) if file.exists() else {}
    known[name] = figure
    document = {one: known[one] for one in MEASURES if one in known}
    lacking = {one: f"python -m tools.baseline --only '{one}'" for one in MEASURES.keys() - known}
    if lacking:
        document["left out"] = dict(sorted(lacking.items()))
    file.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
