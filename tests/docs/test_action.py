"""What the steps of ``action.yml`` run, as on GitHub; the campaign itself is only noted."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.markdown import ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
FUZZ = next(step for step in STEPS if step.get("id") == "fuzz")
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
"""How ``shell: bash`` is run."""
INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")


def fuzzed(folder: Path, status: int, **given: str) -> tuple[list[str], str, str]:
    """What the command is called with, which ends with STATUS, the step's outputs and summary."""
    command = folder / "rsp-conformance"
    command.write_text(f'#!/bin/bash\necho "# found"\nprintf "%q " "$@" > called\nexit {status}\n')
    command.chmod(0o755)
    inputs = {name: own.get("default", "") for name, own in ACTION["inputs"].items()}
    inputs |= {name.replace("_", "-"): value for name, value in given.items()}
    own = {n: INPUT.sub(lambda m: inputs[m[1]], value) for n, value in FUZZ["env"].items()}
    own |= {"GITHUB_OUTPUT": "outputs", "GITHUB_STEP_SUMMARY": "summary"}
    own["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    subprocess.run([*BASH, FUZZ["run"]], cwd=folder, env={**os.environ, **own}, check=True)
    called, outputs, summary = (
        (folder / name).read_text() for name in ("called", "outputs", "summary")
    )
    return shlex.split(called), outputs, summary


def test_inputs_are_arguments_of_a_campaign(tmp_path: Path) -> None:
    more = "--spark local[*]\n--engine-option fault=a,b\n"
    engine = "stdio:./my driver --fast"
    called, _, _ = fuzzed(tmp_path, 0, engine=engine, max_time="2h", known="k.toml", arguments=more)
    given = ["--engine", engine, "--max-time", "2h", "--out", "campaign", "--known", "k.toml"]
    assert called == ["fuzz", *given, "--spark", "local[*]", "--engine-option", "fault=a,b"]


@pytest.mark.parametrize("status", [0, 1, 2, 3])
def test_the_status_of_a_campaign_is_that_of_the_job(status: int, tmp_path: Path) -> None:
    """After its summary was posted and its folder was kept."""
    _, outputs, summary = fuzzed(tmp_path, status, engine="reference")
    assert (outputs, summary) == (f"status={status}\n", "# found\n")
    *_, keep, last = STEPS
    assert keep["if"] == "always()" and keep["with"]["path"] == "${{ inputs.folder }}"
    assert last["env"]["STATUS"] == "${{ steps.fuzz.outputs.status }}"
    ended = subprocess.run([*BASH, last["run"]], env={"STATUS": str(status)}, check=False)
    assert ended.returncode == status
