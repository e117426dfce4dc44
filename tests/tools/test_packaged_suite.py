"""The packaged suite: small, complete, and without a case that is not needed."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from rsp_conformance.model.features import FEATURES
from rsp_conformance.test_suite.answered import suite_entry
from rsp_conformance.test_suite.manifest import packaged_suite
from tests.test_suite.conftest import claims, named, packaged
from tools.curation.coverage import all_points, is_missing
from tools.curation.curate import all_points_of, candidate_of, titled, untold
from tools.curation.kills import ALL_MUTANTS, KILLABLE, NOT_POSSIBLE, kills
from tools.curation.papers import paper_cases
from tools.curation.table import coverage_page

PARTS = 12


def test_it_is_small() -> None:
    papers = {one.entry.name for one in paper_cases()}
    assert len(packaged().tests) <= 400
    assert papers <= {entry.name for entry in packaged().tests}
    for entry in packaged().tests:
        (own, *_), name = entry.cases, entry.name
        few = len(own.case.elements) <= 6 or name in papers or name.startswith(CROWDED)
        assert few and bool(own.source) == (name in papers), name
    files = [path for path in packaged_suite().rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 1_500_000


def test_everything_is_covered() -> None:
    covered = frozenset().union(*claims().values())
    for kind, wanted in all_points().items():
        if kind != "profile":
            assert [point for point in wanted if is_missing(point, covered)] == []


def test_every_mutant_is_killed() -> None:
    covered = frozenset().union(*claims().values())
    assert [name for name in KILLABLE if f"kill:{name}" not in covered] == []
    assert set(ALL_MUTANTS) == {*KILLABLE, *NOT_POSSIBLE}


def test_its_readme_has_the_dials() -> None:
    docs = Path(__file__).parents[2] / "docs" / "dials.md"
    table = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", docs.read_text("utf-8"))
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    readme = (packaged_suite() / "README.md").read_text("utf-8").splitlines()
    assert rows and [row for row in rows if row not in readme] == []


def test_its_readme_says_what_each_feature_is() -> None:
    """In the words of docs/features.md; all of them, for suites of crash files have it as well."""
    docs = (Path(__file__).parents[2] / "docs" / "features.md").read_text("utf-8")
    readme = (packaged_suite() / "README.md").read_text("utf-8").partition("## Features")[2]
    said = [line for line in readme.splitlines() if line.startswith("| `")]
    assert [line for line in said if line not in docs.splitlines()] == []
    named = [line.split("`")[1] for line in said]
    assert len(named) == len(set(named)) and set(named) == set(FEATURES)
    cases = (own for entry in packaged().tests for own in entry.cases)
    assert {feature for own in cases for feature in own.features} <= set(named)


def test_no_case_is_redundant() -> None:
    papers = {one.entry.name for one in paper_cases()}
    times = Counter(point for found in claims().values() for point in found)
    assert set(claims()) == {entry.name for entry in packaged().tests}
    for name, found in claims().items():
        assert name in papers or any(times[point] == 1 for point in found), name


CROWDED = "mutant-buffer-of-64"
"""What fills a buffer of 64 has more elements than any other case."""


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_claimed_is_so(part: int) -> None:
    """For one of a part of the cases all that it covers; of every case a kill, if it has one."""
    own = [*claims().items()][part::PARTS]
    # A case of many elements takes as long as all others together.
    whole = next(name for name, _ in own if len(named(name).case.elements) <= 6)
    for name, said in own:
        killed = min((p.removeprefix("kill:") for p in said if p.startswith("kill:")), default="")
        assert not killed or kills(named(name), ALL_MUTANTS[killed]), (name, killed)
    one = candidate_of(next(e for e in packaged().tests if e.name == whole), claims()[whole])
    laws = {f"law:{law}" for law in one.laws}
    told = frozenset[str]().union(*claims().values())
    found = all_points_of(one) | untold(one, told)
    assert found | laws == claims()[whole] | laws, whole
    assert titled(suite_entry(one.entry, "0")) == next(
        e for e in packaged().tests if e.name == whole
    )


def test_the_page_is_that_of_the_suite() -> None:
    assert (packaged_suite() / "coverage.md").read_text("utf-8") == coverage_page(claims())
