"""Files that others have written: one line, status 2, nothing run, nothing said to be fixed."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.corpora.w3c.documents import Document
from rsp_conformance.corpora.w3c.results import read_expected
from rsp_conformance.files.files import LARGEST, FileError
from rsp_conformance.protocol import registry
from tests.builders.command_line import run_here
from tests.hostile.table import short

CRASH = Path(__file__).parents[1] / "judge" / "crashes" / "version-1.json"
HUGE = 10**40
GONE: Any = ...
"""Stands for a field that is taken away."""


def crash_with(place: str, value: Any) -> dict[str, Any]:
    """The crash file with another value at PLACE, such as ``case.elements.0.t``."""
    document = json.loads(CRASH.read_text("utf-8"))
    *path, last = place.split(".")
    holder = document
    for name in path:
        holder = holder[int(name)] if isinstance(holder, list) else holder.setdefault(name, {})
    if value is GONE:
        del holder[last]
    elif isinstance(holder, list):
        holder[int(last)] = value
    else:
        holder[last] = value
    return document


def written(folder: Path, content: object, name: str = "crash.json") -> Path:
    """A file of this content: bytes, text, or JSON."""
    path = folder / name
    if not isinstance(content, bytes):
        text = content if isinstance(content, str) else json.dumps(content)
        content = text.encode("utf-8", "surrogatepass")
    path.write_bytes(content)
    return path


# --- a file names no program

PROGRAMS = [
    "stdio:{}",
    "stdio:sh -c {}",
    "stdio: {}",
    "http://localhost:1/{}",
    "python:{}",
    "file:{}",
    "module:thing",
    "STDIO:{}",
    "stdio:" + "x" * 5_000,
    "stdio:\x1b[2J{}",
]


@pytest.mark.parametrize("spec", PROGRAMS, ids=short)
def test_a_file_never_names_a_program(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = tmp_path / "mark"
    program = written(tmp_path, f"#!/bin/sh\ntouch {shlex.quote(str(mark))}\n", "program")
    program.chmod(0o755)
    document = crash_with("engine", spec.replace("{}", str(program)))
    path = written(tmp_path, {**document, "options": {}})
    ran = run_here(capsys, "replay", path)
    assert "this file asks to run" in ran.line()
    assert "name the engine with --engine, or allow it with --trust-file" in ran.line()
    assert len(ran.err) < 500 and "\x1b" not in ran.err
    assert not mark.exists()
    asked = run_here(capsys, "replay", path, "--request")
    assert asked.status == 0 and not mark.exists()


def test_a_file_that_is_trusted_may_name_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = f"stdio:{sys.executable} -m rsp_conformance.adapters.reference"
    path = written(tmp_path, {**crash_with("engine", spec), "options": {}})
    assert run_here(capsys, "replay", path, "--trust-file").status == 0
    assert run_here(capsys, "replay", path, "--engine", spec).status == 0
    assert run_here(capsys, "replay", path, "--engine", "reference").status == 0


def test_an_option_of_a_file_names_none_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object) -> Any:
        raise registry.EngineUnavailable("it would have started")

    entry = registry.EngineEntry("jvm", "", connect, {"jar": "", "mode": ""}, harmless=("mode",))
    monkeypatch.setattr(registry, "find", lambda name: entry)
    document = crash_with("engine", "jvm")
    path = written(tmp_path, {**document, "options": {"jar": "/tmp/evil.jar", "mode": "x"}})
    for named in ((), ("--engine", "jvm")):
        line = run_here(capsys, "replay", path, *named).line()
        assert "this file asks to run 'jvm with jar=/tmp/evil.jar'" in line
        assert "--engine-option" in line
    for allowed in (("--trust-file",), ("--engine-option", "jar=mine.jar")):
        assert "it would have started" in run_here(capsys, "replay", path, *allowed).line()
    path = written(tmp_path, {**document, "options": {"mode": "x"}})
    assert "it would have started" in run_here(capsys, "replay", path).line()


# --- crash files

CRASHES: list[tuple[str, Any, str]] = [
    ("rsp_crash", True, "not a crash file"),
    ("rsp_crash", "1", "not a crash file"),
    ("rsp_crash", 0, "not a crash file"),
    ("rsp_crash", 10**9, "version 1000000000 of crash files is newer"),
    ("property", None, "property: expected a string, found null"),
    ("property", "no such \x1b[31m" + "x" * 5_000, GONE),
    ("kind", "fixed", "kind: expected one of silent, missing answer"),
    ("kind", None, "kind: expected one of"),
    ("kind", GONE, "kind: expected one of"),
    ("engine", None, "engine: expected a string"),
    ("engine", "refrence", "unknown engine 'refrence'; did you mean 'reference'?"),
    ("engine", "", "unknown engine ''"),
    ("options", [], "options: expected an object"),
    ("options.fault", 1, "options.fault: expected a string, found 1"),
    ("options.falt", "x", "unknown option 'falt'"),
    ("untill", 3, 'found "untill"'),
    ("case.untill", 3, "found \"untill\"; did you mean 'until'?"),
    ("case", None, "case: expected an object"),
    ("case", GONE, "case: expected an object, found nothing"),
    ("case.version", 2, "version 2 of cases is newer"),
    ("case.version", "1", "case.version: expected an integer"),
    ("case.query", GONE, "case.query: expected a string, found nothing"),
    ("case.query", 5, "case.query: expected a string"),
    ("case.query", "SELECT", "case.query: line 1, column 7"),
    ("case.query", "SELECT \ud800", "half of a character"),
    ("case.until", -1, "case.until: expected an integer of at least 0, found -1"),
    ("case.until", 10**9, "there are more than 10,000,000 instants"),
    ("case.until", HUGE, "the latest instant is"),
    ("case.until", "3", "case.until: expected an integer"),
    ("case.until", 3.0, "case.until: expected an integer"),
    ("case.until", True, "case.until: expected an integer"),
    ("case.until", None, "case.until: expected an integer"),
    ("case.registered", -5, "case.registered: expected an integer of at least 0"),
    ("case.registered", 9, "is earlier than the registration"),
    ("case.streams", "abc", "case.streams: expected an array"),
    ("case.streams", [1], "case.streams: expected an IRI, found 1"),
    ("case.streams", ["a b"], "case.streams: expected an IRI"),
    ("case.stamp", None, "case.stamp: expected an object"),
    ("case.stamp.predicate", "<x>", "case.stamp.predicate: expected an IRI"),
    ("case.stamp.clock", "x", "case.stamp: expected one of the fields predicate, datatype"),
    ("case.static", {}, "case.static: expected an array"),
    ("case.static", [{}], "case.static[0].triples: expected N-Triples, found nothing"),
    ("case.static", [{"triples": "", "from": "1"}], "case.static[0].from: expected a whole"),
    ("case.static", [{"triples": "", "graph": '"x"'}], "case.static[0].graph: expected the name"),
    ("case.static", [{"triples": "", "graph": "<a"}], "damaged: "),
    ("case.static", [{"triples": "<a> <b> <c> ."}], "case.static[0].triples: the IRI <a> is not"),
    ("case.elements", None, "case.elements: expected an array"),
    ("case.elements", [5], "case.elements[0]: expected an object with t and graph"),
    ("case.elements.0.t", HUGE, "the latest instant is"),
    ("case.elements.0.t", -1, "streams start at 0 or later"),
    ("case.elements.0.t", "1/0", "case.elements[0].t: expected a whole number"),
    ("case.elements.0.t", 1.5, "case.elements[0].t: expected a whole number"),
    ("case.elements.0.graph", "", "case.elements[0].graph: an element holds at least one triple"),
    ("case.elements.0.graph", "<< " * 300, "quoted triples are nested more than 64 deep"),
    ("case.elements.0.graph", None, "case.elements[0].graph: expected N-Triples"),
    ("case.elements.0.stream", "a<b", "case.elements[0].stream: expected an IRI"),
    ("case.elements.0.name", "", "case.elements[0].name: expected an IRI or _:label"),
    ("profile", None, "profile: expected an object"),
    ("profile", "rsp-ql", "profile: expected an object"),
    ("profile", {"base": None}, "base: expected the name of a profile"),
    ("profile", {"base": 5}, "base: expected the name of a profile"),
    ("profile", {"base": "rsp-qll"}, "did you mean 'rsp-ql'?"),
    ("profile", {"name": 5}, "name: expected a string"),
    ("profile", {"bonds": "[o,c)"}, "unknown dial 'bonds'; did you mean 'bounds'?"),
    ("profile", {"t0": -(10**12)}, "dial t0="),
    ("profile", {"unit": 0}, "dial unit="),
    ("profile", {"overrides": None}, "overrides: expected a list"),
    ("profile", {"overrides": [{"when": 5, "dials": {}}]}, "when: expected a list of features"),
    ("profile", {"overrides": [{"when": [5], "dials": {}}]}, "when: expected a list of features"),
    ("profile", {"overrides": [{"when": [], "dials": []}]}, "expected an object with when and"),
    ("pacing", "slow", "pacing: expected one of burst, settled"),
    ("pacing", None, "pacing: expected one of burst, settled"),
    ("query_as_sent", 5, "query_as_sent: expected a string"),
    ("answers", None, "answers: expected an array"),
    ("answers", [5], "answers[0]: expected an object"),
    ("answers", [{"t": 1}], "answers[0]: expected exactly one of solutions, boolean and graph"),
    ("answers", [{"t": "1/0", "boolean": True}], "answers[0].t: expected an integer"),
    ("answers", [{"t": "x", "boolean": True}], "answers[0].t: expected an integer"),
    ("answers", [{"t": 10**60, "boolean": True}], "answers[0].t: expected an instant of at most"),
    ("answers", [{"boolean": True}], "answers[0].t: expected an integer, a decimal or null"),
    ("answers", [{"t": 1, "boolean": 1}], "answers[0].boolean: expected true or false"),
    ("answers", [{"t": 1, "boolean": True, "cause": -1}], "answers[0].cause: expected an integer"),
    ("answers", [{"t": 1, "solutions": [], "variables": "x"}], "answers[0].variables: expected"),
    ("answers", [{"t": 1, "solutions": [], "variables": [5]}], "answers[0].variables: expected"),
    ("answers", [{"t": 1, "solutions": [], "variables": [], "ties": [1]}], "answers[0].ties"),
    ("answers", [{"t": 1, "solutions": [], "cuase": 1}], 'found "cuase"'),
    ("answers", [], GONE),
    ("request", 5, "request: expected an object"),
    ("related", {"asked": []}, "related.asked: expected at least two cases"),
    ("related", {"asked": [{}, {}]}, "related.asked[0].case: expected an object, found nothing"),
    ("related", 5, "related: expected an object"),
    ("related", None, "related: expected an object"),
]


@pytest.mark.parametrize(("place", "value", "said"), CRASHES, ids=short)
def test_a_crash_file_is_read_strictly(
    place: str, value: Any, said: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, crash_with(place, value))
    ran = run_here(capsys, "replay", path)
    assert "\x1b" not in ran.out + ran.err and len(ran.err) < 2_500
    if said is GONE:  # nothing is wrong with it
        assert (ran.status, ran.err) == (1, "")
        return
    assert said in ran.line()
    assert ran.out == "ERROR\n"
    assert written(tmp_path, crash_with(place, value)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("case.until", 0),  # compared from t_s = 0 on, and nothing is due at 0
        ("case.elements", []),
    ],
    ids=short,
)
@pytest.mark.parametrize("options", [{}, {"fault": "bounds-end", "t0": "first"}], ids=short)
def test_what_shows_nothing_is_never_fixed(
    place: str,
    value: Any,
    options: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = {**crash_with(place, value), "options": options}
    until = document["case"]["until"]
    document["answers"] = [{"t": t, "solutions": []} for t in (1, 2, 3) if t <= until]
    ran = run_here(capsys, "replay", written(tmp_path, document))
    assert "it shows no failure" in ran.line()


def test_what_ends_before_answers_count_is_never_fixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = crash_with("kind", "protocol-error")
    query = document["case"]["query"]
    document["case"]["query"] = re.sub(r"STEP \w+", "STEP PT90S", query)
    assert document["case"]["query"] != query
    ran = run_here(capsys, "replay", written(tmp_path, {**document, "answers": [], "options": {}}))
    assert ran.out == "ERROR\n"
    assert "nothing was compared" in ran.line()


@pytest.mark.parametrize(("place", "value"), [("case.until", 0), ("case.elements", [])], ids=short)
@pytest.mark.parametrize("kind", ["crashed", "died", "unstable", "rejected", "too many rows"])
def test_where_no_evaluation_is_due_nothing_is_fixed(
    kind: str, place: str, value: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = {**crash_with(place, value), "kind": kind, "answers": []}
    document["options"] = {"dial.report": "WC & NC"}
    document["profile"]["report"] = "WC & NC"
    ran = run_here(capsys, "replay", written(tmp_path, document))
    assert ran.out == "ERROR\n"
    until = document["case"]["until"]
    said = f"nothing was compared: no evaluation is due from t_s=0 on, where until is {until}"
    assert said in ran.line()


@pytest.mark.parametrize("kind", ["unstable", "timeout"])
def test_what_comes_and_goes_is_not_reproduced(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, {**crash_with("kind", kind), "options": {}})
    ran = run_here(capsys, "replay", path, "--times", "4")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "FIXED: windows on reference (not reproduced in 4 runs)\n"
    runs = {"unstable": "3 runs", "timeout": "1 run"}[kind]
    assert f"(not reproduced in {runs})" in run_here(capsys, "replay", path).out
    if kind == "unstable":
        assert "takes two runs" in run_here(capsys, "replay", path, "--times", "1").line()
    assert "'--times'" in run_here(capsys, "replay", path, "--times", "0").line()


# --- all other files

RDF = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://e/'>{}</rdf:RDF>"
LAUGHS = "<!DOCTYPE r [<!ENTITY a0 'ha'>{}]>" + RDF.replace("{}", "<A><p>&a9;</p></A>")
LAUGHS = LAUGHS.replace(
    "{}", "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10))
)
NODE = "<http://e/a>"
LINE = f"{NODE} {NODE} {NODE} ."
ONE = {"t": 1, "graph": LINE}
DEEP_JSON = '{"a":' * 60_000 + "1" + "}" * 60_000

OTHERS: list[tuple[str, object, str]] = [
    # background data
    ("laughs.rdf", LAUGHS, "line 1: declares entities"),
    (
        "external.rdf",
        f"<!DOCTYPE r [\n<!ENTITY x SYSTEM 'file:///etc/passwd'>]>{RDF}",
        "line 2: decl",
    ),
    (
        "parameter.rdf",
        "<!DOCTYPE r [<!ENTITY % x SYSTEM 'http://localhost:1/'> %x;]>" + RDF,
        "decl",
    ),
    ("deep.rdf", RDF.replace("{}", "<A><p>" * 900 + "</p></A>" * 900), "nested more than 500 deep"),
    (
        "hidden.rdf",
        RDF.replace("{}", "<A b='/>'><p><!-- </ -->" * 900),
        "nested more than 500 deep",
    ),
    ("open.rdf", RDF[:-8], ""),
    ("latin.rdf", RDF.encode("utf-16"), "no UTF-8 text"),
    ("deep.jsonld", DEEP_JSON, "nested more than 500 deep"),
    ("deep-list.jsonld", "[" * 100_000, "nested more than 500 deep"),
    ("remote.jsonld", '{"@context": "http://localhost:1/", "a": 1}', ""),
    ("deep.ttl", f"{NODE} {NODE} {f'<<( {NODE} {NODE} ' * 100_000}", "nested more than 64 deep"),
    ("quoted.ttl", f"{'<< ' * 300}{LINE}", "nested more than 64 deep"),
    ("hidden.ttl", f"{NODE} {NODE} " + f"<<( {NODE} {NODE} # >>\n" * 900, "nested more than 64"),
    ("string.ttl", f"{NODE} {NODE} " + f'<<( {NODE} \'>>\' """>>""" ' * 900, "nested more than"),
    ("deep.trig", f"{NODE} {{ {NODE} {NODE} {f'<<( {NODE} {NODE} ' * 900}", "nested more than 64"),
    ("deep.nt", "<< " * 300 + LINE, "line 1: quoted triples are nested more than 64 deep"),
    ("deep.nq", "<<( " * 300 + LINE, "line 1: quoted triples are nested more than 64 deep"),
    ("surrogate.nt", f'{NODE} {NODE} "\\uD800" .', ""),
    ("null.nt", b"\0" * 1_000, ""),
    ("long.nt", LINE.replace("e/a", "e/" + " " * 100_000), ""),
    ("data.xml", RDF, "cannot tell its format"),
    # streams
    ("deep.jsonl", "[" * 500 + "]" * 500, "nested more than 150 deep"),
    ("deep-object.jsonl", '{"t":' * 300 + "1" + "}" * 300, "nested more than 150 deep"),
    ("twice.jsonl", '{"t": 1, "t": 2, "graph": ""}', "the field 't' stands twice in one object"),
    ("nan.jsonl", '{"t": NaN}', "NaN is not JSON"),
    ("half.jsonl", '{"t": 1, "graph": "\\ud800"}', "half of a character"),
    ("half-name.jsonl", '{"\\udfff": 1}', "half of a character"),
    ("huge.jsonl", {**ONE, "t": HUGE}, "latest instant"),
    ("digits.jsonl", '{"t": ' + "9" * 5_000 + "}", "digits"),
    ("fraction.jsonl", {**ONE, "t": "1/0"}, "t: expected a whole number"),
    ("quoted.jsonl", {**ONE, "graph": "<< " * 300 + LINE}, "nested more than 64 deep"),
    ("name.jsonl", {**ONE, "name": "x y"}, "name: expected an IRI or _:label"),
    ("stream.jsonl", {**ONE, "stream": 5}, "stream: expected an IRI"),
    ("truncated.jsonl", '{"t": 1, "gra', "no JSON"),
    ("utf16.jsonl", json.dumps(ONE).encode("utf-16"), "no UTF-8 text"),
    ("control.jsonl", '{"t": "\\u001b[2J"}', "t: expected a whole number"),
    ("huge.n3t", LINE.replace(" .", f" {HUGE} ."), "expected a triple and its time"),
    ("deep.n3t", "<< " * 300 + f"{LINE[:-1]} 1 .", "nested more than 64 deep"),
    (
        "huge.trig",
        f"{NODE} {{ {LINE} }} {NODE} <http://www.w3.org/ns/prov#generatedAtTime> {HUGE} .",
        "",
    ),
    # profiles
    ("empty.json", "", "no JSON"),
    ("null.json", "null", "expected an object of dials"),
    ("twice.json", '{"unit": 1, "unit": 2}', "the field 'unit' stands twice"),
    ("base.json", '{"base": null}', "base: expected the name of a profile"),
    ("name.json", '{"name": {}}', "name: expected a string"),
    ("start.json", {"t0": -(10**12)}, "dial t0="),
    ("tolerance.json", {"numbers": "tolerance(1e999999999)"}, "dial numbers="),
    ("long.json", {"bounds": "x" * 1_000_000}, "dial bounds="),
    ("keys.json", {"x" * 1_000_000: 1}, "unknown dial"),
    ("deep.json", "[" * 100_000, "nested more than 150 deep"),
    ("overrides.json", {"overrides": [{"when": "select", "dials": {}}]}, "when: expected a list"),
    ("shape.json", {"overrides": [{"when": ["selekt"], "dials": {}}]}, "did you mean 'select'?"),
]


@pytest.mark.parametrize(("name", "content", "said"), OTHERS, ids=[name for name, *_ in OTHERS])
def test_any_file_ends_in_one_line(
    name: str, content: object, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, content, name)
    suffix = path.suffix
    stream = path if suffix in (".jsonl", ".n3t") or name == "huge.trig" else "@rsp-ql/S_nearby"
    more = ["--profile", path] if suffix == ".json" else []
    if stream is not path and not more:
        more = ["--static", path]
    ran = run_here(
        capsys,
        *("answers", "--query", "@rsp-ql/ex6", "--t0", ":w=4"),
        *("--stream", f":S_nearby={stream}", *more),
    )
    assert said in ran.line() and name in ran.err
    assert "\x1b" not in ran.err and len(ran.err) < 2_500


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes what is no file, or none to be read."""
    monkeypatch.chdir(tmp_path)

    def make(kind: str) -> Path:
        path = tmp_path / f"odd{kind.partition(' ')[2]}"
        match kind.split(maxsplit=1)[0]:
            case "directory":
                path.mkdir()
            case "fifo":
                os.mkfifo(path)
            case "large":
                with path.open("wb") as file:
                    file.truncate(LARGEST + 1)
            case "loop":
                path.symlink_to(path)
            case "socket":
                socket.socket(socket.AF_UNIX).bind(os.path.relpath(path))
            case "long":
                return Path("x" * 5_000 + path.suffix)
            case "parts":
                return Path("x/" * 2_500 + path.suffix)
            case "below":
                path.write_text("", "utf-8")
                return path / "x"
            case "device":
                return Path("/dev/zero")
            case "memory":
                return Path("/proc/self/mem")
            case "zero":
                return Path("a\0b")
        return path

    return make


KINDS = "directory fifo large loop socket long parts below device memory zero nothing".split()
TAKES: dict[str, tuple[str, ...]] = {
    "replay": ("replay", "{}"),
    "query": ("answers", "--query", "{}"),
    "stream": ("answers", "--query", "@rsp-ql/ex6", "--stream", ":S_nearby={}"),
    "background": ("answers", "--query", "@rsp-ql/ex6", "--static", "{}"),
    "answers": ("judge", "--query", "@rsp-ql/ex6", "--answers", "{}"),
    "profile": ("answers", "--query", "@rsp-ql/ex6", "--profile", "{}"),
    "w3c": ("w3c", "{}", "--no-spark"),
    "csrbench": ("csrbench", "{}"),
}
SUFFIX = {"stream": ".jsonl", "background": ".ttl", "profile": ".json"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("taker", TAKES)
def test_what_is_no_file_to_be_read(
    taker: str, kind: str, odd: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = odd(f"{kind} {SUFFIX.get(taker, '')}")
    ran = run_here(capsys, *(a.replace("{}", str(path)) for a in TAKES[taker]))
    assert ran.line() and len(ran.err) < 1_000


ENTITY = "<!DOCTYPE s [<!ENTITY a 'b'>]><sparql xmlns='http://www.w3.org/2005/sparql-results#'/>"


def test_results_in_xml_declare_no_entities(tmp_path: Path) -> None:
    for name, text in (("r.srx", ENTITY), ("r.rdf", LAUGHS)):
        document = Document(written(tmp_path, text, name), "http://e/r")
        with pytest.raises(FileError, match="line 1: declares entities"):
            read_expected(document)


CONTRADICTION = CRASH.with_name("contradiction.json")
"""What a run under the fault ``error-negated`` left: two cases that the law FReordI relates."""

CONTRADICTIONS: list[tuple[str, Any, str]] = [
    ("asked.0.pacing", "slow", "related.asked[0].pacing: expected one of burst, settled"),
    ("asked.0.unit", 0, "related.asked[0].unit: expected an integer of at least 1"),
    ("asked.0.unit", HUGE, ""),
    ("asked.1.follows", "0", "related.asked[1].follows: expected an array"),
    ("asked.1.follows", [-1], "related.asked[1].follows: expected an integer"),
    (
        "asked.1.follows",
        [99],
        "related.asked[1].follows: expected one of the first case's 1 windows",
    ),
    ("asked.1.scale", 0, "related.asked[1].scale: expected an integer of at least 1"),
    ("asked.1.scale", HUGE, ""),
    ("asked.1.label", 5, "related.asked[1].label: expected a string"),
    ("asked.1.case", None, "related.asked[1].case: expected an object"),
    ("asked.1.case.until", 10**9, "more than 10,000,000 instants"),
    ("asked.1.answers", [], ""),
    ("asked", [], "related.asked: expected at least two cases"),
    ("statment", "x", "found \"statment\"; did you mean 'statement'?"),
]


@pytest.mark.parametrize(("place", "value", "said"), CONTRADICTIONS, ids=short)
def test_a_file_of_a_contradiction_is_read_strictly(
    place: str, value: Any, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(CONTRADICTION.read_text("utf-8"))
    *path, last = place.split(".")
    holder = document["related"]
    for name in path:
        holder = holder[int(name)] if isinstance(holder, list) else holder[name]
    holder[last] = value
    ran = run_here(capsys, "replay", written(tmp_path, document))
    assert ran.status in (0, 1) or said in ran.line()
    assert ran.status == 2 or not said


def test_answers_that_do_not_contradict_each_other_show_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here(capsys, "replay", CONTRADICTION).out == "FIXED: law[FReordI] on reference\n"
    faulty = ("--engine-option", "fault=error-negated")
    assert run_here(capsys, "replay", CONTRADICTION, *faulty).status == 1
    document = json.loads(CONTRADICTION.read_text("utf-8"))
    first, *others = document["related"]["asked"]
    for other in others:
        other["answers"] = first["answers"]
    ran = run_here(capsys, "replay", written(tmp_path, document))
    assert "do not contradict each other: it shows no failure" in ran.line()
