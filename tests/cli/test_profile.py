"""``profile``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rsp_conformance as rsp
from rsp_conformance.diagnosis.profile import identify
from tests.builders.command_line import cli
from tests.builders.drivers import toy

ASKED = ("profile", "--engine", "reference")


@pytest.fixture(autouse=True)
def few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"RANDOM": 1, "FINALISTS": 1, "ROUNDS": 1, "FOCI": ("windows", "any")}
    for name, value in few.items():
        monkeypatch.setattr(identify, name, value)
    # The declared profile and the bundled ones are begun with all the same.
    monkeypatch.setattr(identify, "coarse", lambda start, *, every: ())


def test_a_declared_profile_that_holds_is_written_down(tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    ran = cli(*ASKED, "--engine-option", "profile=c-sparql", "--out", out)
    assert ran.status == 0, ran
    assert "bounds = (o,c]\n" in ran.out
    assert "told from" in ran.out
    assert "It answered" in ran.out
    assert "would have answered" in ran.out
    assert "not told apart from" in ran.out
    assert "The answers contradict nothing that the engine declares.\n" in ran.out
    found = rsp.profile(out).base
    assert (found.text("report"), found.t0) == ("WC & NC", "first-aligned-close")
    assert found.windows_in == "default"
    assert [path.name for path in tmp_path.iterdir()] == ["found.json"]


def test_what_was_cut_short_is_shown_and_not_written(tmp_path: Path) -> None:
    """Such a profile may be wrong, and it would look like any other."""
    out = tmp_path / "found.json"
    ran = cli(*ASKED, "--max-time", "1", "--out", out)
    assert ran.status == 1 and not out.exists()
    assert ran.err.startswith("note: the search was cut short by --max-time 1; ")
    assert "as far as was asked" in ran.out and "bounds = (o,c]" in ran.out


def test_a_declared_dial_that_is_contradicted_is_named() -> None:
    """The seeded fault is the dial: an engine that declares one thing and does another."""
    options = ("--engine-option", "profile=cqels-2", "--engine-option", "fault=bounds-end")
    ran = cli(*ASKED, *options, "--format", "json")
    assert ran.status == 1, ran
    told = json.loads(ran.out)
    (wrong,) = [one for one in told["dials"] if one["contradicted"]]
    assert (wrong["dial"], wrong["declared"]) == ("bounds", "(o,c]")
    assert wrong["value"] != "(o,c]"
    assert "Under (o,c] it would have answered" in wrong["evidence"]
    assert told["profile"]["bounds"] == wrong["value"]
    assert told["explained"] == told["cases"]
    assert all(len(own) == 2 for own in told["spellings"])


def test_an_engine_that_answers_nothing_is_no_profile() -> None:
    assert "answers no query" in cli("profile", "--engine", toy("unsupported")).line()
