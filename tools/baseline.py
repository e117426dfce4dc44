"""Measure the kit, and write the figures to ``tools/baseline.json``: ``python -m tools.baseline``.

The figures are those that a rebuilding must not lose sight of: lines by room, the size of the
wheel, the kit's processor time a case by part, and how soon properties find a sample of the
mutants. Each is measured by a function of its own, and ``--only`` measures some of them anew. What
takes longer is left out by name (`LEFT_OUT`), with the command that measures it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rsp_conformance.causes.hypothesis import MUTANTS
from rsp_conformance.files.files import parse_json, read_text
from tools.judges.block import SIZE, Block, Found, examined
from tools.progress import never_silent, reported

ROOT: Final = Path(__file__).parents[1]
FILE: Final = Path(__file__).with_suffix(".json")
CASES: Final = 2_000
"""So many cases are judged for the time a case: a minute and a half of processor time."""
EVERY: Final = 25
"""Of the mutants, by name, every 25th is hunted: eight in half a minute. Every fifth took more than
ten minutes."""
SEEDS: Final = 2
LEFT_OUT: Final[Mapping[str, str]] = {
    "all mutants": "make faults",
    "red run of rsp-js": "pytest --engine=rsp-js --rsp-only",
    "green run of reference": "pytest --engine=reference --rsp-only",
    "timings as ratios": "make bench",
    "minutes of the kit's tests": "make test",
}
"""Figures that are not measured here, each with the command that measures it."""


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


def mutants(every: int = EVERY, seeds: int = SEEDS) -> dict[str, Any]:
    """Return the property that finds each mutant of the sample, and in how many cases."""
    names = sorted(MUTANTS)[::every]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "faults.json"
        command = [sys.executable, "-m", "tools.mutation.faults", *names]
        command += ["--seeds", str(seeds), "--output", str(output)]
        # Its status says whether each was found from every seed; here the table says it.
        subprocess.run(command, check=False, cwd=ROOT, stdout=subprocess.DEVNULL)
        rows = parse_json(read_text(output), output)
    return {row["fault"]: {"property": row["property"], "cases": row["cases"]} for row in rows}


MEASURES: Final[Mapping[str, Callable[[], Mapping[str, Any]]]] = {
    "lines": lines,
    "wheel": wheel,
    "milliseconds a case": milliseconds,
    "mutants": mutants,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write, and print what was measured."""
    parser = argparse.ArgumentParser(prog="python -m tools.baseline", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=MEASURES, metavar="FIGURE", help=", ".join(MEASURES)
    )
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args(arguments)
    before = parse_json(read_text(given.out), given.out) if given.out.exists() else {}
    chosen = given.only or list(MEASURES)
    found = {}
    with never_silent():
        for name in reported("measuring", chosen, chosen):
            found[name] = MEASURES[name]()
            print(f"{name}: {json.dumps(found[name])}", flush=True)
    whole = {name: found.get(name, before.get(name)) for name in MEASURES}
    document = {name: figure for name, figure in whole.items() if figure is not None}
    document["left out"] = dict(LEFT_OUT)
    given.out.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
