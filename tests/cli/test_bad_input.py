"""Bad input: one line on standard error that says what and where, status 2, no traceback.

Every command line of the table runs from another folder than that of its files.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.command_line import cli, run_process

QUERY = """PREFIX : <http://ex.org/>
SELECT ?s
FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]
WHERE { WINDOW :w { ?s :p ?o } }
"""
TRIPLE = "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."
PREFIXES = "@prefix : <http://ex.org/> . @prefix prov: <http://www.w3.org/ns/prov#> .\n"


def element(t: object, **fields: object) -> str:
    return json.dumps({"t": t, "graph": TRIPLE, **fields}) + "\n"


FILES = {
    "q.rq": QUERY,
    "s.jsonl": element(1) + element(3),
    "empty.rq": "",
    "empty.json": "",
    "empty.jsonl": "",
    # --- queries
    "no-query.rq": "this is no query",
    "rows.rq": QUERY.replace("RANGE 4 STEP 2", "ROWS four"),
    "now.rq": QUERY.replace("RANGE 4 STEP 2", "NOW"),
    "count.rq": QUERY.replace("RANGE 4 STEP 2", "ELEMENTS 3 STEP 2"),
    "function.rq": QUERY.replace(":p ?o", ":p ?o FILTER(:f(?o))"),
    "service.rq": QUERY.replace("{ ?s :p ?o }", "{ SERVICE :e { ?s :p ?o } }"),
    "describe.rq": QUERY.replace("SELECT", "DESCRIBE"),
    "istream.rq": QUERY.replace("SELECT", "REGISTER ISTREAM :out AS SELECT"),
    "iso.rq": QUERY.replace("RANGE 4 STEP 2", "RANGE PT1.5S STEP PT1S"),
    "ties.rq": QUERY.replace("} }\n", "} } ORDER BY ?o LIMIT 1"),
    "ties.jsonl": element(1) + element(1, graph=TRIPLE.replace("/a>", "/z>")),
    # --- streams
    "other-stream.jsonl": element(1, stream="http://ex.org/other"),
    "s.txt": element(1),
    "unstamped.trig": PREFIXES + ":g { :a :p :b }",
    # --- background data
    "good.nt": TRIPLE + "\n",
    # --- profiles
    # --- answers
    "ok.json": '{"answers": []}',
    "no-answers.json": "{}",
    "cause.json": '{"answers": [{"t": 4, "cause": 99, "solutions": []}]}',
    "error.json": '{"op": "run", "id": "c", "error": {"kind": "crashed", "message": "oops"}}',
    # --- crash files
    "damaged.crash.json": '{"rsp_crash": 1, "property": "p", "kind": "k"}',
}

Q = ("--query", "{}q.rq")
NEARBY = ("--stream", ":S_nearby=@rsp-ql/S_nearby")
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
    (("anwers",), "No such command 'anwers'. Did you mean 'answers'"),
    (("engines", "chekc", "reference"), "No such command 'chekc'. Did you mean 'check'"),
    (answers("--qury", "{}q.rq"), "No such option: --qury (Possible options: --query)"),
    (("engines", "install"), "Missing argument 'NAME'"),
    (("demo", "--engine", "referense"), "--engine: unknown engine 'referense'; did you mean 'ref"),
    # --- a folder for a file, a file for a folder, and a file with nothing in it
    (("replay", "{}"), "a directory, where a file was expected"),
    (("results", "{}"), "a directory, where a file was expected"),
    (("replay", "{}empty.json"), "empty.json, line 1: no JSON"),
    (("results", "{}empty.json"), "empty.json, line 1: no JSON"),
    (with_query("empty.rq"), "found the end of the query"),
    (judging(""), "its name has no number: name it by its instant"),
    (judging("empty.json"), "empty.json, line 1: no JSON"),
    (with_query("q.rq", "--profile", "{}"), "a folder, where a profile's name or JSON file"),
    (("matrix", "--engine", "reference", "--dir", "{}q.rq"), "q.rq: not a folder"),
    (("fuzz", "--engine", "reference", "--out", "{}q.rq"), "q.rq: not a folder"),
    (("fuzz", "report", "{}q.rq"), "q.rq holds no campaign"),
    (("csrbench", "{}q.rq"), "q.rq: no folder: give the top folder of a checkout"),
    (("w3c", "{}q.rq"), "q.rq: no folder: give a checkout"),
    (("export", "{}q.rq"), "q.rq: not a folder"),
    (("examples", "--copy", "{}"), "exists already; name a new folder"),
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
    (with_query("rows.rq"), "rows.rq, line 3, column "),
    (
        with_query("function.rq"),
        "not evaluated by this kit: the extension function <http://ex.org/f>",
    ),
    (with_query("service.rq"), "not evaluated by this kit: SERVICE"),
    (with_query("describe.rq"), "not evaluated by this kit: DESCRIBE"),
    (with_query("q.rq", "--language", "csparql"), "unknown query language 'csparql'; did you mean"),
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
    (with_stream("other-stream.jsonl"), "line 1: stream: the file was given for <http://ex.org/s>"),
    (with_stream("unstamped.trig"), "the element <http://ex.org/g> has no timestamp: write"),
    (with_stream("unstamped.trig", "--time-predicate", "when"), "'when' is no IRI"),
    (with_stream("s.jsonl", "--unit", "1000"), "no --stream is one"),
    (with_stream("empty"), "empty: there is no such file or folder"),
    # --- background data
    (with_static("nowhere.ttl"), "--static: "),
    (with_static("good.nt@2-13"), "an interval is written FILE@FROM..UNTIL"),
    # --- profiles and dials
    (with_query("q.rq", "--profile", "{}nowhere.json"), "nowhere.json: there is no such file"),
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
    (with_query("now.rq"), "--t0 :w: only a window by time has a t0"),
    (with_query("count.rq"), "--t0 :w: only a window by time has a t0"),
    (
        answers("--query", "{}count.rq", *S, "--dial", "n0=any"),
        "the profile rsp-ql leaves open after how many units window :w starts: decide with --dial",
    ),
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
    (judging("no-answers.json"), "no-answers.json: answers: expected an array, found nothing"),
    (judging("cause.json"), "answers[0].cause: expected an index of the 3 elements, found 99"),
    (judging("error.json"), "the engine gave an error and no answer to judge (crashed: oops)"),
    (
        ("judge", "--query", "{}ties.rq", "--stream", ":s={}ties.jsonl", "--answers", "{}ok.json"),
        "not judged: the texts leave the answer open: LIMIT or OFFSET",
    ),
    # --- engines
    (("engines", "check"), "Missing argument 'ENGINE'"),
    (("engines", "check", "stdio:./nowhere"), "the driver's program './nowhere' was not found"),
    (("engines", "check", "stdio:"), "a command line has to follow"),
    (("engines", "check", "stdio:'{}q.rq'"), "q.rq may not be executed"),
    (("engines", "check", "reference", "--engine-option", "fault"), "write it as NAME=VALUE"),
    (("engines", "check", "reference", "--time-limit", "0"), "Invalid value for '--time-limit': "),
    (("engines", "install", "stdio:x"), "there is nothing to install"),
    # --- examples, wherever a file is taken
    (("examples", "rsp-ql/ex77"), "did you mean '@rsp-ql/ex7'?"),
    (("examples", "../README"), "there is no such example"),
    (("answers", "--query", "@rsp-ql/ex77", *NEARBY), "did you mean '@rsp-ql/ex7'?"),
    (("answers", "--query", "@", *NEARBY), "there is no such example"),
    (("answers", "--query", "@../README.md", *NEARBY), "there is no such example"),
    (
        ("answers", "--query", "@rsp-ql/ex7", "--stream", ":S_nearby=@rsp-ql/S_nerby"),
        "did you mean '@rsp-ql/S_nearby'?",
    ),
    (
        ("answers", "--query", "@rsp-ql/ex7", *NEARBY, "--static", "@rsp-ql/shop@2..13"),
        "did you mean '@rsp-ql/shop-",
    ),
    (
        ("judge", "--query", "@rsp-ql/ex10", *NEARBY, "--answers", "@rsp-ql/ex10-answer"),
        "did you mean '@rsp-ql/ex10-answers'?",
    ),
    (("replay", "@rsp-ql/ex7"), "@rsp-ql/ex7, line 1: no JSON"),
    (("burnin", "--engine", "reference", "--query", "@rsp-ql/ex"), "there is no such example"),
    # --- burn-ins
    (("burnin",), "--engine"),
    *(
        (("burnin", "--engine", "reference", *more), said)
        for more, said in (
            (("--engine", "nope"), "unknown engine 'nope'"),
            (("--engine", "stdio:./not-there"), "not found"),
            (("--engine-option", "falt=x"), "did you mean 'fault'"),
            (("--engine-option", "fault=nope"), "unknown mutant 'nope'"),
            (("--spark", "lcal[2]"), "did you mean 'local[2]'?"),
            (("--elements", "0"), "--elements"),
            (("--chunk", "1"), "--chunk"),
            (("--profile", "nope"), "unknown profile 'nope'"),
            (("--dial", "bounds"), "NAME=VALUE"),
            (("--dial", "bounds=x"), "dial bounds='x'"),
            (("--query", "not-there.rq"), "not-there.rq"),
        )
    ),
    # --- profile
    *(
        (("profile", "--engine", "reference", *more), said)
        for more, said in (
            (("--engine", "referense"), "did you mean 'reference'"),
            (("--start", "yaspr"), "did you mean 'yasper'"),
            (("--start", "nowhere/own.json"), "nowhere/own.json"),
            (("--engine-option", "profil=x"), "did you mean 'profile'"),
            (("--engine-option", "profile"), "NAME=VALUE"),
            (("--out", "nowhere/at/all.json"), "--out nowhere/at/all.json"),
            (("--out", "/"), "--out /"),
            (("--format", "table"), "text"),
            (("--max-time", "0"), "max-time"),
            (("--seed", "one"), "seed"),
            (("--sed", "1"), "--sed"),
        )
    ),
    # --- matrix
    *(
        (("matrix", *more), said)
        for more, said in (
            ((), "--engine: name the engines"),
            (("--engine", "reference", "--engine", "reference"), "named twice"),
            (("--engine", "refrence"), "did you mean 'reference'"),
            (("--engine", "reference", "--engine-option", "fault=union-dedup"), "write NAME:K=V"),
            (("--engine", "reference", "--engine-option", "reference:fault"), "write NAME:K=V"),
            (("--engine", "reference", "--property", "windws"), "did you mean 'windows'"),
            (("--engine", "reference", "--engine-option", "reference:falt=x"), "did you mean"),
        )
    ),
    # --- crash files
    (("replay", "{}nowhere.json"), "nowhere.json: "),
    (("replay", "{}damaged.crash.json"), "damaged.crash.json: damaged"),
    (("replay",), "Missing argument 'FILE'"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bad input")
    for name, content in FILES.items():
        (made / name).write_text(content, "utf-8")
    return made


each = pytest.mark.parametrize(
    ("arguments", "said"), BAD, ids=[" ".join(arguments)[:70] for arguments, _ in BAD]
)


@each
def test_one_line_and_status_2(arguments: tuple[str, ...], said: str, folder: Path) -> None:
    ran = cli(*(argument.replace("{}", f"{folder}/") for argument in arguments))
    assert said in ran.line()


def test_a_stream_without_elements_is_told(folder: Path) -> None:
    ran = cli(*(a.replace("{}", f"{folder}/") for a in with_stream("empty.jsonl")))
    assert (ran.status, ran.err) == (0, "note: --stream :s has no elements\n")


def test_in_a_process_of_its_own(folder: Path, tmp_path: Path) -> None:
    """What a user sees, for one error of each origin."""
    before = f"{folder}/"
    for arguments, said in BAD[::20]:
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


def test_a_mistake_of_the_kit_is_told_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import rsp_conformance as rsp

    def broken(*_: object, **__: object) -> None:
        raise KeyError("unforeseen")

    monkeypatch.setattr(rsp, "case", broken)
    monkeypatch.chdir(folder)
    arguments = answers(*Q, *S, *T0)
    ran = cli(*(a.replace("{}", "") for a in arguments))
    assert ran.status == 3
    assert ran.err.count("\n") == 1
    assert "internal error: KeyError: 'unforeseen' (please report it" in ran.err
    monkeypatch.setenv("RSP_CONFORMANCE_DEBUG", "1")
    with pytest.raises(KeyError):
        cli(*(a.replace("{}", "") for a in arguments))
