"""Suites of cases that others have written: one line, which names the file and the place."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.files.files import FileError
from rsp_conformance.model.dials import Dials
from rsp_conformance.test_suite.export import export_suite, pack_suite, suite_case
from rsp_conformance.test_suite.manifest import read_suite
from tests.builders.cases import nearby_case
from tests.builders.command_line import run_here
from tests.hostile.crash_files import HUGE
from tests.hostile.table import short

Break = Callable[[Any], Any]


def put(*path: str | int, value: object) -> Break:
    """A JSON document with VALUE at PATH."""

    def change(document: Any) -> Any:
        inner = document
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = value
        return document

    return change


def drop(*path: str | int) -> Break:
    def change(document: Any) -> Any:
        inner = document
        for part in path[:-1]:
            inner = inner[part]
        del inner[path[-1]]
        return document

    return change


CASE = "cases/c"
TEST = ("tests", 0)
FIRST = ("legal", 0, 0)
DEEP = '{"a":' * 60_000 + "1" + "}" * 60_000

JSON: list[tuple[str, Break, str]] = [
    ("manifest.json", lambda _: [], "expected an object"),
    (
        "manifest.json",
        drop("tests"),
        "tests: expected an array of at least one test, found nothing",
    ),
    ("manifest.json", put("tests", value=[]), "tests: "),
    ("manifest.json", put("tests", value={}), "tests: expected an array"),
    ("manifest.json", put("label", value=5), "label: expected a string"),
    ("manifest.json", put(*TEST, value="c"), "tests[0]: expected an object"),
    ("manifest.json", put(*TEST, "name", value="../../etc"), "tests[0].name: expected the name of"),
    ("manifest.json", put(*TEST, "name", value="a\x1b[2J"), "tests[0].name: expected the name of"),
    ("manifest.json", put(*TEST, "name", value="n" * 5_000), "tests[0].name: expected the name of"),
    ("manifest.json", put(*TEST, "query", value="../../etc/passwd"), "query: expected a file of"),
    ("manifest.json", put(*TEST, "query", value="/etc/passwd"), "query: expected a file of"),
    ("manifest.json", put(*TEST, "query", value="cases/c/gone.rq"), "there is no such file"),
    ("manifest.json", put(*TEST, "query", value="cases"), "a directory"),
    (
        "manifest.json",
        put(*TEST, "jsonl", value=None),
        "tests[0].jsonl: expected a file of this folder",
    ),
    ("manifest.json", put(*TEST, "streams", value=["a b"]), "tests[0].streams[0]: expected an IRI"),
    ("manifest.json", put(*TEST, "until", value=-1), "tests[0].until: expected an integer of at"),
    ("manifest.json", put(*TEST, "until", value=10**30), "tests[0].until: expected an integer of"),
    ("manifest.json", put(*TEST, "until", value=True), "tests[0].until: expected an integer"),
    ("manifest.json", put(*TEST, "registered", value=9), "is earlier than the registration"),
    ("manifest.json", put(*TEST, "stamp", value={"predicate": "p"}), "stamp.datatype: expected a"),
    (
        "manifest.json",
        put(*TEST, "background", value=[{"path": "x.nq"}]),
        "x.nq: there is no such file",
    ),
    (
        "manifest.json",
        put(*TEST, "background", value=[{"path": "x.nq", "since": "1"}]),
        "tests[0].background[0].since: expected an integer",
    ),
    (f"{CASE}/dials.json", drop("dials", "bounds"), "dials: the dial bounds is missing"),
    (f"{CASE}/dials.json", put("dials", "bounds", value="[]"), "dial bounds="),
    (f"{CASE}/dials.json", put("dials", "size", value="1"), "unknown dial 'size'"),
    (f"{CASE}/dials.json", put("dials", "report", value="(" * 900), "dial report="),
    (f"{CASE}/dials.json", put("dials", "unit", value=1000), "dials.unit: expected a string"),
    (f"{CASE}/dials.json", put("dials", "unit", value="7"), "no whole number of instants of 7 ms"),
    (f"{CASE}/dials.json", put("requires", "t0", value=["never"]), "dial t0="),
    (f"{CASE}/dials.json", put("requires", value=["t0"]), "requires: expected an object"),
    (f"{CASE}/answers.json", put("legal", value=[]), "legal: "),
    (f"{CASE}/answers.json", drop("from"), "from: expected an integer, found nothing"),
    (f"{CASE}/answers.json", put(*FIRST, "t", value="4"), "legal[0][0].t: expected an integer"),
    (f"{CASE}/answers.json", put(*FIRST, "compared", value=1), "legal[0][0].compared: expected"),
    (f"{CASE}/answers.json", drop(*FIRST, "solutions"), "legal[0][0]: expected exactly one of"),
    (f"{CASE}/answers.json", put(*FIRST, "boolean", value=True), "expected exactly one of"),
    (
        f"{CASE}/answers.json",
        put(*FIRST, "arrival", "own >", value=[1]),
        "legal[0][0].arrival.own >",
    ),
    (f"{CASE}/answers.json", drop(*FIRST, "arrival", ">="), "legal[0][0].arrival"),
    (
        f"{CASE}/answers.json",
        put(*FIRST, "solutions", value=[{"x": {"type": "uri", "value": "a b"}}]),
        "legal[0][0].solutions[0].x.value: expected an IRI",
    ),
    (
        f"{CASE}/answers.json",
        put(*FIRST, "ties", value=[2, 1]),
        "legal[0][0].ties: expected a number for each row",
    ),
]

TEXT: list[tuple[str, str | bytes, str]] = [
    ("manifest.json", "", "no JSON"),
    ("manifest.json", DEEP, "nested more than 150 deep"),
    ("manifest.json", b"\xff\xfe\x00", "no UTF-8 text"),
    ("manifest.json", '{"label": NaN}', "NaN is not JSON"),
    (f"{CASE}/query.rq", "SELECT", "query.rq: "),
    (f"{CASE}/query.rq", "", "query.rq: "),
    (f"{CASE}/query.rq", b"\xff", "no UTF-8 text"),
    (f"{CASE}/streams.jsonl", "{}", "line 1: stream: expected an IRI"),
    (f"{CASE}/streams.jsonl", '{"t": 1, "graph": ""}', "line 1: "),
    (f"{CASE}/streams.jsonl", f'{{"t": {HUGE}, "graph": "", "stream": "u:s"}}', "line 1: "),
    (f"{CASE}/answers.json", "[1,", "no JSON"),
    (f"{CASE}/dials.json", "null", "expected an object"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = suite_case(nearby_case(4, 2), Dials(unit=1000), "c", "a case")
    export_suite(tmp_path / "suite", "one", [replace(made, requires={"bounds": ("(o,c]",)})])
    return tmp_path / "suite"


def refused(folder: Path, said: str) -> None:
    with pytest.raises(FileError) as caught:
        read_suite(folder)
    text = str(caught.value)
    assert said in text, text
    assert text.startswith(str(folder)) and len(text) < 700 and "\x1b" not in text


@pytest.mark.parametrize(
    ("file", "change", "said"), JSON, ids=[f"{n}-{short(row[2])}" for n, row in enumerate(JSON)]
)
def test_a_broken_document(file: str, change: Break, said: str, folder: Path) -> None:
    document = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps(change(document)))
    refused(folder, said)


@pytest.mark.parametrize(
    ("file", "text", "said"), TEXT, ids=[f"{n}-{short(row[2])}" for n, row in enumerate(TEXT)]
)
def test_a_broken_file(file: str, text: str | bytes, said: str, folder: Path) -> None:
    (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    refused(folder, said)


def test_two_tests_of_one_name(folder: Path) -> None:
    document = json.loads((folder / "manifest.json").read_text())
    document["tests"] *= 2
    (folder / "manifest.json").write_text(json.dumps(document))
    refused(folder, "two tests are called 'c'")


PACKED: list[tuple[Break, str]] = [
    (lambda _: [], "line 2: expected an object"),
    (drop("test"), "line 2: test: expected an object, found nothing"),
    (put("files", value=[]), "line 2: files: expected an object"),
    (drop("test", "name"), "line 2: test.name: expected the name of a test, found nothing"),
    (put("test", "name", value="../../etc"), "line 2: test.name: expected the name of"),
    (put("test", "until", value=True), "line 2: test.until: expected an integer"),
    (drop("files", "query.rq"), "cases.jsonl/cases/c/query.rq: there is no such file"),
    (put("files", "query.rq", value=None), "cases.jsonl/cases/c/query.rq: "),
    (put("files", "query.rq", value=[[]]), "cases.jsonl/cases/c/query.rq: "),
    (put("files", "streams.jsonl", value=[{}]), "streams.jsonl, line 1: stream: expected an IRI"),
    (put("files", "streams.jsonl", value=7), "streams.jsonl, line 1: "),
    (put("files", "dials.json", value="{"), "dials.json, line 1: no JSON"),
    (put("files", "answers.json", "legal", value=[]), "answers.json: legal: "),
]


@pytest.mark.parametrize(
    ("change", "said"), PACKED, ids=[f"{n}-{short(row[1])}" for n, row in enumerate(PACKED)]
)
def test_a_broken_line_of_a_suite_in_one_file(change: Break, said: str, tmp_path: Path) -> None:
    head, line = packed(tmp_path)
    write_packed(tmp_path, head, json.dumps(change(json.loads(line))))
    refused(tmp_path, said)


def test_a_broken_suite_in_one_file(tmp_path: Path) -> None:
    head, line = packed(tmp_path)
    for lines, said in (
        (("",), "line 1: no JSON"),
        (("{}", line), "line 1: label: expected a string, found nothing"),
        ((head, line, ""), "line 3: no JSON"),
        ((head, DEEP), "line 2: no JSON (nested more than 150 deep)"),
        ((head, line, line), "two tests are called 'c'"),
        ((head,), "holds no test"),
    ):
        write_packed(tmp_path, *lines)
        refused(tmp_path, said)


def packed(folder: Path) -> tuple[str, str]:
    """The lines of a suite of one test, which stands in FOLDER."""
    made = suite_case(nearby_case(4, 2), Dials(unit=1000), "c", "a case")
    pack_suite(folder, "one", [made], "")
    head, line = (folder / "cases.jsonl").read_text("utf-8").splitlines()
    return head, line


def write_packed(folder: Path, *lines: str) -> None:
    (folder / "cases.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


@pytest.mark.parametrize("name", ["nowhere", "a\x00b", "file", "n" * 5_000])
def test_no_suite_at_all(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError):
        read_suite(tmp_path / name)


def test_export_to_places_that_cannot_be(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("")
    for place in ("file", "file/below", "full", "a\x00b"):
        ran = run_here(capfd, "export", str(tmp_path / place))
        assert ran.status == 2 and ran.err.count("\n") == 1, ran.err
    for crash in ("file", "nowhere.json"):
        ran = run_here(capfd, "export", str(tmp_path / "new"), "--crash", str(tmp_path / crash))
        assert ran.status == 2 and not (tmp_path / "new").exists()
