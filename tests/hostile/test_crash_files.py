"""Crash files that others have written: read strictly, and nothing is said to be fixed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.builders.command_line import run_here
from tests.hostile.crash_files import CRASH, GONE, HUGE, crash_with, written
from tests.hostile.table import short

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
    ("case.query", GONE, "case.query: expected a query, found nothing"),
    ("case.query", 5, "case.query: expected a query"),
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
    ("case.streams", [1], "case.streams[0]: expected an IRI, found 1"),
    ("case.streams", ["a b"], "case.streams[0]: expected an IRI"),
    ("case.stamp", None, "case.stamp: expected an object"),
    ("case.stamp.predicate", "<x>", "case.stamp.predicate: expected an IRI"),
    ("case.stamp.clock", "x", "case.stamp: expected one of the fields predicate, datatype"),
    ("case.static", {}, "case.static: expected an array"),
    ("case.static", [{}], "case.static[0].triples: expected N-Triples, found nothing"),
    ("case.static", [{"triples": "", "from": "1"}], "case.static[0].from: expected an in"),
    ("case.static", [{"triples": "", "graph": '"x"'}], "case.static[0].graph: expected the name"),
    ("case.static", [{"triples": "", "graph": "<a"}], "damaged: "),
    ("case.static", [{"triples": "<a> <b> <c> ."}], "case.static[0].triples: the IRI <a> is not"),
    ("case.elements", None, "case.elements: expected an array"),
    ("case.elements", [5], "case.elements[0]: expected an object"),
    ("case.elements.0.t", HUGE, "the latest instant is"),
    ("case.elements.0.t", -1, "streams start at 0 or later"),
    ("case.elements.0.t", "1/0", "case.elements[0].t: expected an integer"),
    ("case.elements.0.t", 1.5, "case.elements[0].t: expected an integer"),
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
    ("answers", [{"t": 1, "solutions": [], "variables": [5]}], "answers[0].variables[0]: expected"),
    ("answers", [{"t": 1, "solutions": [], "variables": [], "ties": [1]}], "answers[0].ties"),
    ("answers", [{"t": 1, "solutions": [], "cuase": 1}], 'found "cuase"'),
    ("answers", [], GONE),
    ("request", 5, "request: expected an object"),
    ("related", {"asked": []}, "related.asked: expected at least one case"),
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
        assert "takes at least two runs" in run_here(capsys, "replay", path, "--times", "1").line()
    assert "'--times'" in run_here(capsys, "replay", path, "--times", "0").line()


CONTRADICTION = CRASH.with_name("contradiction.json")
"""What a run under the fault ``error-negated`` left: two cases that the law FReordI relates."""

CONTRADICTIONS: list[tuple[str, Any, str]] = [
    ("asked.0.pacing", "slow", "related.asked[0].pacing: expected one of burst, settled"),
    ("asked.0.unit", 0, "related.asked[0].unit: expected an integer of at least 1"),
    ("asked.0.unit", HUGE, ""),
    ("asked.1.follows", "0", "related.asked[1].follows: expected an array"),
    ("asked.1.follows", [-1], "related.asked[1].follows[0]: expected an integer"),
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
    ("asked", [], "related.asked: expected at least one case"),
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
