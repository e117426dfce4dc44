"""Verdicts on observations, by the reference model; each is computed once."""

from __future__ import annotations

from dataclasses import replace

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.limits import limited
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.sparql.open_points import may_be_refused
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation, relations_at_hand


def verdict_on(observation: Observation) -> Verdict | None:
    """Definition 26's verdict on an observation; None if there is none, for whatever reason.

    An engine that refuses a case as unsupported is not judged on it. Neither is an engine that was
    asked for what its own profile excludes or the reference model does not cover.

    Raises:
        LimitExceeded: the evaluation takes more than it may.
    """
    if not observation.is_answered:
        return None
    case, dials = observation.stimulus.case, observation.dials
    try:
        with limited():
            expectation = Expectation(case, dials, relations_at_hand(case))
            return judge(case, dials, observation.observed, expectation)
    except Unsupported:
        return None


def left_open(observation: Observation) -> str:
    """Name the open point that leaves the expected answer open, in words; empty if none does."""
    if not observation.is_answered:
        return ""
    try:
        with limited():
            judge(observation.stimulus.case, observation.dials, observation.observed)
    except LeftOpen as error:
        return error.why
    except (Unsupported, ValueError):
        pass
    return ""


def finding_of(
    property_name: str, subject: EngineUnderTest, observation: Observation, verdict: Verdict | None
) -> Finding | None:
    """The finding on an observation; None if nothing is wrong.

    An engine that rejects a query is right if by some reading the query is not legal.

    Args:
        property_name: the property that asked for it.
        subject: the engine.
        observation: the observation.
        verdict: the verdict on it; None without one.
    """
    failure = observation.failure
    if failure is None and (verdict is None or verdict.correct):
        return None
    is_query = failure is not None and failure.kind == "rejected" and failure.element is None
    if is_query and may_be_refused(observation.stimulus.case.query):
        return None
    return described(property_name, subject, observation, verdict)


def described(
    property_name: str,
    subject: EngineUnderTest,
    observation: Observation,
    verdict: Verdict | None = None,
) -> Finding:
    """An observation as a finding, with all that there is to say about it.

    Args:
        property_name: the property that asked for it.
        subject: the engine.
        observation: the observation.
        verdict: the verdict on it; None without one.
    """
    return Finding(
        property_name=property_name,
        engine=subject.hello.engine,
        version=subject.hello.version,
        profile=subject.profile,
        dials=observation.dials,
        case=observation.stimulus.case,
        pacing=observation.stimulus.pacing,
        query_text=observation.query_text,
        observed=observation.observed,
        verdict=None if observation.failure else verdict,
        failure=observation.failure,
        stderr=observation.stderr,
    )


def unstable(
    finding: Finding,
    again: Observation,
    message: str = "two runs of this case gave different answers",
) -> Finding:
    """A finding as one of kind ``unstable``: the same case, run again, got another answer.

    Args:
        finding: the finding.
        again: the observation of the second run.
        message: how the two runs differ, in words.
    """
    return replace(
        finding, verdict=None, failure=EngineFailure("unstable", message), again=again.observed
    )
