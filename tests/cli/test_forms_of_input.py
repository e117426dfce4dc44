"""`answers` and `judge` take queries in every language, and streams in every form of files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rsp_conformance as rsp
from rsp_conformance.model.errors import BadInput
from rsp_conformance.text.languages import LANGUAGES
from tests.builders.command_line import Ran, cli
from tests.docs.markdown import DOCS, tables

P = "PREFIX : <http://ex.org/> "
QUERIES = {
    "rsp-ql": f"{P} SELECT ?x FROM NAMED WINDOW :w ON :s [RANGE PT2S STEP PT2S] "
    "{ WINDOW :w { ?x :p ?y } }",
    "rsp-ql-star": f"{P} REGISTER STREAM :o AS SELECT ?x FROM NAMED WINDOW :w ON :s "
    "[RANGE PT2S STEP PT2S] { WINDOW :w { ?x :p ?y } }",
    "c-sparql": f"REGISTER QUERY Q AS {P} SELECT ?x FROM STREAM :s [RANGE 2s TUMBLING] "
    "WHERE { ?x :p ?y }",
    "cqels-ql": f"{P} SELECT ?x {{ STREAM :s [RANGE 2s SLIDE 2s] {{ ?x :p ?y }} }}",
    "cqels-ql-2": f"{P} REGISTER QUERY Q AS SELECT ?x FROM STREAM sensors [FUTURE 2s STEP 2s] "
    "WHERE { STREAM sensors { ?x :p ?y } }",
    "sparqlstream": f"{P} SELECT RSTREAM ?x FROM NAMED STREAM :s [NOW - 2 S TO NOW SLIDE 2 S] "
    "WHERE { ?x :p ?y }",
}


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    element = {"t": 1, "graph": "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."}
    (tmp_path / "s.jsonl").write_text(json.dumps(element))
    return tmp_path / "s.jsonl"


def asked(command: str, file: Path, *more: object) -> Ran:
    arguments = ["--query", file, "--dial", "unit=1000", "--until", "2", *more]
    return cli(command, *arguments)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("by_suffix", [True, False])
def test_every_language_is_taken(language: str, by_suffix: bool, stream: Path) -> None:
    suffix = LANGUAGES[language].suffix or ".rq"
    file = stream.with_name(f"query{suffix if by_suffix else '.txt'}")
    file.write_text(QUERIES[language])
    window = {"cqels-ql-2": "sensors", "rsp-ql": ":w", "rsp-ql-star": ":w"}.get(language, "w1")
    name = "sensors" if language == "cqels-ql-2" else ":s"
    more: list[object] = ["--stream", f"{name}={stream}"]
    more += [] if by_suffix else ["--language", language]
    starts = ["--t0", f"{window}=0", "--format", "json"]
    ran = asked("answers", file, *more, *starts)
    assert (ran.status, ran.err) == (0, "")
    (answer,) = json.loads(ran.out)["answers"]
    assert answer["solutions"] == [{"x": {"type": "uri", "value": "http://ex.org/a"}}]
    reply = stream.with_name("reply.json")
    reply.write_text(ran.out)
    ran = asked("judge", file, "--answers", reply, *more)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("correct")


def test_errors_of_a_file_name_it_and_the_place(tmp_path: Path) -> None:
    file = tmp_path / "query.cqels"
    file.write_text("SELECT *\nWHERE { STREAM <s> [ROWS 5] { ?x ?y ?z } }")
    with pytest.raises(BadInput, match=r"query.cqels, line 2, column 21: windows by count"):
        rsp.query(file)
    with pytest.raises(BadInput, match="line 1, column 1: expected"):
        rsp.query("REGISTER QUERY q AS SELECT * { }", language="sparqlstream")


def test_the_page_lists_languages_and_suffixes() -> None:
    found = tables((DOCS / "features.md").read_text("utf-8"))
    rows = next(table for table in found if table[0][0] == "language")[1:]
    shown = {name.strip("`"): suffixes.replace("`", "").split(", ") for name, suffixes, *_ in rows}
    found = {name: [language.suffix] for name, language in LANGUAGES.items()}
    assert shown == found | {"rsp-ql": ["any other"]}


# --- Streams in every form ------------------------------------------------------------------------

QUERY = """PREFIX : <http://ex.org/>
SELECT ?s
FROM NAMED WINDOW :w ON STREAM :s [RANGE PT2S STEP PT2S]
WHERE { WINDOW :w { ?s :p ?o } }
"""
TRIPLES = {1: "<http://ex.org/a>", 4: "<http://ex.org/b>"}
REST = "<http://ex.org/p> <http://ex.org/o>"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "q.rq").write_text(QUERY)
    (tmp_path / "data").mkdir()
    for number, subject in TRIPLES.items():
        (tmp_path / "data" / f"data_{number:02}.ttl").write_text(f"{subject} {REST} .\n")
    lines = [f'{subject} {REST} "{number}000" .\n' for number, subject in TRIPLES.items()]
    (tmp_path / "s.n3t").write_text("".join(lines))
    (tmp_path / "s.jsonl").write_text(
        "".join(
            json.dumps({"t": 10 * number, "graph": f"{subject} {REST} ."}) + "\n"
            for number, subject in TRIPLES.items()
        )
    )
    return tmp_path


def options(files: Path, stream: str, *more: str) -> list[object]:
    dials = ("--dial", "unit=100", "--dial", "t0=0")
    return ["--query", files / "q.rq", "--stream", f":s={files / stream}", *dials, *more]


@pytest.mark.parametrize("stream", [("data", "--unit", "1000"), ("s.n3t", "--unit", "1")])
def test_every_way_to_write_a_stream_gives_the_same_answers(
    files: Path, stream: tuple[str, ...]
) -> None:
    wanted = cli("answers", *options(files, "s.jsonl", "--format", "json"))
    assert wanted.status == 0
    assert [a["t"] for a in json.loads(wanted.out)["answers"]] == [20, 40, 60, 80]
    found = cli("answers", *options(files, *stream, "--format", "json"))
    assert (found.status, found.err) == (0, "")
    assert found.out == wanted.out
    answers = files / "answers.json"
    answers.write_text(wanted.out)
    judged = cli("judge", *options(files, *stream, "--answers", str(answers)))
    assert judged.status == 0, judged
    answers.write_text(wanted.out.replace('"t": 40', '"t": 30'))
    judged = cli("judge", *options(files, *stream, "--answers", str(answers)))
    assert judged.status == 1, judged
