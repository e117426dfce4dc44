"""What a property does with one case."""

from __future__ import annotations

from collections.abc import Callable

from rsp_conformance.judgement.failures import failure_of
from rsp_conformance.judgement.judge import described, finding_of, unstable, verdict_on
from rsp_conformance.judgement.subject import Exchange, Sample
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding
from rsp_conformance.spec.compare.answers import same_answers
from rsp_conformance.suite.context import Context, Judged
from rsp_conformance.suite.properties import Property

Keep = Callable[[Finding], None]
"""Writes a finding down, before it is raised."""


def sample_for(property: Property, case: Case) -> Sample:
    """How the engine is asked for CASE."""
    return Sample(case, "settled" if property.check == "settled" else "burst")


def check(property: Property, case: Case, context: Context, keep: Keep) -> None:
    """Raise a ConformanceFailure where the engine fails on CASE."""
    judged = context.judged(property.name, sample_for(property, case))
    if judged is None:
        return
    finding = context.finding(property.name, judged)
    if finding is None and property.check == "repeat":
        finding = _repeated(property, judged, context)
    if finding is not None:
        keep(finding)
        raise failure_of(finding)


def _repeated(property: Property, judged: Judged, context: Context) -> Finding | None:
    """What a second run of a judged case shows.

    Where every t0 is legal an engine may choose another one, so then the second answer is judged
    like the first; under one t0 the two must be the same.
    """
    exchange = judged.exchange
    if judged.verdict is None:
        return None
    again = context.again(exchange.sample)
    if again.failure is not None or again.unsupported is not None:
        return finding_of(property.name, context.subject, again, None)
    if differs(exchange, again):
        verdict = verdict_on(again)
        wrong = finding_of(property.name, context.subject, again, verdict)
        if wrong is None and exchange.dials.t0 == "any":
            return None
        if wrong is not None:
            return unstable(wrong, exchange)
        return unstable(described(property.name, context.subject, exchange), again)
    return None


def differs(one: Exchange, other: Exchange) -> bool:
    """Whether two exchanges on one sample gave different answers."""
    if one.failure or other.failure or one.unsupported or other.unsupported:
        kinds = [(e.failure.kind if e.failure else None, bool(e.unsupported)) for e in (one, other)]
        return kinds[0] != kinds[1]
    return not same_answers(one.observed, other.observed, one.dials.numbers)
