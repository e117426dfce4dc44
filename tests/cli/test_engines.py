"""`engines`: the list, installing, and checking drivers that go wrong in every way."""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, NoReturn

import pytest

from rsp_conformance.adapters.jvm import engine
from rsp_conformance.adapters.reference.mutants import all_mutants
from rsp_conformance.adapters.rsp_js import install
from rsp_conformance.cli import progress
from rsp_conformance.model.features import FEATURES, RESTRICTIONS
from rsp_conformance.protocol import EngineUnavailable, registry
from rsp_conformance.protocol.registry import EngineEntry
from tests.adapters.jvm.toy import TOY, write_jar
from tests.builders.command_line import Ran, cli

DRIVER = '''#!{python}
"""A driver for a toy engine: one window of width 2 and slide 2 from 0, rows (s, o)."""
import json, os, sys

FLAWS = set({flaws!r})
HELLO = {{"op": "hello", "protocol": 1, "engine": "toy", "version": "1", "language": "rsp-ql",
         "profile": {{"base": "rsp-ql", "t0": "0"}}, "features": ["select"]}}
runs = 0

def say(message):
    print(json.dumps(message), flush=True)

def parts(graph):
    s, p, o = graph.split()[:3]
    return {{name: {{"type": "uri", "value": t[1:-1]}} for name, t in (("s", s), ("o", o))}}

def answers(request):
    found = []
    for c in range(2, request["until"] + 1, 2):
        held = [e for e in request["elements"] if c - 2 < e["t"] <= c]
        if "bounds" in FLAWS:
            held = [e for e in held if e["t"] < c]
        found.append({{"t": c, "cause": "end", "solutions": [parts(e["graph"]) for e in held]}})
    if "impatient" in FLAWS and request["pacing"] == "burst":
        found = found[:1]
    if "drift" in FLAWS and request["pacing"] == "settled":
        found = found[1:]
    if "state" in FLAWS:
        path = sys.argv[0] + ".runs"
        with open(path, "a") as file:
            file.write("x")
        if os.path.getsize(path) % 2:
            found = found[1:]
    return found

for line in sys.stdin:
    request = json.loads(line)
    echo = {{"op": request["op"], "id": request.get("id")}}
    if request["op"] == "hello":
        hello = dict(HELLO)
        if "no hello" in FLAWS:
            sys.exit("not in the mood")
        if "feature" in FLAWS:
            hello["features"] = ["slect"]
        if "profile" in FLAWS:
            hello["profile"] = "no-such-profile"
        if "seconds" in FLAWS or "seconds rejected" in FLAWS:
            hello["profile"]["unit"] = 1000
        if "language" in FLAWS:
            hello["language"] = "cqels-ql"
        if "unavailable" in FLAWS:
            error = {{"kind": "unavailable", "message": "toy is missing: run make toy"}}
            hello = {{"op": "hello", "error": error}}
        say(hello)
    elif request["op"] != "run":
        kind = "rejected" if "operation" in FLAWS else "unsupported"
        if "operation dies" in FLAWS:
            sys.exit("what is that?")
        say({{**echo, "error": {{"kind": kind, "message": "no such operation"}}}})
    elif request["query"].endswith("no query"):
        if "query answered" in FLAWS:
            say({{**echo, "answers": []}})
        else:
            kind = "crashed" if "query crashes" in FLAWS else "rejected"
            say({{**echo, "error": {{"kind": kind, "message": "that is no query"}}}})
    elif "afraid" in FLAWS and "RANGE PT" in request["query"]:
        say({{**echo, "error": {{"kind": "crashed", "message": "what is PT?"}}}})
    elif "stuck" in FLAWS and "RANGE PT" in request["query"]:
        sys.exit("oh no")
    elif "deaf" in FLAWS or "RANGE PT2S STEP PT2S" not in request["query"] and "seconds" in FLAWS:
        say({{**echo, "answers": []}})
    elif "RANGE PT2S STEP PT2S" not in request["query"] and "seconds rejected" in FLAWS:
        say({{**echo, "error": {{"kind": "rejected", "message": "no unit"}}}})
    elif "refuses" in FLAWS:
        say({{**echo, "error": {{"kind": "rejected", "message": "no"}}}})
    elif "dies" in FLAWS:
        sys.exit("oh no")
    elif "babbles" in FLAWS:
        print("hello world", flush=True)
    elif "hangs" in FLAWS:
        pass
    elif "crashes" in FLAWS or "unsupported" in FLAWS:
        kind = "crashed" if "crashes" in FLAWS else "unsupported"
        say({{**echo, "error": {{"kind": kind, "message": "not today"}}}})
    else:
        say({{**echo, "answers": answers(request)}})
'''


def toy(folder: Path, *flaws: str) -> str:
    path = folder / "toy driver"
    path.write_text(DRIVER.format(python=sys.executable, flaws=list(flaws)))
    path.chmod(0o755)
    return f"stdio:'{path}'"


def check(spec: str, *more: str) -> tuple[Ran, dict[str, dict[str, Any]]]:
    ran = cli("engines", "check", spec, "--format", "json", *more)
    if ran.status == 2:
        return ran, {}
    found = json.loads(ran.out)
    assert found["engine"] == spec
    return ran, {step["step"]: step for step in found["steps"]}


STEPS = [
    "hello",
    "profile and language",
    "a trivial case",
    "a bad query",
    "an unknown operation",
    "burst = settled",
    "restart",
]


def test_a_good_driver_passes(tmp_path: Path) -> None:
    ran, steps = check(toy(tmp_path))
    assert (ran.status, ran.err) == (0, "")
    assert list(steps) == STEPS
    assert {step["result"] for step in steps.values()} == {"ok"}


def test_as_text(tmp_path: Path) -> None:
    ran = cli("engines", "check", toy(tmp_path, "bounds", "operation"))
    assert (ran.status, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert "failed   a trivial case (engine)" in lines
    assert "failed   an unknown operation (driver)" in lines
    assert "ok       hello                 toy 1, rsp-ql, 1 feature" in lines
    assert max(map(len, lines)) > 76, "the whole width is used"
    drifting = cli("engines", "check", toy(tmp_path, "drift")).out
    (request,) = (line for line in drifting.splitlines() if line.startswith("{"))
    assert json.loads(request)["op"] == "run", "in one piece, to be copied"
    assert ran.out.endswith(
        "2 of 7 checks failed: 1 problem in the driver, 1 problem in the engine.\n"
    )
    assert max(map(len, ran.out.splitlines())) <= 80
    assert cli("engines", "check", toy(tmp_path)).out.endswith("All 7 checks passed.\n")


@pytest.mark.parametrize(
    ("flaw", "expected"),
    [
        ("no hello", ("hello", "driver", "failed 3 hellos in a row")),
        ("feature", ("hello", "driver", "slect")),
        ("profile", ("profile and language", "driver", "unknown profile 'no-such-profile'")),
        ("language", ("profile and language", "driver", "cqels-ql")),
        ("bounds", ("a trivial case", "engine", "With bounds=")),
        ("dies", ("a trivial case", "driver", "died: the driver ended with exit status 1")),
        ("babbles", ("a trivial case", "driver", "protocol-error: expected a line of JSON")),
        ("hangs", ("a trivial case", "driver", "timeout: the driver did not answer within 0.7 s")),
        ("crashes", ("a trivial case", "engine", "crashed: not today")),
        ("unsupported", ("a trivial case", "driver", "counts as unsupported: not today")),
        ("query answered", ("a bad query", "engine", "expected error kind rejected, received")),
        ("query crashes", ("a bad query", "driver", "error kind rejected, received crashed")),
        (
            "operation",
            ("an unknown operation", "driver", "unsupported, received error kind rejected"),
        ),
        ("operation dies", ("an unknown operation", "driver", "died: the driver ended")),
        ("impatient", ("burst = settled", "driver", "does not wait until the engine is quiet")),
        ("drift", ("burst = settled", "engine", "the engine depends on timing")),
        ("state", ("restart", "engine", "after a restart the answers differ")),
    ],
)
def test_the_fault_is_found_and_laid_at_the_right_door(
    flaw: str,
    expected: tuple[str, str, str],
    tmp_path: Path,
) -> None:
    step, fault, says = expected
    ran, steps = check(toy(tmp_path, flaw), "--time-limit", "0.7")
    assert (ran.status, ran.err) == (1, "")
    assert steps[step]["result"] == "failed"
    assert steps[step]["fault"] == fault
    assert says in steps[step]["says"]
    if flaw in {"bounds", "operation", "query answered", "query crashes", "drift"}:
        assert {s for s, found in steps.items() if found["result"] == "failed"} == {step}
    if flaw == "drift":
        text = steps[step]["says"]
        first = "Answer 1 is the first that differs: in a burst t=2 {?s=:a, ?o=:x}, and settled t=4"
        assert first in text
        request = json.loads(text.splitlines()[-1])
        assert (request["op"], request["pacing"]) == ("run", "settled")
    if flaw == "impatient":
        assert steps["a trivial case"]["fault"] == "driver"


def test_an_engine_that_answers_nothing_is_not_said_to_be_wrong(tmp_path: Path) -> None:
    ran, steps = check(toy(tmp_path, "deaf"))
    assert ran.status == 1
    step = steps["a trivial case"]
    assert (step["result"], step["fault"]) == ("failed", "driver or engine")
    assert (
        "no row was received, in a burst or settled. The query as it was sent:\nPREFIX"
        in step["says"]
    )
    assert "[RANGE 2 STEP 2]" in step["says"] and "expected" not in step["says"]
    assert "No other dialect gets a row (23 tried)" in step["says"]
    assert steps["burst = settled"]["result"] == steps["restart"]["result"] == "skipped"
    ran = cli("engines", "check", toy(tmp_path, "deaf"))
    assert ran.out.endswith("1 of 7 checks failed: 1 problem in driver or engine; 2 skipped.\n")
    ran = cli("engines", "check", toy(tmp_path, "deaf", "query answered"))
    assert "received 0 answers" in ran.out
    assert ran.out.endswith("2 of 7 checks failed: 2 problems in driver or engine; 2 skipped.\n")


def test_dialects_are_tried_and_it_is_said_what_became_of_them(tmp_path: Path) -> None:
    declared = ("--engine-option", "declare=without-steps")
    _, steps = check(toy(tmp_path, "deaf"), *declared)
    assert "[RANGE 2]" in steps["a trivial case"]["says"]
    _, steps = check(toy(tmp_path, "deaf", "afraid"))
    said = steps["a trivial case"]["says"].splitlines()[-1]
    assert said == (
        'No other dialect gets a row (23 tried; under {"duration": "iso"} crashed: what is PT?)'
    )
    _, steps = check(toy(tmp_path, "deaf", "stuck"))
    said = steps["a trivial case"]["says"].splitlines()[-1]
    assert "(4 tried; under" in said and '{"duration": "iso"} died' in said


def test_an_engine_that_refuses_everything_is_told_so_once(tmp_path: Path) -> None:
    _, steps = check(toy(tmp_path, "refuses"))
    assert steps["a trivial case"]["fault"] == "driver or engine"
    assert "rejected: no" in steps["a trivial case"]["says"]
    for name in ("burst = settled", "restart"):
        assert steps[name]["says"] == "the trivial case has no answer"
    ran = cli("engines", "check", toy(tmp_path, "crashes"))
    assert ran.out.endswith("1 of 7 checks failed: 1 problem in the engine; 2 skipped.\n")


def test_the_reference_engine_has_its_own_faults() -> None:
    _, steps = check("reference", "--engine-option", "dial.t0=1000")
    assert steps["a trivial case"]["result"] == "skipped"
    assert "nothing was compared: answers are compared from 1000" in steps["a trivial case"]["says"]
    ran, steps = check("reference", "--engine-option", "fault=bounds-end")
    assert ran.status == 1
    assert steps["a trivial case"]["fault"] == "engine"


@pytest.mark.parametrize("flaw", ["seconds", "seconds rejected"])
def test_the_dialect_that_an_engine_understands_is_found(flaw: str, tmp_path: Path) -> None:
    _, steps = check(toy(tmp_path, flaw))
    step = steps["a trivial case"]
    assert step["fault"] == "driver"
    expected = 'There are rows under dialect {"duration": "iso"}: declare it in hello'
    assert expected in step["says"] and "[RANGE 2 STEP 2]" in step["says"]


def test_an_engine_that_cannot_start_is_no_faulty_driver(tmp_path: Path) -> None:
    ran, _ = check(toy(tmp_path, "unavailable"))
    assert "toy is missing: run make toy" in ran.line()


@pytest.mark.parametrize(
    "profile", ["rsp-ql", "rsp-ql-star", "c-sparql", "cqels", "sparqlstream", "rsp-js", "rsp-rs"]
)
def test_the_reference_engine_passes_under_every_profile(profile: str) -> None:
    ran, steps = check("reference", "--engine-option", f"profile={profile}")
    assert ran.status == 0, steps
    assert steps["a trivial case"]["result"] == "ok"
    assert steps["an unknown operation"]["result"] == "skipped"


needs_rsp_js = pytest.mark.skipif(
    not install.installed(), reason="rsp-js is not installed: rsp-conformance engines install it"
)


@needs_rsp_js
def test_rsp_js_is_checked() -> None:
    """The driver keeps the protocol; the engine's windows move with each answer once settled."""
    ran, steps = check("rsp-js")
    assert ran.status == 1
    assert [s["step"] for s in steps.values() if s["fault"]] == ["burst = settled"]
    assert steps["burst = settled"]["fault"] == "engine"


# --- the list ------------------------------------------------------------------------------------


def test_the_list_without_rsp_js_and_with_a_broken_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path))
    ran = cli("engines")
    assert (ran.status, ran.err) == (0, "")
    for part in (
        "reference (installed)",
        "rsp-js (not installed)",
        "language   rsp-ql",
        "profile ",
    ):
        assert part in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "rspqlstar (no driver)\n  RSPQLStarEngine is built" in ran.out
    found = json.loads(cli("engines", "--format", "json").out)
    assert found["faults"] == []
    assert found["without driver"].keys() == {"rspqlstar", "sparqlstream"}
    engines = {engine["name"]: engine for engine in found["engines"]}
    assert engines["reference"]["installed"] and not engines["rsp-js"]["installed"]
    assert "select" in engines["reference"]["features"]
    assert engines["reference"]["language"] == "rsp-ql"
    assert "fault" in engines["reference"]["options"]
    broken = EntryPoint("broken", "no_such_module_anywhere:ENGINE", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [broken])
    ran = cli("engines")
    assert ran.status == 0
    assert "reference (installed)" in ran.out
    assert ran.err.startswith("note: engine 'broken' ") and ran.err.count("\n") == 1


@needs_rsp_js
def test_the_list_with_rsp_js_and_installing_again() -> None:
    found = json.loads(cli("engines", "--format", "json").out)
    engines = {engine["name"]: engine for engine in found["engines"]}
    assert engines["rsp-js"]["profile"] == "rsp-js"
    assert engines["rsp-js"]["version"] == "1.3.5"
    ran = cli("engines", "install", "rsp-js")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"rsp-js is already installed in {install.modules()}\n"


def test_an_engine_that_needs_no_installing_takes_no_jars() -> None:
    assert cli("engines", "install", "reference").out == ("reference needs no installation\n")
    ran = cli("engines", "install", "RSP_JS", "--jars", "x")
    assert ran.line() == "rsp-conformance: rsp-js does not take --jars\n"


def test_an_engine_is_installed_by_its_jars_or_says_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy_engine = EntryPoint("toy-engine", "tests.adapters.jvm.toy:ENTRY", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [toy_engine])
    monkeypatch.setattr(engine, "find_java", lambda least: tmp_path)
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path / "home"))
    ran = cli("engines", "install", "toyengine")
    assert ran.out.startswith("toy/build-jars\nrsp-conformance engines install toy-engine --jars")
    assert ran.err == (
        "rsp-conformance: toy-engine is not installed yet; the commands above get it\n"
    )
    assert ran.status == 2
    ran = cli("burnin", "--engine", "toy-engine")
    assert "engine toy-engine is not installed; rsp-conformance engines install toy" in ran.line()
    write_jar(tmp_path / "a" / "toy-3.jar", TOY.classes[0])
    write_jar(tmp_path / "b" / "rdf.jar", TOY.classes[1])
    folders = [str(tmp_path / "a"), str(tmp_path / "b")]
    install = ("engines", "install", "Toy-Engine", "--jars", folders[0], "--jars", folders[1])

    def slow(least: int) -> Path:
        time.sleep(0.3)
        return tmp_path

    with monkeypatch.context() as patch:
        patch.setattr(progress, "QUICK", 0.01)
        patch.setattr(engine, "find_java", slow)
        ran = cli(*install, log=True)
    assert ran.status == 0 and ran.err.startswith("rsp-conformance: 0 s: installing toy-engine\n")
    assert ran.out == f"toy-engine is installed: Toy 1 3 in {', '.join(folders)}\n"
    *steps, last = cli("engines", "install", "toy-engine").out.splitlines()
    assert steps[0] == "toy/build-jars" and last.startswith("toy-engine is already installed")

    def connect(*_: object) -> NoReturn:
        raise EngineUnavailable("jpype is not installed", hint="pip install 'rsp-conformance[jvm]'")

    entries = [EngineEntry("toy-engine", "A toy.", connect, installed=lambda: True)]
    monkeypatch.setattr(registry, "registered", lambda: (entries, []))
    assert cli("engines").out.splitlines()[:3] == [
        "toy-engine (does not start)",
        "  A toy.",
        "  problem   jpype is not installed; pip install 'rsp-conformance[jvm]'",
    ]


# --- what else the kit tells of itself -----------------------------------------------------------


def test_profiles() -> None:
    ran = cli("profiles")
    assert ran.status == 0
    assert "c-sparql" in ran.out and "report=WC & NC" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    found = json.loads(cli("profiles", "--format", "json").out)["profiles"]
    assert {"rsp-ql", "rsp-js", "cqels"} <= {profile["name"] for profile in found}


def test_mutants() -> None:
    found = json.loads(cli("mutants", "--format", "json").out)["mutants"]
    assert [*found] == [*all_mutants()]
    assert found["zero-is-no-start"]["dials"] == {"t0": "first-element-close"}
    ran = cli("mutants", "stale-join")
    assert ran.status == 0 and "Seen in CQELS 1" in ran.out and "newest-only" not in ran.out
    ran = cli("mutants", "stale-jion")
    assert ran.status == 2 and "did you mean 'stale-join'" in ran.err


def test_features() -> None:
    ran = cli("features")
    assert ran.status == 0 and "window-variable" in ran.out
    found = json.loads(cli("features", "--format", "json").out)["features"]
    assert found["ask"] == "ASK queries"
    assert set(found) == FEATURES.keys() | RESTRICTIONS.keys()
    assert all(name in ran.out for name in RESTRICTIONS)
