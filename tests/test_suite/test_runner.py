"""The runner in JavaScript reads the files alone, and comes to the verdicts of the kit."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from rsp_conformance.adapters.install_dir import home
from rsp_conformance.files.earl import OUTCOMES
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.protocol.registry import connect
from rsp_conformance.run.alone import run_alone
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.run.properties import of_suite
from rsp_conformance.test_suite.export import copy_suite
from rsp_conformance.test_suite.manifest import packaged_suite
from tests.test_suite.conftest import packaged

RUNNER = packaged_suite() / "runner.mjs"
HANGS = 5.0
"""Seconds for a case; rsp-js hangs on one, and answers the others at once."""


def test_it_is_short() -> None:
    lines = RUNNER.read_text("utf-8").splitlines()
    assert len(lines) <= 150
    assert max(map(len, lines)) <= 130


@pytest.mark.engine
def test_it_comes_to_the_verdicts_of_the_kit(tmp_path: Path) -> None:
    try:
        subject = EngineUnderTest.meet(connect("rsp-js", {}, HANGS))
    except EngineError as error:
        pytest.skip(error.line)
    modules = home() / "rsp-js"
    node = shutil.which("node")
    assert node is not None
    copy_suite(tmp_path)
    ran = subprocess.run(
        [node, tmp_path / RUNNER.name, "--modules", modules, "--json"],
        capture_output=True,
        timeout=120,
        check=False,
    )
    try:
        tests = of_suite(packaged(), subject.dials, subject.features)
        events = run_alone(subject, tests, budget=Budget(1), seed=0, folder=tmp_path)
    finally:
        subject.close()
    ours = {e.property: OUTCOMES[e.outcome] for e in events if isinstance(e, PropertyFinished)}
    assert ran.returncode == 1, ran.stderr
    assert json.loads(ran.stdout) == ours
    assert {*Counter(ours.values())} == {"passed", "failed", "inapplicable"}
