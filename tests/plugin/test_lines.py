"""A red run without ``-v`` can be scrolled over: its lines, as the recorded engines have them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.recorded import finding_in
from rsp_conformance.plugin.results import LINES, PYTEST, Results
from rsp_conformance.run.events import PropertyFinished
from tests.docs.markdown import ROOT
from tests.plugin.test_failures import crash, terminal_of

RECORDS = sorted((ROOT / "tools/engines/records").glob("*.json"))
PROGRESS = 8
"""The lines of progress in the log of a run of eleven minutes, as rsp-js's is."""


def results_of(path: Path) -> Results:
    """The results of a run against an engine, with a crash file for each of its causes."""
    record = json.loads(path.read_text("utf-8"))
    found = Results()
    found.take(
        PropertyFinished(name, own["verdict"], own["note"], counts=own["counts"])
        for name, own in record["properties"].items()
    )
    causes = [
        CAUSES.read(Cause, {**own, "smallest": {"file": "", **own["smallest"]}})
        for own in record["causes"]
    ]
    found.causes = tuple(
        replace(own, file=f".rsp/crashes/e-{own.properties[0]}-wrong-rows-{n:06x}.json")
        for n, own in enumerate(causes)
    )
    finding = finding_in(read(Path(crash("rsp-js-newest-only"))))
    found.written = failure_report(finding).count("\n") + 10 + PROGRESS
    return found


def written(results: Results, *options: str) -> list[str]:
    """What the end of the run writes."""
    terminal, out = terminal_of(*options)
    given: Any = SimpleNamespace(
        xfails=(),
        xfails_strict=False,
        stop_after=None,
        known_write=None,
        report=None,
        json=None,
        engine="e",
        seed=1,
    )
    subject: Any = SimpleNamespace(hello=SimpleNamespace(engine="engine", version="1.0"))
    results.write(terminal, given, subject, "the reference model and Spark (local[*])")
    return out.getvalue().splitlines()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_red_run_has_at_most_120_lines_of_80_columns(path: Path) -> None:
    results = results_of(path)
    lines = written(results)
    assert PYTEST + results.written + len(lines) <= LINES == 120, "\n".join(lines)
    assert all(cell_len(line) <= 80 or "replay" in line for line in lines)
    # Each cause that has a name has its sentence and its command.
    text = " ".join(" ".join(lines).split())
    for number, cause in enumerate(own for own in results.causes if own.is_explained):
        assert f"{number + 1} {cause.id} " in text


def test_of_many_causes_the_first_have_a_sentence_and_the_others_a_line() -> None:
    results = results_of(ROOT / "tools/engines/records/rsp-js-1.3.5.json")
    every = {own.id: own for path in RECORDS for own in results_of(path).causes}
    named = [own for own in every.values() if own.is_explained]
    results.causes = (*named[:14], *(own for own in every.values() if not own.is_explained))
    assert len(results.causes) > 30
    lines = written(results)
    assert PYTEST + results.written + len(lines) <= LINES
    text = " ".join(" ".join(lines).split())
    said = [own.id for own in named[:14] if own.text.rstrip(".") in text]
    assert said and said == [own.id for own in named[: len(said)]]
    for number, cause in enumerate(named[:14], 1):
        assert f"{number} {cause.id} " in text


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_whoever_asks_for_more_has_all(path: Path) -> None:
    results = results_of(path)
    text = " ".join(" ".join(written(results, "-v")).split())
    ended = (own.property for own in results.finished.values() if own.verdict != "skipped")
    assert all(f" {name} " in text for name in ended)
    assert all(cause.id in text for cause in results.causes)
    assert all(f"{n:06x}" in text for n in range(len(results.causes)))
    assert "which -v" not in text
