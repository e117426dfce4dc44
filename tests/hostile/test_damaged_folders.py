"""Suites and campaigns, of which one file has anything wrong: one line with file and place."""

from __future__ import annotations

import json
import lzma
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsp_conformance.campaigns.store import TABLES, Batch, Run, Store
from rsp_conformance.files.files import FileError
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import KitError
from rsp_conformance.test_suite.entry import SuiteEntry
from rsp_conformance.test_suite.export import export_suite, pack_suite, suite_case
from rsp_conformance.test_suite.manifest import read_suite
from rsp_conformance.test_suite.packed import LARGEST, PACKED
from tests.builders.cases import nearby_case
from tests.builders.command_line import cli
from tests.generators.damage import ESCAPE, damaged, damaged_lines, damaged_text
from tests.hostile.readers import Reader, changed, few
from tests.hostile.test_damaged_files import NO_JSON

# --- suites ---------------------------------------------------------------------------------------

MANIFEST, CASE = "manifest.json", "cases/c"
ANSWERS, STREAMS = f"{CASE}/answers.json", f"{CASE}/streams.jsonl"
FILES = (
    "there is no such file",
    "a directory, where",
    "cannot be read",
    "an element at",
    "two tests",
    "no whole",
)
"""What is said of other files, because of this one."""
NEEDS = {
    MANIFEST: (
        *("label", "tests"),
        *(f"tests[].{name}" for name in "name title query jsonl streams until".split()),
    ),
    ANSWERS: (
        *("under", "under[].dials", "under[].requires", "under[].from", "under[].legal"),
        *(f"under[].legal[][].{name}" for name in ("t", "compared", "solutions")),
    ),
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of one case."""
    folder = tmp_path_factory.mktemp("suites") / "suite"
    made = suite_case(nearby_case(4, 2), Dials(unit=1000), "c", "a case")
    export_suite(folder, "one", [SuiteEntry((replace(made, requires=({"bounds": ("(o,c]",)},)),))])
    return folder


def of_suite(suite: Path, name: str, **more: Any) -> Reader:
    """A reader of the suite, one file of which is written before, and is whole again after it."""
    path = suite / name

    def read(content: bytes) -> object:
        whole = path.read_bytes()
        path.write_bytes(content)
        try:
            return read_suite(suite)
        finally:
            path.write_bytes(whole)

    return Reader(read, FileError, file=str(suite), **more)


@pytest.mark.parametrize("name", NEEDS)
def test_a_damaged_document_of_a_suite(name: str, suite: Path) -> None:
    document = json.loads((suite / name).read_text("utf-8"))
    reader = of_suite(
        suite,
        name,
        needs=NEEDS[name],
        open=("",),
        kinds={
            "under[].legal[][].arrival": "null",
            "tests[].stamp": "null",
            "tests[].background[].since": "null",
        },
        free=("under[].early", "until") if name == ANSWERS else (),
        unplaced=tuple(f"…{said}" for said in (*NO_JSON, *FILES)),
    )
    reader.holds(damaged([document]))


@pytest.mark.parametrize("name", [f"{CASE}/query.rq", STREAMS])
def test_a_damaged_text_of_a_suite(name: str, suite: Path) -> None:
    reader = of_suite(suite, name)
    reader.holds(damaged_text([(suite / name).read_text("utf-8")]), few)


UNDER = "under[0]"
FIRST = f"{UNDER}.legal[0][0]"
PINNED: list[tuple[str, str, Any, str]] = [
    (MANIFEST, "tests[0].name", "../../etc", "tests[0].name: expected the name of a test"),
    (MANIFEST, "tests[0].query", "/etc/passwd", "tests[0].query: expected a file of this folder"),
    (MANIFEST, "tests[0].until", 10**30, "tests[0].until: expected an integer of at most"),
    (MANIFEST, "tests[0].registered", 9, "is earlier than the registration"),
    (ANSWERS, f"{UNDER}.dials.report", "(" * 900, f"{UNDER}.dials.report: nested too deeply"),
    (ANSWERS, f"{UNDER}.requires", [{"t0": ["x"]}], f"{UNDER}.requires[0].t0[0]: expected any, "),
    (ANSWERS, f"{UNDER}.dials.unit", 1, f"{UNDER}.dials.unit: expected a string, found 1"),
    (ANSWERS, f"{UNDER}.dials.bound", "x", f"{UNDER}.dials: unknown dial 'bound'; did you mean 'b"),
    (ANSWERS, f"{UNDER}.query", "../../x", f"{UNDER}.query: expected a file of this folder"),
    (ANSWERS, f"{FIRST}.t", "4", f"{FIRST}.t: expected an integer"),
    (ANSWERS, f"{FIRST}.arrival.own >", [1], f"{FIRST}.arrival.own >: expected"),
    (ANSWERS, f"{FIRST}.ties", [2, 1], f"{FIRST}.ties: expected a number for each row"),
]


@pytest.mark.parametrize(("name", "place", "value", "said"), PINNED, ids=range(len(PINNED)))
def test_a_suite_names_file_and_place(
    suite: Path, name: str, place: str, value: Any, said: str
) -> None:
    document = json.loads((suite / name).read_text("utf-8"))
    found = of_suite(suite, name).said(changed(document, place, value))
    assert said in found and str(found).startswith("/")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """A suite in one file, and the values on its lines."""
    folder = tmp_path_factory.mktemp("packed")
    made = suite_case(nearby_case(4, 2), Dials(unit=1000), "c", "a case")
    pack_suite(folder, "one", [SuiteEntry((made,))], "")
    text = lzma.decompress((folder / PACKED).read_bytes()).decode()
    return folder, [json.loads(line) for line in text.splitlines()]


def test_a_damaged_suite_in_one_file(packed: tuple[Path, list[Any]]) -> None:
    folder, lines = packed

    def read(content: bytes) -> object:
        (folder / PACKED).write_bytes(lzma.compress(content))
        return read_suite(folder)

    needs = ("label", "test", "files", "test.name", "test.until", "files.query.rq")
    unplaced = (*NO_JSON, "/cases/c/", "holds no test", "two tests")
    reader = Reader(
        read,
        FileError,
        file=str(folder / PACKED),
        needs=needs,
        free=("files",),
        open=("",),
        kinds={"test.stamp": "null"},
        unplaced=unplaced,
    )
    reader.holds(damaged_lines([lines]))
    head, line = (json.dumps(value).encode() + b"\n" for value in lines)
    for content, said in (
        (b"\n", "no JSON"),
        (head, "holds no test"),
        (head + line + line, "two tests are called 'c'"),
        (head + line + b"\n", "no JSON"),
        (head + b'{"a":' * 60_000, "no JSON (nested more than 150 deep)"),
        (
            head + changed(lines[1], "files", {}) + b"\n",
            "/cases/c/answers.json: there is no such file",
        ),
    ):
        assert reader.said(content).startswith(said)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda content: content[:-20], "cut off"),
        (lambda content: b"{}" + content, "not a compressed suite"),
        (lambda _: lzma.compress(b" " * (LARGEST + 1)), "bytes of text"),
        (lambda _: lzma.compress(b"\xff"), "not a compressed suite"),
    ],
)
def test_a_file_that_is_not_compressed_well_is_a_line(
    packed: tuple[Path, list[Any]], damage: Callable[[bytes], bytes], said: str
) -> None:
    folder, lines = packed
    whole = lzma.compress("".join(f"{json.dumps(own)}\n" for own in lines).encode())
    (folder / PACKED).write_bytes(damage(whole))
    with pytest.raises(FileError, match=said):
        read_suite(folder)


@pytest.mark.parametrize("name", ["nowhere", "a\x00b", "file", "n" * 5_000])
def test_no_suite_at_all(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError):
        read_suite(tmp_path / name)


def test_export_to_places_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("")
    for place in ("file", "file/below", "full", "a\x00b"):
        ran = cli("export", str(tmp_path / place))
        assert ran.status == 2 and ran.err.count("\n") == 1, ran.err
    for crash in ("file", "nowhere.json"):
        ran = cli("export", str(tmp_path / "new"), "--crash", str(tmp_path / crash))
        assert ran.status == 2 and not (tmp_path / "new").exists()


# --- campaigns ------------------------------------------------------------------------------------

RUN = Run(1, "now", "reference", "1", "rsp-ql", "0", "0", "nobody")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of one batch."""
    folder = tmp_path_factory.mktemp("campaigns") / "campaign"
    store = Store(folder, "reference", {})
    store.write(RUN, Batch(1, 1.0, {"drawing": 0.1}, {"correct": 0}), [])
    store.write_causes(RUN, 1, [])
    return folder


def read_campaign(folder: Path) -> object:
    """All that a report reads of a campaign's folder."""
    store = Store(folder)
    rows = [*store.rows("verdicts", 1, TABLES["verdicts"].schema.names)]
    return store.runs(), store.causes(1), rows


def table_of(folder: Path, name: str = "runs") -> Path:
    """The one file of a table."""
    (path,) = folder.glob(f"{name}/*/*.parquet")
    return path


def test_a_damaged_head_of_a_campaign(campaign: Path) -> None:
    about = campaign / "campaign.json"
    document = json.loads(about.read_text("utf-8"))

    def read(content: bytes) -> object:
        about.write_bytes(content)
        return read_campaign(campaign)

    reader = Reader(
        read,
        FileError,
        file=str(about),
        needs=("rsp_campaign", "engine", "options"),
        open=("",),
        unplaced=(*NO_JSON, "not a campaign", "version "),
    )
    try:
        reader.holds(damaged([document]))
    finally:
        about.write_text(json.dumps(document), "utf-8")


@few
@given(st.data())
def test_a_damaged_table_of_a_campaign(campaign: Path, data: st.DataObject) -> None:
    path = table_of(campaign, data.draw(st.sampled_from(["runs", "causes"])))
    whole = path.read_bytes()
    at, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    put = data.draw(st.sampled_from([b"", b"\0" * 8, b"\xff" * 30, whole[:50]]))

    def read(content: bytes) -> object:
        path.write_bytes(content)
        try:
            return read_campaign(campaign)
        finally:
            path.write_bytes(whole)

    Reader(read, KitError, file=str(campaign)).said(whole[:at] + put + whole[end:])


def with_value(name: str, value: object, table: Any) -> Any:
    """A table with another value in a column."""
    number = table.schema.get_field_index(name)
    return table.set_column(
        number, table.schema.field(number), pa.array([value], table.schema.field(number).type)
    )


def with_cause(document: str, table: Any) -> Any:
    """A table of causes with one, of which a column holds the document."""
    row = {"id": "newest-only", "known": False, "failures": 1, "properties": [], "mutants": []}
    return pa.Table.from_pylist([{**row, "text": "", "file": "", "cause": document}], table.schema)


def of_version(version: str, table: Any) -> Any:
    """A table that says of itself that it is of another version."""
    return table.replace_schema_metadata({**table.schema.metadata, b"rsp_campaign": version})


RUNS: list[tuple[Callable[[Any], Any], str]] = [
    (partial(of_version, "3"), "version '3' of campaigns is not the one"),
    (partial(of_version, ESCAPE * 999), "is not the one"),
    (lambda _: pa.table({"run": [1]}), "not a campaign of rsp-conformance"),
    (lambda table: table.drop_columns(["units"]), "damaged: without the column units"),
    (lambda table: pa.concat_tables([table, table]), "damaged: "),
    (partial(with_value, "units", '[{"seed": '), "damaged: units: no JSON ("),
    (partial(with_value, "units", '[{"number": 1}]'), "damaged: units[0].focus: expected a string"),
]
CAUSES: list[tuple[Callable[[Any], Any], str]] = [
    (partial(with_cause, '{"cause": '), "damaged: "),
    (
        partial(with_cause, '{"kind": "silent", "confirmed": ""}'),
        "cause.cause: expected an object, found nothing",
    ),
    (partial(with_cause, '{"cause": 1, "kind": "", "confirmed": ""}'), "cause.cause: "),
]
CHANGES = [
    *(("runs", change, said) for change, said in RUNS),
    *(("causes", change, said) for change, said in CAUSES),
]


@pytest.mark.parametrize(("name", "change", "said"), CHANGES, ids=range(len(CHANGES)))
def test_a_table_of_something_else(
    campaign: Path, tmp_path: Path, name: str, change: Callable[[Any], Any], said: str
) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(campaign, folder)
    path = table_of(folder, name)
    pq.write_table(change(pq.read_table(path, partitioning=None)), path)
    line = cli("fuzz", "report", folder).line()
    assert said in line and len(line) < 2_500 and line[:-1].isprintable()


def test_a_folder_without_a_campaign_or_a_batch(campaign: Path, tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(campaign, folder)
    shutil.rmtree(folder / "runs")
    assert "there is no finished batch in it" in cli("fuzz", "report", folder).line()
    (folder / "campaign.json").unlink()
    assert "holds no campaign" in cli("fuzz", "report", folder).line()


@pytest.mark.parametrize("number", ["2", "999999999"])
def test_a_run_that_is_not_there(campaign: Path, number: str) -> None:
    assert (
        f"there is no run {number} in it" in cli("fuzz", "report", campaign, "--run", number).line()
    )


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    ran = cli("fuzz", "--engine", "reference", "--out", str(tmp_path))
    assert "holds something else than campaigns" in ran.line()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
