"""Arguments of every command, typed wrong, endless or odd: one line, with what was meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.command_line import run_here
from tests.hostile.table import short

EX6 = ("--query", "@rsp-ql/ex6", "--stream", ":S_nearby=@rsp-ql/S_nearby")
ANSWERS = ("answers", *EX6, "--t0", ":w=4")
JUDGE = ("judge", *EX6, "--answers", "answers.json")
CRASH = ("replay", "crash.json")
CHECK = ("engines", "check", "reference")
BURNIN = ("burnin", "--engine", "reference")
FUZZ = ("fuzz", "--engine", "reference", "--out", "out")
MATRIX = ("matrix", "--engine", "reference")
PROFILE = ("profile", "--engine", "reference")

TYPOS: list[tuple[tuple[str, ...], str]] = [
    # commands and options
    (("answer",), "Did you mean 'answers'?"),
    (("exampels",), "Did you mean 'examples'?"),
    (("engines", "chek"), "Did you mean 'check'?"),
    (("engines", "instal", "rsp-js"), "Did you mean 'install'?"),
    (("answers", "--qery", "x"), "Possible options: --query"),
    (("judge", *EX6, "--anwers", "x"), "Possible options: --answers"),
    (("replay", "--trust-fil", "x"), "--trust-file)"),
    (("burnin", "--engin", "x"), "--engine"),
    (("w3c", ".", "--erl", "x"), "--earl"),
    (("csrbench", ".", "--answer", "x"), "--answers"),
    (("profiles", "rsp-ql"), "unexpected extra argument"),
    (("features", "--format", "jsn"), "'jsn' is not one of 'table', 'json'"),
    (("examples", "a", "b"), "unexpected extra argument"),
    ((*FUZZ, "--resum"), "Possible options: --resume"),
    # campaigns
    (("fuzz",), "--engine: name the engine"),
    (("fuzz", "--engine", "referense"), "did you mean 'reference'?"),
    ((*FUZZ, "--max-time", "2 hours"), "expected a time such as 90s, 30m or 2h"),
    ((*FUZZ, "--max-time", "0"), "expected a time such as 90s, 30m or 2h"),
    ((*FUZZ, "--max-time", "-5m"), "expected a time such as 90s, 30m or 2h"),
    ((*FUZZ, "--max-time", "9" * 400), "expected a time such as 90s, 30m or 2h"),
    ((*FUZZ, "--max-time", "nan"), "expected a time such as 90s, 30m or 2h"),
    ((*FUZZ, "--examples", "0"), "'--examples'"),
    ((*FUZZ, "--spark", "spak://host:7077"), "did you mean 'spark://host:7077'?"),
    ((*FUZZ, "--spark", "local[0]"), "is no master"),
    ((*FUZZ, "--known", "nowhere.toml"), "there is no such file"),
    ((*FUZZ, "--known", "crash.json"), "no TOML"),
    ((*FUZZ, "--dial", "bonds=x"), "did you mean 'bounds'?"),
    ((*FUZZ, "--profile", "c-sparq"), "did you mean 'c-sparql'?"),
    ((*FUZZ, "--engine-option", "fault"), "write it as NAME=VALUE"),
    ((*FUZZ, "--engine-option", "fault=nothing"), "unknown mutant"),
    ((*FUZZ, "--time-limit", "0"), "'--time-limit'"),
    (("fuzz", "report", "nowhere"), "holds no campaign"),
    (
        (*FUZZ, "report", "nowhere"),
        "--engine: is an option of campaigns, not of fuzz report",
    ),
    (("fuzz", "report", "."), "holds no campaign"),
    (("fuzz", "report", "crash.json"), "holds no campaign"),
    (("fuzz", "report", "x", "--format", "html"), "expected markdown or json"),
    (("fuzz", "repor", "x"), "Did you mean 'report'?"),
    # names
    ((*ANSWERS, "--profile", "c-sparq"), "did you mean 'c-sparql'?"),
    ((*ANSWERS, "--profile", "nowhere/x.json"), "there is no such file"),
    ((*ANSWERS, "--profile", "./crash.jsn"), "did you mean 'crash.json'?"),
    ((*ANSWERS, "--profile", ""), "unknown profile ''"),
    ((*ANSWERS, "--dial", "bonds=x"), "did you mean 'bounds'?"),
    ((*ANSWERS, "--dial", "tick=tupel"), "expected time or tuple"),
    ((*ANSWERS, "--dial", "t0=registraton"), "registration"),
    ((*ANSWERS, "--dial", "report=WCC"), "column 3"),
    ((*ANSWERS, "--dial", "report=WC[v]"), "names window 'v'"),
    ((*ANSWERS, "--dial", "bounds"), "write it as NAME=VALUE"),
    ((*ANSWERS, "--dial", "=x"), "write it as NAME=VALUE"),
    ((*ANSWERS, "--dial", "unit=0"), "at least 1"),
    ((*ANSWERS, "--dial", f"unit={10**40}"), "dial unit="),
    ((*ANSWERS, "--dial", "numbers=tolerance(1e999999999)"), "dial numbers="),
    (("answers", *EX6, "--t0", ":v=4"), "it has :w"),
    (("answers", *EX6, "--t0", ":w"), "write it as WINDOW=N"),
    (("answers", *EX6, "--t0", ":w=" + "9" * 40), "not a whole number"),
    (
        ("answers", "--query", "@rsp-ql-star/def15", "--stream", ":Ss=@rsp-ql-star/S"),
        "no window of the query reads :Ss; did you mean ':S'?",
    ),
    (("answers", *EX6, "--stream", ":S_nearby=@rsp-ql/S_nearby"), "has a file already"),
    (("answers", *EX6, "--stream", "S_nearby=x"), "'S_nearby' is no IRI"),
    (("answers", *EX6, "--stream", "x"), "write it as IRI=FILE"),
    (("answers", *EX6, "--stream", "=x"), "write it as IRI=FILE"),
    (
        ("answers", *EX6, "--stream", "<http://e/s>=crash.json"),
        "a file named .jsonl, .trig or .n3t",
    ),
    ((*ANSWERS, "--static", "crash.json"), ".nt .nq .ttl .trig .jsonld .rdf"),
    ((*ANSWERS, "--static", "crash.jsn@1..2"), "did you mean 'crash.json'?"),
    ((*ANSWERS, "--static", "@rsp-ql/shop-a@13..2"), "ends before it begins"),
    ((*ANSWERS, "--static", "@rsp-ql/shop-x@2.."), "did you mean '@rsp-ql/shop-"),
    ((*ANSWERS, "--unit", "0"), "'--unit'"),
    ((*ANSWERS, "--unit", "5"), "no --stream is one"),
    ((*ANSWERS, "--until", "soon"), "'--until'"),
    ((*ANSWERS, "--until", "-1"), "--until -1 is earlier than --registered 0"),
    ((*ANSWERS, "--until", str(10**40)), "instant"),
    ((*ANSWERS, "--until", "1000000000"), "more than 10,000,000 instants"),
    ((*ANSWERS, "--until", "9" * 5_000), "'--until'"),
    ((*ANSWERS, "--registered", "-1"), "registered"),
    ((*ANSWERS, "--registered", "3"), "earlier than the registration"),
    ((*ANSWERS, "--time-predicate", "at"), "'at' is no IRI"),
    ((*JUDGE, "--until", "1"), "nothing was compared: answers count from t_s=3 on"),
    (("judge", *EX6, "--answers", "answer.json"), "did you mean 'answers.json'?"),
    # engines
    (("engines", "check", "refrence"), "did you mean 'reference'?"),
    (("engines", "check", "reference:"), "unknown engine 'reference:'; did you mean 'reference'?"),
    (("engines", "check", "stdio:"), "a command line has to follow"),
    (("engines", "check", "stdio:'"), "in its command line"),
    (("engines", "check", "stdio:./nowhere"), "was not found"),
    (("engines", "check", "stdio:."), "'.' is a folder"),
    (("engines", "install", "rsp-j"), "did you mean 'rsp-js'?"),
    ((*CHECK, "--engine-option", "fualt=x"), "did you mean 'fault'?"),
    ((*CHECK, "--engine-option", "fault=bounds-ned"), "did you mean 'bounds-end'?"),
    ((*CHECK, "--engine-option", "fault=bounds-end,"), "unknown mutant ''"),
    ((*CHECK, "--engine-option", "dial.bonds=x"), "did you mean 'dial.bounds'?"),
    ((*CHECK, "--engine-option", "profile=c-sparq"), "did you mean 'c-sparql'?"),
    ((*CHECK, "--engine-option", "profile={"), "not JSON"),
    ((*CHECK, "--engine-option", "profile={}" + "}" * 1_000), "not JSON"),
    ((*CHECK, "--engine-option", 'profile={"base": null}'), "base: expected the name"),
    ((*CHECK, "--engine-option", "profile=" + '{"a":' * 100_000), "profile: "),
    ((*CHECK, "--engine-option", "library=bonds"), "expected one of"),
    ((*CHECK, "--engine-option", "t0=frist"), "expected hash, first, last"),
    ((*CHECK, "--engine-option", "seed=x"), "expected a whole number"),
    ((*CHECK, "--engine-option", "every=5"), "it is for fault=lost-late only"),
    ((*CHECK, "--engine-option", "advances=clok"), "clock"),
    ((*CHECK, "--time-limit", "nan"), "'--time-limit'"),
    ((*CHECK, "--time-limit", "-inf"), "'--time-limit'"),
    ((*CRASH, "--engine", "refrence"), "did you mean 'reference'?"),
    ((*CRASH, "--engine-option", "fault=bound-end"), "did you mean 'bounds-end'?"),
    ((*CRASH, "--times", "0"), "'--times'"),
    ((*CRASH, "--times", "many"), "'--times'"),
    (("replay", "crash.jsno"), "did you mean 'crash.json'?"),
    (("replay", "crash.jsno", "--request"), "did you mean 'crash.json'?"),
    ((*BURNIN[:-1], "refrence"), "did you mean 'reference'?"),
    ((*BURNIN, "--elements", "0"), "'--elements'"),
    ((*BURNIN, "--elements", "1e6"), "'--elements'"),
    ((*BURNIN, "--chunk", "1"), "'--chunk'"),
    ((*BURNIN, "--locate-limit", "-1"), "'--locate-limit'"),
    ((*BURNIN, "--dial", "bonds=x"), "did you mean 'bounds'?"),
    ((*BURNIN, "--profile", "cqel"), "did you mean 'cqels'?"),
    ((*BURNIN, "--query", "@rsp-ql/ex66"), "did you mean '@rsp-ql/ex6'?"),
    # causes
    (("matrix",), "--engine: name the engines"),
    (("matrix", "--engin", "x"), "Possible options: --engine"),
    ((*MATRIX[:-1], "refrence"), "--engine: unknown engine 'refrence'; did you mean 'reference'?"),
    ((*MATRIX[:-1], "stdio:./nowhere"), "--engine=stdio:./nowhere: the driver's program"),
    ((*MATRIX, "--engine", "yaspr"), "--engine: unknown engine 'yaspr'; did you mean 'yasper'?"),
    ((*MATRIX, "--engine", "reference"), "--engine reference: named twice"),
    ((*MATRIX, "--engine-option", "fault=x"), "--engine-option 'fault=x': write NAME:K=V"),
    (
        (*MATRIX, "--engine-option", "reference:falt=x"),
        "--engine-option: engine reference: unknown option 'falt'; did you mean 'fault'?",
    ),
    (
        (*MATRIX, "--engine-option", "reference:fault=newest-onl"),
        "engine reference: unknown mutant 'newest-onl'; did you mean 'newest-only'",
    ),
    ((*MATRIX, "--property", "windws"), "--property: unknown property 'windws'; did you mean"),
    ((*MATRIX, "--dir", "crash.json"), "--dir crash.json: File exists"),
    ((*MATRIX, "--examples", "0"), "'--examples'"),
    ((*MATRIX, "--max-time", "nan"), "'--max-time'"),
    ((*PROFILE[:-1], "refrence"), "--engine: unknown engine 'refrence'; did you mean 'reference'?"),
    ((*PROFILE, "--engine-option", "fault"), "--engine-option: engine option 'fault': write it as"),
    ((*PROFILE, "--engine-option", "falt=x"), "--engine-option: engine reference: unknown option"),
    ((*PROFILE, "--start", "rsp-qll"), "--start: unknown profile 'rsp-qll'; did you mean 'rsp-ql'"),
    ((*PROFILE, "--start", "no.json"), "--start: no.json: there is no such file"),
    ((*PROFILE, "--out", "no/where"), "--out no/where: no file can be written there"),
    ((*PROFILE, "--max-time", "0"), "'--max-time'"),
    ((*PROFILE, "--format", "table"), "'table' is not one of 'text', 'json'"),
    (("results", "--shema"), "--schema"),
    (("results", "x"), "x: there is no such file"),
    (("results", "crash.json"), "not a result that this rsp-conformance reads"),
    (("results", "--report", "out"), "--report: name the file with the result as well"),
    # public data
    (("csrbench", "nowhere"), "there is no such folder"),
    (("csrbench", "crash.json"), "no folder"),
    (("csrbench", "suite"), "holds no folder data"),
    (("csrbench", "data", "--engine", "csparl"), "expected csparql, cqels, sparqlstream"),
    (("csrbench", "data", "--query", "8"), "the queries are 1 to 7"),
    (("csrbench", "data", "--answers", "x"), "needs --query N"),
    (("csrbench", "data", "--query", "1", "--answers", "x"), "needs the profile to judge by"),
    (("w3c", "nowhere", "--no-spark"), "there is no such folder"),
    (("w3c", ".", "--no-spark"), "a checkout of w3c/rdf-tests"),
    (("w3c", "suite", "--no-spark"), "no manifest"),
    # examples
    (("examples", "rsp-ql/ex66"), "did you mean '@rsp-ql/ex6'?"),
    (("examples", "rsp_ql/ex6"), "did you mean '@rsp-ql/ex6'?"),
    (("examples", "/etc/passwd"), "there is no such example"),
    (("examples", "--copy", "."), "File exists"),
    (("examples", "--copy", "crash.json/x"), "Not a directory"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a crash file, answers, and folders that look like public data."""
    monkeypatch.chdir(tmp_path)
    crash = Path(__file__).parents[1] / "judge" / "crashes" / "version-1.json"
    (tmp_path / "crash.json").write_bytes(crash.read_bytes())
    (tmp_path / "answers.json").write_text(json.dumps({"answers": []}), "utf-8")
    (tmp_path / "data" / "data").mkdir(parents=True)
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "manifest.ttl").write_text("<x:a> <x:b> <x:c> .", "utf-8")


@pytest.mark.parametrize(("arguments", "said"), TYPOS, ids=short)
def test_a_typo_is_one_line_with_what_was_meant(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_here(capsys, *arguments)
    assert said in ran.line() and len(ran.err) < 2_500


LONG = "x" * 5_000
VALUES = [
    LONG,
    "a b" * 2_000,
    "x/" * 2_500,
    "\x1b[31mred\x1b[0m",
    "\u202e\u0007",
    "a\nb",
    "\ud800",
    "",
    "=",
]
PLACES: list[tuple[str, ...]] = [
    ("{}",),
    ("answers", "--{}"),
    ("answers", "{}"),
    ("answers", "--query", "{}"),
    ("answers", "--query", "@{}"),
    ("answers", *EX6, "--stream", "{}"),
    ("answers", *EX6, "--stream", ":z={}"),
    ("answers", *EX6, "--stream", "{}=crash.json"),
    (*ANSWERS, "--static", "{}"),
    (*ANSWERS, "--static", "{}@1..2"),
    (*ANSWERS, "--profile", "{}"),
    (*ANSWERS, "--dial", "{}"),
    (*ANSWERS, "--dial", "{}=1"),
    (*ANSWERS, "--dial", "report={}"),
    (*ANSWERS, "--dial", "bounds={}"),
    (*ANSWERS, "--time-predicate", "{}"),
    (*ANSWERS, "--until", "{}"),
    (*ANSWERS, "--format", "{}"),
    ("answers", *EX6, "--t0", "{}"),
    ("answers", *EX6, "--t0", "{}=1"),
    ("judge", *EX6, "--answers", "{}"),
    ("replay", "{}"),
    (*CRASH, "--engine", "{}"),
    (*CRASH, "--engine-option", "{}"),
    (*CRASH, "--engine-option", "fault={}"),
    ("engines", "{}"),
    ("engines", "check", "{}"),
    ("engines", "check", "stdio:{}"),
    ("engines", "install", "{}"),
    ("burnin", "--engine", "{}"),
    (*BURNIN, "--query", "{}"),
    ("matrix", "--engine", "{}"),
    (*MATRIX, "--engine-option", "{}"),
    (*MATRIX, "--engine-option", "reference:fault={}"),
    (*MATRIX, "--property", "{}"),
    ("profile", "--engine", "{}"),
    (*PROFILE, "--start", "{}"),
    ("csrbench", "{}"),
    ("csrbench", "data", "--engine", "{}"),
    ("w3c", "{}", "--no-spark"),
    ("examples", "{}"),
    ("fuzz", "--engine", "{}"),
    ("fuzz", "report", "{}"),
    ("fuzz", "report", "x", "--format", "{}"),
    (*FUZZ, "--max-time", "{}"),
    (*FUZZ, "--spark", "{}"),
    (*FUZZ, "--known", "{}"),
    (*FUZZ, "--engine-option", "{}"),
]


@pytest.mark.parametrize("value", VALUES, ids=short)
@pytest.mark.parametrize("place", PLACES, ids=short)
def test_what_is_echoed_is_short_and_plain(
    place: tuple[str, ...], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_here(capsys, *(part.replace("{}", value) for part in place))
    if value in ("", "=") and ran.status == 0:  # an empty argument may be none
        return
    line = ran.line()
    assert len(line) < 2_500 and line[:-1].isprintable()
    if value in (LONG, VALUES[2]):
        assert value[:300] not in line
