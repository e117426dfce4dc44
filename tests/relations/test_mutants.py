"""Each relation finds the mutant that is seeded for it, argues it, and replays it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.adapters.reference.mutants import RELATION_MUTANTS
from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.relations.registry import BETWEEN_CASES
from rsp_conformance.run.properties import property_named
from tests.builders.command_line import cli
from tests.relations.test_other_windows import FINDS
from tools.mutation.faults.hunt import LIMIT, first_failing, mutated, shrunk


def test_there_is_a_mutant_for_each() -> None:
    names = [mutant.relation for mutant in RELATION_MUTANTS.values()]
    # Those that compare kinds of windows find bugs that cases over such windows show, too.
    by_others = {name for _, _, name in FINDS}.difference(names)
    assert sorted([*names, *by_others]) == sorted(r.property_name for r in BETWEEN_CASES)


@pytest.mark.parametrize("name", RELATION_MUTANTS)
def test_the_relation_finds_its_mutant(name: str) -> None:
    mutant = RELATION_MUTANTS[name]
    tested, property = mutated(mutant), property_named(mutant.relation)
    assert any(first_failing(tested, property, seed, LIMIT) for seed in range(4))


@pytest.mark.parametrize(
    "name", ["short-clock", "last-instant-waits", "names-cut", "wide-tumbling"]
)
def test_it_is_argued_kept_and_replayed(name: str, tmp_path: Path) -> None:
    mutant = RELATION_MUTANTS[name]
    tested = mutated(mutant)
    finding = shrunk(tested, property_named(mutant.relation), 0, LIMIT)
    assert finding is not None and finding.violation is not None
    assert finding.kind == "contradiction"

    text = failure_report(finding, width=80, max_lines=60, by_dial=by_dial)
    assert len(text.splitlines()) <= 60 and max(map(len, text.splitlines())) <= 80
    plain = " ".join(text.split())
    assert finding.violation.statement.rstrip(".") in plain
    assert "Why the answers cannot all be right" in text
    assert "is wrong" in plain and "is right" in plain

    keeper = Keeper(tmp_path, "reference", {"fault": name}, "0")
    file = keeper.keep(finding, tested)
    crash = read(file)
    assert len(crash.cases) == len(crash.requests) == len(finding.violation.cases)
    ran = cli("replay", file)
    assert ran.status == 1 and ran.out.startswith(f"FAILED: {mutant.relation} on reference\n")
    ran = cli("replay", file, "--engine-option", "fault=none")
    assert (ran.status, ran.out) == (0, f"FIXED: {mutant.relation} on reference\n")
