"""Snapshots of a red run: what a person and a program see of it, kept to be compared.

The run is small and always the same: `reference` with three mutants, four properties, twelve cases
of each, one seed, no Spark. Its terminal (80 columns), JSON, HTML and EARL lie in ``data``, without
what differs from run to run or from machine to machine: folders, times, versions, names of blank
nodes. ``python -m tools.snapshots`` runs it again and prints the differences; with ``--keep`` it
writes the snapshots anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Final

from rsp_conformance import __version__
from rsp_conformance.run.run_report import this_machine

ROOT: Final = Path(__file__).parents[2]
DATA: Final = Path(__file__).parent / "data"
MUTANTS: Final = ("istream-ignored", "union-dedup", "filter-error-true")
PROPERTIES: Final = ("windows", "union", "istream", "filter")
COMMAND: Final = (
    *("--engine=reference", f"--engine-option=fault={','.join(MUTANTS)}", "--rsp-only"),
    *("--rsp-spark=off", "--rsp-examples=12", "--rsp-seed=1", "-p", "no:warnings"),
    *("-k", " or ".join(f"test_{name}" for name in PROPERTIES)),
    *("--rsp-json=run.json", "--rsp-report=report", "--rsp-earl=earl.ttl"),
)
_TIME, _VERSION, _FOLDER, _MACHINE = "TIME", "VERSION", "FOLDER", "MACHINE"


def red_run(*arguments: str) -> dict[str, str]:
    """Return the snapshots of a new run, each by the name of its file.

    Args:
        arguments: further arguments of pytest, such as ``-n 1``.

    Raises:
        RuntimeError: the run did not end as a red run does.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        command = [sys.executable, "-m", "pytest", *COMMAND, *arguments]
        # Little of the environment: variables of CI would choose another profile of Hypothesis.
        environment = {"PYTHONPATH": str(ROOT), "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
        environment |= {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
        ran = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode != 1:
            last = (ran.stdout + ran.stderr).strip().splitlines()[-3:]
            raise RuntimeError(f"the run ended with status {ran.returncode}: {last}")
        written = {"terminal.txt": ran.stdout}
        for file in ("run.json", "report/index.html", "earl.ttl"):
            written[Path(file).name] = (folder / file).read_text("utf-8")
    return {file: masked(file, text, str(folder)) for file, text in written.items()}


def differences(found: Mapping[str, str], folder: Path = DATA) -> str:
    """Return the differences of new snapshots from those that are kept, as unified diffs."""
    lines: list[str] = []
    for file, text in found.items():
        path = folder / file
        before = path.read_text("utf-8") if path.exists() else ""
        lines += unified_diff(before.splitlines(), text.splitlines(), f"kept/{file}", f"new/{file}")
    return "\n".join(line.rstrip("\n") for line in lines)


def keep(found: Mapping[str, str], folder: Path = DATA) -> None:
    """Write snapshots."""
    folder.mkdir(exist_ok=True)
    for file, text in found.items():
        (folder / file).write_text(text, "utf-8")


def masked(file: str, text: str, folder: str) -> str:
    """Return what a run wrote, without what differs from run to run.

    Args:
        file: the name of the snapshot.
        text: what the run wrote.
        folder: the folder of the run.
    """
    text = text.replace(folder, _FOLDER).replace(this_machine(), _MACHINE)
    text = re.sub(rf"(?<![\d.]){re.escape(__version__)}(?![\d.])", _VERSION, text)
    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\+00:00| UTC)", _TIME, text)
    return _MASKS[file](text)


def _terminal(text: str) -> str:
    """Leave out pytest's head and progress, which are those of the machine and of ``-n``."""
    head, failures, rest = text.partition("\n____")
    lines = [line for line in head.splitlines() if line.startswith("rsp-conformance")]
    lines += [line for line in (failures + rest).splitlines() if not _PROGRESS.match(line)]
    last = re.sub(r"(, \d+ deselected)? in [\d.]+s( \([\d:]+\))?", f" in {_TIME}", lines[-1])
    # Progress stands between blank lines, more or fewer of them.
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*lines[:-1], last.strip("= ")])) + "\n"


_PROGRESS: Final = re.compile(
    r"(?=\S|.*\])(rsp\b)? *[F.]* *(\[ *\d+%\])?$|rsp-conformance: \d+ of \d+ properties"
)
"""Lines that are not empty and hold outcomes, a percentage or both; the plugin's own progress."""


def _json(text: str) -> str:
    """Leave out the seconds: no other number has a fraction."""
    return re.sub(r": \d+\.\d+(e-\d+)?(?=,?\n)", f': "{_TIME}"', text)


def _html(text: str) -> str:
    """Leave out durations, and the crash files that a page holds: they hold times and versions."""
    text = re.sub(r"(?<=;base64,)[\w+/=]+", "CRASH", text)
    return re.sub(r"\b(\d+ min )?[\d.]+ s(?=[.<])", _TIME, text)


def _earl(text: str) -> str:
    """Number the blank nodes, whose names are random."""
    names = dict.fromkeys(re.findall(r"_:[0-9a-f]+\b", text))
    numbers = {name: f"_:b{number}" for number, name in enumerate(names)}
    return re.sub(r"_:[0-9a-f]+\b", lambda found: numbers[found[0]], text)


_MASKS: Final[Mapping[str, Callable[[str], str]]] = {
    "terminal.txt": _terminal,
    "run.json": _json,
    "index.html": _html,
    "earl.ttl": _earl,
}
