"""A contradiction, as a reader meets it: on a page, with what sets the cases apart."""

from __future__ import annotations

import pytest

from rsp_conformance.explain.report import report
from rsp_conformance.judgement.subject import Exchange, Subject
from rsp_conformance.model.finding import Finding
from rsp_conformance.relations.judging import judge_trial
from rsp_conformance.relations.relation import Relation
from rsp_conformance.suite.properties import property_named
from tests.relations.dials import subject
from tests.strategies.conftest import draw_many

__all__ = ["draw_many"]


def first_finding(relation: Relation, tested: Subject, trials: list) -> Finding:  # type: ignore[type-arg]
    for trial in trials:
        exchanges: list[Exchange] = [tested.ask(sample) for sample in trial.samples]
        found = judge_trial(relation, trial, exchanges, tested, tested.ask).finding
        if found is not None:
            return found
    raise AssertionError("nothing was found")


@pytest.mark.parametrize("name", ["law[H2]", "law[FWPush]", "relation[partition]"])
def test_queries_are_shown_before_answers_that_agree(name: str, draw_many) -> None:  # type: ignore[no-untyped-def]
    relation = property_named(name).relation
    assert relation is not None
    tested = subject({}, fault="window-filter-forgotten")
    finding = first_finding(relation, tested, draw_many(relation.trials(tested), 60))
    text = report(finding, width=80, max_lines=60)
    assert len(text.splitlines()) <= 60
    assert "Why the answers cannot all be right" in text
    assert finding.related is not None
    for asked in finding.related.asked[1:]:
        *_, last = text.split(f"What differs: {asked.label}")
        assert "FILTER" in last.split("\n\n")[0]
