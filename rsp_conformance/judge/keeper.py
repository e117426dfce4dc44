"""Writes crash files: one per case, with all that replaying needs and with a history.

A file is written before the comparison that fails is raised, so a killed run loses nothing. The
name of a finished file has the id of the case in it: a run that meets the same case again raises
its count, and a run that meets another case leaves the file as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rsp_conformance import __version__
from rsp_conformance.files.cases import CASES
from rsp_conformance.files.files import parse_json, read_text, write_whole
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.judge.crash_file import (
    CRASHES,
    ID,
    CrashJson,
    ExpectedJson,
    FindingJson,
    FollowUpJson,
    OtherEngine,
    RelatedJson,
    SeenJson,
    SightingJson,
    replay_line,
)
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.dependence import NOTHING_FOUND, Dependence
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.finding import Finding, FollowUpCase, RelationViolation
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.trial import Stimulus, Variant
from rsp_conformance.spec.trace import expectation_of

UNSAFE = r"[^A-Za-z0-9_.]+"
"""Characters that some file system does not allow in a name."""
KEPT = 50
"""The number of files that are kept for an engine, property and kind: those that were seen last."""
UNFINISHED = "unfinished"
"""Takes the place of an id in the name of a file whose case is still being shrunk."""


class Keeper:
    """Writes the findings of a run into the folder ``crashes``.

    While Hypothesis shrinks, each property, kind of failure and search has one unfinished file, in
    which a smaller case replaces the larger one. A confirmed failure has a file named by its id.
    A file that can't be written, as on a full disk, ends no run that hears of it.

    Args:
        folder: the folder that has or gets the folder ``crashes``.
        engine: the engine, as ``--engine`` named it.
        options: its options.
        seed: the seed of the run.
        against: the second engine, if two are compared.
        unwritten: hears why a file can't be written; without it the OSError is raised.
    """

    def __init__(
        self,
        folder: Path,
        engine: str,
        options: Mapping[str, str],
        seed: str,
        against: OtherEngine | None = None,
        *,
        unwritten: Callable[[OSError], None] | None = None,
    ) -> None:
        self.folder = folder
        self._engine = engine
        self._options = dict(options)
        self._seed = seed
        self._against = against
        self._unwritten = unwritten
        self._seen: dict[Path, SeenJson] = {}
        self._held: dict[Path, tuple[int, int]] = {}

    def id(self, finding: Finding) -> str:
        """The id of a finding: a digest of what replaying it needs, the same in every run."""
        needs = {
            **{"property": finding.property_name, "kind": finding.kind, "engine": self._engine},
            **{"options": self._options, "profile": PROFILES.write(Profile, finding.profile)},
            "asked": [
                [own.pacing, own.unit, own.second, CASES.write(Case, own.case)]
                for own in (asked.variant.stimulus for asked in _cases(finding))
            ],
            **self._of_other(),
        }
        return sha256(json.dumps(needs, sort_keys=True).encode()).hexdigest()[:6]

    def path(self, finding: Finding) -> Path:
        """The file into which a finding is written once it is confirmed."""
        return self._crashes / f"{self._name(finding)}-{self.id(finding)}.json"

    def keep(self, finding: Finding, subject: EngineUnderTest) -> Path:
        """Write a confirmed finding, whole or not at all, and count that it was seen.

        Args:
            finding: the finding.
            subject: the engine, which says how its requests look.

        Returns:
            The file, or its place if it can't be written.
        """
        path, versions = self.path(finding), _versions(finding)
        if path not in self._seen:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            last = SightingJson(at=now, versions=versions)
            before = _seen_before(path) or SeenJson(first=last, last=last, count=0)
            self._seen[path] = replace(before, last=last, count=before.count + 1)
        seen = self._seen[path]
        self._write(path, self._document(finding, subject, self.id(finding), seen))
        self.drop(finding)
        self._forget_the_oldest(finding)
        return path

    def explain(
        self, path: Path, causes: Sequence[str] = (), dependence: Dependence = NOTHING_FOUND
    ) -> None:
        """Note in a file that this run has written by which causes the run explains its failure.

        Args:
            path: the file. If it is gone, or another process has damaged it, it stays so.
            causes: the ids of the causes.
            dependence: what the failure depends on, if nothing explains it.
        """
        with suppress(KitError):
            document = parse_json(read_text(path), path)
            last = replace(
                self._seen[path].last,
                causes=tuple(causes),
                only_if=dependence.only_if,
                experiments=dependence.experiments,
            )
            self._seen[path] = replace(self._seen[path], last=last)
            self._write(path, document | {"seen": CRASHES.write(SeenJson, self._seen[path])})

    def hold(self, finding: Finding, subject: EngineUnderTest) -> None:
        """Write a finding that is being shrunk, whole or not at all, in case the run is killed.

        A smaller finding that is already in the file stays.

        Args:
            finding: the finding.
            subject: the engine, which says how its requests look.
        """
        path = self._unfinished(finding)
        size = len(finding.case.elements), len(finding.query_text)
        if size <= self._held.get(path, size):
            self._held[path] = size
            # On one line, which takes a twentieth of the time: it is written for each smaller case.
            self._write(path, self._document(finding, subject), indent=None)

    def drop(self, finding: Finding) -> None:
        """Remove the unfinished file of a finding that is finished or was no such failure."""
        path = self._unfinished(finding)
        self._held.pop(path, None)
        with suppress(OSError):  # There may be no such file, or no such folder.
            path.unlink()

    @property
    def _crashes(self) -> Path:
        return self.folder / "crashes"

    def _name(self, finding: Finding) -> str:
        """The engine, the property and the kind of a finding, as part of a file's name."""
        about = re.sub(UNSAFE, "-", f"{finding.property_name}-{finding.kind}")
        return f"{_file_name(finding.engine)}-{about}"

    def _unfinished(self, finding: Finding) -> Path:
        number = f"-{finding.number}" if finding.number > 1 else ""
        return self._crashes / f"{self._name(finding)}{number}-{UNFINISHED}.json"

    def _write(self, path: Path, document: Mapping[str, Any], indent: int | None = 2) -> None:
        try:
            own_folder(self.folder)
            path.parent.mkdir(exist_ok=True)
            # Of several processes that find the same, the last one's file stays, whole.
            write_whole(path, json.dumps(document, indent=indent, ensure_ascii=False) + "\n")
        except OSError as error:
            if self._unwritten is None:
                raise
            self._unwritten(error)

    def _forget_the_oldest(self, finding: Finding) -> None:
        """Remove the files that were seen longest ago, but `KEPT`; never a file of this run."""
        named = re.compile(re.escape(self._name(finding)) + ID.pattern)
        found = [p for p in self._crashes.glob("*") if named.fullmatch(p.name)]
        for path in sorted(found, key=_written)[:-KEPT]:
            if path not in self._seen:
                path.unlink(missing_ok=True)

    def replay_line(self, finding: Finding) -> str:
        """The command that runs a finding again; it names the driver's command, as no file does."""
        return replay_line(self.path(finding), self._engine)

    def _document(
        self,
        finding: Finding,
        subject: EngineUnderTest,
        id: str | None = None,
        seen: SeenJson | None = None,
    ) -> dict[str, Any]:
        crash = CrashJson(
            engine=self._engine,
            options=self._options,
            seed=self._seed,
            versions=_versions(finding),
            profile=finding.profile,
            against=self._against,
            expected=_expected(finding),
            id=id,
            seen=seen,
            **_members(finding, subject),
        )
        document: dict[str, Any] = CRASHES.write(CrashJson, crash)
        return document

    def _of_other(self) -> dict[str, Any]:
        """The second engine, if there are two."""
        if self._against is None:
            return {}
        return {"against": CRASHES.write(OtherEngine, self._against)}


def _expected(finding: Finding) -> Any:
    """The nearest expected answers as JSON; None if no answer was judged."""
    verdict = finding.verdict
    if verdict is None:
        return None
    expectation = expectation_of(verdict, finding.case, finding.dials)
    names = [finding.case.query.shorten(w.name) for w in finding.case.query.windows]
    t0 = dict(zip(names, verdict.t0, strict=True))
    answers = tuple(expectation.answer(verdict.t0))
    return CRASHES.write(ExpectedJson, ExpectedJson(t0=t0, t_s=verdict.t_s, answers=answers))


def _versions(finding: Finding) -> dict[str, str]:
    return {
        "rsp-conformance": __version__,
        "hypothesis": version("hypothesis"),
        finding.engine: finding.version,
    }


def _seen_before(path: Path) -> SeenJson | None:
    """When and how often the case of a file was seen; None if the file is missing or damaged."""
    try:
        document = parse_json(read_text(path), path) if path.exists() else {}
        seen: SeenJson = CRASHES.read(SeenJson, document["seen"])
        return seen
    except (ValueError, KeyError, TypeError):
        return None


def _written(path: Path) -> float:
    """When a file was written; 0 if another process has removed it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return the members of a finding's crash file that are its own, without requests."""
    document: dict[str, Any] = CRASHES.write(FindingJson, FindingJson(**_members(finding, None)))
    return document


def _members(finding: Finding, subject: EngineUnderTest | None) -> dict[str, Any]:
    """The case with what came back; with the engine under test also the requests."""
    failure, violation = finding.failure, finding.violation
    return {
        "property": finding.property_name,
        "kind": finding.kind,
        "stderr": finding.stderr,
        "related": None if violation is None else _related(violation, subject),
        "failure": None if failure is None else replace(failure, stderr=()),
        "answers_again": finding.again if violation is None and failure is not None else (),
        **_asked_members(_asked(finding), subject, "case"),
    }


def _related(violation: RelationViolation, subject: EngineUnderTest | None) -> RelatedJson:
    """The cases whose answers contradict each other, and how."""
    return RelatedJson(
        statement=violation.statement,
        source=violation.source,
        contradiction=violation.contradiction.says,
        asked=tuple(
            FollowUpJson.of(
                asked.variant,
                correct=None if asked.verdict is None else asked.verdict.correct,
                **_asked_members(asked, subject, f"case{number}"),
            )
            for number, asked in enumerate(violation.cases, 1)
        ),
    )


def _asked(finding: Finding) -> FollowUpCase:
    variant = Variant("", Stimulus(finding.case, finding.pacing))
    return FollowUpCase(variant, finding.query_text, finding.observed)


def _cases(finding: Finding) -> tuple[FollowUpCase, ...]:
    return finding.violation.cases if finding.violation else (_asked(finding),)


def _asked_members(asked: FollowUpCase, subject: EngineUnderTest | None, id: str) -> dict[str, Any]:
    """One case with what came back, alone in a file or one of several."""
    stimulus = asked.variant.stimulus
    return {
        "pacing": stimulus.pacing,
        "case": asked.case,
        "query_as_sent": asked.query_text,
        "answers": asked.observed,
        "request": None if subject is None else subject.request(stimulus, id=id),
    }


def crash_files(folder: Path, engine: str, property_name: str) -> list[Path]:
    """Return the finished crash files of a property, those that were seen last first.

    Args:
        folder: the folder of the runs.
        engine: the engine's name, as its hello has it.
        property_name: the name of the property.
    """
    begins = f"{_file_name(engine)}-{re.sub(UNSAFE, '-', f'{property_name}-')}"
    found = [
        path
        for path in (folder / "crashes").glob("*.json")
        if path.name.startswith(begins) and ID.search(path.name)
    ]
    return sorted(found, key=_written, reverse=True)


def _file_name(engine: str) -> str:
    """An engine's name as part of a file's name, with a digest if it can't be used as it is."""
    name = re.sub(UNSAFE, "-", engine)[:60]
    return name if name == engine else f"{name}-{sha256(engine.encode()).hexdigest()[:8]}"


def own_folder(folder: Path) -> None:
    """Make a folder of the kit's own, which git is told to ignore."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", "utf-8")
