"""`answers`: Ans(Q) from files, as a table and as the protocol's JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rsp_conformance as rsp
from rsp_conformance.protocol import Reply, read_run
from tests.builders.command_line import FIXTURES, Ran, cli

QUERY = """PREFIX : <http://ex.org/>
SELECT ?s ?o
FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]
WHERE { WINDOW :w { ?s :p ?o } }
"""


def ex10(*more: str) -> list[object]:
    folder = FIXTURES / "rsp-ql"
    return [
        "answers",
        *("--query", folder / "ex10.rq"),
        *("--stream", f":S_nearby={folder}/S_nearby.jsonl"),
        *("--stream", f"<http://ex.org/S_coupon>={folder}/S_coupon.jsonl"),
        *("--static", f"{folder}/shop-a.ttl@2..13"),
        *("--static", f"{folder}/shop-b.ttl@2.."),
        *("--dial", "report=WC[W2] & NC[W2]"),
        *more,
    ]


def uri(name: str) -> dict[str, str]:
    return {"type": "uri", "value": f"http://ex.org/{name}"}


EX10 = [
    {"t": 8, "rows": [("carl", "a", "alice"), ("eve", "a", "alice")]},
    {"t": 16, "rows": [("diana", "b", "bob")]},
]


def test_example_10_as_a_table_and_as_a_reply_of_the_protocol() -> None:
    ran = cli(*ex10("--t0", ":W1=1", "--t0", ":W2=0"))
    assert (ran.status, ran.err) == (0, "")
    lines = [line.split() for line in ran.out.splitlines()]
    assert lines[0] == ["t", "?who", "?shop", "?owner"]
    assert lines[2:] == [
        ["8", ":carl", ":a", ":alice"],
        [":eve", ":a", ":alice"],
        ["16", ":diana", ":b", ":bob"],
    ]
    ran = cli(*ex10("--t0", ":W1=1", "--t0", ":W2=0", "--format", "json"))
    reply = read_run({"op": "run", "id": "c", **json.loads(ran.out)}, elements=7)
    assert isinstance(reply, Reply)
    assert [answer.t for answer in reply.answers] == [8, 16]


@pytest.mark.parametrize(
    "t0",
    [(":W1=1", ":W2=0"), ("<http://ex.org/W1>=1", "http://ex.org/W2=0"), (":W2 = 0", ":W1 = +1")],
)
def test_windows_are_named_as_in_the_query_or_in_full(t0: tuple[str, str]) -> None:
    ran = cli(*ex10("--t0", t0[0], "--t0", t0[1], "--format", "json"))
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert list(found) == ["answers"]
    assert [
        {"t": answer["t"], "rows": sorted(map(values, answer["solutions"]))}
        for answer in found["answers"]
    ] == EX10
    assert found["answers"][1]["solutions"] == [
        {"who": uri("diana"), "shop": uri("b"), "owner": uri("bob")}
    ]


def values(solution: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        solution[name]["value"].removeprefix("http://ex.org/") for name in ("who", "shop", "owner")
    )


@pytest.mark.spark
@pytest.mark.usefixtures("no_other_spark")
def test_spark_gives_the_same_output() -> None:
    arguments = ex10("--t0", ":W1=1", "--t0", ":W2=0", "--format", "json")
    by_spark = cli(*arguments, "--spark")
    assert by_spark.err == ""
    assert by_spark == cli(*arguments)


class Folder:
    """A folder with a query and streams, and the command line in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("q.rq", QUERY)

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text, "utf-8")

    def elements(self, *elements: tuple[int, str], file: str = "s.jsonl", **more: str) -> None:
        lines = [json.dumps({"t": t, "graph": graph, **more}) for t, graph in elements]
        self.write(file, "\n".join(lines))

    def answers(self, *arguments: str) -> Ran:
        return cli("answers", "--query", "q.rq", *arguments)

    def json(self, *arguments: str, note: str = "") -> list[dict[str, Any]]:
        ran = self.answers(*arguments, "--format", "json")
        assert ran.status == 0, ran
        assert note in ran.err and bool(note) == bool(ran.err), ran
        found = json.loads(ran.out)["answers"]
        assert isinstance(found, list)
        return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path)


S = ("--stream", ":s=s.jsonl")
T0 = ("--t0", ":w=0")


def triple(subject: str, object: str = "<http://ex.org/o>") -> str:
    return f"<http://ex.org/{subject}> <http://ex.org/p> {object} .\n"


def subjects(answers: list[dict[str, Any]]) -> dict[int, list[str]]:
    return {
        a["t"]: sorted(s["s"]["value"].removeprefix("http://ex.org/") for s in a["solutions"])
        for a in answers
    }


def test_how_far_answers_are_computed(folder: Folder) -> None:
    folder.elements((1, triple("a")), (5, triple("b")))
    found = folder.json(*S, *T0)
    assert [a["t"] for a in found] == [2, 4, 6, 8], "5 + α + β = 9"
    assert [a["t"] for a in folder.json(*S, *T0, "--until", "4")] == [2, 4]
    folder.elements()
    found = folder.json(*S, "--t0", ":w=10", "--registered", "10", note=EMPTY)
    assert found == [{"t": 12, "solutions": []}, {"t": 14, "solutions": []}]
    folder.elements()
    ran = folder.answers(*S, *T0, "--dial", "report=NC")
    assert (ran.status, ran.out) == (0, "The query is not evaluated up to 4.\n")
    assert folder.json(*S, *T0, "--dial", "report=NC", note=EMPTY) == []


EMPTY = "note: --stream :s has no elements\n"


def test_profiles_and_dials_decide_where_windows_start(folder: Folder) -> None:
    folder.elements((3, triple("a")))
    assert subjects(folder.json(*S, "--dial", "t0=first-element", "--until", "5")) == {5: []}
    assert subjects(folder.json(*S, "--dial", "t0=2", "--until", "5")) == {4: ["a"]}
    assert subjects(folder.json(*S, "--dial", "t0=2", "--t0", ":w=1", "--until", "5")) == {
        3: ["a"],
        5: [],
    }
    folder.write("own.json", '{"base": "c-sparql", "t0": "0", "windows_in": "named", "unit": 1}')
    folder.elements((1, triple("a")))
    assert subjects(folder.json(*S, "--profile", "own.json")) == {2: ["a"]}, "WC & NC"


def test_a_blank_node_is_one_node_in_all_files(folder: Folder) -> None:
    folder.write("q.rq", QUERY.replace("?s :p ?o }", "?s :p ?b } ?b :q ?o"))
    folder.elements((1, triple("a", "_:b")), (2, triple("c", "_:other")))
    folder.write("data.ttl", "_:b <http://ex.org/q> 7 .")
    found = folder.json(*S, *T0, "--static", "data.ttl", "--until", "2", note="blank node")
    assert subjects(found) == {2: ["a"]}


TRIG = """@prefix : <http://ex.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
:g1 { :a :p :o . :b :p :o } :g1 WHEN "1970-01-01T00:00:01Z"^^xsd:dateTime .
:g2 { :c :p :o } :g2 WHEN "1970-01-01T01:00:03+01:00"^^xsd:dateTime .
:g3 { :d :p :o } :g3 WHEN "1970-01-01T00:00:04"^^xsd:dateTime .
"""


def test_the_timestamp_of_a_named_graph_can_be_asked_for(folder: Folder) -> None:
    folder.write("q.rq", QUERY.replace("?s :p ?o", "?s :at ?o"))
    folder.write("s.trig", TRIG.replace("WHEN", ":at"))
    arguments = ("--stream", ":s=s.trig", *T0, "--time-predicate", "http://ex.org/at")
    found = folder.json(*arguments, "--dial", "unit=1000", "--until", "2")
    assert [s["o"]["value"] for a in found for s in a["solutions"]] == ["1970-01-01T00:00:01Z"]


def test_quoted_triples_in_streams_and_background(folder: Folder) -> None:
    quoted = "<< <http://ex.org/a> <http://ex.org/b> <http://ex.org/c> >>"
    folder.elements((1, f"<http://ex.org/s> <http://ex.org/p> {quoted} .\n"))
    folder.write("data.nt", f"{quoted} <http://ex.org/q> <http://ex.org/z> .\n")
    folder.write("q.rq", QUERY.replace("?s :p ?o }", "?s :p ?o } ?o :q ?z"))
    (answer,) = folder.json(*S, *T0, "--static", "data.nt", "--until", "2")
    (solution,) = answer["solutions"]
    assert solution["o"]["type"] == "triple"
    ran = folder.answers(*S, *T0, "--static", "data.nt", "--until", "2")
    assert "<< :a :b :c >>" in ran.out


@pytest.mark.parametrize(
    ("head", "member", "shown"),
    [
        ("ASK", {"boolean": True}, "true"),
        ("CONSTRUCT { ?o :q ?s }", None, ":o :q :a"),
    ],
)
def test_the_other_forms(
    head: str, member: dict[str, Any] | None, shown: str, folder: Folder
) -> None:
    folder.write("q.rq", QUERY.replace("SELECT ?s ?o", head))
    folder.elements((1, triple("a")))
    expected = member or {"graph": "<http://ex.org/o> <http://ex.org/q> <http://ex.org/a> .\n"}
    assert folder.json(*S, *T0, "--until", "2") == [{"t": 2, **expected}]
    ran = folder.answers(*S, *T0, "--until", "2")
    assert shown in ran.out.splitlines()[2]


def test_empty_answers_and_unbound_variables_are_shown(folder: Folder) -> None:
    folder.write("q.rq", QUERY.replace("?s :p ?o", "?s :p ?x OPTIONAL { ?x :q ?o }"))
    folder.elements((1, triple("a")))
    assert folder.json(*S, *T0, "--until", "4") == [
        {"t": 2, "solutions": [{"s": uri("a")}]},
        {"t": 4, "solutions": []},
    ]
    lines = [line.split() for line in folder.answers(*S, *T0, "--until", "4").out.splitlines()]
    assert lines == [["t", "?s", "?o"], lines[1], ["2", ":a"], ["4", "(no", "rows)"]]


def test_what_a_user_may_not_expect_is_noted(folder: Folder) -> None:
    folder.elements((1, triple("a")))
    note = "note: no --stream for :s: it is taken to be empty\n"
    found = folder.json("--stream", ":other=s.jsonl", *T0, "--until", "2", note=note)
    assert found == [{"t": 2, "solutions": []}]
    ran = folder.answers("--stream", ":other=s.jsonl", *T0, "--until", "2")
    assert "no window of the query reads :other" in ran.err
    folder.write("q.rq", QUERY.rstrip() + " ORDER BY ?o LIMIT 1")
    folder.elements((1, triple("a")), (1, triple("b")))
    found = folder.json(
        *S, *T0, "--until", "2", note="note: other answers would be correct as well: LIMIT"
    )
    assert len(found[0]["solutions"]) == 1


def test_an_iri_and_a_file_with_an_equals_sign(folder: Folder) -> None:
    folder.write("q.rq", QUERY.replace(":s [", "<http://ex.org/s?a=b> ["))
    folder.elements((1, triple("a")), file="f=1.jsonl")
    for option in ("http://ex.org/s?a=b=f=1.jsonl", "<http://ex.org/s?a=b>=f=1.jsonl"):
        assert subjects(folder.json("--stream", option, *T0, "--until", "2")) == {2: ["a"]}


def test_a_table_folds_what_is_too_wide(folder: Folder) -> None:
    long = "x" * 300
    folder.elements((1, triple("a", f'"{long}"')), (1, triple("b", '"[bold]é ☃"')))
    ran = folder.answers(*S, *T0, "--until", "2")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80 and all(line == line.rstrip() for line in lines)
    assert '"[bold]é ☃"' in ran.out


EPOCH = 1_700_000_000_001


@pytest.mark.parametrize("given", [(), ("--registered", "1699999999999")])
def test_instants_since_1970_need_no_registration(tmp_path: Path, given: tuple[str, ...]) -> None:
    """It is the first element's instant, said in the first line; and in Python's notes."""
    (tmp_path / "q.rq").write_text(
        "SELECT ?s FROM NAMED WINDOW <w:1> ON STREAM <s:1> [RANGE 2000 STEP 2000] "
        "WHERE { WINDOW <w:1> { ?s <p:1> ?v } }",
        "utf-8",
    )
    line = json.dumps({"t": EPOCH, "graph": "<s:a> <p:1> <s:b> ."})
    (tmp_path / "s.jsonl").write_text(f"{line}\n", "utf-8")
    files = ("--query", tmp_path / "q.rq", "--stream", f"<s:1>={tmp_path}/s.jsonl")
    ran = cli("answers", *files, "--t0", f"<w:1>={EPOCH - 1}", *given)
    said = f"No --registered given: registered at {EPOCH}, the instant of the first element."
    assert ran.status == 0
    assert (" ".join(ran.out.split()).startswith(said)) is not bool(given)
    assert "<s:a>" in ran.out
    as_json = cli("answers", *files, "--t0", "<w:1>=5", "--format", "json", *given)
    assert json.loads(as_json.out)
    assert said in as_json.err or given
    case = rsp.case(tmp_path / "q.rq", {"<s:1>": tmp_path / "s.jsonl"})
    assert case.case.registered == EPOCH
    assert case.notes[0].startswith("No registered given: ")
    early = rsp.case(tmp_path / "q.rq", {"<s:1>": [(7, "<s:a> <p:1> <s:b>")]})
    assert (early.case.registered, early.notes) == (0, ())
