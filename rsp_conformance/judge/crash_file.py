"""Crash files: one failed case, self-contained, that any later version can replay.

JSON with a version; a file of an older version stays readable. `judge.keeper` writes them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rsp_conformance import __version__
from rsp_conformance.files.case_json import case_from_json
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
from rsp_conformance.files.files import FileError, from_here, parse_json, read_text
from rsp_conformance.files.results_json import answers_from_json
from rsp_conformance.judge.failures import CLASSES
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import excerpt
from rsp_conformance.model.finding import CONTRADICTION, EngineFailure, FollowUpCase
from rsp_conformance.model.profiles import Profile, profile_from_json
from rsp_conformance.model.trial import PACINGS, Stimulus
from rsp_conformance.protocol.registry import STDIO

OWN = ("rsp-conformance", "hypothesis")
"""The versions in a file that are not the engine's."""
VERSION = 1
"""The version that is written; every version up to it is read."""
REPLAY = "rsp-conformance replay"
"""The command that takes a crash file."""
ID = re.compile(r"-([0-9a-f]{6})\.json")
"""How the name of a finished file ends."""

_ASKED = ("pacing", "case", "query_as_sent", "answers", "request")
_ONE_OF = ("label", "unit", "follows", "scale", "second", "correct", *_ASKED)
_RELATED = ("statement", "source", "contradiction", "asked")
_FIELDS = (
    *("rsp_crash", "id", "seen", "property", "kind", "engine", "options", "seed", "versions"),
    "profile",
    *_ASKED,
    *("related", "failure", "answers_again", "expected", "stderr", "parameters"),
    *("against", "unit"),
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
    said in place of an answer, ``again`` what it answered the second time. ``statement`` is the
    relation that the answers contradict, ``contradiction`` how. ``version`` is the engine's,
    ``stderr`` are the driver's last lines.
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

    @property
    def is_trial(self) -> bool:
        """Whether a metamorphic test was violated; some of them look at one case alone."""
        return self.kind == CONTRADICTION or len(self.cases) > 1

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """What the engine was asked."""
        return tuple(Stimulus(a.case, a.pacing, a.unit, a.second) for a in self.cases)

    def dials(self, stimulus: Stimulus) -> Dials:
        """The dials under which the file's engine was judged on one of its cases."""
        other = self.against if stimulus.second else None
        dials = (other or self).profile.dials(stimulus.case.query)
        return dials if stimulus.unit is None else replace(dials, unit=stimulus.unit)


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


def id_of(file: str | Path) -> str:
    """The id in the name of a crash file; empty where there is none, as in older ones."""
    found = ID.search(Path(file).name)
    return found[1] if found else ""


def replay_line(file: str | Path, engine: str = "") -> str:
    """The command that runs a crash FILE, or the case of an id, again from here.

    With ENGINE, as it was named, where that is a driver: no file names a program.
    """
    line = f"{REPLAY} {shlex.quote(str(from_here(Path(file))))}"
    return f"{line} --engine {shlex.quote(engine)}" if engine.startswith(STDIO) else line


def located(path: Path, folder: Path) -> Path:
    """PATH, or the file in FOLDER whose id PATH is; FileError where two have it."""
    if not ID.fullmatch(f"-{path}.json") or path.exists():
        return path
    found = sorted(folder.glob(f"*-{path}.json"))
    if len(found) > 1:
        raise FileError(path, f"stands for {' and '.join(map(str, found))}: name one of them")
    return found[0] if found else path


def read(path: Path) -> CrashFile:
    """The crash file at PATH; FileError where it is none, or of a version to come."""
    return from_json(parse_json(read_text(path), path), path)


def from_json(document: object, path: Path) -> CrashFile:
    """Return the crash file that a JSON document holds.

    Args:
        document: the JSON value.
        path: the file that it comes from, for errors.

    Raises:
        FileError: it is no crash file, is damaged, or is of a version to come.
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
        if not asked:
            fail("related.asked", "at least one case", listed)
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
        **{
            name: as_text(document.get("related", {}).get(name, ""), f"related.{name}")
            for name in ("statement", "source", "contradiction")
        },
        again=answers_from_json(document.get("answers_again", []), "answers_again"),
        version=_version(as_object(document.get("versions", {}), "versions")),
        stderr=_lines(document.get("stderr", []), "stderr"),
    )


def _version(versions: Mapping[str, object]) -> str:
    """The engine's among VERSIONS: it stands behind those of the kit and of its library."""
    found = {name: own for name, own in versions.items() if name not in OWN}
    return as_text(next(iter(found.values()), ""), "versions")


def _lines(value: object, where: str) -> tuple[str, ...]:
    return tuple(as_text(line, where) for line in as_list(value, where))


def _failure(document: object) -> EngineFailure:
    found = as_object(document, "failure")
    element = found.get("element")
    return EngineFailure(
        as_text(get(found, "kind"), "failure.kind"),
        as_text(found.get("message", ""), "failure.message"),
        None if element is None else as_int(element, "failure.element", least=0),
        stderr=_lines(found.get("stderr", []), "failure.stderr"),
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
