"""Files that others have written: one line, and status 2."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from rsp_conformance.corpora.w3c.documents import Document
from rsp_conformance.corpora.w3c.results import read_expected
from rsp_conformance.files.files import LARGEST, FileError
from tests.builders.command_line import cli
from tests.hostile.crash_files import HUGE, written

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
    ("deep.jsonld", DEEP_JSON, "nested more than 500 deep"),
    ("remote.jsonld", '{"@context": "http://localhost:1/", "a": 1}', ""),
    ("deep.ttl", f"{NODE} {NODE} {f'<<( {NODE} {NODE} ' * 100_000}", "nested more than 64 deep"),
    ("hidden.ttl", f"{NODE} {NODE} " + f"<<( {NODE} {NODE} # >>\n" * 900, "nested more than 64"),
    ("string.ttl", f"{NODE} {NODE} " + f'<<( {NODE} \'>>\' """>>""" ' * 900, "nested more than"),
    ("deep.trig", f"{NODE} {{ {NODE} {NODE} {f'<<( {NODE} {NODE} ' * 900}", "nested more than 64"),
    ("deep.nt", "<< " * 300 + LINE, "line 1: quoted triples are nested more than 64 deep"),
    ("deep.nq", "<<( " * 300 + LINE, "line 1: quoted triples are nested more than 64 deep"),
    ("data.xml", RDF, "cannot tell its format"),
    # streams
    ("deep.jsonl", "[" * 500 + "]" * 500, "nested more than 150 deep"),
    ("huge.jsonl", {**ONE, "t": HUGE}, "latest instant"),
    ("quoted.jsonl", {**ONE, "graph": "<< " * 300 + LINE}, "nested more than 64 deep"),
    ("control.jsonl", '{"t": "\\u001b[2J"}', "t: expected an integer"),
    ("deep.n3t", "<< " * 300 + f"{LINE[:-1]} 1 .", "nested more than 64 deep"),
    # a profile
    ("start.json", {"t0": -(10**12)}, "t0: expected a number from"),
]


@pytest.mark.parametrize(("name", "content", "said"), OTHERS, ids=[name for name, *_ in OTHERS])
def test_any_file_ends_in_one_line(name: str, content: object, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, content, name)
    suffix = path.suffix
    stream = path if suffix in (".jsonl", ".n3t") or name == "huge.trig" else "@rsp-ql/S_nearby"
    more = ["--profile", path] if suffix == ".json" else []
    if stream is not path and not more:
        more = ["--static", path]
    ran = cli(
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


@pytest.mark.parametrize(
    ("taker", "kind"),
    [*(("query", kind) for kind in KINDS), *((taker, "directory") for taker in TAKES)],
)
def test_what_is_no_file_to_be_read(taker: str, kind: str, odd: Callable[[str], Path]) -> None:
    path = odd(f"{kind} {SUFFIX.get(taker, '')}")
    ran = cli(*(a.replace("{}", str(path)) for a in TAKES[taker]))
    assert ran.line() and len(ran.err) < 1_000


ENTITY = "<!DOCTYPE s [<!ENTITY a 'b'>]><sparql xmlns='http://www.w3.org/2005/sparql-results#'/>"


def test_results_in_xml_declare_no_entities(tmp_path: Path) -> None:
    for name, text in (("r.srx", ENTITY), ("r.rdf", LAUGHS)):
        document = Document(written(tmp_path, text, name), "http://e/r")
        with pytest.raises(FileError, match="line 1: declares entities"):
            read_expected(document)
