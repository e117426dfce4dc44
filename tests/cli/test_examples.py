"""`examples`, and `@NAME` wherever a file is taken."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import rsp_conformance as rsp
from rsp_conformance.test_suite.manifest import packaged_suite, read_suite
from tests.builders.command_line import FIXTURES, cli, run_process

QUERIES = sorted(FIXTURES.glob("*/*.rq"))
NEARBY = ("--stream", ":S_nearby=@rsp-ql/S_nearby")


def test_every_query_is_listed_with_what_it_shows() -> None:
    ran = cli("examples", "--format", "json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)["examples"]
    assert set(found) == {path.relative_to(FIXTURES).as_posix() for path in QUERIES}
    assert all(text.endswith((".", "?")) for text in found.values())
    table = cli("examples").out
    assert "rsp-ql/ex6 " in table and "RSP-QL, Example 6: the fixed window (4,8]" in table
    assert "rsp-ql/S_nearby.jsonl" in table
    assert max(map(len, table.splitlines())) <= 80
    assert "`rsp-conformance examples --copy DIR` copies all" in " ".join(table.split())


def test_what_is_shown_of_a_query_is_that_query(tmp_path: Path) -> None:
    for path in QUERIES:
        ran = cli("examples", path.relative_to(FIXTURES))
        assert (ran.status, ran.err) == (0, "")
        copy = tmp_path / "copy.rq"
        copy.write_text(ran.out, "utf-8")
        assert rsp.query(copy) == rsp.query(path)
    assert "--query @secret/fig4 --stream" in cli("examples", "secret/fig4").out
    shown = cli("examples", "@rsp-ql/S_nearby")
    assert shown.out == (FIXTURES / "rsp-ql" / "S_nearby.jsonl").read_text("utf-8")


def test_examples_are_copied_into_a_new_folder(tmp_path: Path) -> None:
    assert cli("examples", "--copy", tmp_path / "all").status == 0
    for path in FIXTURES.glob("*/*.*"):
        if path.parent.name == "suite":  # which `export` copies
            continue
        copy = tmp_path / "all" / path.relative_to(FIXTURES)
        assert copy.read_bytes() == path.read_bytes()
    assert "exists already; name a new folder" in cli("examples", "--copy", tmp_path / "all").line()
    assert cli("examples", "lars/ex4", "--copy", tmp_path / "one").status == 0
    assert [p.name for p in (tmp_path / "one").rglob("*.*")] == ["ex4.rq"]


def test_the_python_api_takes_them_too() -> None:
    case = rsp.case(
        Path("@rsp-ql/ex10"),
        {":S_nearby": "@rsp-ql/S_nearby", ":S_coupon": "@rsp-ql/S_coupon"},
        rsp.profile("rsp-ql", report="WC[W2] & NC[W2]"),
        static=["@rsp-ql/shop-a@2..13", "@rsp-ql/shop-b@2.."],
    )
    assert case.judge("@rsp-ql/ex10-answers").correct


# --- ``demo``: what a newcomer sees first ---------------------------------------------------------


def test_the_demo_finds_shrinks_argues_and_names_a_defect(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.pytest]\naddopts = ["--nonsense"]\n')
    (tmp_path / "test_own.py").write_text("def test_own():\n    assert False\n")
    # Pytest warns of a plugin's module that is imported by then: of ours, as an installed package.
    environment = {**os.environ, "PYTEST_PLUGINS": "rsp_conformance.cli.demo"}
    shown = run_process("demo", cwd=tmp_path, env=environment)
    assert "Warning" not in shown.out and "collected" not in shown.out
    assert shown.status == 0 and "test_own" not in shown.out, shown.out + shown.err
    assert shown.out.count("\nWhy  ") == 1
    assert "1 newest-only" in shown.out
    last = shown.out.partition("What to do next:\n")[2].splitlines()
    assert last and max(map(len, last)) <= 80
    (command,) = set(re.findall(r"^ *rsp-conformance replay (\S+)$", shown.out, re.M))
    assert [*tmp_path.rglob(f"crashes/*-{command}.json")]


# --- ``export``: the packaged suite, or one made of crash files -----------------------------------

FILES = Path(__file__).parents[2] / "tools" / "engines" / "crashes"
CRASHES = ("rsp-js-newest-only", "yasper-newest-window-only", "rsp-rs-istream-not-applied")


def test_the_packaged_suite_is_copied(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "suite"
    for _ in range(2):  # also over an earlier one
        ran = cli("export", folder)
        assert ran.status == 0, ran.err
        assert ran.out.startswith("The case suite is in")
    suite = read_suite(packaged_suite())
    assert read_suite(folder).tests == suite.tests
    beside = {p.name for p in packaged_suite().iterdir()} - {suite.path.name}
    assert {p.name for p in folder.iterdir()} == {
        *beside,
        *("cases", "manifest.json", "manifest.ttl"),
    }
    for name in beside:
        assert (folder / name).read_bytes() == (packaged_suite() / name).read_bytes()
    for entry in suite.tests:
        names = {p.name for p in (folder / "cases" / entry.name).iterdir()}
        assert names >= {"streams.jsonl", "streams.trig", "query.rq", "answers.json"}


def test_a_suite_of_crash_files(tmp_path: Path) -> None:
    """Each case stands there under the engine's dials; what the engine answered is wrong."""
    files = [FILES / f"{name}.json" for name in CRASHES]
    ran = cli("export", tmp_path, *(x for f in files for x in ("--crash", f)))
    assert ran.status == 0, ran.err
    tests = read_suite(tmp_path).tests
    assert [entry.name for entry in tests] == [*CRASHES]
    assert all(own.requires[0] for entry in tests for own in entry.cases)
    assert "by rsp-js" in tests[0].title
    assert (tmp_path / "README.md").exists() and (tmp_path / "runner.mjs").exists()


def test_the_same_cases_are_the_same_bytes(tmp_path: Path) -> None:
    """Whatever order sets have in a process."""
    files = [x for name in CRASHES for x in ("--crash", FILES / f"{name}.json")]
    written = []
    for seed in "12":
        ran = run_process("export", tmp_path / seed, *files, env={"PYTHONHASHSEED": seed})
        assert ran.status == 0, ran.err
        paths = sorted(p for p in (tmp_path / seed).rglob("*") if p.is_file())
        written.append({p.relative_to(tmp_path / seed): p.read_bytes() for p in paths})
    assert written[0] and written[0] == written[1]
