"""Crash files: one failed case, self-contained, that any later version can replay.

JSON with a version; a file of an older version stays readable. `judge.keeper` writes them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final

from rsp_conformance import __version__
from rsp_conformance.files.answers import STORED_ANSWERS
from rsp_conformance.files.cases import CASES
from rsp_conformance.files.codec import Format, Keys, at_least, one_of
from rsp_conformance.files.fields import fail
from rsp_conformance.files.files import FileError, from_here, parse_json, read_text
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.judge.failures import KINDS
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dependence import NOTHING_FOUND, Dependence, Experiment
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import excerpt
from rsp_conformance.model.finding import CONTRADICTION, EngineFailure, FollowUpCase
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.trial import PACINGS, Stimulus, Trial, Variant
from rsp_conformance.protocol.registry import STDIO

OWN = ("rsp-conformance", "hypothesis")
"""The versions in a file that are not the engine's."""
VERSION = 1
"""The version that is written; every version up to it is read."""
REPLAY = "rsp-conformance replay"
"""The command that takes a crash file."""
ID = re.compile(r"-([0-9a-f]{6})\.json")
"""How the name of a finished file ends."""
SAVED = Path(".rsp/crashes")
"""The folder that runs write to unless told otherwise, and in which an id is looked up, here or in
a folder above."""


@dataclass(frozen=True, slots=True)
class OtherEngine:
    """The engine with which another engine was compared; its fields are as in ``CrashFile``."""

    engine: str
    options: Mapping[str, str]
    profile: Profile


@dataclass(frozen=True, slots=True)
class CrashFile:
    """The parts of a crash file that replaying needs.

    Attributes:
        property_name: the property that failed.
        kind: the kind of failure (`failures.KINDS`).
        engine: the engine, as ``--engine`` named it.
        options: its options, as ``--engine-option`` gave them.
        profile: the engine profile that it was checked against.
        cases: the cases that the engine was asked; several if their answers contradict each other.
        requests: the protocol's requests, to be piped into the driver by hand; there may be none.
        against: the engine that cases marked ``second`` were asked of, if there were two engines.
        failure: what the engine said in place of an answer.
        statement: the relation that the answers contradict.
        source: the definition that the relation follows from.
        contradiction: how the answers contradict it.
        again: the answers of a second run, if they differ.
        version: the engine's version.
        stderr: the driver's last lines on standard error.
        causes: the ids of the causes by which the run that wrote the file explained the failure, if
            it named any.
        dependence: what the failure depended on in that run, if nothing explained it.
    """

    property_name: str
    kind: str
    engine: str
    options: Mapping[str, str]
    profile: Profile
    cases: tuple[FollowUpCase, ...]
    requests: tuple[Mapping[str, Any], ...] = ()
    against: OtherEngine | None = None
    failure: EngineFailure | None = None
    statement: str = ""
    source: str = ""
    contradiction: str = ""
    again: tuple[Observed, ...] = ()
    version: str = ""
    stderr: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    dependence: Dependence = NOTHING_FOUND

    @property
    def is_trial(self) -> bool:
        """Whether a metamorphic test was violated; some of them look at one case alone."""
        return self.kind == CONTRADICTION or len(self.cases) > 1

    @property
    def trial(self) -> Trial:
        """The trial that failed."""
        return Trial(tuple(asked.variant for asked in self.cases))

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """The stimuli that the engine was asked."""
        return self.trial.stimuli

    def dials(self, stimulus: Stimulus) -> Dials:
        """The dials under which the file's engine was judged on one of its cases."""
        other = self.against if stimulus.second else None
        dials = (other or self).profile.dials(stimulus.case.query)
        return dials if stimulus.unit is None else replace(dials, unit=stimulus.unit)


# --- the document -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedJson:
    """A case with what came back, alone in a file."""

    unit: Annotated[int, at_least(1)] | None = None
    """Milliseconds per instant, if it is not the profile's number."""
    pacing: Annotated[str, one_of(PACINGS)] = "burst"
    case: Case
    query_as_sent: str = ""
    """The query in the engine's language."""
    answers: tuple[Observed, ...] = ()
    request: Mapping[str, Any] | None = None
    """The protocol's request, to be piped into the driver by hand."""

    def asked(self) -> FollowUpCase:
        """Return the case with what came back."""
        return FollowUpCase(self.variant, self.query_as_sent, self.answers)

    @property
    def variant(self) -> Variant:
        """What the engine was asked."""
        return Variant("", Stimulus(self.case, self.pacing, self.unit))


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowUpJson(AskedJson):
    """One of several cases whose answers contradict each other."""

    label: str = ""
    """How the case was made from the first case."""
    follows: tuple[Annotated[int, at_least(0)], ...] | None = None
    """For each window the position of the first case's window that starts together with it."""
    scale: Annotated[int, at_least(1)] = 1
    """The factor by which the instants of the first case were multiplied."""
    second: bool = False
    """Whether the case was run on the second of two engines."""
    correct: bool | None = None
    """The verdict of the reference model."""

    @classmethod
    def of(cls, own: Variant, **more: Any) -> FollowUpJson:
        """Return a variant as it is written, with more members."""
        stimulus = own.stimulus
        asked: dict[str, Any] = {"label": own.label, "follows": own.follows, "scale": own.scale}
        asked |= {"case": own.case, "pacing": stimulus.pacing}
        asked |= {"unit": stimulus.unit, "second": stimulus.second}
        return cls(**asked | more)

    @property
    def variant(self) -> Variant:
        """What the engine was asked."""
        stimulus = Stimulus(self.case, self.pacing, self.unit, self.second)
        return Variant(self.label, stimulus, self.follows, self.scale)


@dataclass(frozen=True, kw_only=True, slots=True)
class RelatedJson:
    """A violated metamorphic test."""

    statement: str = ""
    """What the answers must have in common."""
    source: str = ""
    """The definition that it follows from."""
    contradiction: str = ""
    """What the answers show instead."""
    asked: tuple[FollowUpJson, ...]

    def cases(self) -> tuple[FollowUpCase, ...]:
        """Return the cases.

        Raises:
            FieldError: there is no case, or windows follow windows that the first case lacks.
        """
        if not self.asked:
            fail("related.asked", "at least one case", [])
        cases = tuple(one.asked() for one in self.asked)
        first = len(cases[0].case.query.windows)
        for number, one in enumerate(cases):
            own = len(one.case.query.windows)
            follows = range(own) if one.variant.follows is None else one.variant.follows
            if len(follows) != own or any(place >= first for place in follows):
                expected = f"one of the first case's {first} windows for each of {own}"
                fail(f"related.asked[{number}].follows", expected, one.variant.follows)
        return cases


@dataclass(frozen=True, kw_only=True, slots=True)
class FindingJson(AskedJson):
    """A failure: what the engine was asked, and what is wrong with what came back."""

    property: str
    kind: Annotated[str, one_of((*KINDS, "wrong answer"))]
    stderr: tuple[str, ...] = ()
    """The driver's last lines on standard error."""
    related: RelatedJson | None = None
    failure: EngineFailure | None = None
    answers_again: tuple[Observed, ...] = ()
    """The answers of the second run, if they differ."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedJson:
    """The expected answers that are nearest to those of the engine."""

    t0: Mapping[str, int | None]
    """Where windows start."""
    t_s: int
    """The instant from which answers are compared."""
    answers: tuple[Evaluation, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SightingJson:
    """A run that met a failure."""

    at: str
    """The instant, in UTC (ISO 8601)."""
    versions: Mapping[str, str]
    """The versions of the kit, of Hypothesis and of the engine."""
    causes: tuple[str, ...] = ()
    """The ids of the causes by which the run explained it in the end. They are here, and not at the
    top, because earlier versions of the kit refuse a field at the top that they do not know."""
    only_if: tuple[str, ...] = ()
    """Conditions, if nothing explained it: no answer to a case without one was wrong."""
    experiments: tuple[Experiment, ...] = ()
    """The cases that were asked to find the conditions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenJson:
    """When a failure was met, with which versions, and how often."""

    first: SightingJson
    last: SightingJson
    count: Annotated[int, at_least(1)]


@dataclass(frozen=True, kw_only=True, slots=True)
class CrashJson(FindingJson):
    """A crash file as it is written; replaying does not need what has the type Any."""

    rsp_crash: int = VERSION
    """The version of the form."""
    engine: str
    options: Mapping[str, str] = field(default_factory=dict)
    seed: Any = None
    versions: Mapping[str, str] = field(default_factory=dict)
    profile: Profile
    against: OtherEngine | None = None
    """The second engine, if the case was run on two."""
    expected: Any = None
    id: Any = None
    seen: SeenJson | None = None
    parameters: Any = None
    """A member of older files; it is not read."""

    def crash_file(self) -> CrashFile:
        """Return what replaying needs.

        Raises:
            FieldError: as for `RelatedJson.cases`.
        """
        related = self.related
        asked = (self,) if related is None else related.asked
        # The engine's version comes after those of the kit and of its library.
        versions = [own for name, own in self.versions.items() if name not in OWN]
        last = SightingJson(at="", versions={}) if self.seen is None else self.seen.last
        return CrashFile(
            property_name=self.property,
            kind=self.kind,
            engine=self.engine,
            options=self.options,
            profile=self.profile,
            cases=(self.asked(),) if related is None else related.cases(),
            requests=tuple(one.request for one in asked if one.request is not None),
            against=self.against,
            failure=self.failure,
            statement="" if related is None else related.statement,
            source="" if related is None else related.source,
            contradiction="" if related is None else related.contradiction,
            again=self.answers_again,
            version=next(iter(versions), ""),
            stderr=self.stderr,
            causes=last.causes,
            dependence=Dependence(last.only_if, last.experiments),
        )


_ASKED: Final = "pacing case query_as_sent answers request"
_FINDING: Final = f"{_ASKED} stderr related failure answers_again"
_LEFT_OUT: Final = "unit request related failure"
CRASHES: Final = Format(
    {
        Case: CASES,
        **dict.fromkeys((Observed, Evaluation), STORED_ANSWERS),
        Profile: PROFILES,
        EngineFailure: Keys("kind message element stderr", omit="stderr", open=True),
        OtherEngine: Keys("engine options profile"),
        SightingJson: Keys(omit="causes only_if experiments", open=True),
        Experiment: Keys(open=True),
        FollowUpJson: Keys(f"label unit follows scale second correct {_ASKED}", absent="request"),
        FindingJson: Keys(f"property kind unit {_FINDING}", absent=_LEFT_OUT, omit="answers_again"),
        CrashJson: Keys(
            "rsp_crash property kind engine options seed versions profile unit "
            f"{_FINDING} against expected id seen parameters",
            absent=f"{_LEFT_OUT} against expected id seen parameters",
            omit="answers_again",
            required="rsp_crash",
        ),
    }
)
"""Crash files, and the parts of them that other files hold."""


def id_of(file: str | Path) -> str:
    """The id in the name of a crash file; empty if it has none, as in older files."""
    found = ID.search(Path(file).name)
    return found[1] if found else ""


def replay_line(file: str | Path, engine: str = "") -> str:
    """The command that replays a crash file from the working directory.

    It names the file as `short` does, so that it fits a line.

    Args:
        file: the crash file, or an id. A file without a folder lies in the working directory.
        engine: the engine, as it was named. If it is a driver's command, the line names it: no
            crash file names a program.
    """
    named = short(file) if Path(file).parent != Path() else file
    line = f"{REPLAY} {shlex.quote(str(from_here(Path(named))))}"
    return f"{line} --engine {shlex.quote(engine)}" if engine.startswith(STDIO) else line


def short(file: str | Path) -> str:
    """The shortest name of a crash file that `located` takes: mostly its id.

    Args:
        file: a crash file, whether it is there or not.

    Returns:
        The id of a file in `SAVED`, here or in a folder above; the folder and the id if it lies
        elsewhere; the file itself if its name has no id.
    """
    path, id = Path(file), id_of(file)
    if not id:
        return str(file)
    return id if Path.cwd() / path.parent in _looked_in() else str(path.with_name(id))


def _looked_in() -> list[Path]:
    """`SAVED` here and in each folder above, because a run writes into the root of a project."""
    here = Path.cwd()
    return [folder / SAVED for folder in (here, *here.parents)]


def located(path: Path) -> Path:
    """The crash file that a user means by a path or by an id.

    Args:
        path: a path; or the id of a crash file, which is looked for in `SAVED`, or in the folder
            before it: `results/crashes/3276b7`.

    Returns:
        The file with that id; the path itself if no file has it.

    Raises:
        FileError: two files have the id.
    """
    if not ID.fullmatch(f"-{path.name}.json") or path.exists():
        return path
    folder = path.parent
    if folder == Path():
        folder = next(filter(Path.is_dir, _looked_in()), SAVED)
    found = sorted(folder.glob(f"*-{path.name}.json"))
    if len(found) > 1:
        raise FileError(path, f"stands for {' and '.join(map(str, found))}: name one of them")
    return found[0] if found else path


def read(path: Path) -> CrashFile:
    """Read a crash file.

    Raises:
        FileError: the file is no crash file, is damaged, or is of a newer version.
    """
    return from_json(parse_json(read_text(path), path), path)


def from_json(document: object, path: Path) -> CrashFile:
    """Return the crash file that a JSON document holds.

    Args:
        document: the JSON value.
        path: the file that it comes from, for errors.

    Raises:
        FileError: the document is no crash file, is damaged, or is of a newer version.
    """
    version = document.get("rsp_crash") if isinstance(document, dict) else None
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise FileError(path, "not a crash file of rsp-conformance (no rsp_crash in it)")
    if version > VERSION:
        raise FileError(
            path,
            f"version {excerpt(version)} of crash files is newer than this "
            f"rsp-conformance {__version__} reads ({VERSION}); upgrade it",
        )
    try:
        found: CrashJson = CRASHES.read(CrashJson, document)
        return found.crash_file()
    except ValueError as error:
        raise FileError(path, f"damaged: {' '.join(str(error).split())}") from None
