"""A campaign's folder: Parquet for any tool, whole or not at all (docs/campaigns.md).

A batch is a file in each table, and the one in ``runs`` is the last to get its name: a batch
without it never was, and is cleared away when its run is resumed.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from rsp_conformance.campaigns.named import NamedJson
from rsp_conformance.campaigns.unit import VERDICTS, Brought, Signature, UnitResult
from rsp_conformance.diagnosis.cause import CAUSES
from rsp_conformance.files.codec import Format
from rsp_conformance.files.columns import SHORT, schema_of
from rsp_conformance.files.files import FileError, parse_json, read_text, write_whole
from rsp_conformance.judge.keeper import own_folder
from rsp_conformance.model.errors import BadInput, excerpt

VERSION: Final = 1
"""The version of the folder's form; within one, columns are only added."""
NAME: Final = "campaign.json"
"""What says that a folder is a campaign's, and of which engine."""
_META: Final = b"rsp_campaign"


class NotWritten(BadInput):
    """A campaign's folder takes no more, for example because its disk is full."""


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Within it something is written to FOLDER, of a campaign; NotWritten where that fails."""
    try:
        yield
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else " ".join(str(error).split())[:200]
        raise NotWritten(
            f"{folder}: cannot be written: {why}; what is there stands, --resume goes on from it"
        ) from None


Number = Annotated[int, SHORT]


@dataclass(frozen=True, slots=True)
class _Row:
    """What every row begins with."""

    run: Number
    batch: Number


@dataclass(frozen=True, slots=True)
class _AskedRow(_Row):
    """What every row about a case begins with."""

    unit: int
    place: int


@dataclass(frozen=True, slots=True)
class CaseRow(_AskedRow):
    """A row of ``cases``: a case that was asked, with what it exercises.

    It has its JSON, and the bytes that draw it, if it failed, or if causes are compared with its
    right answer.
    """

    size: int
    elements: int
    windows: int
    property: str
    focus: str
    seed: str
    dials: str
    geometry: str
    case: str
    data: bytes
    features: tuple[str, ...]
    shapes: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerRow(_AskedRow):
    """A row of ``answers``: what came back; its JSON where ``cases`` has that."""

    answers: int
    rows: int
    empty: int
    first: float | None
    last: float | None
    behaviour: str
    query: str
    answered: str


@dataclass(frozen=True, slots=True)
class VerdictRow(_AskedRow):
    """A row of ``verdicts``: what became of a case."""

    property: str
    verdict: str
    kind: str
    cause: str
    message: str


@dataclass(frozen=True, slots=True)
class CauseRow(_Row):
    """A row of ``causes``: a cause as a run has named it so far."""

    failures: int
    known: bool
    id: str
    text: str
    file: str
    cause: str
    properties: tuple[str, ...]
    mutants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunRow(_Row):
    """A row of ``runs``: a batch, with all that is said about its run."""

    wall: float
    started: str
    engine: str
    version: str
    profile: str
    dials: str
    drawing: str
    kit: str
    seed: str
    judged_by: str
    units: str
    ended: str
    known: tuple[str, ...]
    covered: tuple[str, ...]
    lost: tuple[str, ...]
    outcomes: Mapping[str, int]
    seconds: Mapping[str, float]
    met: Mapping[str, int]


_ROWS: Final = {
    "cases": CaseRow,
    "answers": AnswerRow,
    "verdicts": VerdictRow,
    "causes": CauseRow,
    "runs": RunRow,
}
SCHEMAS: Final[Mapping[str, Any]] = {
    name: schema_of(row, {_META: str(VERSION).encode()}) for name, row in _ROWS.items()
}
"""The tables, each in a folder of its name, divided by ``engine_version``."""
ADDED: Final = frozenset({"dials", "drawing", "met"})
"""The columns of ``runs`` that earlier folders of this version lack."""


@dataclass(frozen=True, slots=True)
class Run:
    """What all batches of a run say of it; ``number`` counts the folder's runs, from 1.

    ``dials`` are those turned on top of the profile, ``drawing`` says what seeds draw
    (``unit.drawing_of``).
    """

    number: int
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

    number: int
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
    """What NAME says of the folder."""

    rsp_campaign: int
    """The version of the folder's form."""
    engine: str
    options: Mapping[str, str]
    """The engine's options."""


COLUMNS: Final = Format({}, open=True)
"""What NAME holds, and the column ``units`` of ``runs``."""


def begun(path: Path) -> bool:
    """Whether the folder at PATH holds a run of a campaign; BadInput as of ``Store``."""
    return (path / NAME).exists() and bool(Store(path).runs())


class Store:
    """The folder at PATH, of the campaigns against ENGINE.

    Raises BadInput, one line, where it is something else's, or of a version unknown here.
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
        theirs = found.engine, found.options
        if engine and theirs != (engine, options):
            said = " ".join([theirs[0], *(f"{k}={v}" for k, v in theirs[1].items())])
            raise BadInput(f"{self.path} holds campaigns against {said}: name another folder")

    def _begin(self, about: Path, engine: str, options: Mapping[str, str]) -> None:
        if self.path.is_dir() and any(p for p in self.path.iterdir() if p.name[0] != "."):
            raise BadInput(f"{self.path} holds something else than campaigns: name another one")
        self._is_new = True
        own_folder(self.path)
        document = COLUMNS.write(FolderJson, FolderJson(VERSION, engine, options))
        write_whole(about, json.dumps(document, indent=2) + "\n")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Within it nobody else writes here; BadInput where somebody does.

        A new folder to which no run has come is of no engine afterwards.
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
                if self._is_new and not any((self.path / table).exists() for table in SCHEMAS):
                    (self.path / NAME).unlink(missing_ok=True)

    # --- writing ---------------------------------------------------------------------------

    def write(self, run: Run, batch: Batch, results: Sequence[UnitResult]) -> None:
        """Write a batch with its RESULTS."""
        if results:
            for table, rows in _rows(results).items():
                self._put(table, run, batch.number, rows)
        shown = {name: getattr(run, name) for name in run.__slots__ if name != "number"}
        one = {
            **shown,
            "wall": batch.wall,
            "seconds": list(batch.seconds.items()),
            "outcomes": list(batch.outcomes.items()),
            "units": json.dumps(
                COLUMNS.write(tuple[Brought, ...], batch.units), separators=(",", ":")
            ),
            "covered": batch.covered,
            "lost": batch.lost,
            "ended": batch.ended,
            "met": list(batch.met.items()),
        }
        self._put("runs", run, batch.number, [one])

    def write_causes(self, run: Run, batch: int, causes: Sequence[Mapping[str, Any]]) -> None:
        """Write all causes that RUN has named so far: the file of the greatest BATCH counts."""
        self._put("causes", run, batch, causes)

    def _put(self, table: str, run: Run, batch: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """One file of TABLE, whole or not at all."""
        folder = self.path / table / f"engine_version={quote(run.version or 'none', safe='')}"
        name = _file(run.number, batch)
        partial = folder / f".{name}.{os.getpid()}.part"
        own = ({"run": run.number, "batch": batch, **row} for row in rows)
        written = pa.Table.from_pylist([*own], schema=SCHEMAS[table])
        with writing(self.path):
            folder.mkdir(parents=True, exist_ok=True)
            try:
                pq.write_table(written, partial)
                partial.replace(folder / name)
            finally:
                partial.unlink(missing_ok=True)

    def clear(self, run: int) -> None:
        """Remove what a killed campaign has left of batches of RUN that it did not finish."""
        done = {path.name for path in self._files("runs", run)}
        for table in ("cases", "answers", "verdicts"):
            for path in self._files(table, run):
                if path.name not in done:
                    path.unlink()
        for path in self.path.glob("*/engine_version=*/.run-*.part"):
            path.unlink()

    # --- reading ---------------------------------------------------------------------------

    def runs(self) -> list[tuple[Run, list[Batch]]]:
        """Every run with its batches, in order."""
        found: dict[int, tuple[Run, list[Batch]]] = {}
        for path in self._files("runs"):
            rows = self._read(path, "runs")
            try:
                run, batch = _batch(path, *rows)
            except FileError:
                raise
            except (TypeError, ValueError, RecursionError) as error:
                raise FileError(path, f"damaged: {error}") from None
            found.setdefault(run.number, (run, []))[1].append(batch)
        return [found[number] for number in sorted(found)]

    def causes(self, run: int) -> list[dict[str, Any]]:
        """The causes that RUN has named so far: rows, whose ``cause`` is a `NamedJson`."""
        paths = self._files("causes", run)
        rows = self._read(paths[-1], "causes") if paths else []
        for row in rows:
            row["cause"] = read_column(paths[-1], row["cause"], CAUSES, NamedJson, "cause")
        return rows

    def rows(self, table: str, run: int, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The COLUMNS of TABLE, of all finished batches of RUN in order."""
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
            if version != str(VERSION):
                raise FileError(path, _other_version(version))
            wanted = set(columns or SCHEMAS[table].names)
            missing = wanted - set(file.schema_arrow.names) - (ADDED if table == "runs" else set())
            if missing:
                raise FileError(path, f"damaged: without the column {min(missing)}")
            rows: list[dict[str, Any]] = file.read(columns).to_pylist()
        except (OSError, pa.ArrowException) as error:
            said = " ".join(str(error).split())[:200]
            raise FileError(path, f"damaged: {said}") from None
        return rows


def read_column(path: Path, text: str, form: Format, hint: Any, where: str) -> Any:
    """Return the value that a column of a table holds as JSON.

    Args:
        path: the table or its file, for errors.
        text: the JSON.
        form: the format of the document.
        hint: the value's type.
        where: the column, for errors.

    Raises:
        FileError: it holds something else.
    """
    try:
        return form.read(hint, parse_json(text, path), where)
    except FileError as error:
        raise FileError(path, f"damaged: {where}: {error.message}") from None
    except ValueError as error:
        raise FileError(path, f"damaged: {error}") from None


def _batch(path: Path, row: Mapping[str, Any]) -> tuple[Run, Batch]:
    """A batch and its run, as the one row of its file has them."""
    own: dict[str, Any] = {name: row[name] for name in Run.__slots__ if name in row}
    units = read_column(path, row["units"], COLUMNS, tuple[Brought, ...], "units")
    return Run(**{**own, "number": row["run"], "known": tuple(row["known"])}), Batch(
        row["batch"],
        row["wall"],
        dict(row["seconds"]),
        dict(row["outcomes"]),
        units,
        tuple(row["covered"]),
        tuple(row["lost"]),
        row["ended"],
        dict(row.get("met") or ()),
    )


def _file(run: int, batch: int) -> str:
    return f"run-{run:04}-batch-{batch:06}.parquet"


def _about(path: Path) -> FolderJson:
    """What NAME says, checked."""
    document = parse_json(read_text(path), path)
    version = document.get("rsp_campaign") if isinstance(document, dict) else None
    if type(version) is not int or version != VERSION:
        raise FileError(path, _other_version(version))
    try:
        found: FolderJson = COLUMNS.read(FolderJson, document)
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


def _rows(results: Iterable[UnitResult]) -> dict[str, list[dict[str, Any]]]:
    """The rows of RESULTS, by table."""
    tables: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("cases", "answers", "verdicts")
    }
    for unit, rows, *_ in results:
        known = {"unit": unit.number, "property": unit.property.name, "focus": unit.focus}
        known |= {"seed": unit.seed, "size": unit.cases}
        for row in rows:
            signed = {name: getattr(row.signature, name) for name in Signature.__slots__}
            values = {**known, **row._asdict(), **signed, "verdict": VERDICTS[row.outcome]}
            for table, own in tables.items():
                own.append({n: values[n] for n in SCHEMAS[table].names if n in values})
    return tables
