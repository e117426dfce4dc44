"""The result of a run as one JSON document, by a documented form (docs/results.md)."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from rsp_conformance import __version__
from rsp_conformance.causes.cause import UNEXPLAINED, Cause
from rsp_conformance.files.fields import FieldError
from rsp_conformance.files.files import FileError, from_here, parse_json, read_text, write_whole
from rsp_conformance.files.forms import ABSENT, JsonForm, read_form
from rsp_conformance.judge.crash_file import id_of
from rsp_conformance.model.errors import excerpt
from rsp_conformance.suite.causes import evidence_for
from rsp_conformance.suite.events import RunStarted, to_json
from rsp_conformance.suite.outcome import RunOutcome
from rsp_conformance.suite.tally import COUNTED

INDEX = "index.html"
"""The page in a report's folder."""
GENERATOR = '<meta name="generator" content="rsp-conformance" />'
"""What every such page says of itself."""
VERSION = 1
"""The version of the form; within one, fields are only added."""


class SmallestForm(JsonForm):
    """The smallest case that shows a cause."""

    file: str
    """Its crash file, from the folder of the run on where it lies in that; may be empty."""
    elements: int
    """How many stream elements it has."""
    id: str = ""
    """The id of the crash file, which `rsp-conformance replay` takes too; may be empty."""


class HypothesisForm(JsonForm):
    """What about an engine would predict its answers."""

    mutants: list[str]
    """Known defects, by the names of docs/faults.md."""
    dials: dict[str, str]
    """Dials turned from the engine's profile."""


class CauseForm(HypothesisForm):
    """A cause of failures; without mutants and dials nothing known explains it.

    It is held against no answer then, and ``passing``, ``asked``, ``wrong`` and ``right`` are 0.
    """

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
    evidence: str = ""
    """How far the answers of the run show it, in one sentence."""


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
    """The crash file, which holds everything, from the folder of the run on."""
    confirmed: str
    """Who confirmed it, and how often it came again."""
    same_as: str
    """The property that found this counterexample before; may be empty."""
    headline: str = ""
    """What is wrong with the answer, in a few words."""
    id: str = ""
    """The id of the crash file."""


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
    """Of two engines: the cases compared, by why they must agree (docs/compare.md)."""
    excuses: dict[str, int]
    """Cases of several answers that say nothing of each other, by the reason."""
    lost: int = 0
    """How often the engine did not survive a case, or not answer it in time."""


class TrendForm(JsonForm):
    """One run of a campaign's folder."""

    run: int
    started: str
    version: str
    """The engine's."""
    cases: int
    failing: int
    causes: list[str]
    covered: int
    """Points of coverage that it was the first to cover."""
    ended: str
    """examples, time, interrupted or lost; empty where it was killed."""


class CampaignForm(JsonForm):
    """What a campaign's document has beside that of a run of the suite, as ``campaign``."""

    run: int
    cases: int
    rate: float
    """Cases a second, on the clock."""
    outcomes: dict[str, int]
    new_causes: list[str]
    """The ids of the causes that the user did not give as known."""
    failing_unnamed: int
    """Wrong answers that were not looked at for their causes: there were too many."""
    disagreements: int
    """Cases on which the kit's own judges differ: bugs of rsp-conformance."""
    covered: int
    """Points of coverage, of all runs against this version."""
    covered_of: dict[str, int]
    """Cases by the features, shapes and window geometry that they exercise."""
    lost: list[str]
    """What no worker could do, and why."""
    trend: list[TrendForm]


class RunReport(JsonForm):
    """The result of a run of the suite against one engine, or of a campaign."""

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
    """Whether the run came to its end: neither interrupted nor stopped by --rsp-stop-after."""
    causes: list[CauseForm]
    told: list[str] = Field(default_factory=list)
    """The ids of all causes that were told of, by which reports number them: those found on the way
    first. One of them that is not among the causes was given up in the end."""
    known: KnownForm
    findings: list[FindingForm]
    properties: list[PropertyForm]
    seconds: dict[str, float]
    """What the time was spent on, by all processes together."""
    started: str = ""
    """When the run began, in UTC (ISO 8601); may be empty."""
    duration: float = 0.0
    """Seconds of the whole run on the clock."""
    mode: str = ""
    """How much the run did: quick, normal or thorough (docs/plugin.md); empty where no mode is."""
    spec: str = ""
    """The engine as `--engine` has named it, such as `stdio:./my-driver`; may be empty."""
    dials: dict[str, str] = Field(default_factory=dict)
    """The dials that the user has turned from the profile (docs/dials.md)."""
    verdicts: dict[str, int] = Field(default_factory=dict)
    """The properties by their verdict."""
    counts: dict[str, int] = Field(default_factory=dict)
    """The cases of all properties by what became of them."""
    troubles: list[str] = Field(default_factory=list)
    """Where the kit's own judges differ, and what it could not do, a sentence each."""
    campaign: CampaignForm = ABSENT
    """Of a campaign alone (docs/campaigns.md)."""


def run_report(
    outcome: RunOutcome,
    started: RunStarted,
    *,
    passed: bool,
    complete: bool = True,
    began: str = "",
    duration: float = 0.0,
    mode: str = "",
    spec: str = "",
    dials: Mapping[str, str] = MappingProxyType({}),
    campaign: CampaignForm | None = None,
) -> dict[str, Any]:
    """The document for OUTCOME of the run that STARTED so.

    It BEGAN at that instant of UTC and had that DURATION in seconds, in a MODE if there are any.
    SPEC is the engine as it was named, DIALS are those turned from its profile. CAMPAIGN is what it
    has besides, where it was one.
    """
    from rsp_conformance.suite.properties import in_order

    finished = outcome.finished.values()
    counts = Counter(dict.fromkeys(COUNTED, 0))
    for event in finished:
        counts.update(event.counts)
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
        "causes": [_cause(cause) for cause in outcome.causes],
        "told": outcome.told,
        "known": {"shown": sorted(outcome.shown), "gone": outcome.gone},
        "findings": [
            {**to_json(own), "file": _shown(own.file), "id": id_of(own.file)}
            for own in outcome.findings
        ],
        "properties": [
            {
                "name": name,
                "causes": [cause.id for cause in outcome.causes if name in cause.properties],
                **to_json(outcome.finished[name]),
            }
            for name in in_order(outcome.finished)
        ],
        "seconds": {phase: round(spent, 3) for phase, spent in outcome.seconds.items()},
        "started": began,
        "duration": round(duration, 3),
        **({"mode": mode} if mode else {}),
        **({"spec": spec} if spec else {}),
        "dials": dict(dials),
        "verdicts": dict(Counter(event.verdict for event in finished)),
        "counts": dict(counts),
        "troubles": list(_troubles(outcome)),
        **({} if campaign is None else {"campaign": campaign.model_dump()}),
    }
    return RunReport.model_validate(document).model_dump(mode="json", exclude_unset=True)


def _cause(cause: Cause) -> dict[str, Any]:
    document = cause.to_json()
    smallest = {**document["smallest"], "file": _shown(cause.file), "id": id_of(cause.file)}
    # What was known to a campaign before is held against nothing.
    looked_for = cause.is_explained or cause.id.startswith(UNEXPLAINED)
    evidence = evidence_for(cause) if looked_for else ""
    return {**document, "smallest": smallest, "evidence": evidence}


def _shown(file: str) -> str:
    """A crash FILE from the folder of the run on, where it lies in that: it is read elsewhere."""
    return str(from_here(Path(file))) if file else ""


def _troubles(outcome: RunOutcome) -> Iterator[str]:
    for name, said in outcome.disagreements.items():
        yield f"{name}: a bug of rsp-conformance, for which nobody is accused: {said}"
    if outcome.lost:
        yield f"Not confirmed: {outcome.lost}"
    if outcome.unnamed:
        yield f"No causes are named: {outcome.unnamed}"


_READ: TypeAdapter[RunReport] = TypeAdapter(RunReport)


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the document."""
    return {"$schema": GenerateJsonSchema.schema_dialect, **RunReport.model_json_schema()}


def read_report(path: Path) -> RunReport:
    """The result in the file at PATH; FileError where it is none, or of a version to come."""
    document = parse_json(read_text(path), path)
    version = document.get("rsp_report") if isinstance(document, dict) else None
    if version != VERSION:
        newer = isinstance(version, int)
        said = f"version {excerpt(version)}: upgrade" if newer else "no rsp_report in it"
        raise FileError(path, f"not a result that this rsp-conformance reads ({said})")
    try:
        report: RunReport = read_form(_READ, document)
        return report
    except FieldError as error:
        raise FileError(path, str(error)) from None


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


def make_folder(path: Path) -> None:
    """Make the folder PATH of a report; FileError, one line, where none can be written into it.

    A page that is there already and not a report of ours is somebody's, and not written over.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(path, f"no folder can be there: {error.strerror}") from None
    check_place(page := path / INDEX)
    if page.is_file() and GENERATOR not in page.read_text("utf-8", "replace"):
        raise FileError(page, "not a report of rsp-conformance, which would take its place")


def write_report(path: Path, document: Mapping[str, Any]) -> None:
    """Write DOCUMENT to PATH, whole or not at all; raises OSError."""
    write_whole(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
