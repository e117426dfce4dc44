"""Before a shrunk failure is shown: have it confirmed, and see whether it comes again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rsp_conformance.judge.engine_under_test import Observation, Stimulus
from rsp_conformance.judge.failures import ConformanceFailure
from rsp_conformance.judge.verdict import described, verdict_on
from rsp_conformance.model.finding import EngineFailure, Finding, RelationViolation
from rsp_conformance.suite.asking import LOST
from rsp_conformance.suite.checks import differs
from rsp_conformance.suite.context import Context
from rsp_conformance.suite.events import Working
from rsp_conformance.suite.memory import JudgedObservation
from rsp_conformance.suite.reference_opinion import reading_of

REPEATS = 3
"""A failure is run again so often before it is reported."""


def confirm(failures: Sequence[ConformanceFailure], context: Context, judged_by: str) -> None:
    """Confirm FAILURES of a property, or make them failures of kind ``unstable``.

    JUDGED_BY is said to have confirmed them. Raises KitDisagreement where the kit's own
    implementations differ on a case.
    """
    doubtful = [failure for failure in failures if failure.finding.kind != "unstable"]
    known = [context.memory.known(_stimulus(failure.finding)) for failure in doubtful]
    context.opinions.once(own for own in known if own is not None)
    for failure in doubtful:
        failure.finding = replace(failure.finding, reading=reading_of(failure.finding))
        violation = failure.finding.violation
        if violation is not None:
            # Before it was raised, the engine was asked each of the cases twice.
            context.opinions.ask(_judged(failure.finding, violation))
            told = any(asked.verdict is not None for asked in violation.cases)
            failure.confirmed = _confirmation(judged_by if told else "", 1, same=True)
            continue
        judged = context.memory.known(_stimulus(failure.finding))
        if judged is not None and context.asking.broken is None:
            _run_again(failure, judged, context, judged_by)


def _run_again(
    failure: ConformanceFailure, judged: JudgedObservation, context: Context, judged_by: str
) -> None:
    finding = failure.finding
    context.emit(Working(finding.property_name, "confirming"))
    # A case that costs the driver its life, or a whole time limit, is run again only once.
    repeats = 1 if finding.kind in LOST else REPEATS
    same = True
    for _ in range(repeats):
        again = context.asking.again(_stimulus(finding))
        differ = differs(judged.observation, again)
        # Where every t0 is legal an engine may start elsewhere each time, and be wrong each time.
        if not _fails(again) or (differ and finding.dials.t0 != "any"):
            failure.finding = _unstable(finding, again, context)
            return
        same = same and not differ
    by = judged_by if finding.verdict is not None else ""
    failure.confirmed = _confirmation(by, repeats, same=same)


def _confirmation(judged_by: str, repeats: int, *, same: bool) -> str:
    """Who confirmed a failure, if anybody judged it, and how often it came again."""
    times = "once" if repeats == 1 else f"{repeats} times"
    said = f"reproduced {times}" if same else f"wrong again {times}, in different ways"
    return f"Judged by {judged_by}; {said}." if judged_by else f"{said.capitalize()}."


def _stimulus(finding: Finding) -> Stimulus:
    return Stimulus(finding.case, finding.pacing)


def _judged(finding: Finding, violation: RelationViolation) -> list[JudgedObservation]:
    """The cases of a contradiction on which the specification has a verdict."""
    return [
        JudgedObservation(
            Observation(
                Stimulus(asked.case, asked.pacing, asked.unit),
                finding.dials if asked.unit is None else replace(finding.dials, unit=asked.unit),
                asked.query_text,
                asked.observed,
            ),
            asked.verdict,
        )
        for asked in violation.cases
        if asked.verdict is not None
    ]


def _fails(observation: Observation) -> bool:
    if observation.failure is not None:
        return True
    verdict = verdict_on(observation)
    return verdict is not None and not verdict.correct


def _unstable(finding: Finding, again: Observation, context: Context) -> Finding:
    """FINDING as one of kind ``unstable``: run again, the same case went otherwise."""
    first = described(
        finding.property_name,
        context.subject,
        replace(again, observed=finding.observed, unsupported=None),
    )
    message = f"one run of this case ended in {finding.kind!r}, {_said(again)}"
    failure = EngineFailure("unstable", message)
    return replace(first, verdict=None, failure=failure, again=again.observed)


def _said(again: Observation) -> str:
    if again.unsupported is not None:
        return "another in 'unsupported'"
    if again.failure is not None:
        return f"another in {again.failure.kind!r}"
    return "another was right" if not _fails(again) else "another gave a different answer"
