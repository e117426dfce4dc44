"""The form of a recording: JSON lines, compressed, with the run's head as the first line.

Every other line holds one observation, or one finding (a failure that the run has shrunk and
confirmed), in the form of a crash file. The head holds the members that all of them share, such as
the engine and its profile. So crash files' own writer and reader are the only codec, and the
protocol's request and the expected answers, which follow from the case, are left out.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from rsp_conformance.diagnosis.cause import SettingJson
from rsp_conformance.diagnosis.evidence import Answered, Evidence, Symptom
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.files.codec import Format, Keys, Via, at_least
from rsp_conformance.files.files import FileError, missing, parse_json
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.judge import crash_file
from rsp_conformance.judge.crash_file import CrashFile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import finding_json
from rsp_conformance.judge.recorded import finding_in, recorded
from rsp_conformance.judge.verdict import described, verdict_on
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.setting import Setting

VERSION: Final = 1
"""The version of the form that is written; every version up to it is read."""
DATA: Final = Path(__file__).parent / "data"
"""The folder of the recordings; it is outside the wheel."""
SUFFIX: Final = ".jsonl.xz"
"""xz, because the same queries and graphs recur: the first recording took 136 kB, and 239 kB with
gzip."""
SAMPLED: Final = 300
"""So many right answers are kept, and as many that nobody has judged.

The search compares what it has found with 256 right answers (`diagnosis.search.MOST_RIGHT`), and
issue 37 asks for at least 200.
"""
LARGEST: Final = 20 * 1024 * 1024
"""The recordings together take at most so many bytes, as issue 37 asks."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a recording says about its run.

    Attributes:
        name: the recording's name, which is that of its file.
        engine: the engine's name, as ``--engine`` takes it.
        options: the engine's options.
        version: the engine's version.
        profile: the engine profile that the answers were checked against.
        features: the features that the engine declares.
        seed: the seed of the run.
        examples: how many cases per property were generated.
        truth: the mutants and the dials with which the engine departs from the profile; None for
            an engine of which nobody knows that.
        visible: the parts of the truth without which some recorded answer would be predicted
            differently; None without a truth.
        counts: how many answers of each kind the run had, before the sample was taken.
        commit: the kit's commit.
        date: the day of the run.
    """

    name: str
    engine: str
    options: Mapping[str, str]
    version: str
    profile: Profile
    features: tuple[str, ...]
    seed: int
    examples: Annotated[int, at_least(1)]
    truth: Setting | None
    visible: tuple[str, ...] | None
    counts: Mapping[str, Annotated[int, at_least(0)]]
    commit: str
    date: str

    @property
    def shared(self) -> dict[str, Any]:
        """The members of a crash file that all lines share."""
        return {
            "rsp_crash": crash_file.VERSION,
            "engine": self.engine,
            "options": dict(self.options),
            "versions": {self.engine: self.version},
            "profile": PROFILES.write(Profile, self.profile),
        }


@dataclass(frozen=True, slots=True)
class SymptomJson:
    """What the search for causes learns about a finding besides its crash file."""

    file: str
    focus: str


@dataclass(frozen=True, slots=True)
class LineJson:
    """A line of a recording: an observation, or a finding if there is a symptom."""

    crash: Mapping[str, Any]
    correct: bool | None = None
    symptom: SymptomJson | None = None


RECORDINGS: Final = Format(
    {
        Profile: PROFILES,
        Setting: Via(SettingJson, SettingJson.setting, SettingJson.of),
        Head: Keys(
            "rsp_evidence " + " ".join(own.name for own in fields(Head)),
            fixed={"rsp_evidence": (VERSION, int)},
        ),
        LineJson: Keys(absent="symptom"),
    }
)
"""The lines of a recording."""


@dataclass(frozen=True, slots=True)
class Found:
    """A finding of a run, with its crash file and the focus that its case was generated from."""

    finding: Finding
    file: str = ""
    focus: str = ""

    @property
    def symptom(self) -> Symptom:
        """The finding as the search for causes takes it."""
        return Symptom.of(self.finding, file=self.file, focus=self.focus)


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded run.

    Attributes:
        head: what it says about the run.
        found: the failures that the run has shrunk and confirmed.
        answered: the observations, failures included, in the order in which they were made.
    """

    head: Head
    found: tuple[Found, ...]
    answered: tuple[Answered, ...]

    @property
    def evidence(self) -> Evidence:
        """What the search for causes is given at the end of the run."""
        return Evidence.of((own.symptom for own in self.found), self.answered)

    @property
    def failures(self) -> tuple[Answered, ...]:
        """The observations without an answer to judge."""
        return tuple(own for own in self.answered if own.observation.failure is not None)


def path_of(name: str, folder: Path = DATA) -> Path:
    """Return the file of the recording with this name."""
    return folder / f"{name}{SUFFIX}"


def names(folder: Path = DATA) -> list[str]:
    """Return the names of all recordings in the folder, sorted."""
    return sorted(path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}"))


def sampled(answered: Iterable[Answered]) -> list[Answered]:
    """Return every wrong answer and failure, and `SAMPLED` of the others of each kind.

    The sample is the answers with the smallest digests of their content, so it depends neither on
    the order of the run nor on the process.
    """
    everything = [own for own in answered if own.observation.unsupported is None]
    kept: set[int] = set()
    for correct in (True, None):
        places = [
            place
            for place, own in enumerate(everything)
            if own.correct is correct and own.observation.failure is None
        ]
        digests = {
            n: (everything[n].observation.digest, everything[n].property_name) for n in places
        }
        kept.update(sorted(places, key=digests.__getitem__)[:SAMPLED])
    return [
        own
        for place, own in enumerate(everything)
        if place in kept or own.correct is False or own.observation.failure is not None
    ]


def write(
    recording: Recording,
    subject: EngineUnderTest,
    folder: Path = DATA,
    masked: Mapping[str, str] | None = None,
) -> Path:
    """Write a recording whole or not at all, and return its file.

    Args:
        recording: the recording.
        subject: the engine under test.
        folder: where the file goes.
        masked: texts to keep out of the file, such as this machine's folders, each with its
            replacement.
    """
    lines: list[Mapping[str, Any]] = [RECORDINGS.write(Head, recording.head)]
    for own in recording.found:
        crash = _crash(own.finding)
        lines.append({"symptom": {"file": own.file, "focus": own.focus}, "crash": crash})
    lines += [_line(own, subject) for own in recording.answered]
    text = "".join(_written(line) + "\n" for line in lines)
    for said, instead in (masked or {}).items():
        text = text.replace(said, instead)
    path = path_of(recording.head.name, folder)
    partial = path.with_suffix(".part")
    with lzma.open(partial, "wt", encoding="utf-8", preset=9) as file:
        file.write(text)
    partial.rename(path)
    return path


def read_head(name: str, folder: Path = DATA) -> Head:
    """Return the head of a recording.

    Raises:
        FileError: there is no such recording, or it is damaged, or of a version to come.
    """
    path = path_of(name, folder)
    return _head(next(_documents(path), None), path)


def read(name: str, folder: Path = DATA) -> Recording:
    """Return a recording.

    Raises:
        FileError: there is no such recording, or it is damaged, or of a version to come.
    """
    path = path_of(name, folder)
    documents = _documents(path)
    head = _head(next(documents, None), path)
    found: list[Found] = []
    answered: list[Answered] = []
    for number, document in enumerate(documents, 2):
        try:
            own = _read_line(head, document, path)
        except ValueError as error:
            said = str(error).removeprefix(f"{path}: ").removeprefix("damaged: ")
            raise FileError(path, f"damaged: {said}", number) from None
        if isinstance(own, Found):
            found.append(own)
        else:
            answered.append(own)
    return Recording(head, tuple(found), tuple(answered))


def unread(name: str, folder: Path = DATA) -> list[Callable[[], Answered]]:
    """Return the observations of a recording, each of which is read when it is called.

    For who wants a few of them: to read one takes some milliseconds, and there are up to 1,700.

    Raises:
        FileError: there is no such recording, or it is damaged, or of a version to come.
    """
    path = path_of(name, folder)
    documents = _documents(path)
    head = _head(next(documents, None), path)
    return [partial(_answered, head, own, path) for own in documents if "symptom" not in own]


def _answered(head: Head, document: object, path: Path) -> Answered:
    own = _read_line(head, document, path)
    assert isinstance(own, Answered)
    return own


def _line(own: Answered, subject: EngineUnderTest) -> dict[str, Any]:
    """An observation as a line; a right answer has no kind of failure."""
    finding = described(own.property_name, subject, own.observation, _verdict(own))
    crash = _crash(finding)
    if own.observation.failure is None and own.correct is not False:
        del crash["kind"]
    if own.observation.stimulus.unit is not None:
        crash["unit"] = own.observation.stimulus.unit
    return {"correct": own.correct, "crash": crash}


def _verdict(own: Answered) -> Any:
    try:
        return verdict_on(own.observation) if own.correct is False else None
    except LimitExceeded:
        return None


def _crash(finding: Finding) -> dict[str, Any]:
    """The members of the finding's crash file that are its own."""
    return finding_json(finding)


def _written(line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def _documents(path: Path) -> Iterator[Any]:
    if not path.is_file():
        raise missing(path, "recording")
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                yield parse_json(line, path, number)
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise FileError(path, f"damaged: {error}") from None


def _head(value: object, path: Path) -> Head:
    version = value.get("rsp_evidence") if isinstance(value, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FileError(path, "not a recording (no rsp_evidence in its first line)")
    if version > VERSION:
        raise FileError(path, f"version {version} of recordings is newer than is read ({VERSION})")
    try:
        head: Head = RECORDINGS.read(Head, value)
    except ValueError as error:
        raise FileError(path, f"damaged: {error}", 1) from None
    return head


def _read_line(head: Head, value: object, path: Path) -> Found | Answered:
    line: LineJson = RECORDINGS.read(LineJson, value)
    crash = {"kind": "wrong answer", **head.shared, **line.crash}
    read = _with_own_lines(crash_file.from_json(crash, path))
    if line.symptom is not None:
        return Found(finding_in(read), line.symptom.file, line.symptom.focus)
    return Answered(_observation(read), line.correct, read.property_name)


def _with_own_lines(crash: CrashFile) -> CrashFile:
    """The crash file with the driver's lines in its failure as well, as the protocol has it."""
    if crash.failure is None or crash.failure.kind == "unstable":
        return crash
    return replace(crash, failure=replace(crash.failure, stderr=crash.stderr))


def _observation(crash: CrashFile) -> Observation:
    (own,) = recorded(crash)
    return replace(own, failure=crash.failure, stderr=crash.stderr)


def size(folder: Path = DATA) -> int:
    """Return how many bytes all recordings in the folder take."""
    return sum(path.stat().st_size for path in folder.glob(f"*{SUFFIX}"))


def visible_parts(truth: Setting, evidence: Sequence[Observation]) -> tuple[str, ...]:
    """Return the parts of the truth that some answer shows.

    A part is visible if the whole truth predicts some answer that the truth without this part does
    not predict.

    Args:
        truth: the mutants and dials of the engine.
        evidence: its answers.
    """
    predictions = Predictions()
    found = []
    for part in truth.parts:
        rest = truth.without(part)
        if any(
            predictions.agrees(truth, own) and predictions.agrees(rest, own) is False
            for own in evidence
        ):
            found.append(str(part))
    return tuple(found)
