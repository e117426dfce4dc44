"""Recorded answers as people keep them: each form gives the same answers, bad ones a line."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.files.files import FileError
from rsp_conformance.files.recordings import read_recording
from rsp_conformance.model.answers import Content, Observed, Rows, Triples, Truth
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Triple
from rsp_conformance.results import read_observed
from tests.builders.command_line import cli
from tests.builders.findings import case_of, stream

CASE = case_of(
    "SELECT ?who ?n FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
    "WHERE { WINDOW :w { ?who :value ?n } }",
    stream("s", ("carl value 5", 1), ('eve value "x"', 3)),
    until=4,
)
EX = "http://ex.org/"
CARL, EVE, FIVE = IRI(f"{EX}carl"), IRI(f"{EX}eve"), Literal("5", f"{XSD}integer")
TWO = (
    Observed(2, Rows(("who", "n"), ((CARL, FIVE),))),
    Observed(4, Rows(("who", "n"), ((EVE, Literal("x")),))),
)


def srj(*rows: dict[str, str], names: tuple[str, ...] = ("who", "n")) -> dict[str, Any]:
    """Rows as SPARQL's JSON writes them; numbers are integers, addresses are IRIs."""

    def term(text: str) -> dict[str, str]:
        if text.isdecimal():
            return {"type": "literal", "value": text, "datatype": f"{XSD}integer"}
        return {"type": "uri" if "://" in text else "literal", "value": text}

    bindings = [{name: term(text) for name, text in row.items()} for row in rows]
    return {"head": {"vars": [*names]}, "results": {"bindings": bindings}}


FIRST, SECOND = {"who": CARL.value, "n": "5"}, {"who": EVE.value, "n": "x"}


def relations(*times: int) -> str:
    """Both answers, at two times, as CSRBench records them."""
    found = []
    for t, row in zip(times, (FIRST, SECOND), strict=True):
        result = srj(row)
        bindings = [{"timestamp": t, "binding": own} for own in result["results"]["bindings"]]
        found.append({**result, "timestamp": t, "results": {"bindings": bindings}})
    return json.dumps({"relations": found})


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


FORMS = {
    "a folder of JSON": {
        "a/answer_4.srj": json.dumps(srj(SECOND)),
        "a/answer_2.json": json.dumps(srj(FIRST)),
    },
    "a folder of CSV": {
        "a/2.csv": "who,n\nhttp://ex.org/carl,5\n",
        "a/4.csv": "who,n\r\nhttp://ex.org/eve,x\r\n",
    },
    "a folder of TSV": {
        "a/t2.tsv": f"?who\t?n\n<{CARL.value}>\t5\n",
        "a/t4.tsv": f'?who\t?n\n<{EVE.value}>\t"x"\n',
        "a/notes.md": "not an answer",
    },
    "a log": {
        "a.jsonl": "\n".join(
            json.dumps({"t": t, **srj(row)}) for t, row in ((2, FIRST), (4, SECOND))
        )
    },
    "a table": {"a.csv": "timestamp,who,n\n2,http://ex.org/carl,5\n4,http://ex.org/eve,x\n"},
    "CSRBench": {"a.json": relations(2, 4)},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_answers(tmp_path: Path, form: str) -> None:
    folder = write(tmp_path, FORMS[form])
    path = folder / next(iter(FORMS[form])).split("/")[0]
    assert read_recording(path, CASE) == TWO


def test_times_of_relations_are_milliseconds(tmp_path: Path) -> None:
    write(tmp_path, {"a.json": relations(2000, 4000), "b.json": relations(1, 2000)})
    assert read_recording(tmp_path / "a.json", CASE, unit=1000) == TWO
    between = read_recording(tmp_path / "b.json", CASE, unit=1000)
    assert between is not None and [own.t for own in between] == [Fraction(1, 1000), 2]


def test_a_reply_of_the_protocol_is_left_to_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.json": '{"answers": []}', "b.txt": "?"})
    assert read_recording(tmp_path / "a.json", CASE) is None
    assert read_recording(tmp_path / "b.txt", CASE) is None


def test_rows_and_graphs_of_one_time_are_one_answer(tmp_path: Path) -> None:
    text = "t,who\n2.5,http://ex.org/carl\n2.5,http://ex.org/eve\n3,\n"
    write(tmp_path, {"a.csv": text})
    found = read_recording(tmp_path / "a.csv", CASE)
    assert found is not None
    assert [str(own.t) for own in found] == ["5/2", "3"]
    assert [own.content for own in found] == [
        Rows(("who",), ((CARL,), (EVE,))),
        Rows(("who",), ((None,),)),
    ]
    time = "http://www.w3.org/ns/prov#generatedAtTime"
    graph = f'<urn:g> <{time}> "4"^^<{XSD}integer> . <urn:g> {{ <{EX}a> <{EX}p> <{EX}b> }}'
    write(tmp_path, {"a.trig": graph})
    (one,) = read_recording(tmp_path / "a.trig", CASE) or ()
    assert one.t == 4 and isinstance(one.content, Triples) and len(one.content) == 1


def test_what_triplewave_says_of_a_graph_is_no_part_of_it(tmp_path: Path) -> None:
    said = {
        "http://www.w3.org/ns/prov#generatedAtTime": "2015-11-01T09:51:02Z",
        "@id": f"{EX}g",
        "@graph": [{"@id": f"{EX}a", f"{EX}p": {"@id": f"{EX}b"}}],
    }
    write(tmp_path, {"answer_4.jsonld": json.dumps(said)})
    (one,) = read_recording(tmp_path, CASE) or ()
    triple = Triple(IRI(f"{EX}a"), IRI(f"{EX}p"), IRI(f"{EX}b"))
    assert one.t == 4 and isinstance(one.content, Triples)
    assert one.content.graph == {triple}


@pytest.mark.parametrize(
    ("name", "text", "content"),
    [
        ("4.srj", '{"head": {}, "boolean": true}', Truth(True)),
        ("4.ttl", f"<{CARL.value}> <{EX}p> 5 .", None),
        (
            "4.csv",
            "b,i\n_:n,http://ex.org/new\n",
            Rows(("b", "i"), ((BlankNode("n"), IRI(f"{EX}new")),)),
        ),
        (
            "4.csv",
            "a,b,c,d\n1.5,2e3,true,two words\n",
            Rows(
                ("a", "b", "c", "d"),
                (
                    (
                        Literal("1.5", f"{XSD}decimal"),
                        Literal("2e3", f"{XSD}double"),
                        Literal("true", f"{XSD}boolean"),
                        Literal("two words"),
                    ),
                ),
            ),
        ),
    ],
)
def test_a_result_of_each_kind(
    tmp_path: Path, name: str, text: str, content: Content | None
) -> None:
    write(tmp_path, {f"a/{name}": text})
    (one,) = read_recording(tmp_path / "a", CASE) or ()
    assert one.t == 4
    assert isinstance(one.content, Triples) if content is None else one.content == content


TWICE = case_of(
    "SELECT ?n FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] WHERE { WINDOW :w { ?a :p ?n } }",
    stream("s", ("a p 5", 1), ('a p "5"', 1)),
    until=4,
)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "holds no results"),
        ({"a/answer.srj": "{}"}, "its name has no number: name it by its instant"),
        ({"a/run1_4.srj": "{}"}, "its name has several numbers"),
        ({"a/4.srj": "{"}, "4.srj, line 1: no JSON"),
        ({"a/4.csv": ""}, "expected a line with the variables"),
        ({"a/4.csv": "x,y\n1\n"}, "line 2: expected 2 values, found 1"),
        ({"a/4.csv": "n\n5\n"}, "'5' may be "),
        ({"a.jsonl": "[1]"}, "line 1: expected an object with head and results"),
        (
            {"a.jsonl": '{"t": "soon", "head": {}, "boolean": true}'},
            "expected an instant, found 'soon'",
        ),
        ({"a.csv": "t,n\nsoon,x\n"}, "line 2: expected an instant, found 'soon'"),
        ({"a.json": '{"relations": 1}'}, "expected an object with relations"),
        (
            {"a.csv": "zeit,n\n2,x\n"},
            "the query has no variable ?zeit: if this column has the instants, call it t",
        ),
    ],
)
def test_a_recording_that_cannot_be_read_is_one_line(
    tmp_path: Path, files: dict[str, str], said: str
) -> None:
    (tmp_path / "a").mkdir()
    name = next(iter(files), "a").partition("/")[0]
    with pytest.raises(FileError) as error:
        read_recording(write(tmp_path, files) / name, TWICE)
    assert said in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            relations(2000, 4000),
            "its first answer is at 2000, and the case ends at 4: are its times in another unit?",
        ),
        (
            relations(2, 4).replace('"who"', '"x"').replace('"n"', '"y"'),
            "it has ?x, ?y, and the query has no such variable",
        ),
    ],
)
def test_a_recording_of_something_else_accuses_nobody(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, {"a.json": text}) / "a.json"
    with pytest.raises(BadInput) as error:
        read_observed(path, CASE)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_a_folder_of_answers_gets_its_verdict(tmp_path: Path) -> None:
    """As on docs/results.md."""
    write(
        tmp_path,
        {
            "q.rq": "PREFIX : <http://ex.org/>\nSELECT ?x FROM NAMED WINDOW :w ON STREAM :s "
            "[RANGE 2 STEP 2] WHERE { WINDOW :w { ?x :p ?y } }",
            "s.jsonl": json.dumps({"t": 1, "graph": f"<{EX}a> <{EX}p> <{EX}b> ."}),
            "right/answer_2.csv": "x\nhttp://ex.org/a\n",
            "right/answer_4.csv": "x\n",
            "wrong/answer_2.csv": "x\nhttp://ex.org/b\n",
            "wrong/answer_4.csv": "x\n",
        },
    )
    arguments = ("judge", "--query", tmp_path / "q.rq", "--stream", f":s={tmp_path / 's.jsonl'}")
    more = ("--until", "4", "--dial", "t0=0")
    ran = cli(*arguments, "--answers", tmp_path / "right", *more)
    assert ran.status == 0, ran
    ran = cli(*arguments, "--answers", tmp_path / "wrong", *more)
    assert ran.status == 1 and "{?x=:b}" in ran.out, ran
