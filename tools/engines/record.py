"""A run of the suite on one engine, as the page and the site tell it and as JSON keeps it."""

from __future__ import annotations

import json
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from hypothesis import Phase, given, seed, settings

from rsp_conformance.adapters.jvm.java import find_java
from rsp_conformance.api import ConnectedEngine, connect, run_suite
from rsp_conformance.cli.replaying import status_of
from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.files.profiles import PROFILES, ProfileJson
from rsp_conformance.judge.crash_file import CrashFile, read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import EngineUnavailable, registry
from rsp_conformance.protocol.registry import EngineEntry
from rsp_conformance.run.events import CaseJudged, Event, PropertyVerdict
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.replay import replay
from rsp_conformance.run.run_report import this_machine
from rsp_conformance.run.selection import strategy_of
from tools.engines.counterexamples import SUFFIX, pack

ROOT = Path(__file__).resolve().parents[2]
RECORDS = Path(__file__).parent / "records"
DEEP = RECORDS / "deep"
"""Results of runs with ``--rsp-deep``, as ``--rsp-json`` writes them, without their findings.

``ENGINE.json``, or ``ENGINE.OPTION=VALUE.json`` for an engine that was given an option.
"""
CRASHES = ROOT / "tools" / "engines" / "crashes"
DEFECTS = CRASHES / "defects.toml"

SPEED_CASES = 400
"""So many cases of the property ``windows`` are asked to find an engine's speed."""


HANGS = 8.0
"""Seconds that a replayed case may take."""


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect of an engine that was found before, in words, with where it was seen.

    Attributes:
        engine: the engine's name.
        name: a short name, one for each of an engine's defects.
        what: what the engine does, and what it should do.
        breaks: the definition or section that is broken.
        crash: the crash file in ``tools/engines/crashes``; empty for a defect that was not found.
        not_found: why no property finds it, where none does.
        causes: the mutants that are this defect; empty where the kit has none.
        not_deep: why a deep run does not name it, where that is known.
    """

    engine: str
    name: str
    what: str
    breaks: str
    crash: str = ""
    not_found: str = ""
    causes: Sequence[str] = ()
    not_deep: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of a defect's crash file: FAILED, FIXED or ERROR.

    ``options`` are the engine's, as the file has them.
    """

    status: str
    property: str
    kind: str
    options: str
    elements: int


@dataclass(frozen=True, slots=True)
class PropertyRecord:
    """What a property came to; ``first`` is the number of its first case that failed, by kind."""

    verdict: PropertyVerdict
    note: str
    counts: Mapping[str, int]
    first: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Record:
    """All that the page and the site say of one version of an engine.

    Attributes:
        engine: the name that users write.
        version: the engine's own.
        profile: the profile that it is held to: its name, or its dials.
        seed: the seed of the run.
        examples: cases a property.
        start_up: seconds until the engine had said hello.
        cases_per_second: of the driver alone, cases of the property ``windows`` in a burst.
        properties: by name, in the suite's order.
        causes: what stands behind the failures, as the run's JSON has it, the best first.
        unnamed: why no causes could be named, where that is so.
        red: failures that were confirmed and shrunk: each a report and a crash file.
        seconds: of the run, by the clock of the wall.
        naming: of these, those that naming causes took.
        defects: what became of each known defect's crash file, by its name.
        started: when the run began, in UTC (ISO 8601); empty for older records.
        judged_by: who judged its answers; empty for older records.
        machine: what it took place on; empty for older records.
    """

    engine: str
    version: str
    profile: str
    seed: int
    examples: int
    start_up: float
    cases_per_second: float
    properties: Mapping[str, PropertyRecord]
    causes: Sequence[Mapping[str, Any]] = ()
    unnamed: str = ""
    red: int = 0
    seconds: float = 0.0
    naming: float = 0.0
    defects: Mapping[str, Shown] = field(default_factory=dict)
    started: str = ""
    judged_by: str = ""
    machine: str = ""


def defects() -> tuple[Defect, ...]:
    """Every defect that ``tools/engines/crashes/defects.toml`` names."""
    if not DEFECTS.exists():
        return ()
    with DEFECTS.open("rb") as file:
        return tuple(Defect(**entry) for entry in tomllib.load(file)["defect"])


def deep_runs() -> dict[str, dict[str, list[Cause]]]:
    """The causes that deep runs have named, by engine and by its option, that without one first."""
    runs: dict[str, dict[str, list[Cause]]] = {}
    for path in sorted(DEEP.glob("*.json"), key=lambda path: path.stem):
        engine, _, option = path.stem.partition(".")
        causes = json.loads(path.read_text("utf-8"))["causes"]
        runs.setdefault(engine, {})[option] = [CAUSES.read(Cause, cause) for cause in causes]
    return runs


def measured(
    name: str, *, examples: int, seed: int, folder: Path, properties: Iterable[str] = ()
) -> Record:
    """Run the suite on the engine NAME, ask its speed, and replay its known defects.

    PROPERTIES are run alone where there are any. Crash files of the run go into FOLDER. Raises
    what `rsp_conformance.api.connect` does where there is no such engine here.
    """
    began, started = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
    engine = connect(name)
    start_up = time.perf_counter() - began
    first: defaultdict[str, dict[str, int]] = defaultdict(dict)
    judged: Counter[str] = Counter()

    def listen(event: Event) -> None:
        if isinstance(event, CaseJudged):
            judged[event.property] += 1
            if event.outcome.accuses:
                first[event.property].setdefault(event.kind, judged[event.property])

    with engine:
        began = time.perf_counter()
        result = run_suite(
            engine,
            properties=properties,
            examples=examples,
            seed=seed,
            folder=folder,
            listen=listen,
        )
        outcome = RunOutcome().take(result.events)
        seconds = time.perf_counter() - began
        found = {
            event.property: PropertyRecord(
                event.verdict, event.note, dict(event.counts), first[event.property]
            )
            for event in result.properties
        }
        return Record(
            engine=name,
            version=engine.under_test.hello.version or "",
            profile=_profile(engine),
            seed=seed,
            examples=examples,
            start_up=start_up,
            cases_per_second=_speed(engine.under_test),
            properties=found,
            causes=[_portable(CAUSES.write(Cause, cause)) for cause in outcome.causes],
            unnamed=outcome.unnamed,
            red=len(outcome.findings),
            seconds=round(seconds, 1),
            naming=round(outcome.seconds["causes"], 1),
            defects=shown(name),
            started=started,
            judged_by=outcome.started.judged_by if outcome.started else "",
            machine=this_machine(),
        )


def installed() -> list[str]:
    """The names of the engines that can run here, `reference` apart."""
    entries, _ = registry.registered()
    return [e.name for e in entries if e.name != "reference" and not cannot_start(e)]


def cannot_start(entry: EngineEntry) -> str:
    """Why the engine of ENTRY cannot start here; empty where it can, for all that is known."""
    if not entry.installed():
        return f"the engine {entry.name} is not installed"
    if entry.install_jars is not None:
        try:
            find_java(1)  # of which version it has to be, the engine says
        except EngineUnavailable as error:
            return error.line
    return ""


def _portable(cause: dict[str, Any]) -> dict[str, Any]:
    """CAUSE without places that are this machine's alone; of its crash file the name is left."""
    text = cause["text"].replace(str(Path.home()), "~")
    smallest = dict(cause["smallest"])
    if file := smallest.get("file"):
        smallest["file"] = Path(file).name
    return {**cause, "text": text, "smallest": smallest}


def _profile(engine: ConnectedEngine) -> str:
    own = engine.under_test.hello.profile
    return own if isinstance(own, str) else own.name or json.dumps(PROFILES.write(ProfileJson, own))


def _speed(subject: EngineUnderTest) -> float:
    """Cases a second, of as many as the driver takes at once."""
    cases: list[Case] = []

    @seed(0)
    @settings(max_examples=SPEED_CASES, database=None, deadline=None, phases=[Phase.generate])
    @given(strategy_of(property_named("windows"), subject))
    def draw(case: Any) -> None:
        cases.append(case)

    draw()
    stimuli = [Stimulus(case) for case in islice(cases, SPEED_CASES)]
    began = time.perf_counter()
    asked = sum(1 for _ in subject.ask_many(stimuli))
    return asked / (time.perf_counter() - began)


def shown(name: str) -> dict[str, Shown]:
    """What becomes of the crash files of the known defects of the engine NAME, by defect."""
    own = [defect for defect in defects() if defect.engine == name and defect.crash]
    by_options: defaultdict[tuple[tuple[str, str], ...], dict[str, CrashFile]] = defaultdict(dict)
    for defect in own:
        crash = read(CRASHES / defect.crash)
        by_options[tuple(crash.options.items())][defect.name] = crash
    found = {}
    for options, crashes in by_options.items():
        # What hangs in a file hangs again; a right answer takes no second.
        with registry.connect(name, dict(options), HANGS) as engine:
            subject = EngineUnderTest.meet(engine)
            for defect_name, crash in crashes.items():
                found[defect_name] = _replayed(crash, subject)
    return {defect.name: found[defect.name] for defect in own}


def _replayed(crash: CrashFile, subject: EngineUnderTest) -> Shown:
    held = EngineUnderTest(subject.engine, crash.profile, subject.hello)
    found = replay(crash, held, 10 if crash.kind == "unstable" else 1)
    elements = max(len(asked.case.elements) for asked in crash.cases)
    options = " ".join(f"{name}={value}" for name, value in crash.options.items())
    return Shown(status_of(found.outcome), crash.property_name, crash.kind, options, elements)


def write(record: Record, crashes: Path | None = None, folder: Path = RECORDS) -> None:
    """Keep RECORD in FOLDER, beside those of other versions.

    With it go the crash files of its causes, which are in the folder CRASHES. Without that folder,
    those that are kept stay.
    """
    folder.mkdir(exist_ok=True)
    text = json.dumps(asdict(record), indent=1, ensure_ascii=False) + "\n"
    (folder / f"{record.engine}-{record.version}.json").write_text(text, "utf-8")
    if crashes is not None:
        files = dict.fromkeys(own for cause in record.causes if (own := crash_file(cause)))
        pack([crashes / own for own in files], kept_crashes(record, folder))


def crash_file(cause: Mapping[str, Any]) -> str:
    """The name of the crash file with a cause's smallest case; empty if none was shrunk."""
    return str(cause["smallest"].get("file", ""))


def kept_crashes(record: Record, folder: Path = RECORDS) -> Path:
    """The file with the crash files of a record."""
    return folder / f"{record.engine}-{record.version}{SUFFIX}"


def records(folder: Path = RECORDS) -> list[Record]:
    """Every record that FOLDER keeps, by the engine's name and version."""
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def _read(path: Path) -> Record:
    document = json.loads(path.read_text("utf-8"))
    document["properties"] = {
        name: PropertyRecord(**given) for name, given in document["properties"].items()
    }
    document["defects"] = {name: Shown(**given) for name, given in document["defects"].items()}
    return Record(**document)


__all__ = [
    "Defect",
    "PropertyRecord",
    "Record",
    "Shown",
    "cannot_start",
    "crash_file",
    "defects",
    "installed",
    "kept_crashes",
    "measured",
    "records",
    "write",
]
