"""``matrix``: several engines beside each other, and the causes behind what failed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.command_line import cli
from tests.builders.drivers import toy

FEW = ("--property", "windows", "--property", "union", "--examples", "15")


def test_engines_stand_beside_each_other_with_their_causes_on_a_site_too(tmp_path: Path) -> None:
    site = tmp_path / "site"
    options = ("--engine-option", "reference:fault=union-dedup", "--dir", tmp_path)
    found = cli("matrix", "--engine", "reference", *options, *FEW, "--report", site)
    assert found.status == 1
    lines = [line.split() for line in found.out.splitlines()]
    assert ["windows", "ok"] in lines
    assert ["union", "1"] in lines
    assert "1 union-dedup: UNION drops the solutions that both sides have." in found.out
    assert found.out.splitlines()[-1] == f"As a site: {site / 'index.html'}"
    (page,) = (own for own in site.glob("reference-*.html"))
    assert "Its smallest case, of " in page.read_text("utf-8")
    assert "union-dedup" in (site / "causes.html").read_text("utf-8")
    line = cli("matrix", "--engine", "reference", "--report", site / "index.html").line()
    assert "--report" in line


def test_json_has_the_verdicts_and_the_causes_of_all_faults(tmp_path: Path) -> None:
    few = ("--engine", "reference", "--dir", tmp_path, "--format", "json", *FEW)
    found = cli("matrix", *few)
    assert found.status == 0
    (row,) = json.loads(found.out)
    assert row["properties"] == {"windows": "passed", "union": "passed"}
    assert (row["engine"], row["passed"], row["causes"]) == ("reference", True, [])
    faults = ("union-dedup", "newest-only")
    given = [*(f"fault={name}" for name in faults), "dial.t0=0"]
    options = [part for one in given for part in ("--engine-option", f"reference:{one}")]
    few = ("--engine", "reference", *options, "--dir", tmp_path, "--format", "json", *FEW)
    (row,) = json.loads(cli("matrix", *few).out)
    assert {name for cause in row["causes"] for name in cause["mutants"]} == set(faults)


def test_every_engine_is_met_before_the_first_is_asked(tmp_path: Path) -> None:
    few = ("--engine", "reference", "--engine", "yaspr", "--dir", tmp_path, *FEW)
    assert "did you mean 'yasper'" in cli("matrix", *few).line()
    assert not tmp_path.joinpath("crashes").exists()


def test_an_engine_that_is_lost_costs_the_others_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    broken = toy("silent --hello=once")
    engines = ("--engine", broken, "--engine", "reference")
    found = cli("matrix", *engines, "--dir", tmp_path, *FEW)
    assert found.status == 1
    lines = [line.split() for line in found.out.splitlines()]
    assert ["windows", "LOST", "ok"] in lines
    assert f"note: --engine {broken}: " in found.err
