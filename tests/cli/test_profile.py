"""``profile``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rsp_conformance as rsp
from tests.builders.command_line import run_here

ASKED = ("profile", "--engine", "reference", "--max-time", "1")


def test_a_declared_profile_that_holds_is_written_down(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "found.json"
    ran = run_here(capsys, *ASKED, "--engine-option", "profile=c-sparql", "--out", out)
    assert ran.status == 0, ran
    assert "bounds = (o,c]\n" in ran.out
    assert "told from" in ran.out
    assert "It answered" in ran.out
    assert "would have answered" in ran.out
    assert "not told apart from" in ran.out
    said = "The answers contradict nothing that the engine declares, as far as was asked."
    assert said in ran.out
    found = rsp.profile(out).base
    assert (found.text("report"), found.t0) == ("WC & NC", "first-aligned-close")
    assert found.windows_in == "default"
    assert [path.name for path in tmp_path.iterdir()] == ["found.json"]


def test_a_declared_dial_that_is_contradicted_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The seeded fault is the dial: an engine that declares one thing and does another."""
    options = ("--engine-option", "profile=cqels-2", "--engine-option", "fault=bounds-end")
    ran = run_here(capsys, *ASKED, *options, "--format", "json")
    assert ran.status == 1, ran
    told = json.loads(ran.out)
    (wrong,) = [one for one in told["dials"] if one["contradicted"]]
    assert (wrong["dial"], wrong["declared"]) == ("bounds", "(o,c]")
    assert wrong["value"] != "(o,c]"
    assert "Under (o,c] it would have answered" in wrong["evidence"]
    assert told["profile"]["bounds"] == wrong["value"]
    assert told["explained"] == told["cases"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
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
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    assert says in run_here(capsys, *ASKED, *arguments).line()


def test_an_engine_that_answers_nothing_is_no_profile(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    driver = tmp_path / "mute.py"
    driver.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    echo = {'op': request['op'], 'id': request.get('id')}\n"
        "    if request['op'] == 'hello':\n"
        "        echo |= {'protocol': 1, 'engine': 'mute', 'version': '1', 'language': 'rsp-ql',\n"
        "                 'profile': 'rsp-ql', 'features': ['select']}\n"
        "    else:\n"
        "        echo['error'] = {'kind': 'unsupported', 'message': 'not today'}\n"
        "    print(json.dumps(echo), flush=True)\n"
    )
    ran = run_here(capsys, "profile", "--engine", f"stdio:python3 {driver}")
    assert "answers no query" in ran.line()
