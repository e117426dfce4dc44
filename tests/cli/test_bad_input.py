"""Bad input: one line on standard error that says what and where, status 2, no traceback.

Every command line of the table runs from another folder than that of its files.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.command_line import run_here, run_process

QUERY = """PREFIX : <http://ex.org/>
SELECT ?s
FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]
WHERE { WINDOW :w { ?s :p ?o } }
"""
TRIPLE = "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."
PREFIXES = "@prefix : <http://ex.org/> . @prefix prov: <http://www.w3.org/ns/prov#> .\n"


def element(t: object, **fields: object) -> str:
    return json.dumps({"t": t, "graph": TRIPLE, **fields}) + "\n"


def solution(**bindings: object) -> str:
    return json.dumps({"answers": [{"t": 4, "solutions": [bindings]}]})


FILES: dict[str, str | bytes] = {
    "q.rq": QUERY,
    "s.jsonl": element(1) + element(3),
    "empty.jsonl": "",
    # --- queries
    "no-query.rq": "this is no query",
    "open.rq": QUERY.replace("} }", "}"),
    "empty.rq": "",
    "binary.rq": b"\x00\xff\xfe SELECT \x80",
    "rows.rq": QUERY.replace("RANGE 4 STEP 2", "ROWS 4"),
    "function.rq": QUERY.replace(":p ?o", ":p ?o FILTER(:f(?o))"),
    "service.rq": QUERY.replace("{ ?s :p ?o }", "{ SERVICE :e { ?s :p ?o } }"),
    "describe.rq": QUERY.replace("SELECT", "DESCRIBE"),
    "istream.rq": QUERY.replace("SELECT", "REGISTER ISTREAM :out AS SELECT"),
    "iso.rq": QUERY.replace("RANGE 4 STEP 2", "RANGE PT1.5S STEP PT1S"),
    "twice.rq": QUERY.replace("WHERE", "FROM NAMED WINDOW :w ON :s [RANGE 1 STEP 1] WHERE"),
    "zero.rq": QUERY.replace("STEP 2", "STEP 0"),
    "ties.rq": QUERY.replace("} }\n", "} } ORDER BY ?o LIMIT 1"),
    "ties.jsonl": element(1) + element(1, graph=TRIPLE.replace("/a>", "/z>")),
    "deep.rq": QUERY.replace("?s :p ?o", "{" * 3000 + "?s :p ?o" + "}" * 3000),
    # --- streams
    "json.jsonl": element(1) + "{oops\n",
    "list.jsonl": "[1]\n",
    "no-t.jsonl": json.dumps({"graph": TRIPLE}),
    "fraction.jsonl": element(1.5),
    "truth.jsonl": element(True),
    "text.jsonl": element("1"),
    "nan.jsonl": '{"t": NaN, "graph": ""}',
    "negative.jsonl": element(-1),
    "backwards.jsonl": element(3) + "\n" + element(2),
    "no-graph.jsonl": '{"t": 1}',
    "no-triple.jsonl": json.dumps({"t": 1, "graph": "# nothing\n"}),
    "bad-graph.jsonl": element(1) + json.dumps({"t": 1, "graph": "<a> <b> <c> ."}),
    "number-graph.jsonl": json.dumps({"t": 1, "graph": 5}),
    "other-stream.jsonl": element(1, stream="http://ex.org/other"),
    "name.jsonl": element(1, name="no iri"),
    "same-name.jsonl": element(1, name="http://ex.org/g") + element(2, name="http://ex.org/g"),
    "binary.jsonl": b'{"t": 1}\n\xff\xfe\x00',
    "deep.jsonl": "[" * 100_000,
    "long.jsonl": '{"t": ' + "9" * 5000 + "}",
    "s.txt": element(1),
    "bad.trig": "this is not TriG",
    "unstamped.trig": PREFIXES + ":g { :a :p :b }",
    "two-stamps.trig": PREFIXES + ":g { :a :p :b } :g prov:generatedAtTime 1, 2 .",
    "no-element.trig": PREFIXES + ":g prov:generatedAtTime 1 .",
    "text-stamp.trig": PREFIXES + ':g { :a :p :b } :g prov:generatedAtTime "soon" .',
    "iri-stamp.trig": PREFIXES + ":g { :a :p :b } :g prov:generatedAtTime :soon .",
    "default.trig": PREFIXES + ":g { :a :p :b } :g prov:generatedAtTime 1 . :x :y :z .",
    "backwards.trig": PREFIXES
    + ":g { :a :p :b } :g prov:generatedAtTime 2 . :h { :a :p :b } :h prov:generatedAtTime 1 .",
    "split.trig": PREFIXES
    + "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :g { :a :p :b } "
    + ':g prov:generatedAtTime "1970-01-01T00:00:01.5Z"^^xsd:dateTime .',
    "no-date.trig": PREFIXES
    + "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :g { :a :p :b } "
    + ':g prov:generatedAtTime "1970-02-31T00:00:00Z"^^xsd:dateTime .',
    "mixed.trig": PREFIXES
    + "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
    + ":g { :a :p :b } :g prov:generatedAtTime 1 . :h { :a :p :b } "
    + ':h prov:generatedAtTime "1970-01-01T00:00:02Z"^^xsd:dateTime .',
    # --- background data
    "bad.ttl": "@prefix : <http://ex.org/> .\n:a :b\n",
    "bad.nt": TRIPLE + "\n<a> <b> .\n",
    "bad.nq": TRIPLE + "\nnonsense\n",
    "good.nt": TRIPLE + "\n",
    "quoted.ttl": PREFIXES + "<< :a :p :b >> .",
    "data.csv": "a,b",
    "binary.ttl": b"\xff\xfe\x00\x01",
    # --- profiles
    "bad.json": "{",
    "list.json": "[]",
    "dial.json": '{"bonds": "[o,c)"}',
    "value.json": '{"bounds": "[o;c)"}',
    "base.json": '{"base": "rsp-qll"}',
    "feature.json": '{"overrides": [{"when": ["slect"], "dials": {}}]}',
    "override.json": '{"overrides": [{"when": ["select"]}]}',
    "override-list.json": '{"overrides": {}}',
    # --- answers
    "ok.json": '{"answers": []}',
    "number.json": "5",
    "no-answers.json": "{}",
    "no-t.json": '{"answers": [{"solutions": []}]}',
    "t.json": '{"answers": [{"t": "4", "solutions": []}]}',
    "no-content.json": '{"answers": [{"t": 4}]}',
    "two-contents.json": '{"answers": [{"t": 4, "solutions": [], "boolean": true}]}',
    "term.json": solution(s={"type": "iri", "value": "http://ex.org/a"}),
    "variable.json": solution(**{"?s": {"type": "uri", "value": "http://ex.org/a"}}),
    "cause.json": '{"answers": [{"t": 4, "cause": 99, "solutions": []}]}',
    "graph.json": '{"answers": [{"t": 4, "graph": "no triples"}]}',
    "error.json": '{"op": "run", "id": "c", "error": {"kind": "crashed", "message": "oops"}}',
    "binary.json": b"\x80\x81",
    # --- crash files
    "other.crash.json": '{"some": "json"}',
    "future.crash.json": '{"rsp_crash": 99}',
    "damaged.crash.json": '{"rsp_crash": 1, "property": "p", "kind": "k"}',
    "list.crash.json": "[]",
    "text.crash.json": "no JSON",
}

Q = ("--query", "{}q.rq")
S = ("--stream", ":s={}s.jsonl")
T0 = ("--t0", ":w=0")


def answers(*arguments: str) -> tuple[str, ...]:
    return ("answers", *arguments)


def with_query(name: str, *more: str) -> tuple[str, ...]:
    return ("answers", "--query", "{}" + name, *S, *T0, *more)


def with_stream(name: str, *more: str) -> tuple[str, ...]:
    return ("answers", *Q, "--stream", ":s={}" + name, *T0, *more)


def with_static(written: str) -> tuple[str, ...]:
    return ("answers", *Q, *S, *T0, "--static", "{}" + written)


def judging(name: str, *more: str) -> tuple[str, ...]:
    return ("judge", *Q, *S, "--answers", "{}" + name, *more)


BAD: list[tuple[tuple[str, ...], str]] = [
    # --- how the command line is written
    (("answer",), "No such command 'answer'"),
    (answers("--qery", "x"), "No such option: --qery"),
    (answers(*S), "Missing option '--query'"),
    (answers(*Q, *S, "surplus"), "unexpected extra argument"),
    (answers(*Q, *S, *T0, "--until", "soon"), "Invalid value for '--until': "),
    (answers(*Q, *S, *T0, "--registered", "1.5"), "Invalid value for '--registered': "),
    (answers(*Q, *S, *T0, "--format", "xml"), "'xml' is not one of 'table', 'json'"),
    (answers("--query"), "Option '--query' requires an argument"),
    (("judge", *Q, *S), "Missing option '--answers'"),
    (judging("ok.json", *T0), "No such option: --t0"),
    # --- the query
    (with_query("nowhere.rq"), "nowhere.rq: there is no such file"),
    (answers("--query", "{}"), "a directory, where a file was expected"),
    (with_query("no-query.rq"), "no-query.rq, line 1, column 1: expected "),
    (with_query("open.rq"), "open.rq, line 4, column "),
    (with_query("empty.rq"), "empty.rq, line 1, column 1: expected "),
    (with_query("binary.rq"), "binary.rq, line 1: no UTF-8 text"),
    (with_query("rows.rq"), "rows.rq, line 3, column "),
    (with_query("twice.rq"), "twice.rq"),
    (with_query("zero.rq"), "zero.rq"),
    (with_query("deep.rq"), "deep.rq"),
    (
        with_query("function.rq"),
        "not evaluated by this kit: the extension function <http://ex.org/f>",
    ),
    (with_query("service.rq"), "not evaluated by this kit: SERVICE"),
    (with_query("describe.rq"), "not evaluated by this kit: DESCRIBE"),
    (with_query("istream.rq", "--dial", "stream_operators=R"), "ISTREAM under this profile"),
    (with_query("q.rq", "--dial", "windows_in=default"), "WINDOW under a profile that merges"),
    (
        with_query("iso.rq", "--dial", "unit=1000"),
        "iso.rq, under unit=1000: window <http://ex.org/w>: a duration of 1500 ms is no whole",
    ),
    # --- streams
    (with_stream("nowhere.jsonl"), "nowhere.jsonl: there is no such file"),
    (answers(*Q, "--stream", ":s", *T0), "--stream ':s': write it as IRI=FILE"),
    (answers(*Q, "--stream", "=x.jsonl", *T0), "write it as IRI=FILE"),
    (answers(*Q, "--stream", "s={}s.jsonl", *T0), "'s' is no IRI: write a full one, or one with"),
    (answers(*Q, "--stream", "a b:c={}s.jsonl", *T0), "'a b:c' is no IRI"),
    (answers(*Q, *S, "--stream", "http://ex.org/s={}s.jsonl", *T0), "the stream has elements alr"),
    (with_stream("s.txt"), "s.txt: a stream is read from a file named .jsonl, .trig or .n3t"),
    (with_stream("json.jsonl"), "json.jsonl, line 2: no JSON"),
    (with_stream("list.jsonl"), "list.jsonl, line 1: expected an object"),
    (with_stream("no-t.jsonl"), "line 1: t: expected an integer, found nothing"),
    (with_stream("fraction.jsonl"), "line 1: t: expected an integer, found 1.5"),
    (with_stream("truth.jsonl"), "line 1: t: expected an integer, found true"),
    (with_stream("text.jsonl"), 'line 1: t: expected an integer, found "1"'),
    (with_stream("nan.jsonl"), "nan.jsonl, line 1: no JSON (NaN is not JSON)"),
    (with_stream("negative.jsonl"), "line 1: t=-1: streams start at 0 or later"),
    (with_stream("backwards.jsonl"), "line 3: t=2 comes after t=3: time never runs backwards"),
    (with_stream("no-graph.jsonl"), "line 1: graph: expected N-Triples, found nothing"),
    (with_stream("no-triple.jsonl"), "line 1: graph: an element holds at least one triple"),
    (with_stream("bad-graph.jsonl"), "line 2: graph: the IRI <a> is not absolute"),
    (with_stream("number-graph.jsonl"), "line 1: graph: expected N-Triples, found 5"),
    (with_stream("other-stream.jsonl"), "line 1: stream: the file was given for <http://ex.org/s>"),
    (with_stream("name.jsonl"), 'line 1: name: expected an IRI or _:label, found "no iri"'),
    (with_stream("same-name.jsonl"), "line 2: the name <http://ex.org/g> is taken"),
    (with_stream("binary.jsonl"), "binary.jsonl, line 2: no UTF-8 text"),
    (with_stream("deep.jsonl"), "deep.jsonl, line 1: no JSON (nested more than"),
    (with_stream("long.jsonl"), "long.jsonl, line 1: no JSON"),
    (with_stream("bad.trig"), "bad.trig, line 1: "),
    (with_stream("unstamped.trig"), "the element <http://ex.org/g> has no timestamp: write"),
    (with_stream("two-stamps.trig"), "the element <http://ex.org/g> has two timestamps"),
    (with_stream("no-element.trig"), "the timestamp of <http://ex.org/g> belongs to no named"),
    (with_stream("text-stamp.trig"), "is neither an integer nor an xsd:dateTime"),
    (with_stream("iri-stamp.trig"), "the timestamp of <http://ex.org/g> is no literal"),
    (with_stream("default.trig"), "and nothing else, found one with <http://ex.org/y>"),
    (with_stream("backwards.trig"), "<http://ex.org/h> t=1 comes after t=2: time never runs back"),
    (with_stream("split.trig", "--dial", "unit=1000"), "is no whole number of instants of 1000 ms"),
    (with_stream("no-date.trig"), "is neither an integer nor an xsd:dateTime"),
    (with_stream("mixed.trig"), "some timestamps are integers and some xsd:dateTime"),
    (with_stream("unstamped.trig", "--time-predicate", "when"), "'when' is no IRI"),
    # --- background data
    (with_static("nowhere.ttl"), "--static: "),
    (with_static("good.nt@2-13"), "an interval is written FILE@FROM..UNTIL"),
    (with_static("good.nt@13..2"), "good.nt: the interval 13..2 ends before it begins"),
    (with_static("nowhere.nt@1..2"), "nowhere.nt: there is no such file"),
    (with_static("bad.ttl"), "bad.ttl, line 3: "),
    (with_static("bad.nt"), "bad.nt, line 2: "),
    (with_static("bad.nq"), "bad.nq, line 2: "),
    (with_static("quoted.ttl"), "nothing is said of the quoted triple"),
    (with_static("data.csv"), "data.csv: cannot tell its format: name it .nt .nq .ttl"),
    (with_static("binary.ttl"), "binary.ttl, line 1: no UTF-8 text"),
    # --- profiles and dials
    (
        with_query("q.rq", "--profile", "rsp-qll"),
        "unknown profile 'rsp-qll'; did you mean 'rsp-ql'",
    ),
    (with_query("q.rq", "--profile", "{}nowhere.json"), "nowhere.json: there is no such file"),
    (with_query("q.rq", "--profile", "{}bad.json"), "bad.json, line 1: no JSON"),
    (with_query("q.rq", "--profile", "{}list.json"), "list.json: expected an object of dials"),
    (
        with_query("q.rq", "--profile", "{}dial.json"),
        "unknown dial 'bonds'; did you mean 'bounds'?",
    ),
    (with_query("q.rq", "--profile", "{}value.json"), "dial bounds='[o;c)': expected (o,c] [o,c)"),
    (with_query("q.rq", "--profile", "{}base.json"), "unknown profile 'rsp-qll'"),
    (with_query("q.rq", "--profile", "{}feature.json"), "unknown shape 'slect'; did you mean"),
    (with_query("q.rq", "--profile", "{}override.json"), "expected an object with when and dials"),
    (with_query("q.rq", "--profile", "{}override-list.json"), "overrides: expected a list"),
    (with_query("q.rq", "--dial", "bonds=[o,c)"), "--dial: unknown dial 'bonds'; did you mean"),
    (with_query("q.rq", "--dial", "bounds"), "--dial 'bounds': write it as NAME=VALUE"),
    (with_query("q.rq", "--dial", "tick=often"), "dial tick='often': expected time or tuple"),
    (with_query("q.rq", "--dial", "unit=0"), "dial unit='0': expected a whole number, at least 1"),
    (with_query("q.rq", "--dial", "report=WC &"), "report policy 'WC &' ends where a strategy"),
    (with_query("q.rq", "--dial", "report=WC[w] & NC"), "name the window in every strategy or in"),
    (with_query("q.rq", "--dial", "report=WC[v]"), "names window 'v'; the query declares :w"),
    (with_query("q.rq", "--dial", "report=COMPUTED EVERY"), "the query has no such clause"),
    # --- t0 and the range
    (answers(*Q, *S), "window :w has no t0, and the profile rsp-ql leaves it open: give --t0 :w=N"),
    (answers(*Q, *S, "--t0", ":v=0"), "--t0 :v: the query has no such window (it has :w)"),
    (answers(*Q, *S, "--t0", ":w=x"), "--t0 ':w=x': 'x' is not a whole number"),
    (answers(*Q, *S, "--t0", ":w"), "--t0 ':w': write it as WINDOW=N"),
    (answers(*Q, *S, *T0, *T0), "--t0 ':w=0': the window has a t0 already"),
    (
        answers(*Q, *S, *T0, "--registered", "2024-01-01T00:00:00Z"),
        "'--registered': expected an integer (an instant as your streams count them, such as "
        "milliseconds since 1970), found '2024-01-01T00:00:00Z'",
    ),
    (answers(*Q, *S, *T0, "--until", "1.5"), "'--until': expected an integer (an instant as your"),
    (
        answers(*Q, *S, *T0, "--unit", "0"),
        "'--unit': expected an integer (milliseconds, at least 1), found '0'",
    ),
    (answers(*Q, *S, *T0, "--registered", "2"), "an element at 1 is earlier than the registration"),
    (answers(*Q, *S, *T0, "--registered", "-1"), "registered at -1: instants start at 0"),
    (answers(*Q, *S, *T0, "--until", "1" + 20 * "0"), "--until: until 100000000000000000000: the "),
    (answers(*Q, *S, *T0, "--until", "1" + 8 * "0"), "are more than 10,000,000 instants: give --"),
    # --- answers to judge
    (judging("nowhere.json"), "nowhere.json: there is no such file"),
    (judging("bad.json"), "bad.json, line 1: no JSON"),
    (judging("number.json"), "number.json: expected an object with answers, or their list"),
    (judging("no-answers.json"), "no-answers.json: answers: expected an array, found nothing"),
    (judging("no-t.json"), "answers[0].t: expected an integer, a decimal or null, found nothing"),
    (judging("t.json"), "answers[0].t: expected an integer, a decimal or null"),
    (
        judging("no-content.json"),
        "answers[0]: expected exactly one of solutions, boolean and graph",
    ),
    (judging("two-contents.json"), "answers[0]: expected exactly one of solutions, boolean and"),
    (judging("term.json"), "answers[0].solutions[0].s.type: expected one of uri, bnode, literal"),
    (judging("variable.json"), "variable names without ? or $"),
    (judging("cause.json"), "answers[0].cause: expected an index of the 3 elements, found 99"),
    (judging("graph.json"), "graph.json: "),
    (judging("error.json"), "the engine gave an error and no answer to judge (crashed: oops)"),
    (judging("binary.json"), "binary.json, line 1: no UTF-8 text"),
    (
        ("judge", "--query", "{}ties.rq", "--stream", ":s={}ties.jsonl", "--answers", "{}ok.json"),
        "not judged: the texts leave the answer open: LIMIT or OFFSET",
    ),
    # --- engines
    (("engines", "check"), "Missing argument 'ENGINE'"),
    (("engines", "chek", "reference"), "No such command 'chek'"),
    (("engines", "check", "refrence"), "unknown engine 'refrence'; did you mean 'reference'?"),
    (("engines", "check", "stdio:./nowhere"), "the driver's program './nowhere' was not found"),
    (("engines", "check", "stdio:"), "a command line has to follow"),
    (("engines", "check", "stdio:'{}q.rq'"), "q.rq may not be executed"),
    (
        ("engines", "check", "reference", "--engine-option", "falt=x"),
        "unknown option 'falt'; did you mean 'fault'?",
    ),
    (("engines", "check", "reference", "--engine-option", "fault"), "write it as NAME=VALUE"),
    (("engines", "check", "reference", "--engine-option", "fault=x"), "unknown mutant 'x'"),
    (("engines", "check", "reference", "--time-limit", "0"), "Invalid value for '--time-limit': "),
    (("engines", "install", "rsp-jss"), "unknown engine 'rsp-jss'; did you mean 'rsp-js'?"),
    (("engines", "install", "stdio:x"), "there is nothing to install"),
    # --- crash files
    (("replay", "{}nowhere.json"), "nowhere.json: "),
    (("replay", "{}other.crash.json"), "not a crash file of rsp-conformance"),
    (("replay", "{}list.crash.json"), "not a crash file of rsp-conformance"),
    (("replay", "{}text.crash.json"), "text.crash.json, line 1: no JSON (Expecting value)"),
    (("replay", "{}future.crash.json"), "version 99 of crash files is newer"),
    (("replay", "{}damaged.crash.json"), "damaged.crash.json: damaged"),
    (("replay", "{}binary.json"), "binary.json, line 1: no UTF-8 text"),
    (("replay",), "Missing argument 'FILE'"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bad input")
    for name, content in FILES.items():
        if isinstance(content, str):
            (made / name).write_text(content, "utf-8")
        else:
            (made / name).write_bytes(content)
    return made


each = pytest.mark.parametrize(
    ("arguments", "said"), BAD, ids=[" ".join(arguments)[:70] for arguments, _ in BAD]
)


@each
def test_one_line_and_status_2(
    arguments: tuple[str, ...], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_here(capsys, *(argument.replace("{}", f"{folder}/") for argument in arguments))
    assert said in ran.line()


def test_in_a_process_of_its_own(folder: Path, tmp_path: Path) -> None:
    """What a user sees, for one error of each origin."""
    before = f"{folder}/"
    for arguments, said in (BAD[1], BAD[12], BAD[37], BAD[-6]):
        ran = run_process(*(a.replace("{}", before) for a in arguments), cwd=tmp_path)
        assert said in ran.line()


def test_without_java_the_line_says_what_to_do(folder: Path, tmp_path: Path) -> None:
    arguments = (argument.replace("{}", "") for argument in answers(*Q, *S, *T0, "--spark"))
    line = run_process(*arguments, cwd=folder, env={"PATH": str(tmp_path), "JAVA_HOME": ""}).line()
    assert "Java" in line and "leave out --spark" in line and "--rsp-spark" not in line


def test_an_engine_that_is_not_installed(folder: Path, tmp_path: Path) -> None:
    env = {"RSP_CONFORMANCE_HOME": str(tmp_path)}
    ran = run_process("engines", "check", "rsp-js", cwd=folder, env=env)
    assert "the engine rsp-js is not installed; run rsp-conformance engines install" in ran.line()


def test_an_installation_without_node(tmp_path: Path) -> None:
    env = {"RSP_CONFORMANCE_HOME": str(tmp_path / "home"), "PATH": str(tmp_path)}
    ran = run_process("engines", "install", "rsp-js", env=env)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert "Node 20 or newer is missing" in ran.err


def test_a_mistake_of_the_kit_is_told_apart(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import rsp_conformance as rsp

    def broken(*_: object, **__: object) -> None:
        raise KeyError("unforeseen")

    monkeypatch.setattr(rsp, "case", broken)
    monkeypatch.chdir(folder)
    arguments = answers(*Q, *S, *T0)
    ran = run_here(capsys, *(a.replace("{}", "") for a in arguments))
    assert ran.status == 3
    assert ran.err.count("\n") == 1
    assert "internal error: KeyError: 'unforeseen' (please report it" in ran.err
    monkeypatch.setenv("RSP_CONFORMANCE_DEBUG", "1")
    with pytest.raises(KeyError):
        run_here(capsys, *(a.replace("{}", "") for a in arguments))
