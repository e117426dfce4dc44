"""The ledger of a run on disk, from which a killed run is resumed.

It is a file of JSON lines: the first line describes the run (`Header`), each other line is an entry
of the ledger (`lines`), written as it is made: a record as soon as its trial is judged. Each is
compressed by itself, so a file whose last line was torn loses only that line; ``zcat`` shows it.

A run is resumed from the records, with the entries that say when a property began and was asked. It
does not read the others, and shrunk trials are not written: with the same records a resumed run
finds the same causes again.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import BinaryIO, Final

from rsp_conformance.files.codec import Format
from rsp_conformance.files.files import FileError
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.errors import BadInput, excerpt
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.run.events import Event
from rsp_conformance.run.lines import Lines, property_of_line
from rsp_conformance.run.properties import Named, Property, property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.work import Begun, Withdrawn, Work

NAME: Final = "run.jsonl.gz"
"""The ledger's file in the folder of a run."""
CHUNK: Final = 1 << 16
"""The number of bytes that are read at once."""
LEVEL: Final = 1
"""The level of compression: on the work of a property levels 1, 6 and 9 take 4, 12 and 40 ms for
82, 66 and 60 KB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A description of a run: a run is resumed only if all of it is the same.

    Attributes:
        engine: the engine and its options, as they were named.
        version: the engine's version.
        profile: the profile's name.
        dials: the dials that were turned on top of it.
        kit: the version of rsp-conformance.
        seed: the run's seed.
        examples: the trials of a property.
        suite: the suite of cases that takes the place of the properties; empty for none.
        cases: a digest of that suite's tests; empty for none.
    """

    engine: str
    version: str
    profile: str
    dials: str
    kit: str
    seed: str
    examples: int
    suite: str = ""
    cases: str = ""


HEADER: Final = Format({})
"""The first line of a ledger."""


class Earlier:
    """The work of a run that was cut off, by property.

    Args:
        lines: its lines, without the header.
        subject: the engine, for which trials are drawn again.
        named: as for `Lines`.
    """

    def __init__(
        self, lines: Iterator[str], subject: EngineUnderTest, named: Named = property_named
    ) -> None:
        self._reader = Lines(subject, named)
        self._named = named
        self._lines: dict[str, list[str]] = {}
        for line in lines:
            if name := property_of_line(line):
                self._lines.setdefault(name, []).append(line)

    def __len__(self) -> int:
        return len(self._lines)

    def take(self, name: str) -> Work | None:
        """Return the work on a property, once; None if there is none.

        Raises:
            BadInput: the lines are damaged, or draw other trials now.
        """
        lines = self._lines.pop(name, None)
        if lines is None:
            return None
        try:
            return _resumed(self._named(name), map(self._reader.read_entry, lines))
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{NAME}: damaged: {excerpt(str(error), 200)}") from None


def _resumed(property: Property, entries: Iterable[object]) -> Work:
    """The work to go on with. Unless it is whole, trials that were not asked are asked now."""
    work, records = Work(property), dict[str, Record]()
    for own in entries:
        match own:
            case Record():
                records[own.digest] = own
            case Work():
                work = own
            case Begun(_, resumed):
                work = work if resumed else Work(property)
                records = {key: r for key, r in records.items() if resumed and _is_asked(r)}
    if not work.is_whole:
        work = Work(property, seconds=work.seconds)
        records = {key: own for key, own in records.items() if _is_asked(own)}
    work.records = [*records.values()]
    return work


def _is_asked(own: Record) -> bool:
    return own.outcome is not Outcome.UNASKED


class LedgerFile:
    """The file of a running run; if it can't be written, the run goes on without it.

    Args:
        path: the file.
        header: the description of the run.
        subject: the engine.
        resume: whether to go on with the lines that are there.

    Attributes:
        path: the file.
        lost: what a later run that resumes this one will lack, and why; empty if nothing.

    Raises:
        BadInput: the lines are those of another run.
    """

    def __init__(
        self, path: Path, header: Header, subject: EngineUnderTest, *, resume: bool = False
    ) -> None:
        self.path = path
        self._lines = Lines(subject)
        self._file: BinaryIO | None = None
        self.lost = ""
        end = 0
        if resume and is_begun(path):
            theirs = read_header(path)
            names = (field.name for field in fields(Header))
            each = ((name, getattr(theirs, name), getattr(header, name)) for name in names)
            check_same("--rsp-resume", "the last run", each)
            end = max((end for end, _ in _lines(path)), default=0)
        try:
            self._file = path.open("ab")  # Which leaves another run's file as it is.
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._file.truncate(end)
            if not end:
                self._put(json.dumps(HEADER.write(Header, header)))
        except BlockingIOError:
            self._lose("nothing", "another run writes it")
        except OSError as error:
            self._lose("nothing", error.strerror)

    def write(self, entry: Work | Record | Begun | Withdrawn | Event) -> None:
        """Append an entry."""
        if self._file is not None:
            try:
                self._put(self._lines.write(entry))
            except OSError as error:  # A full disk: what is there stands.
                self._lose("only a part", error.strerror)

    def _put(self, line: str) -> None:
        assert self._file is not None
        self._file.write(gzip.compress(f"{line}\n".encode(), LEVEL, mtime=0))
        self._file.flush()

    def _lose(self, known: str, why: str | None) -> None:
        """Go on without the file."""
        self.lost = f"--rsp-resume will know {known} of this run: {self.path}: {why}"
        self.close()

    def close(self) -> None:
        """End the file."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None


def is_begun(path: Path) -> bool:
    """Return whether a file holds anything of a run."""
    return path.exists() and path.stat().st_size > 0


def read_header(path: Path) -> Header:
    """Return the description of the run of a ledger.

    Raises:
        BadInput: the file is no ledger.
    """
    for _, line in _lines(path):
        try:
            header: Header = HEADER.read(Header, json.loads(line))
        except (ValueError, RecursionError):
            break
        return header
    raise FileError(path, "not the ledger of a run")


def read_earlier(path: Path, subject: EngineUnderTest, named: Named = property_named) -> Earlier:
    """Return the work in a ledger; none if there is no file.

    Args:
        path: the file.
        subject: the engine, for which trials are drawn again.
        named: as for `Lines`.

    Raises:
        BadInput: the file can't be read.
    """
    lines = (line for _, line in _lines(path)) if is_begun(path) else iter(())
    next(lines, None)  # The header.
    return Earlier(lines, subject, named)


def check_same(
    option: str, run: str, each: Iterable[tuple[str, object, object]], why: Mapping[str, str] = {}
) -> None:
    """Refuse to resume a run of something else: one run never mixes two.

    Args:
        option: the option by which the user resumes.
        run: which run it is, in words.
        each: the name of each thing that has to be the same, with what it was and what it is.
        why: more words on some of them, by their names.

    Raises:
        BadInput: something differs.
    """
    for name, before, now in each:
        if before != now:
            said, now_said = (excerpt(str(o), 60) if str(o) else "none" for o in (before, now))
            raise BadInput(
                f"{option}: {run} is of {name} {said}, and now it is {now_said}"
                f"{why.get(name, '')}: leave out {option} for a new run"
            )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each whole line of a ledger, and the number of bytes up to its end."""
    end = 0
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            while end < size:
                file.seek(end)
                member, text = zlib.decompressobj(wbits=31), b""
                while not member.eof and (chunk := file.read(CHUNK)):
                    text += member.decompress(chunk)
                if not member.eof:
                    return
                end = file.tell() - len(member.unused_data)
                yield end, text.decode()
    except (zlib.error, UnicodeDecodeError):
        return
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror}") from None


def engine_of(spec: str, options: Mapping[str, str]) -> str:
    """Return an engine and its options as a header writes them."""
    return " ".join([spec, *(f"{name}={value}" for name, value in sorted(options.items()))])
