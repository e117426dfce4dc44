"""Crash files: one failed case, self-contained, that any later version can replay.

JSON with a version; a file of an older version stays readable. Written before the comparison
that fails is raised, so that a killed run loses nothing.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rsp_conformance import __version__
from rsp_conformance.files.case_json import case_from_json, case_to_json
from rsp_conformance.files.fields import (
    as_choice,
    as_flag,
    as_int,
    as_list,
    as_object,
    as_record,
    as_text,
    fail,
    get,
)
from rsp_conformance.files.files import FileError, parse_json, read_text
from rsp_conformance.files.results_json import answers_from_json, answers_to_json
from rsp_conformance.judge.engine_under_test import PACINGS, EngineUnderTest, Stimulus
from rsp_conformance.judge.failures import CLASSES
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import EngineFailure, Finding, FollowUpCase, RelationViolation
from rsp_conformance.model.profiles import Profile, profile_from_json
from rsp_conformance.protocol.registry import STDIO
from rsp_conformance.spec.trace import expectation_of

VERSION = 1
"""The version that is written; every version up to it is read."""
REPLAY = "rsp-conformance replay"
"""The command that takes a crash file."""

_ASKED = ("pacing", "case", "query_as_sent", "answers", "request")
_ONE_OF = ("label", "unit", "follows", "scale", "second", "correct", *_ASKED)
_RELATED = ("statement", "source", "contradiction", "asked")
_FIELDS = (
    *("rsp_crash", "property", "kind", "engine", "options", "seed", "versions", "profile"),
    *_ASKED,
    *("related", "failure", "answers_again", "expected", "stderr", "parameters"),
    "against",
)
"""The fields that are, or were, written; those that replaying needs are read strictly."""


@dataclass(frozen=True, slots=True)
class OtherEngine:
    """The engine that another one was held against, as ``CrashFile`` has the first."""

    engine: str
    options: Mapping[str, str]
    profile: Profile


@dataclass(frozen=True, slots=True)
class CrashFile:
    """What replaying needs of a crash file.

    ``engine`` and ``options`` are what ``--engine`` and ``--engine-option`` said; ``cases`` what
    the engine was asked, several where their answers contradicted each other. ``requests`` are the
    protocol's, to be piped into the driver by hand; there may be none. ``against`` is the engine
    that cases marked ``second`` were asked of, where there were two. ``failure`` is what the engine
    said in place of an answer, ``statement`` the relation that the answers contradict.
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

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """What the engine was asked."""
        return tuple(Stimulus(a.case, a.pacing, a.unit, a.second) for a in self.cases)

    def dials(self, stimulus: Stimulus) -> Dials:
        """The dials under which the file's engine was judged on one of its cases."""
        other = self.against if stimulus.second else None
        dials = (other or self).profile.dials(stimulus.case.query)
        return dials if stimulus.unit is None else replace(dials, unit=stimulus.unit)


class Keeper:
    """Writes the findings of a run into the folder ``crashes`` of FOLDER.

    One file a property, kind of failure and round, and one for what stands beside such a failure:
    while Hypothesis shrinks, a smaller case replaces the larger one, and the last is the smallest.
    """

    def __init__(
        self,
        folder: Path,
        engine: str,
        options: Mapping[str, str],
        seed: str,
        against: OtherEngine | None = None,
    ) -> None:
        self._folder = folder
        self._engine = engine
        self._options = dict(options)
        self._seed = seed
        self._against = against

    def path(self, finding: Finding) -> Path:
        """Where FINDING is written."""
        number = f"-{finding.number}" if finding.number > 1 else ""
        beside = f"-beside-{finding.beside}" if finding.beside else ""
        named = f"{finding.property_name}-{finding.kind}{beside}{number}"
        about = re.sub(r"[^A-Za-z0-9_.]+", "-", named)
        return self._folder / "crashes" / f"{_file_name(finding.engine)}-{about}.json"

    def keep(self, finding: Finding, subject: EngineUnderTest) -> Path:
        """Write FINDING, whole or not at all."""
        path = self.path(finding)
        own_folder(self._folder)
        path.parent.mkdir(exist_ok=True)
        document = self._document(finding, subject)
        # Of several processes that find the same, the last one's file stays, whole.
        partial = path.with_suffix(f".{os.getpid()}.part")
        text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        # A lone surrogate has no UTF-8; the escape that stands in for it is its JSON.
        partial.write_bytes(text.encode("utf-8", "backslashreplace"))
        partial.replace(path)
        return path

    def drop(self, finding: Finding) -> None:
        """Remove what was written of FINDING, for it has turned out to be no such failure."""
        self.path(finding).unlink(missing_ok=True)

    def replay_line(self, finding: Finding) -> str:
        """The command that runs FINDING again, with the driver: no file names a program."""
        line = f"{REPLAY} {self.shown_path(finding)}"
        started = self._engine.startswith(STDIO)
        return f"{line} --engine {shlex.quote(self._engine)}" if started else line

    def shown_path(self, finding: Finding) -> str:
        """Where FINDING is written, as a shell takes it from here."""
        path = self.path(finding)
        if path.is_relative_to(Path.cwd()):
            path = path.relative_to(Path.cwd())
        return shlex.quote(str(path))

    @property
    def driver(self) -> str:
        """What the request is to be piped into, as far as it is known here."""
        return self._engine.removeprefix(STDIO) if self._engine.startswith(STDIO) else "DRIVER"

    def _document(self, finding: Finding, subject: EngineUnderTest) -> dict[str, Any]:
        failure, violation = finding.failure, finding.violation
        document: dict[str, Any] = {
            "rsp_crash": VERSION,
            "property": finding.property_name,
            "kind": finding.kind,
            "engine": self._engine,
            "options": self._options,
            "seed": self._seed,
            "versions": {
                "rsp-conformance": __version__,
                "hypothesis": version("hypothesis"),
                finding.engine: finding.version,
            },
            "profile": finding.profile.to_json(),
            **_asked_to_json(_asked(finding), subject, "case"),
            "stderr": list(finding.stderr),
        }
        if self._against is not None:
            document["against"] = {
                "engine": self._against.engine,
                "options": dict(self._against.options),
                "profile": self._against.profile.to_json(),
            }
        if violation is not None:
            document["related"] = _violation_to_json(violation, subject)
        elif failure is not None:
            document["failure"] = {
                "kind": failure.kind,
                "message": failure.message,
                "element": failure.element,
            }
            if finding.again:
                document["answers_again"] = answers_to_json(finding.again, whole=True)
        elif finding.verdict is not None:
            verdict = finding.verdict
            expectation = expectation_of(verdict, finding.case, finding.dials)
            names = [finding.case.query.shorten(w.name) for w in finding.case.query.windows]
            document["expected"] = {
                "t0": dict(zip(names, verdict.t0, strict=True)),
                "t_s": verdict.t_s,
                "answers": answers_to_json(expectation.answer(verdict.t0), whole=True),
            }
        return document


def _violation_to_json(violation: RelationViolation, subject: EngineUnderTest) -> dict[str, Any]:
    """The cases whose answers contradict each other, and how."""
    return {
        "statement": violation.statement,
        "source": violation.source,
        "contradiction": violation.contradiction.says,
        "asked": [
            {
                "label": asked.label,
                "unit": asked.unit,
                "follows": None if asked.follows is None else list(asked.follows),
                "scale": asked.scale,
                "second": asked.second,
                "correct": None if asked.verdict is None else asked.verdict.correct,
                **_asked_to_json(asked, subject, f"case{number}"),
            }
            for number, asked in enumerate(violation.cases, 1)
        ],
    }


def _asked(finding: Finding) -> FollowUpCase:
    return FollowUpCase("", finding.case, finding.query_text, finding.pacing, finding.observed)


def _asked_to_json(asked: FollowUpCase, subject: EngineUnderTest, id: str) -> dict[str, Any]:
    """One case with what came back, alone in a file or one of several."""
    stimulus = Stimulus(asked.case, asked.pacing, asked.unit, asked.second)
    return {
        "pacing": asked.pacing,
        "case": case_to_json(asked.case),
        "query_as_sent": asked.query_text,
        "answers": answers_to_json(asked.observed, whole=True),
        "request": subject.request(stimulus, id=id),
    }


def _asked_from_json(document: Mapping[str, Any], where: str = "") -> FollowUpCase:
    unit, follows = document.get("unit"), document.get("follows")
    if follows is not None:
        numbers = as_list(follows, f"{where}follows")
        follows = tuple(as_int(number, f"{where}follows", least=0) for number in numbers)
    return FollowUpCase(
        label=as_text(document.get("label", ""), f"{where}label"),
        case=case_from_json(get(document, "case"), f"{where}case"),
        query_text=as_text(document.get("query_as_sent", ""), f"{where}query_as_sent"),
        pacing=as_choice(document.get("pacing", "burst"), f"{where}pacing", PACINGS),
        observed=answers_from_json(document.get("answers", []), f"{where}answers"),
        unit=None if unit is None else as_int(unit, f"{where}unit", least=1),
        follows=follows,
        scale=as_int(document.get("scale", 1), f"{where}scale", least=1),
        second=as_flag(document.get("second", False), f"{where}second"),
    )


def _file_name(engine: str) -> str:
    """ENGINE's name within a file's, with a hash where it cannot stand there as it is."""
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", engine)[:60]
    return name if name == engine else f"{name}-{sha256(engine.encode()).hexdigest()[:8]}"


def own_folder(folder: Path) -> None:
    """Make the kit's FOLDER, which git is told to ignore."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", "utf-8")


def read(path: Path) -> CrashFile:
    """The crash file at PATH; FileError where it is none, or of a version to come."""
    document = parse_json(read_text(path), path)
    version = document.get("rsp_crash") if isinstance(document, dict) else None
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise FileError(path, "not a crash file of rsp-conformance (no rsp_crash in it)")
    if version > VERSION:
        raise FileError(
            path,
            f"version {version} of crash files is newer than this "
            f"rsp-conformance {__version__} reads ({VERSION}); upgrade it",
        )
    try:
        return _from_json(as_record(document, "", _FIELDS))
    except ValueError as error:
        raise FileError(path, f"damaged: {' '.join(str(error).split())}") from None


def _from_json(document: Mapping[str, Any]) -> CrashFile:
    asked: list[tuple[str, Mapping[str, Any]]] = [("", document)]
    if "related" in document:
        listed = get(as_record(document["related"], "related", _RELATED), "asked")
        asked = [
            (f"related.asked[{number}].", as_record(one, f"related.asked[{number}]", _ONE_OF))
            for number, one in enumerate(as_list(listed, "related.asked"))
        ]
        if len(asked) < 2:
            fail("related.asked", "at least two cases", listed)
    cases = tuple(_asked_from_json(one, where) for where, one in asked)
    first = len(cases[0].case.query.windows)
    for number, one in enumerate(cases):
        own = len(one.case.query.windows)
        follows = range(own) if one.follows is None else one.follows
        if len(follows) != own or any(place >= first for place in follows):
            expected = f"one of the first case's {first} windows for each of {own}"
            fail(f"related.asked[{number}].follows", expected, one.follows)
    engine, options, profile = _engine_from_json(document, "")
    against = None
    if "against" in document:
        other = as_record(document["against"], "against", ("engine", "options", "profile"))
        against = OtherEngine(*_engine_from_json(other, "against."))
    return CrashFile(
        property_name=as_text(get(document, "property"), "property"),
        kind=as_choice(get(document, "kind"), "kind", (*CLASSES, "wrong answer")),
        engine=engine,
        options=options,
        profile=profile,
        cases=cases,
        requests=tuple(
            as_object(one["request"], f"{where}request") for where, one in asked if "request" in one
        ),
        against=against,
        failure=_failure(document["failure"]) if "failure" in document else None,
        statement=as_text(document.get("related", {}).get("statement", ""), "related.statement"),
    )


def _failure(document: object) -> EngineFailure:
    found = as_object(document, "failure")
    said = as_list(found.get("stderr", []), "failure.stderr")
    return EngineFailure(
        as_text(get(found, "kind"), "failure.kind"),
        as_text(found.get("message", ""), "failure.message"),
        stderr=tuple(as_text(line, "failure.stderr") for line in said),
    )


def _engine_from_json(
    document: Mapping[str, Any], where: str
) -> tuple[str, Mapping[str, str], Profile]:
    """An engine's name, its options, and the profile that it is held to."""
    options = as_object(document.get("options", {}), f"{where}options")
    return (
        as_text(get(document, "engine"), f"{where}engine"),
        {name: as_text(value, f"{where}options.{name}") for name, value in options.items()},
        profile_from_json(as_object(get(document, "profile"), f"{where}profile")),
    )
