"""A campaign's folder: Parquet for any tool, whole or not at all (docs/campaigns.md).

A batch is a file in each table, and the one in ``runs`` is the last to get its name: a batch
without it never was, and is cleared away when its run is resumed.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from rsp_conformance.campaigns.named import CauseRow
from rsp_conformance.campaigns.unit import VERDICTS, Brought, Row, Signature, Unit, UnitResult
from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.files.codec import Format
from rsp_conformance.files.columns import COLUMN, SHORT, Table, read_json
from rsp_conformance.files.files import FileError, parse_json, read_text, write_whole
from rsp_conformance.judge.keeper import own_folder
from rsp_conformance.model.errors import BadInput, excerpt
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.run.lines import Lines
from rsp_conformance.run.record import Record

VERSION: Final = 2
"""The version of the folder's form; within one, columns are only added."""
SHOWN: Final = frozenset({1, VERSION})
"""The versions that are shown: version 1 lacks ``record``, which a run goes on from."""
NAME: Final = "campaign.json"
"""What says that a folder is a campaign's, and of which engine."""
_META: Final = b"rsp_campaign"


class NotWritten(BadInput):
    """A campaign's folder takes no more, for example because its disk is full."""


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Within it something is written to a campaign's folder.

    Raises:
        NotWritten: it cannot be written.
    """
    try:
        yield
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else " ".join(str(error).split())[:200]
        raise NotWritten(
            f"{folder}: cannot be written: {why}; what is there stands, --resume goes on from it"
        ) from None


Number = Annotated[int, SHORT]


@dataclass(frozen=True, slots=True)
class _At:
    """What a row of the other tables begins with."""

    run: Number
    batch: Number


@dataclass(frozen=True, slots=True)
class Run:
    """What all batches of a run say of it; ``number`` counts the folder's runs, from 1.

    ``dials`` are those turned on top of the profile, ``drawing`` says what seeds draw
    (``unit.drawing_of``).
    """

    number: Number = field(metadata={COLUMN: "run"})
    started: str
    engine: str
    version: str
    profile: str
    kit: str
    seed: str
    judged_by: str
    known: tuple[str, ...] = ()
    dials: str = ""
    drawing: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as ``runs`` has it: what its units brought, and its new points of coverage.

    ``met`` counts what its cases exercise. ``wall`` is the time on the clock since the run began,
    of all its parts together; ``ended`` says how the run ended, in its last batch, and is empty in
    others.
    """

    number: Number = field(metadata={COLUMN: "batch"})
    wall: float
    seconds: Mapping[str, float]
    outcomes: Mapping[str, int]
    units: tuple[Brought, ...] = ()
    covered: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    ended: str = ""
    met: Mapping[str, int] = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """The cases of the batch."""
        return sum(self.outcomes.values())


@dataclass(frozen=True, slots=True)
class FolderJson:
    """What the file `NAME` says of the folder."""

    rsp_campaign: int
    """The version of the folder's form."""
    engine: str
    options: Mapping[str, str]
    """The engine's options."""


FORM: Final = Format({Cause: CAUSES}, open=True)
"""What the file `NAME` holds, and the columns ``units`` of ``runs`` and ``cause`` of ``causes``."""


def _table(names: str, *kinds: type) -> Table:
    return Table(f"run batch {names}", *kinds, form=FORM, metadata={_META: str(VERSION).encode()})


_CASE: Final = (_At, Unit, Row, Signature)
TABLES: Final[Mapping[str, Table]] = {
    "cases": _table(
        "unit place size elements windows property focus seed dials geometry case features shapes "
        "paths",
        *_CASE,
    ),
    "answers": _table("unit place answers rows empty first last behaviour", *_CASE),
    "verdicts": _table("unit place property verdict kind cause message record", *_CASE),
    "causes": _table("failures known id text file cause properties mutants", _At, CauseRow),
    "runs": _table(
        "wall started engine version profile dials drawing kit seed judged_by units ended known "
        "covered lost outcomes seconds met",
        *(Run, Batch),
    ),
}
"""The tables, each in a folder of its name, divided by ``engine_version``."""
ADDED: Final = frozenset({"dials", "drawing", "met"})
"""The columns of ``runs`` that folders of version 1 may lack."""
OF_UNITS: Final = ("cases", "answers", "verdicts")
"""The tables with a row for each case."""


def begun(path: Path) -> bool:
    """Return whether a folder holds a run of a campaign.

    Raises:
        BadInput: as of ``Store``.
    """
    return (path / NAME).exists() and bool(Store(path).runs())


class Store:
    """The folder of the campaigns against an engine.

    Args:
        path: the folder.
        engine: the engine as it was named; empty to read what is there.
        options: its options.

    Raises:
        BadInput: the folder is something else's, or of a version unknown here.
    """

    def __init__(self, path: Path, engine: str = "", options: Mapping[str, str] | None = None):
        self.path = path
        self._is_new = False
        about = path / NAME
        try:
            if about.exists():
                found = _about(about)
                self._check(found, engine, dict(options or {}))
                engine = found.engine
            elif engine and path.exists() and not path.is_dir():
                raise BadInput(f"{path}: not a folder")
            elif engine:
                self._begin(about, engine, dict(options or {}))
            else:
                raise BadInput(f"{path} holds no campaign (there is no {NAME} in it)")
        except OSError as error:
            raise BadInput(f"{path}: cannot be used: {error.strerror}") from None
        self.engine = engine

    def _check(self, found: FolderJson, engine: str, options: Mapping[str, str]) -> None:
        if engine and found.rsp_campaign != VERSION:
            raise BadInput(
                f"{self.path} holds campaigns of version {found.rsp_campaign}, which are only "
                f"shown (rsp-conformance fuzz report): name another folder"
            )
        theirs = found.engine, found.options
        if engine and theirs != (engine, options):
            said = " ".join([theirs[0], *(f"{k}={v}" for k, v in theirs[1].items())])
            raise BadInput(f"{self.path} holds campaigns against {said}: name another folder")

    def _begin(self, about: Path, engine: str, options: Mapping[str, str]) -> None:
        if self.path.is_dir() and any(p for p in self.path.iterdir() if p.name[0] != "."):
            raise BadInput(f"{self.path} holds something else than campaigns: name another one")
        self._is_new = True
        own_folder(self.path)
        document = FORM.write(FolderJson, FolderJson(VERSION, engine, options))
        write_whole(about, json.dumps(document, indent=2) + "\n")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Within it nobody else writes here.

        A new folder to which no run has come is of no engine afterwards.

        Raises:
            BadInput: somebody else writes here.
        """
        with ExitStack() as opened:
            with writing(self.path):
                lock = opened.enter_context((self.path / ".lock").open("w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BadInput(f"{self.path}: another campaign is writing there") from None
            try:
                yield
            finally:
                # Once a table is begun the campaign goes on, even if no batch is whole.
                if self._is_new and not any((self.path / table).exists() for table in TABLES):
                    (self.path / NAME).unlink(missing_ok=True)

    # --- writing ---------------------------------------------------------------------------

    def write(self, run: Run, batch: Batch, results: Sequence[UnitResult]) -> None:
        """Write a batch with its results."""
        at = _At(run.number, batch.number)
        each = [(at, own.unit, row, row.signature) for own in results for row in own.rows]
        for name in OF_UNITS if results else ():
            self._put(name, run, batch.number, [TABLES[name].row(*own) for own in each])
        self._put("runs", run, batch.number, [TABLES["runs"].row(run, batch)])

    def write_causes(self, run: Run, batch: int, causes: Sequence[CauseRow]) -> None:
        """Write all causes that a run has named so far.

        Args:
            run: the run.
            batch: the number of the batch; the file of the greatest one counts.
            causes: the causes.
        """
        at, row = _At(run.number, batch), TABLES["causes"].row
        self._put("causes", run, batch, [row(at, own) for own in causes])

    def _put(self, table: str, run: Run, batch: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write one file of a table, whole or not at all."""
        folder = self.path / table / f"engine_version={quote(run.version or 'none', safe='')}"
        name = _file(run.number, batch)
        partial = folder / f".{name}.{os.getpid()}.part"
        written = pa.Table.from_pylist([*rows], schema=TABLES[table].schema)
        with writing(self.path):
            folder.mkdir(parents=True, exist_ok=True)
            try:
                pq.write_table(written, partial)
                partial.replace(folder / name)
            finally:
                partial.unlink(missing_ok=True)

    def clear(self, run: int) -> None:
        """Remove what a killed campaign has left of batches of a run that it did not finish."""
        done = {path.name for path in self._files("runs", run)}
        for table in OF_UNITS:
            for path in self._files(table, run):
                if path.name not in done:
                    path.unlink()
        for path in self.path.glob("*/engine_version=*/.run-*.part"):
            path.unlink()

    # --- reading ---------------------------------------------------------------------------

    def runs(self) -> list[tuple[Run, list[Batch]]]:
        """Return every run with its batches, in order.

        Raises:
            FileError: a file is damaged.
        """
        found: dict[int, tuple[Run, list[Batch]]] = {}
        for path in self._files("runs"):
            rows = self._read(path, "runs")
            if len(rows) != 1:
                raise FileError(path, f"damaged: expected one row, found {len(rows)}")
            run = TABLES["runs"].read(Run, rows[0], path)
            batch = TABLES["runs"].read(Batch, rows[0], path)
            found.setdefault(run.number, (run, []))[1].append(batch)
        return [found[number] for number in sorted(found)]

    def causes(self, run: int) -> list[CauseRow]:
        """Return the causes that a run has named so far."""
        paths = self._files("causes", run)
        rows = self._read(paths[-1], "causes") if paths else []
        return [TABLES["causes"].read(CauseRow, row, paths[-1]) for row in rows]

    def records(self, run: int, outcome: Outcome, lines: Lines) -> Iterator[Record]:
        """Yield the records that are kept whole and have no cause.

        Args:
            run: the run.
            outcome: the outcome of the records.
            lines: reads them.
        """
        columns = ("unit", "place", "verdict", "cause", "record")
        for row in self.rows("verdicts", run, columns):
            if row["record"] and not row["cause"] and row["verdict"] == VERDICTS[outcome]:
                where = f"unit {row['unit']}, place {row['place']}, record"
                path = self.path / "verdicts"
                yield read_json(row["record"], lines.format, Record, path, where)

    def rows(self, table: str, run: int, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield rows of all finished batches of a run in order.

        Args:
            table: the table.
            run: the number of the run.
            columns: the columns that are wanted.
        """
        done = {path.name for path in self._files("runs", run)}
        for path in self._files(table, run):
            if path.name in done:
                yield from self._read(path, table, columns)

    def _files(self, table: str, run: int | None = None) -> list[Path]:
        which = "*" if run is None else f"{run:04}"
        return sorted(
            self.path.glob(f"{table}/engine_version=*/run-{which}-*.parquet"), key=lambda p: p.name
        )

    def _read(
        self, path: Path, table: str, columns: Sequence[str] | None = None
    ) -> list[dict[str, Any]]:
        try:
            file = pq.ParquetFile(path)
            version = (file.schema_arrow.metadata or {}).get(_META, b"").decode("utf-8", "replace")
            if version not in map(str, SHOWN):
                raise FileError(path, _other_version(version))
            wanted = set(columns or TABLES[table].schema.names)
            missing = wanted - set(file.schema_arrow.names)
            if table == "runs" and version != str(VERSION):
                missing -= ADDED
            if missing:
                raise FileError(path, f"damaged: without the column {min(missing)}")
            rows: list[dict[str, Any]] = file.read(columns).to_pylist()
        except (OSError, pa.ArrowException) as error:
            said = " ".join(str(error).split())[:200]
            raise FileError(path, f"damaged: {said}") from None
        return rows


def _file(run: int, batch: int) -> str:
    return f"run-{run:04}-batch-{batch:06}.parquet"


def _about(path: Path) -> FolderJson:
    """Return what the file `NAME` says, checked."""
    document = parse_json(read_text(path), path)
    version = document.get("rsp_campaign") if isinstance(document, dict) else None
    if type(version) is not int or version not in SHOWN:
        raise FileError(path, _other_version(version))
    try:
        found: FolderJson = FORM.read(FolderJson, document)
    except ValueError as error:
        raise FileError(path, f"damaged: {error}") from None
    return found


def _other_version(version: object) -> str:
    if version in (None, ""):
        return "not a campaign of rsp-conformance (no rsp_campaign in it)"
    return (
        f"version {excerpt(version, 20)} of campaigns is not the one that this rsp-conformance "
        f"reads ({VERSION})"
    )
