"""The result of a run as one JSON document, by a documented form (docs/results.md)."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from rsp_conformance import __version__
from rsp_conformance.diagnosis.cause import (
    KEYS,
    RARE,
    Cause,
    CauseJson,
    SmallestJson,
    is_named,
    json_of,
)
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.diagnosis.known_file import known_by, write_known
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.files.codec import Format, Keys
from rsp_conformance.files.fields import FieldError
from rsp_conformance.files.files import FileError, from_here, parse_json, read_text, write_whole
from rsp_conformance.judge.crash_file import id_of
from rsp_conformance.model.errors import excerpt
from rsp_conformance.run.causes import behind, evidence_for
from rsp_conformance.run.events import FindingConfirmed, PropertyFinished, RunStarted
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.tally import COUNTED

INDEX = "index.html"
"""The page in a report's folder."""
GENERATOR = '<meta name="generator" content="rsp-conformance" />'
"""The element by which the kit knows its own pages."""
VERSION = 1
"""The version of the form; within a version, fields are only added."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownJson:
    """What became of the causes that were known before the run (docs/known.md), by their ids."""

    shown: tuple[str, ...]
    """Those that explained answers."""
    gone: tuple[str, ...]
    """Those that no longer show, which fails a strict run."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The files that say so of these."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FindingJson:
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


@dataclass(frozen=True, kw_only=True, slots=True)
class TrendJson:
    """One run of a campaign's folder."""

    run: int
    started: str
    version: str
    """The engine's."""
    cases: int
    failing: int
    causes: tuple[str, ...]
    covered: int
    """Points of coverage that it was the first to cover."""
    ended: str
    """examples, time, interrupted or lost; empty where it was killed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CampaignJson:
    """What a campaign's document has beside that of a run of the suite, as ``campaign``."""

    run: int
    cases: int
    rate: float
    """Cases per second, on the clock."""
    outcomes: Mapping[str, int]
    new_causes: tuple[str, ...]
    """The ids of the causes that the user did not give as known."""
    failing_unnamed: int
    """Wrong answers that were not looked at for their causes: there were too many."""
    disagreements: int
    """Cases on which the kit's own judges differ: bugs of rsp-conformance."""
    covered: int
    """Points of coverage, of all runs against this version."""
    covered_of: Mapping[str, int]
    """Cases by the features, shapes and window geometry that they exercise."""
    lost: tuple[str, ...]
    """What no worker could do, and why."""
    trend: tuple[TrendJson, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RunReport:
    """The result of a run of the suite against one engine, or of a campaign."""

    rsp_report: Literal[1] = 1
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
    causes: tuple[CauseJson, ...]
    told: tuple[str, ...] = ()
    """The ids of all causes that were told of, by which reports number them: those found on the way
    first. One of them that is not among the causes was given up in the end."""
    known: KnownJson
    findings: tuple[FindingJson, ...]
    properties: tuple[PropertyFinished, ...]
    seconds: Mapping[str, float]
    """What the time was spent on, by all processes together."""
    started: str = ""
    """When the run began, in UTC (ISO 8601); may be empty."""
    duration: float = 0.0
    """Seconds of the whole run on the clock."""
    machine: str = ""
    """What the run took place on, such as `Linux x86_64, 2 processors, Python 3.11.7`; may be
    empty."""
    mode: str = ""
    """How much the run did: quick, normal or thorough (docs/plugin.md); empty where no mode is."""
    spec: str = ""
    """The engine as `--engine` has named it, such as `stdio:./my-driver`; may be empty."""
    dials: Mapping[str, str] = field(default_factory=dict)
    """The dials that the user has turned from the profile (docs/dials.md)."""
    verdicts: Mapping[str, int] = field(default_factory=dict)
    """The properties by their verdict."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """The cases of all properties by what became of them."""
    troubles: tuple[str, ...] = ()
    """Where the kit's own judges differ, and what it could not do, a sentence each."""
    campaign: CampaignJson | None = None
    """Of a campaign alone (docs/campaigns.md)."""


PROPERTY: Final = "verdict note reason counts causes missing marks seconds grounds excuses"
"""The keys of a property in every document, behind its name."""
REPORTS: Final = Format(
    {
        CauseJson: Keys(KEYS, omit=RARE),
        PropertyFinished: Keys(
            f"name=property {PROPERTY} lost losses", required=f"name {PROPERTY}"
        ),
        KnownJson: Keys(omit="files"),
        RunReport: Keys(required="rsp_report", omit="machine mode spec", absent="campaign"),
    },
    open=True,
)
"""Results of runs."""


def run_report(
    outcome: RunOutcome,
    started: RunStarted,
    *,
    passed: bool,
    complete: bool = True,
    began: str = "",
    duration: float = 0.0,
    machine: str = "",
    mode: str = "",
    spec: str = "",
    dials: Mapping[str, str] = MappingProxyType({}),
    known_files: Mapping[str, str] = MappingProxyType({}),
    campaign: CampaignJson | None = None,
) -> dict[str, Any]:
    """The document of a run.

    Args:
        outcome: the outcome of the run.
        started: the beginning of the run.
        passed: whether it has passed.
        complete: whether it came to its end.
        began: the instant of its beginning, in UTC (ISO 8601).
        duration: its seconds on the clock.
        machine: what it took place on (`this_machine`).
        mode: how much it did, if it has a mode.
        spec: the engine as it was named.
        dials: the dials that were turned from the engine's profile.
        known_files: the files of known causes, by the causes' ids.
        campaign: the result of the campaign, if it was one.
    """
    from rsp_conformance.run.properties import in_order

    finished, causes = outcome.finished.values(), outcome.causes
    counts = Counter(dict.fromkeys(COUNTED, 0))
    for event in finished:
        counts.update(event.counts)
    report = RunReport(
        rsp_conformance=__version__,
        engine=started.engine,
        version=started.version,
        profile=started.profile,
        judged_by=started.judged_by,
        seed=started.seed,
        passed=passed,
        complete=complete,
        causes=tuple(map(_cause, causes)),
        told=tuple(outcome.told),
        known=KnownJson(
            shown=tuple(sorted(outcome.shown)),
            gone=tuple(outcome.gone),
            files={id: known_files[id] for id in outcome.gone if id in known_files},
        ),
        findings=tuple(map(_finding, outcome.findings)),
        properties=tuple(
            replace(outcome.finished[name], causes=tuple(own.id for own in behind(name, causes)))
            for name in in_order(outcome.finished)
        ),
        seconds={phase: round(spent, 3) for phase, spent in outcome.seconds.items()},
        started=began,
        duration=round(duration, 3),
        machine=machine,
        mode=mode,
        spec=spec,
        dials=dials,
        verdicts=Counter(event.verdict for event in finished),
        counts=counts,
        troubles=tuple(_troubles(outcome)),
        campaign=campaign,
    )
    document: dict[str, Any] = REPORTS.write(RunReport, report)
    return document


def this_machine() -> str:
    """What this process runs on, in a few words that name nobody."""
    processors = counted(os.cpu_count() or 1, "processor")
    system = f"{platform.system()} {platform.machine()}"
    return f"{system}, {processors}, Python {platform.python_version()}"


def _cause(cause: Cause) -> CauseJson:
    smallest = SmallestJson(
        file=_shown(cause.file),
        elements=cause.elements,
        id=id_of(cause.file),
        causes=cause.together,
    )
    # What was known to a campaign before is compared with nothing.
    looked_for = cause.is_explained or not is_named(cause.id)
    evidence = evidence_for(cause) if looked_for else ""
    return replace(json_of(cause), smallest=smallest, evidence=evidence)


def _finding(found: FindingConfirmed) -> FindingJson:
    return FindingJson(
        property=found.property,
        kind=found.kind,
        elements=found.elements,
        file=_shown(found.file),
        confirmed=found.confirmed,
        same_as=found.same_as,
        headline=found.headline,
        id=id_of(found.file),
    )


def _shown(file: str) -> str:
    """A crash file as seen from the folder of the run, if it lies there: it is read elsewhere."""
    return str(from_here(Path(file))) if file else ""


def _troubles(outcome: RunOutcome) -> Iterator[str]:
    for name, said in outcome.disagreements.items():
        yield f"{name}: a bug of rsp-conformance, not of the engine: {said}"
    if outcome.lost:
        yield f"Not confirmed: {outcome.lost}"
    if outcome.unnamed:
        yield f"No causes are named: {outcome.unnamed}"
    if outcome.too_few_predictions:
        yield (
            f"Naming causes stopped after {outcome.too_few_predictions:,} predictions, the limit "
            "for a run of this size: what has no cause may have one. --rsp-deep looks for longer."
        )


def write_causes(path: Path, runs: Iterable[RunReport], given: Iterable[KnownCause] = ()) -> None:
    """Add the causes of runs to a file of known causes, so that later runs fail for others only.

    Args:
        path: the file, or a new one.
        runs: the results of the runs.
        given: the causes that were known before, with their reasons.

    Raises:
        FileError: the file holds something else.
        OSError: the file can't be written.
        ValueError: a result names a mutant or dial that this version does not have.
    """
    write_known(path, [*given, *(own for run in runs for own in _known_in(run))])


def _known_in(run: RunReport) -> Iterator[KnownCause]:
    """The causes that a run has found, and those that were known before it and showed."""
    for own in run.causes:
        cause = own.cause()
        # What was known to a campaign before is in its document by its name.
        by_name = is_named(own.id) and not cause.is_explained
        yield known_by(own.id) if by_name else KnownCause.of(cause)
    for id in run.known.shown:
        yield known_by(id, "known before the run")


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the document."""
    return REPORTS.schema(RunReport)


def read_report(path: Path) -> RunReport:
    """Read the result of a run from a file.

    Raises:
        FileError: the file holds no result, or one of a newer version.
    """
    document = parse_json(read_text(path), path)
    version = document.get("rsp_report") if isinstance(document, dict) else None
    if version != VERSION:
        newer = isinstance(version, int)
        said = f"version {excerpt(version)}: upgrade" if newer else "no rsp_report in it"
        raise FileError(path, f"not a result that this rsp-conformance reads ({said})")
    try:
        report: RunReport = REPORTS.read(RunReport, document)
        return report
    except FieldError as error:
        raise FileError(path, str(error)) from None


# --- the file -------------------------------------------------------------------------------------


def check_place(path: Path) -> None:
    """Make sure that a file can be written: before a run, not after it.

    Raises:
        FileError: it can't.
    """
    if path.exists() and not path.is_file():
        raise FileError(path, "not a file")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise FileError(path, f"cannot be written: {error.strerror}") from None


def make_folder(path: Path) -> None:
    """Make the folder of a report.

    A page in it that the kit has not written is somebody's, and is not overwritten.

    Raises:
        FileError: the folder can't be made or written, or holds such a page.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(path, f"no folder can be there: {error.strerror}") from None
    check_place(page := path / INDEX)
    if page.is_file() and GENERATOR not in page.read_text("utf-8", "replace"):
        raise FileError(page, "not a report of rsp-conformance, which would take its place")


def write_report(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document into a file, whole or not at all.

    Raises:
        OSError: the file can't be written.
    """
    write_whole(path, report_text(document))


def report_text(document: Mapping[str, Any]) -> str:
    """A document as files have it."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
