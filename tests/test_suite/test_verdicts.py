"""A suite's legal answers give the verdicts of Definition 26."""

from __future__ import annotations

from collections import Counter

import pytest

from rsp_conformance.diagnosis.simulation import BEYOND
from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.limits import limited
from rsp_conformance.model.answers import Observed
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.test_suite.answered import under_profile
from rsp_conformance.test_suite.legal import same_answer
from tests.test_suite.conftest import named, packaged
from tools.curation.kills import ALL_MUTANTS, KILLABLE, may_kill, mutant_answers, reports_as

PARTS = 12
"""The tests of the suite in so many parts, for processes to share."""


def part_of(number: int) -> list[str]:
    return [entry.name for entry in packaged().tests][number::PARTS]


@pytest.mark.parametrize("part", range(PARTS))
def test_every_mutant_is_judged_as_by_definition_26(part: int) -> None:
    """Every case from the first z, with mutants in turns; and without a mutant from every z."""
    wrong = right = 0
    for place, name in enumerate(part_of(part)):
        entry = named(name)
        starts = next(iter(rspql_queries(entry.case, entry.dials)))
        mutants = [ALL_MUTANTS[n] for n in KILLABLE if may_kill(entry, ALL_MUTANTS[n])]
        for mutant in mutants[place % 4 :: 4]:
            dials = reports_as(mutant, entry.dials)
            try:
                with limited():
                    observed = mutant_answers(entry, dials, starts, mutant)
                    if entry.unmet(dials):
                        continue
                    verdict = judge(entry.case, entry.judged_under(dials), observed).correct
            except BEYOND:
                continue
            assert entry.is_right(observed, dials) == verdict, (name, mutant.name)
            wrong, right = wrong + (not verdict), right + verdict
        for z in rspql_queries(entry.case, entry.dials):
            observed = mutant_answers(entry, entry.dials, z)
            assert entry.is_right(observed, entry.dials), (name, z)
    assert wrong and right


@pytest.mark.parametrize("part", range(0, PARTS, 3))
def test_a_right_engine_is_right_under_every_profile(part: int) -> None:
    """Its answers are those of its profile, found anew: neither fewer nor more are legal."""
    held = Counter[str]()
    entries = packaged().tests[part::PARTS]
    for entry in entries:
        for profile in map(bundled_profile, profile_names()):
            own = entry.under(lambda case, profile=profile: profile.dials(case.query))  # type: ignore[misc]
            dials = profile.dials(own.case.query)
            made = under_profile(entry.cases[0], profile)
            if own.unmet(dials):
                assert made is None, (entry.name, profile.name)
                continue
            if made is None:  # Nothing is due: a silent engine is right.
                continue
            held[profile.name] += 1
            if made.case.query == own.case.query:  # FROM WINDOW is a text of plain RSP-QL's, too
                assert made.start == own.start, (entry.name, profile.name)
                legal = [any(same_answer(a, b) for b in own.legal) for a in made.legal]
                assert legal == [True] * len(own.legal), (entry.name, profile.name)
    # Of these some have no merged form, no row that is due, or a clause that the profile refuses.
    assert min(held.values()) > 0.6 * len(entries), held


def test_nothing_and_too_much_are_wrong() -> None:
    for name in part_of(0):
        entry = named(name)
        assert not entry.is_right((), entry.dials) or () in [
            tuple(e for e in answer if e.compared) for answer in entry.legal
        ]
        legal = [Observed(e.evaluation.t, e.evaluation.content) for e in entry.legal[0]]
        assert entry.is_right(legal, entry.dials)
        compared = [e for e in entry.legal[0] if e.compared]
        if compared:
            again = Observed(compared[-1].evaluation.t, compared[-1].evaluation.content)
            assert not entry.is_right([*legal, again], entry.dials), name
