"""Verdicts on exchanges, by the specification; each is asked for once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rsp_conformance.judge.confirm import confirmed_verdict
from rsp_conformance.judge.engine_under_test import Exchange, Subject
from rsp_conformance.model.errors import EnginesDisagree, Unsupported
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is said of an exchange: a verdict, or none.

    There is none where there is no answer to judge, and where SPARQL engines differ on what the
    answer should be (``dispute``).
    """

    verdict: Verdict | None = None
    dispute: EnginesDisagree | None = None


def verdict_on(exchange: Exchange) -> Verdict | None:
    """Definition 26's verdict; None where there is none, for whatever reason."""
    return ruling_on(exchange).verdict


def ruling_on(exchange: Exchange) -> Ruling:
    """Definition 26's verdict, or why there is none.

    An engine that refuses a case as unsupported is not judged on it. Neither is one asked for
    what its own profile excludes or the specification does not cover. No answer is called wrong
    on the word of one SPARQL library (``confirm``).
    """
    if exchange.failure is not None or exchange.unsupported is not None:
        return Ruling()
    try:
        case, dials = exchange.sample.case, exchange.dials
        return Ruling(confirmed_verdict(case, dials, exchange.observed))
    except EnginesDisagree as dispute:
        return Ruling(dispute=dispute)
    except Unsupported:
        return Ruling()


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
