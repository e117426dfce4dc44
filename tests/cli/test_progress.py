"""A command that takes long says what it does: at a terminal, and in a log; not if it is quick."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

import rsp_conformance as rsp
from rsp_conformance.cli import export, progress, w3c
from rsp_conformance.corpora.w3c.suites import Checkout, find_checkout
from rsp_conformance.model.profiles import Profile
from rsp_conformance.test_suite.entry import SuiteEntry
from tests.builders.command_line import cli
from tests.docs.markdown import ROOT

CRASHES = ROOT / "tools" / "engines" / "crashes"
ELEMENTS = 5_000
"""So many elements take longer than any interval here: some tenths of a second."""


@pytest.fixture
def command(tmp_path: Path) -> list[object]:
    """A command over a stream of `ELEMENTS`."""
    lines = (
        {"t": t, "graph": f"<http://ex.org/a> <http://ex.org/p> <http://ex.org/b{t % 7}> ."}
        for t in range(1, ELEMENTS + 1)
    )
    stream, query = tmp_path / "s.jsonl", tmp_path / "q.rq"
    stream.write_text("".join(json.dumps(line) + "\n" for line in lines))
    query.write_text(
        "PREFIX : <http://ex.org/> SELECT (COUNT(*) AS ?n) "
        "FROM NAMED WINDOW :w ON STREAM :s [RANGE 10 STEP 10] WHERE { WINDOW :w { ?x :p ?y } }"
    )
    return ["answers", "--query", query, "--stream", f":s={stream}", "--t0", ":w=0"]


def test_a_log_has_lines_unless_the_command_is_quick(
    command: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUICK", 60.0)
    ran = cli(*command, log=True)
    assert (ran.status, ran.err) == (0, "")
    monkeypatch.setattr(progress, "QUICK", 0.01)
    monkeypatch.setattr(progress, "LOGGED", 0.01)
    ran = cli(*command, log=True)
    lines = ran.err.splitlines()
    assert ran.status == 0
    # Which thousand a line tells of depends on the machine's speed.
    said = r"rsp-conformance: \d+ s: "
    reading = re.compile(f"{said}reading the streams, [1-5],000 of 5,000 elements")
    assert any(map(reading.fullmatch, lines))
    computing = re.compile(rf"{said}computing the answers over 5,000 elements, \d\d?%")
    assert any(map(computing.fullmatch, lines))
    assert lines[-1].endswith(": ended")
    assert ran.out.startswith("t ")


def test_of_several_streams_the_whole_is_known_once_the_last_is_read(
    command: list[object], tmp_path: Path
) -> None:
    told = []
    files = {":s": str(tmp_path / "s.jsonl"), ":other": str(tmp_path / "other.n3t")}
    triple = "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b>"
    lines = (f"{triple} {t} ." for t in range(1, 2_002))
    (tmp_path / "other.n3t").write_text("# A comment.\n" + "\n".join(lines))
    rsp.case(tmp_path / "q.rq", files, "rsp-ql", tell=lambda *own: told.append(own))
    assert told[:4] == [(1_000, 0), (2_000, 0), (3_000, 0), (4_000, 0)]
    assert told[4:] == [(6_000, 7_001), (7_000, 7_001)]


@pytest.mark.parametrize(("quick", "shown"), [(0.05, True), (60.0, False)])
def test_a_terminal_has_a_line_that_goes_away(
    quick: float, shown: bool, command: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUICK", quick)
    monkeypatch.setenv("TERM", "xterm")
    ran = cli(*command, terminal=True)
    assert ran.status == 0
    assert ("reading the streams" in ran.err) is shown
    assert bool(ran.err) is shown


def test_a_check_of_an_engine_says_which_step_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "QUICK", 0.0)
    said = cli("engines", "check", "reference", log=True).err.splitlines()
    assert said[0].endswith(" s: checking reference")
    assert said[-1].endswith(" s: checking reference: restart, 7 of 7: ended")


def test_an_export_for_a_profile_says_which_case_it_is_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(entry: SuiteEntry, profile: Profile) -> SuiteEntry:
        time.sleep(0.1)
        return entry

    monkeypatch.setattr(progress, "QUICK", 0.01)
    monkeypatch.setattr(progress, "LOGGED", 0.05)
    monkeypatch.setattr(export, "for_profile", slow)
    crash = CRASHES / "yasper-each-window-alone.json"
    ran = cli("export", tmp_path / "s", "--crash", crash, "--profile", "yasper", log=True)
    assert ran.status == 0
    assert " s: finding the answers for yasper, 0 of 1\n" in ran.err


def test_the_manifests_of_w3c_are_read_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(folder: Path) -> Checkout:
        time.sleep(0.3)
        return find_checkout(folder)

    monkeypatch.setattr(progress, "QUICK", 0.01)
    monkeypatch.setattr(w3c, "find_checkout", slow)
    ran = cli("w3c", tmp_path, log=True)
    assert ran.status == 2 and " s: reading the manifests\n" in ran.err
