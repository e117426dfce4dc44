"""Arguments of every command, typed wrong, endless or odd: one line, with what was meant."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.files.files import examples
from rsp_conformance.files.profiles import profile_names
from rsp_conformance.model.dials import DIALS
from tests.builders.command_line import cli, run_process
from tests.hostile.readers import short

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
    # campaigns
    (("fuzz",), "--engine: name the engine"),
    ((*FUZZ, "--max-time", "2 hours"), "expected a time such as 90s, 30m or 2h"),
    ((*FUZZ, "--max-time", "0"), "expected a time such as 90s, 30m or 2h"),
    ((*FUZZ, "--max-time", "9" * 400), "expected a time such as 90s, 30m or 2h"),
    ((*FUZZ, "--spark", "local[0]"), "is no master"),
    ((*FUZZ, "--known", "nowhere.toml"), "there is no such file"),
    ((*FUZZ, "--known", "crash.json"), "no TOML"),
    ((*FUZZ, "--engine-option", "fault"), "write it as NAME=VALUE"),
    ((*FUZZ, "report", "nowhere"), "--engine: is an option of campaigns, not of fuzz report"),
    (("fuzz", "report", "x", "--format", "html"), "expected markdown or json"),
    ((*ANSWERS, "--dial", "report=WCC"), "column 3"),
    ((*ANSWERS, "--dial", f"unit={10**40}"), "dial unit="),
    ((*ANSWERS, "--dial", "numbers=tolerance(1e999999999)"), "dial numbers="),
    (("answers", *EX6, "--t0", ":w=" + "9" * 40), "not a whole number"),
    ((*ANSWERS, "--unit", "5"), "no --stream is one"),
    ((*ANSWERS, "--until", "-1"), "--until -1 is earlier than --registered 0"),
    ((*ANSWERS, "--until", str(10**40)), "instant"),
    ((*JUDGE, "--until", "1"), "nothing was compared: answers are compared from 3 on"),
    # engines
    (("engines", "check", "stdio:'"), "in its command line"),
    ((*CHECK, "--engine-option", "fault=bounds-end,"), "unknown mutant ''"),
    ((*CHECK, "--engine-option", "profile={}" + "}" * 1_000), "not JSON"),
    ((*CHECK, "--engine-option", 'profile={"t0": 1e-999999999999999999}'), "not JSON: the number"),
    ((*CHECK, "--engine-option", 'profile={"t0": 1, "t0": 3}'), "stands twice in one object"),
    ((*CHECK, "--engine-option", 'profile={"base": null}'), "base: expected a name"),
    ((*CHECK, "--engine-option", "profile=" + '{"a":' * 100_000), "profile: "),
    # causes
    ((*MATRIX[:-1], "stdio:./nowhere"), "--engine=stdio:./nowhere: the driver's program"),
    (("results", "--shema"), "--schema"),
    (("results", "x"), "x: there is no such file"),
    (("results", "crash.json"), "not a result that this rsp-conformance reads"),
    (("results", "--report", "out"), "--report: name the file with the result as well"),
    # public data
    (("csrbench", "nowhere"), "there is no such folder"),
    # examples
    (("examples", "--copy", "crash.json/x"), "Not a directory"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a crash file, answers, and a folder that looks like public data."""
    monkeypatch.chdir(tmp_path)
    crash = Path(__file__).parents[1] / "judge" / "crashes" / "version-1.json"
    (tmp_path / "crash.json").write_bytes(crash.read_bytes())
    (tmp_path / "answers.json").write_text(json.dumps({"answers": []}), "utf-8")
    (tmp_path / "data" / "data").mkdir(parents=True)


@pytest.mark.parametrize(("arguments", "said"), TYPOS, ids=short)
def test_a_typo_is_one_line_with_what_was_meant(arguments: tuple[str, ...], said: str) -> None:
    ran = cli(*arguments)
    assert said in ran.line() and len(ran.err) < 2_500


KNOWN: list[tuple[tuple[str, ...], Collection[str]]] = [
    (("{}",), ("answers", "judge", "replay", "examples", "burnin", "profile", "features")),
    (("engines", "{}"), ("check", "install")),
    (("answers", "--{}", "x"), ("query", "stream", "static", "profile", "registered")),
    ((*ANSWERS, "--profile", "{}"), profile_names()),
    ((*ANSWERS, "--dial", "{}=x"), DIALS),
    ((*ANSWERS, "--static", "@rsp-ql/{}"), ("shop-a.ttl", "shop-b.ttl")),
    (("answers", "--query", "{}.json"), ("crash", "answers")),
    (("examples", "{}"), [*examples()]),
    (("engines", "check", "{}"), ("reference", "rsp-js", "csparql", "yasper")),
    ((*CHECK, "--engine-option", "fault={}"), MUTANTS),
    ((*CHECK, "--engine-option", "{}=x"), ("fault", "profile", "dial.bounds")),
    ((*BURNIN[:-1], "{}"), ("reference", "rsp-js")),
    ((*FUZZ, "--dial", "{}=x"), DIALS),
    ((*MATRIX, "--property", "{}"), ("windows", "filter", "static", "union")),
    ((*PROFILE, "--start", "{}"), profile_names()),
    (("replay", "crash.json", "--engine", "{}"), ("reference", "rsp-js")),
]
"""Where a name is written, and names that are known there."""


@settings(max_examples=80, deadline=None, suppress_health_check=[*HealthCheck])
@given(st.data())
def test_a_known_name_with_a_slip_is_meant(data: st.DataObject) -> None:
    place, names = data.draw(st.sampled_from(KNOWN))
    name = data.draw(st.sampled_from([own for own in names if len(own) > 4]))
    at = data.draw(st.integers(1, len(name) - 2))
    slips = (
        name[:at] + name[at + 1 :],
        name[:at] + name[at] + name[at:],
        name[:at] + "z" + name[at:],
    )
    slip = data.draw(st.sampled_from(slips))
    slips_that_are_none = "[-_]|/(?=/)"  # a folder's slash may stand twice
    known = {re.sub(slips_that_are_none, "", own) for own in names}
    assume(re.sub(slips_that_are_none, "", slip) not in known and not slip.startswith("-"))
    line = cli(*(part.replace("{}", slip) for part in place)).line()
    assert re.search("[Dd]id you mean|Possible options", line) and len(line) < 2_500


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


@settings(max_examples=80, deadline=None, suppress_health_check=[*HealthCheck])
@given(place=st.sampled_from(PLACES), value=st.sampled_from(VALUES))
def test_what_is_echoed_is_short_and_plain(place: tuple[str, ...], value: str) -> None:
    ran = cli(*(part.replace("{}", value) for part in place))
    if value in ("", "=") and ran.status == 0:  # an empty argument may be none
        return
    line = ran.line()
    assert len(line) < 2_500 and line[:-1].isprintable()
    if value in (LONG, VALUES[2]):
        assert value[:300] not in line


# --- LARS programs and queries for them, wrong, endless or odd: one line, and no hang -------------

EX4 = ("lars", "--query", "@lars/ex4", "--stream", ":S_near=@lars/near")


ARGUMENTS: list[tuple[tuple[str, ...], str]] = [
    (("--mode", "poll"), "write it as push or pull:U"),
    (("--mode", "pull:"), "write it as push or pull:U"),
    (("--mode", "pull:0"), "pulled every 1 to 1000000000 instants"),
    (("--mode", "pull:" + "9" * 18), "pulled every 1 to 1000000000 instants"),
    (("--mode", "pull:" + "9" * 5_000), "write it as push or pull:U"),
    (("--translation", "tau3"), "tau1"),
    (("--reading", "bold"), "brave"),
    (("--minus", "figure1"), "figure-1"),
    (("--dial", "bounds=[o,c]"), "the only dial of a LARS program is unit"),
    (("--dial", "unit=0"), "at least 1"),
    (("--window", ":near"), "NAME=WINDOW"),
    (("--window", ":neer=NOW"), "it has :near, :offers"),
    (("--window", ":near=ROWS 0"), "one tuple or more"),
    (("--window", ":near=LAST 3"), "expected RANGE L"),
    (("--window", ":near=ROWS " + "9" * 5_000), "expected RANGE L"),
    (("--until", str(10**15)), "the instants up to 1000000000"),
    (("--until", "-1"), "earlier than"),
]


@pytest.mark.parametrize(("arguments", "said"), ARGUMENTS, ids=short)
def test_arguments_typed_wrong(arguments: tuple[str, ...], said: str) -> None:
    pytest.importorskip("clingo")
    line = cli(*EX4, *arguments).line()
    assert said in line
    assert len(line) < 400


def test_a_query_too_large_to_ground_ends_by_its_limit(tmp_path: Path) -> None:
    pytest.importorskip("clingo")
    patterns = " . ".join(f"?a{i} ?b{i} ?c{i}" for i in range(8))
    (tmp_path / "q.rq").write_text(
        "SELECT * FROM NAMED WINDOW <u:w> ON STREAM <u:s> [RANGE 9] "
        f"{{ WINDOW <u:w> {{ {patterns} }} }}"
    )
    triples = "".join(f"<u:a> <u:b> <u:c{i}> .\\n" for i in range(50))
    (tmp_path / "s.jsonl").write_text(f'{{"t": 1, "graph": "{triples}"}}\n')
    asked = ("--query", tmp_path / "q.rq", "--stream", f"u:s={tmp_path / 's.jsonl'}")
    ran = run_process("lars", *asked, "--time-limit", "0.3")
    assert "took longer than 0.3 s" in ran.line()
