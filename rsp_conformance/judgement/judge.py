"""Verdicts on exchanges, by the specification; each is asked for once."""

from __future__ import annotations

from dataclasses import replace

from rsp_conformance.judgement.subject import Exchange, Subject
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spec import correctness


def verdict_on(exchange: Exchange) -> Verdict | None:
    """Definition 26's verdict; None where there is no answer to judge.

    An engine that refuses a case as unsupported is not judged on it. Neither is one asked for
    what its own profile excludes or the specification does not cover.
    """
    if exchange.failure is not None or exchange.unsupported is not None:
        return None
    try:
        return correctness.judge(exchange.sample.case, exchange.dials, exchange.observed)
    except Unsupported:
        return None


def finding_of(
    property_name: str, subject: Subject, exchange: Exchange, verdict: Verdict | None
) -> Finding | None:
    """What is wrong with EXCHANGE, or None."""
    if exchange.failure is None and (verdict is None or verdict.correct):
        return None
    return described(property_name, subject, exchange, verdict)


def described(
    property_name: str, subject: Subject, exchange: Exchange, verdict: Verdict | None = None
) -> Finding:
    """EXCHANGE with all that there is to say about it."""
    return Finding(
        property_name=property_name,
        engine=subject.hello.engine,
        version=subject.hello.version,
        profile=subject.profile,
        dials=exchange.dials,
        case=exchange.sample.case,
        pacing=exchange.sample.pacing,
        query_text=exchange.query_text,
        observed=exchange.observed,
        verdict=None if exchange.failure else verdict,
        failure=exchange.failure,
    )


def unstable(finding: Finding, again: Exchange) -> Finding:
    """FINDING as one of kind ``unstable``: the same case, run again, answered AGAIN."""
    message = "two runs of this case gave different answers"
    return replace(
        finding, verdict=None, failure=EngineFailure("unstable", message), again=again.observed
    )
