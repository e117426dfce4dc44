"""The result of a run as one JSON document, by a documented form (docs/results.md)."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic.json_schema import GenerateJsonSchema

from rsp_conformance import __version__
from rsp_conformance.files.files import FileError, write_whole
from rsp_conformance.files.forms import JsonForm
from rsp_conformance.suite.events import RunStarted, to_json
from rsp_conformance.suite.outcome import RunOutcome

VERSION = 1
"""The version of the form; within one, fields are only added."""


class SmallestForm(JsonForm):
    """The smallest case that shows a cause."""

    file: str
    """Its crash file; may be empty."""
    elements: int
    """How many stream elements it has."""


class HypothesisForm(JsonForm):
    """What about an engine would predict its answers."""

    mutants: list[str]
    """Known defects, by the names of docs/faults.md."""
    dials: dict[str, str]
    """Dials turned from the engine's profile."""


class CauseForm(HypothesisForm):
    """A cause of failures; without mutants and dials nothing known explains it."""

    id: str
    """The same from run to run; it begins with `?-` where nothing known explains the cause."""
    alternatives: list[HypothesisForm]
    """What no case has told from it."""
    properties: list[str]
    """The properties whose failures it explains."""
    explains: int
    """Answers that are wrong, and as it predicts."""
    open: int
    """Wrong answers on which it bears, and which it does not predict either."""
    contradicts: int
    """Answers that are right, and of which it predicts others."""
    passing: int
    """Right answers on which it was held."""
    asked: int
    """Wrong answers of which it was asked whether it bears on them."""
    wrong: int
    """All wrong answers of the run."""
    right: int
    """All right answers of the run."""
    smallest: SmallestForm
    text: str
    """What is wrong, in one sentence."""


class KnownForm(JsonForm):
    """What became of the causes that were known before the run (docs/known.md), by their ids."""

    shown: list[str]
    """Those that explained answers."""
    gone: list[str]
    """Those that no longer show, which fails a strict run."""


class FindingForm(JsonForm):
    """A failure of a property, shrunk and confirmed."""

    property: str
    kind: str
    """The kind of failure (docs/properties.md)."""
    elements: int
    file: str
    """The crash file, which holds everything."""
    confirmed: str
    """Who confirmed it, and how often it came again."""
    same_as: str
    """The property that found this counterexample before; may be empty."""


class PropertyForm(JsonForm):
    """What a property has come to."""

    name: str
    verdict: str
    """passed, failed, xfailed, not tested, skipped, kit error or engine lost."""
    note: str
    reason: str
    counts: dict[str, int]
    """Cases by what became of them; empty where none was drawn."""
    causes: list[str]
    """The ids of the causes of its failures."""
    missing: list[str]
    """The features for want of which it was skipped."""
    marks: list[str]
    """The expected failures that were met."""
    seconds: float
    grounds: dict[str, int]
    """Of two engines: the cases compared, by why they must agree (docs/against.md)."""
    excuses: dict[str, int]
    """Cases of several answers that say nothing of each other, by the reason."""


class RunReport(JsonForm):
    """The result of a run of the suite against one engine."""

    rsp_report: Literal[1]
    """The version of this form."""
    rsp_conformance: str
    """The version of the kit."""
    engine: str
    version: str
    """The engine's version."""
    profile: str
    judged_by: str
    seed: str
    passed: bool
    """Whether something was compared and nothing was wrong but what is expected."""
    complete: bool
    """Whether the run came to its end; false where it was interrupted."""
    causes: list[CauseForm]
    known: KnownForm
    findings: list[FindingForm]
    properties: list[PropertyForm]
    seconds: dict[str, float]
    """What the time was spent on."""


def run_report(
    outcome: RunOutcome, started: RunStarted, *, passed: bool, complete: bool = True
) -> dict[str, Any]:
    """The document for OUTCOME of the run that STARTED so."""
    document = {
        "rsp_report": VERSION,
        "rsp_conformance": __version__,
        "engine": started.engine,
        "version": started.version,
        "profile": started.profile,
        "judged_by": started.judged_by,
        "seed": started.seed,
        "passed": passed,
        "complete": complete,
        "causes": [cause.to_json() for cause in outcome.causes],
        "known": {"shown": sorted(outcome.shown), "gone": outcome.gone},
        "findings": [to_json(finding) for finding in outcome.findings],
        "properties": [
            {
                "name": name,
                "causes": [cause.id for cause in outcome.causes if name in cause.properties],
                **to_json(finished),
            }
            for name, finished in outcome.finished.items()
        ],
        "seconds": {phase: round(spent, 3) for phase, spent in outcome.seconds.items()},
    }
    return RunReport.model_validate(document).model_dump(mode="json")


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the document."""
    return {"$schema": GenerateJsonSchema.schema_dialect, **RunReport.model_json_schema()}


# --- the file -------------------------------------------------------------------------------------


def check_place(path: Path) -> None:
    """Raise FileError, one line, where PATH cannot be written: before a run, not after it."""
    if path.exists() and not path.is_file():
        raise FileError(path, "not a file")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise FileError(path, f"cannot be written: {error.strerror}") from None


def write_report(path: Path, document: Mapping[str, Any]) -> None:
    """Write DOCUMENT to PATH, whole or not at all; raises OSError."""
    write_whole(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
