"""``rsp-conformance burnin`` and ``pytest -m burnin``, as users run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.burnin.config import BurnInConfig, NotRun
from rsp_conformance.burnin.run import burn_in
from rsp_conformance.model import errors
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.text.parse import parse_query
from tests.builders.command_line import cli
from tests.burnin.conftest import BurnIns

FIELDS = [
    *("engine", "elements", "answers", "evaluations", "verdict", "t0", "kinds", "reached"),
    *("because", "seconds", "memory_mb", "stretch", "causes"),
]
STRANGE = """
PREFIX : <http://ex.org/>
SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 20 STEP 10]
WHERE { WINDOW :w { ?a :neverSaid ?b } }
"""
AVERAGE = """
PREFIX : <http://ex.org/>
REGISTER RStream :out AS
SELECT ?place (AVG(?n) AS ?mean) (COUNT(?who) AS ?people)
FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 40 STEP 10]
FROM NAMED WINDOW :w2 ON STREAM :s2 [RANGE 10 STEP 2]
WHERE { WINDOW :w1 { ?place :reads ?n } WINDOW :w2 { ?who :isNearby ?place } }
GROUP BY ?place
"""


@pytest.mark.parametrize("module", ["picire", "scipy"])
def test_without_the_extra_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    here = errors.find_spec
    monkeypatch.setattr(errors, "find_spec", lambda name: None if name == module else here(name))
    line = refused("--engine", "reference")
    assert f"{module} is not installed: pip install 'rsp-conformance[burnin]'" in line


def refused(*arguments: object) -> str:
    """The line for bad input; no Spark is started for it."""
    return cli("burnin", *arguments).line()


def test_queries_that_cannot_be_fed_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "q.rq"
    for text, said in (
        ("SELECT * WHERE { ?s ?p ?o }", "no window"),
        ("SELECT * WHERE {", "q.rq, line 1"),
        (STRANGE.replace("RANGE 20", "RANGE PT1S").replace("STEP 10", "STEP PT0.3S"), "300 ms"),
    ):
        file.write_text(text, "utf-8")
        line = refused("--engine", "reference", "--query", file, "--dial", "unit=1000")
        assert said in line


def test_readings_and_queries_that_are_not_done_are_refused_by_name(
    spark: SparkHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = BurnInConfig("reference", 100, "0", dials={"answer_time": "none"})
    with pytest.raises(Unsupported, match="answer_time = none"):
        burn_in(config, lambda: spark)
    monkeypatch.setattr("rsp_conformance.burnin.run.connect", lambda *_: InProcessEngine(Refuses))

    with pytest.raises(NotRun, match="mine does not do this: no such windows here"):
        burn_in(BurnInConfig("mine", 100, "0"), lambda: spark)


class Refuses(ReferenceEngine):
    """Does none of it."""

    def open(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Say that it is not done here."""
        error = {"kind": "unsupported", "message": "no such windows here"}
        return {"op": "open", "id": request["id"], "error": error}


def test_queries_of_the_users_own(run: BurnIns) -> None:
    found = run(400, config={"query": parse_query(AVERAGE)})

    assert found.well, found.because()
    assert list(found.t0) == [":w1", ":w2"]
    found = run(300, config={"query": parse_query(STRANGE), "query_file": "strange.rq"})

    assert (found.verdict, found.kinds, found.well) == ("not tested", (), False)
    assert "no answer was ever non-empty" in found.because().lower()
    assert "--query strange.rq" in "\n".join(found.lines(80))


@pytest.mark.usefixtures("no_other_spark")
def test_the_result_as_json_and_as_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("burnin", "--engine", "reference", "--elements", "600", "--seed", "5")
    mutant = ("--engine-option", "fault=dies-late", "--engine-option", "after=500")
    ran = cli(*arguments, *mutant, "--format", "json")

    assert (ran.status, ran.err) == (1, "")
    found = json.loads(ran.out)
    assert list(found) == FIELDS
    assert (found["engine"], found["kinds"], found["elements"]) == ("reference", ["died"], 500)
    assert found["memory_mb"]["engine"] > 20
    assert found["memory_mb"]["kit"] > 300

    ran = cli(*arguments)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("correct: reference")
    assert "600 of 600" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_sigterm_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rsp_conformance", "burnin", "--engine", "reference"]
    with subprocess.Popen(
        [*command, "--elements", "500000"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("rsp-spark-*")) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert list(tmp_path.glob("rsp-spark-*"))
        running.terminate()
        assert running.wait(60) == 143
    assert list(tmp_path.glob("rsp-*")) == []
