"""From the verdict to the crash file and the report each Ans(Q_z) is computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Vector
from rsp_conformance.protocol import registry
from rsp_conformance.spec import trace
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.reporting import Reporter
from rsp_conformance.spec.starts import rspql_queries
from tests.explain.findings import FINDINGS


class Work:
    """What the specification has been asked, by dials and z."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.expectations: Counter[Dials] = Counter()
        self.traces: Counter[tuple[Dials, Vector]] = Counter()
        self.walks: Counter[tuple[Dials, Vector]] = Counter()
        expectation, evaluations = trace.Expectation, Reporter.evaluations
        created, steps = expectation.__init__, expectation.steps

        def creating(
            own: trace.Expectation,
            case: Case,
            dials: Dials,
            relations: trace.Relations | None = None,
        ) -> None:
            self.expectations[dials] += 1
            created(own, case, dials, relations)

        def tracing(own: trace.Expectation, starts: Vector) -> Iterator[trace.TraceStep]:
            self.traces[own.dials, starts] += 1
            return steps(own, starts)

        def walking(own: Reporter) -> Iterator[object]:
            self.walks[own.dials, own.starts] += 1
            return evaluations(own)

        monkeypatch.setattr(expectation, "__init__", creating)
        monkeypatch.setattr(expectation, "steps", tracing)
        monkeypatch.setattr(Reporter, "evaluations", walking)


@pytest.mark.parametrize("name", ["stale-join", "silent", "istream-ignored", "arrival"])
def test_every_answer_of_a_profile_is_computed_once(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    work = Work(monkeypatch)
    FINDINGS[name].cache_clear()
    finding = FINDINGS[name]()
    with registry.connect("reference") as engine:
        Keeper(tmp_path, "reference", {}, "1").keep(finding, EngineUnderTest.meet(engine))
    failure_report(finding, by_dial=by_dial)

    assert work.expectations and set(work.expectations.values()) == {1}
    assert set(work.traces.values()) == {1}
    assert work.walks == work.traces
    # Z is small, so the argument looks at all of it.
    legal = set(rspql_queries(finding.case, finding.dials))
    assert {z for dials, z in work.traces if dials == finding.dials} == legal


def test_an_argument_needs_no_trace_to_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Traces of long streams are not kept; the text is the same."""
    finding = FINDINGS["stale-join"]()
    kept = failure_report(finding, by_dial=by_dial)
    monkeypatch.setattr(trace, "KEPT", 0)
    verdict = judge(finding.case, finding.dials, finding.observed)
    assert failure_report(replace(finding, verdict=verdict), by_dial=by_dial) == kept
