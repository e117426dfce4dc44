"""Change the kit's own code in small ways, and see whether each room's own tests notice.

By a seed 200 mutants are drawn of the rooms that decide what a user reads: the reference model, the
comparison of answers, the alignment in both judges, the naming of causes, what is drawn, the run,
the plugin, the command line and the reference engine (`--room` draws of some of them). Each is put
into a copy of the tree, and the tests of its room are run until one fails. Those that survive are
printed; all go into `build/code_mutants.json`, and `--again` runs them on the tree as it is then,
for a comparison of two states of the tests.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns
from typing import Any

from tools.code_mutants.mutant import Mutant, drawn
from tools.progress import never_silent, report

ROOT = Path(__file__).parents[2]
PAGE = Path("build/code_mutants.json")
NOT_COPIED = (".*", "build", "dist", "node_modules", "site", "__pycache__")
"""Folders that no test of these rooms reads."""
LIMIT = 900.0
"""Seconds for the tests of a room; the longest need 400 on a busy machine. A mutant may loop."""


@dataclass(frozen=True)
class Room:
    """Code, and the tests that are to notice its mutants."""

    share: int
    """How many of 40 mutants are its own: by its lines, and more for what judges."""
    code: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "spec": Room(
        7,
        ("rsp_conformance/spec/*.py",),
        ("tests/spec", "tests/judges"),
    ),
    "compare": Room(
        4,
        ("rsp_conformance/sparql/compare/*.py",),
        ("tests/sparql/compare", "tests/judges"),
    ),
    "alignment": Room(
        4,
        ("rsp_conformance/spec/alignment*.py", "rsp_conformance/spark/worker/alignment.py"),
        ("tests/spec", "tests/spark", "tests/judges"),
    ),
    "diagnosis": Room(5, ("rsp_conformance/diagnosis/**/*.py",), ("tests/diagnosis",)),
    "strategies": Room(4, ("rsp_conformance/strategies/*.py",), ("tests/strategies",)),
    "run": Room(
        5, ("rsp_conformance/run/*.py",), ("tests/run", "tests/hostile/test_crash_files.py")
    ),
    "plugin": Room(3, ("rsp_conformance/plugin/*.py",), ("tests/plugin",)),
    "cli": Room(3, ("rsp_conformance/cli/*.py",), ("tests/cli", "tests/hostile/test_arguments.py")),
    "reference": Room(
        5,
        ("rsp_conformance/adapters/reference/**/*.py",),
        ("tests/adapters", "tests/relations", "tests/sparql/test_regex.py", "tests/judges"),
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the mutants or read them, run the tests, and print those that survive."""
    parser = argparse.ArgumentParser(prog="python -m tools.code_mutants", description=__doc__)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--count", type=int, default=200, metavar="N")
    parser.add_argument("--room", action="append", choices=ROOMS, help="draw of this room alone")
    parser.add_argument("--first", type=int, metavar="N", help="run only the first N of them")
    parser.add_argument("--tree", type=Path, default=ROOT, help="a checkout to change and test")
    parser.add_argument("--again", type=Path, metavar="FILE", help="the mutants of this result")
    parser.add_argument("--out", type=Path, default=PAGE, help="where the result is written")
    given = parser.parse_args(arguments)
    if given.again is None:
        mutants = all_drawn(given.tree, given.count, given.seed, given.room or list(ROOMS))
    else:
        mutants = [_mutant(own) for own in json.loads(given.again.read_text("utf-8"))]
    mutants = mutants[: given.first]
    results: list[dict[str, object]] = []
    with never_silent(120), _copy(given.tree) as copy:
        for room in {mutant.room: None for mutant in mutants}:
            report(f"the tests of {room} without a mutant")
            if not passes(copy, room):
                parser.error(f"the tests of {room} fail without a mutant")
        for mutant in mutants:
            start = time.monotonic()
            said = tried(copy, mutant)
            seconds = round(time.monotonic() - start, 1)
            report(f"{len(results) + 1} {mutant.room} {said} {seconds} s  {mutant}")
            results.append(asdict(mutant) | {"said": said, "seconds": seconds})
            given.out.parent.mkdir(parents=True, exist_ok=True)
            given.out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    print("\n".join(table(results)))
    return 0


def all_drawn(tree: Path, count: int, seed: str, rooms: Sequence[str]) -> list[Mutant]:
    """COUNT mutants of ROOMS in a drawn order, so that the first ones are a sample too."""
    random = Random(seed)
    whole = sum(ROOMS[name].share for name in rooms)
    mutants: list[Mutant] = []
    for name in rooms:
        room = ROOMS[name]
        files = sorted({file for pattern in room.code for file in tree.glob(pattern)})
        paths = [file.relative_to(tree).as_posix() for file in files]
        mutants += drawn(tree, name, paths, count * room.share // whole, random)
    random.shuffle(mutants)
    return mutants


def tried(copy: Path, mutant: Mutant) -> str:
    """`killed`, `survives`, or `gone` if the code of MUTANT is no longer in the tree."""
    for file in _files(copy, mutant):
        source = file.read_text("utf-8")
        mutated = mutant.applied(source)
        if mutated is not None:
            break
    else:
        return "gone"
    file.write_text(mutated, "utf-8")
    try:
        return "survives" if passes(copy, mutant.room) else "killed"
    finally:
        file.write_text(source, "utf-8")


def passes(copy: Path, room: str) -> bool:
    """Whether all tests of ROOM pass, in time."""
    tests = [own for own in ROOMS[room].tests if (copy / own).exists()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def table(results: Sequence[dict[str, object]]) -> list[str]:
    """The counts by room as Markdown, and those that survive."""
    counts = Counter((own["room"], own["said"]) for own in results)
    lines = ["| room | killed | survives | gone |", "|---|---|---|---|"]
    for room in ROOMS:
        numbers = (str(counts[room, said]) for said in ("killed", "survives", "gone"))
        lines.append(f"| {room} | {' | '.join(numbers)} |")
    survivors = [_mutant(own) for own in results if own["said"] == "survives"]
    return [*lines, "", *(f"survives: {own}" for own in survivors)]


def _mutant(own: dict[str, Any]) -> Mutant:
    values = {name: own[name] for name in Mutant.__dataclass_fields__}
    return Mutant(**values | {"around": tuple(own["around"])})


def _files(copy: Path, mutant: Mutant) -> Iterator[Path]:
    """The file of MUTANT, or one of its name if folders have moved since."""
    if (copy / mutant.path).exists():
        yield copy / mutant.path
    name = Path(mutant.path)
    yield from sorted((copy / "rsp_conformance").glob(f"**/{name.parent.name}/{name.name}"))


@contextmanager
def _copy(tree: Path) -> Iterator[Path]:
    """A copy of TREE, in which mutants harm nobody."""
    with tempfile.TemporaryDirectory(prefix="code-mutants-") as folder:
        copy = Path(folder) / "tree"
        copytree(tree, copy, symlinks=True, ignore=ignore_patterns(*NOT_COPIED))
        yield copy


if __name__ == "__main__":
    sys.exit(main())
