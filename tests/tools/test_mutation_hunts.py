"""What the hunts for several mutants count, and how long campaigns are played."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.adapters.reference.mutants import MUTANTS
from rsp_conformance.campaigns.unit import Signature
from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.model.setting import Setting
from rsp_conformance.run.properties import property_named
from tools.mutation import triples
from tools.mutation.campaigns import Pool, first_cases, played
from tools.mutation.faults import __main__ as faults
from tools.mutation.faults import measuring
from tools.mutation.faults.hunt import LIMIT, Hunt
from tools.mutation.faults.measuring import Measured
from tools.mutation.triples import Outcome, hunt


def cause(*mutants: str, or_else: tuple[str, ...] = ()) -> Cause:
    """A cause that is named, with rivals."""
    rivals = tuple(Setting(mutants=(name,)) for name in or_else)
    return Cause("+".join(mutants), Setting(mutants=mutants), alternatives=rivals)


# --- three mutants at once ------------------------------------------------------------------------


def test_a_mutant_is_named_alone_or_beside_a_rival_or_not() -> None:
    one, two, three = [*MUTANTS.values()][:3]
    others = [name for name in MUTANTS if name not in (one.name, two.name, three.name)]
    causes = (cause(one.name), cause(others[0], or_else=(two.name,)), cause(others[1]))
    outcome = Outcome((one, two, three), causes, 1.0, 2.0)
    assert [outcome.named(own) for own in outcome.mutants] == ["yes", "or", ""]
    assert outcome.wrong == [others[1]]
    (row,) = zip(*(column.cells for column in triples.table([outcome]).columns), strict=True)
    assert row[2] == three.name and row[3] == others[1]


def test_triples_show_under_one_profile_and_come_again() -> None:
    drawn = triples.triples(30, 7, MUTANTS)
    assert drawn == triples.triples(30, 7, MUTANTS) != triples.triples(30, 8, MUTANTS)
    for chosen in drawn:
        dials = [turned for own in chosen for turned in own.dials.items()]
        assert len({own.name for own in chosen}) == 3 and not any(own.mute for own in chosen)
        assert len({*dials}) == len(dict(dials))


def test_a_hunt_names_what_shows_and_says_what_no_case_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triples, "SUITE", [property_named("windows")])
    chosen = tuple(MUTANTS[name] for name in ("newest-only", "union-dedup", "path-bag"))
    outcome = hunt(chosen, examples=8, seed=0, folder=tmp_path)
    named = {own.name for own in chosen if outcome.named(own)}
    assert "newest-only" in named and not outcome.wrong
    assert "path-bag" in outcome.unseen and not named & {*outcome.unseen}


def test_a_wrong_name_or_a_missed_triple_is_the_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(*names: str) -> int:
        def found(chosen: tuple[triples.Mutant, ...], *_: object) -> Outcome:
            own = tuple(cause(each.name) for each in chosen) if not names else ()
            return Outcome(chosen, (*own, *map(cause, names)), 0.0, 0.0)

        monkeypatch.setattr(triples, "hunt", found)
        return triples.main(["--triples", "2"])

    assert named() == 0
    assert named("never-heard-of") == 1


# --- campaigns ------------------------------------------------------------------------------------


def pool(shown: str) -> Pool:
    """Cases of two foci; a mutant shows in every case of the second, and in none of the first."""
    plain = Signature((), (), (), "")
    rich = [Signature((), (), (), str(number)) for number in range(40)]
    return {
        "any": [(plain, frozenset())] * 40,
        "join": [(own, frozenset({shown})) for own in rich],
    }


def test_a_mutant_has_the_number_of_the_first_case_that_shows_it() -> None:
    found = first_cases(pool("newest-only"), seed=1, most=2_000, evenly=True)
    assert found.keys() == {"newest-only"}
    assert 1 <= found["newest-only"] <= 2_000
    assert found == first_cases(pool("newest-only"), seed=1, most=2_000, evenly=True)
    assert first_cases({"any": pool("x")["any"]}, seed=1, most=500, evenly=False) == {}


def test_the_table_has_the_mutants_that_some_case_shows(capsys: pytest.CaptureFixture[str]) -> None:
    played(pool("newest-only"), ["newest-only", "path-bag"], seeds=3, most=800)
    printed = capsys.readouterr().out
    assert "newest-only" in printed and "geometric mean" in printed
    assert "path-bag" not in printed


# --- what was measured is kept --------------------------------------------------------------------


def test_what_was_measured_takes_the_place_of_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "KEPT", kept := tmp_path / "measured.json")
    kept.write_text('{"union-dedup": {"seldom": true},\n"newest-only": {"seldom": true}}')
    found = Hunt("union-dedup", "union", (1, 3, LIMIT + 1, LIMIT + 1, LIMIT + 1), None)
    measuring.keep([Measured("union-dedup", found, "filter: 9"), Measured("newest-only", None)])
    assert json.loads(kept.read_text("utf-8")) == {
        "union-dedup": {
            "found_by": "union",
            "quartiles": [3, None, None],
            "elements": found.elements,
            "by_one_case": "filter: 9",
        },
        "newest-only": {"seldom": True},
    }


def test_what_was_measured_is_written_before_the_next_mutant_is_hunted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched(mutant: Mutant, seeds: int) -> Hunt:
        if mutant.name == "newest-only":
            raise KeyboardInterrupt
        return Hunt(mutant.name, "union", (2,) * seeds, 3)

    monkeypatch.setattr(measuring, "searched", searched)
    output = tmp_path / "folder" / "faults.json"
    with pytest.raises(KeyboardInterrupt):
        faults.main(["union-dedup", "newest-only", "--seeds", "2", "--output", str(output)])
    (row,) = json.loads(output.read_text("utf-8"))
    assert (row["fault"], row["property"], row["cases"]) == ("union-dedup", "union", [2, 2])


def test_mutants_are_hunted_in_two_processes(tmp_path: Path) -> None:
    """Run as people run it: what the main module itself defines, no other process can import."""
    call = [sys.executable, "-m", "tools.mutation.faults", "newest-only", "open-at-start"]
    call += ["--seeds", "2", "--jobs", "2", "--output", str(tmp_path / "faults.json")]
    run = subprocess.run(call, check=False, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert "2 of 2" in run.stdout
