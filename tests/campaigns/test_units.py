"""Units of work, what they cover, and how the next ones are chosen."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.campaigns.choice import Choice
from rsp_conformance.campaigns.signature import Coverage, geometry, points, signature
from rsp_conformance.campaigns.unit import Brought, Unit, foci_of
from rsp_conformance.campaigns.worker import UnitWork
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.usage import case_features
from rsp_conformance.run import asking
from rsp_conformance.run.lines import Lines
from rsp_conformance.run.record import Record
from tests.builders.findings import case_of, stream
from tests.campaigns.running import source


@pytest.fixture(scope="module")
def subject() -> EngineUnderTest:
    return source().meet()


def cases_of(unit: Unit, subject: EngineUnderTest) -> list[Case]:
    """The cases of which those of UNIT are chosen."""
    return [own.trial.variants[0].case for own in unit.draw(subject)]


def test_a_unit_is_drawn_alike_everywhere(subject: EngineUnderTest) -> None:
    unit = Unit(3, "filter", "7:3", 20)
    assert unit.draw(subject) == unit.draw(source().meet())
    assert cases_of(unit, subject) != cases_of(Unit(3, "filter", "8:3", 20), subject)


def test_of_a_unit_those_are_asked_that_exercise_what_is_rare(subject: EngineUnderTest) -> None:
    unit = Unit(1, "any", "0", 20)
    drawn = cases_of(unit, subject)
    rare, _ = Counter(f for case in drawn for f in sorted(case_features(case))).most_common()[-1]
    met = {t: 1_000 for c in drawn for t in signature(c, subject.profile.base).traits}
    (result,) = UnitWork(source(), met={**met, rare: 0})([unit])
    places = [own.place for own in unit.draw(subject)]
    having = {n for n, case in zip(places, drawn, strict=True) if rare in case_features(case)}
    assert having and having <= {row.place for row in result.rows}
    assert len(result.rows) == 20 < len(drawn)


def test_every_case_of_a_unit_has_its_row_and_what_is_known_does_not_come_back() -> None:
    (result,) = UnitWork(source("having-ignored"))([Unit(1, "aggregates", "0", 40)])
    assert len({row.place for row in result.rows}) == len(result.rows) == 40
    wrong = [row for row in result.rows if row.verdict == "wrong"]
    assert wrong and all(row.kind == "wrong rows" and row.case and not row.cause for row in wrong)
    new = {own.drawn.place for own in result.kept if own.outcome.accuses}
    assert new and new <= {row.place for row in wrong}
    assert set(result.seconds) >= {"drawing", "asking", "planning"}
    lines = Lines(source("having-ignored").meet())
    whole = {
        row.place: lines.format.read(Record, json.loads(row.record))
        for row in result.rows
        if row.record
    }
    for own in result.kept:
        read = whole[own.drawn.place]
        assert (read.digest, read.outcome, read.kind) == (own.digest, own.outcome, own.kind)
        assert (read.correct, read.reason) == (own.correct, own.reason)
    known = (KnownCause(Setting(mutants=("having-ignored",)), "known"),)
    work = UnitWork(source("having-ignored"), known)
    (result,) = work([Unit(1, "aggregates", "0", 40)])
    assert {row.cause for row in result.rows if row.verdict == "wrong"} == {"having-ignored"}
    assert not any(own.outcome.accuses for own in result.kept)


def test_coverage_counts_what_no_case_had_before(subject: EngineUnderTest) -> None:
    cases = cases_of(Unit(1, "any", "0", 30), subject)
    dials = subject.profile.base
    signatures = [signature(case, dials) for case in cases]
    coverage = Coverage()
    new = [point for own in signatures for point in coverage.add(own)]
    assert len(new) == len(set(new)) == len(coverage)
    assert {p for own in signatures for p in points(own)} == set(new)
    assert not any(coverage.add(own) for own in signatures)
    assert len({geometry(case, dials) for case in cases}) > 5


def test_a_signature_has_the_cells_of_its_case(subject: EngineUnderTest) -> None:
    pattern = "?s :p ?x OPTIONAL { ?s :q ?y } FILTER(?x > 1)"
    query = f"SELECT DISTINCT ?x FROM WINDOW :w ON :s [RANGE 3 STEP 1] {{ {pattern} }}"
    case = case_of(query, stream("s", ("a p 1", 1), ("a p 1", 9)), until=9, registered=1)
    own = signature(case, subject.profile.base)
    assert {"Filter > LeftJoin", "ORDER BY"}.intersection(own.paths) == {"Filter > LeftJoin"}
    assert {"DISTINCT, not grouped, query, no operator", "stream: integer"} <= {*own.paths}
    assert "integer > integer" in own.paths
    assert signature(case, subject.profile.base) == own, "though its solutions are at hand by now"
    assert own.geometry == (
        "1 windows on 1 streams, 2 elements, a width apart or more, registration late, slide 1, "
        "until before the last window closes, width 3 to 4"
    )


# --- the choice -----------------------------------------------------------------------------------


def learnt(choice: Choice, best: str) -> Choice:
    """CHOICE, after BEST alone has brought anything."""
    for focus in choice.foci:
        choice.learn(Brought(1, focus, 40, 400 if focus == best else 0))
    return choice


def test_what_brings_more_or_was_never_tried_comes_more_often(subject: EngineUnderTest) -> None:
    choice = learnt(Choice(foci_of(subject), "0"), "functions")
    chosen = Counter(unit.focus for unit in choice.units(1, [40] * 1500))
    assert chosen["functions"] > 500
    assert set(chosen) == set(choice.foci), "no focus is given up"
    choice = Choice(foci_of(subject), "0")
    choice.learn(Brought(1, "any", 40, 400))
    assert choice.weights()["long"] == choice.weights()["any"]


def test_a_choice_depends_on_its_seed_and_on_what_was_learnt(subject: EngineUnderTest) -> None:
    def units(seed: str) -> list[Unit]:
        return learnt(Choice(foci_of(subject), seed), "any").units(5, [40] * 20)

    assert units("1") == units("1") != units("2")
    assert [unit.number for unit in units("1")] == [*range(5, 25)]


def test_a_unit_asks_no_more_of_an_engine_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: ReferenceEngine, request: Any) -> Any:
        raise RuntimeError("gone")

    monkeypatch.setattr(ReferenceEngine, "run", run)
    monkeypatch.setattr(asking, "LOST", frozenset({"crashed"}))
    (first,) = UnitWork(source())([Unit(1, "any", "0", 20)])
    assert Counter(row.verdict for row in first.rows) == {"failed": 10, "unasked": 10}
    assert len(first.kept) == 1
    (cause,) = {row.cause for row in first.rows if row.cause}
    known = KnownCause(fingerprint=cause.removeprefix("?-"), reason="known")
    (again,) = UnitWork(source(), (known,), impatient=True)([Unit(1, "any", "0", 20)])
    assert Counter(row.verdict for row in again.rows) == {"failed": 1, "unasked": 19}
    assert again.kept == []
