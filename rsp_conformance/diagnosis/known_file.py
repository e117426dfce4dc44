"""The file of known causes: TOML, as users write it and runs add to it (docs/known.md)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rsp_conformance.diagnosis.cause import UNEXPLAINED, is_named
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.fingerprint import fingerprint
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.diagnosis.mutants import MUTANTS, known_setting
from rsp_conformance.files.codec import Format, Keys
from rsp_conformance.files.fields import double, fail
from rsp_conformance.files.files import FileError, read_text, write_whole
from rsp_conformance.files.profiles import PROFILE_RULES, DialTexts
from rsp_conformance.judge.crash_file import CrashFile, read
from rsp_conformance.judge.recorded import finding_in
from rsp_conformance.model.dials import MANNERS
from rsp_conformance.model.errors import did_you_mean, excerpt, reading
from rsp_conformance.model.setting import Setting

_NAMES = ("id", "mutants", "dials", "fingerprint", "crash")
_FINGERPRINT = re.compile(rf"({re.escape(UNEXPLAINED)})?(?P<digits>[0-9a-f]{{8}})")

_NEVER_GONE = "# No run says when this one is fixed: delete it from time to time, and see."


@dataclass(frozen=True, slots=True)
class EntryJson:
    """An entry: the cause by its id, by mutants and dials, or by a failure."""

    reason: str
    id: str | None = None
    mutants: tuple[str, ...] | None = None
    dials: DialTexts | None = None
    fingerprint: str | None = None
    crash: str | None = None


@dataclass(frozen=True, slots=True)
class FileJson:
    """A file of known causes."""

    known: tuple[EntryJson, ...] = ()


_KNOWN: Final = Format({**PROFILE_RULES, EntryJson: Keys(absent="*")})


def read_known(path: Path) -> tuple[KnownCause, ...]:
    """Read a file of known causes (docs/known.md).

    Raises:
        FileError: the file is missing, is no TOML, or holds something else.
    """
    text = read_text(path)
    try:
        document = tomllib.loads(text, parse_float=double)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise FileError(path, f"no TOML ({said})") from None
    try:
        return tuple(_causes(_KNOWN.read(FileJson, document).known, path))
    except (ValueError, RecursionError) as error:
        raise FileError(path, " ".join(str(error).split())) from None


def _causes(entries: Sequence[EntryJson], path: Path) -> Iterator[KnownCause]:
    """The causes of the entries of a file; ValueError if a cause is in it twice."""
    before: dict[str, str] = {}
    for number, entry in enumerate(entries):
        where = f"known[{number}]"
        cause = replace(_cause(entry, where, path.parent), file=str(path))
        # Several crash files may well be of one cause, and come to be so with another version.
        if entry.crash is None and (first := before.setdefault(cause.id, where)) != where:
            raise ValueError(
                f"{first} and {where} are one cause, {cause.id}: leave one of them out"
            )
        yield cause


def _cause(entry: EntryJson, where: str, folder: Path) -> KnownCause:
    reason = entry.reason.strip()
    if not reason:
        fail(f"{where}.reason", "why the cause is known", reason)
    said = [name for name in _NAMES if getattr(entry, name) is not None]
    if len(said) > 1 and not set(said) <= {"mutants", "dials"}:
        raise ValueError(f"{where}: {' and '.join(said)} are two causes: write two of [[known]]")
    if entry.id is not None:
        return _of_id(entry.id, where, reason)
    if entry.fingerprint is not None:
        digits = _digits(entry.fingerprint, f"{where}.fingerprint")
        return KnownCause(reason=reason, fingerprint=digits)
    if entry.crash is not None:
        with reading(f"{where}.crash"):
            symptom = Symptom.of(finding_in(read(folder / entry.crash)))
        answers = symptom.observations if symptom.is_judged else ()
        return KnownCause(reason=reason, fingerprint=fingerprint(symptom).id, observations=answers)
    return KnownCause(_setting(entry.mutants or (), entry.dials or {}, where), reason)


def _of_id(id: str, where: str, reason: str) -> KnownCause:
    """The cause that reports call by an id: a fingerprint, or dials and mutants joined by ``+``."""
    if not is_named(id) or _FINGERPRINT.fullmatch(id):
        return KnownCause(reason=reason, fingerprint=_digits(id, f"{where}.id"))
    parts = [part.strip() for part in id.split(" + ")]
    dials = dict(part.split("=", 1) for part in parts if "=" in part)
    mutants = [part for part in parts if "=" not in part]
    return KnownCause(_setting(mutants, dials, where), reason)


def known_by(id: str, reason: str = "found by a run") -> KnownCause:
    """The cause that reports call by an id.

    Raises:
        ValueError: no mutant, dial or value is called so, or no longer.
    """
    return _of_id(id, "id", reason)


def _digits(text: str, where: str) -> str:
    """The digits of a fingerprint as reports write it."""
    found = _FINGERPRINT.fullmatch(text)
    if found is None:
        fail(where, "eight hexadecimal digits, as ?-0123abcd", text)
    return found["digits"]


def fingerprint_of(crash: CrashFile) -> str:
    """The digits of the fingerprint of the failure in a crash file."""
    return fingerprint(Symptom.of(finding_in(crash))).id


def _setting(names: Sequence[str], dials: Mapping[str, str], where: str) -> Setting:
    for name in names:
        if name not in MUTANTS:
            hint = did_you_mean(name, MUTANTS) or " (rsp-conformance mutants lists them)"
            raise ValueError(f"{where}: unknown mutant {excerpt(name)}{hint}")
    try:
        setting = known_setting(dials, names)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    if manners := [dial for dial, _ in setting.dials if dial in MANNERS]:
        raise ValueError(
            f"{where}.dials.{manners[0]}: says how the engine is asked, and explains no answer"
        )
    if not setting:
        expected = "an id, mutants, dials, a fingerprint or a crash file"
        raise ValueError(f"{where}: names no cause: expected {expected}")
    return setting


def write_known(path: Path, causes: Iterable[KnownCause]) -> None:
    """Add the causes that a file does not hold to it, or to a new file, whole or not at all.

    Args:
        path: the file.
        causes: the causes; of several with one id the first is written.

    Raises:
        FileError: the file holds something else.
        OSError: the file can't be written.
    """
    text = read_text(path) if path.exists() else ""
    there = {cause.id: cause for cause in (read_known(path) if text else ())}
    new = dict[str, KnownCause]()
    for cause in causes:
        if cause.id not in there:
            new.setdefault(cause.id, cause)
    tables = "\n".join(map(_table, new.values()))
    written = f"{text.rstrip()}\n\n{tables}".lstrip() if text else tables
    try:
        tomllib.loads(written)
    except ValueError:  # Causes in an array of its own take no further table.
        written = "\n".join(map(_table, (there | new).values()))
    write_whole(path, written)


def _table(cause: KnownCause) -> str:
    """A cause as a table of TOML, in which JSON's strings and lists mean the same."""
    lines = ["[[known]]"]
    if cause.fingerprint:
        lines += [_NEVER_GONE, f"fingerprint = {_text(cause.id)}"]
    if cause.setting.mutants:
        lines.append(f"mutants = [{', '.join(map(_text, cause.setting.mutants))}]")
    if cause.setting.dials:
        dials = ", ".join(f"{dial} = {_text(value)}" for dial, value in cause.setting.dials)
        lines.append(f"dials = {{{dials}}}")
    return "\n".join([*lines, f"reason = {_text(cause.reason)}", ""])


def _text(text: str) -> str:
    whole = text.encode("utf-8", "replace").decode()  # Half a character is no TOML.
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
