"""From the answers to a trial to a finding that accuses nobody falsely.

1. The relation finds a contradiction between the engine's own answers.
2. The kit's specification must not contradict itself on the same trial, whatever z is; where it
   does, the relation is wrong and not the engine (``KitDisagreement``).
3. Where the profile leaves t0 open an engine may start elsewhere in each run. So if every answer is
   right by itself, for some z and under some reading of what the texts leave open, nothing is said;
   nor of an answer that they leave open altogether. A trial that the specification does not judge
   for another reason says something only if |Z| is 1.
4. The engine is asked the same cases again. One that does not repeat itself contradicts nothing:
   where one t0 is legal it is ``unstable``, else it is not accused here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod

from rsp_conformance.compare.contents import same_answers
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.verdict import described, finding_of, left_open, unstable, verdict_on
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.metamorphic.comparison import any_rows
from rsp_conformance.metamorphic.relation import MetamorphicRelation, Trial
from rsp_conformance.metamorphic.specified import specified
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.finding import (
    Contradiction,
    Finding,
    FollowUpCase,
    RelationViolation,
    last_lines,
)
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spec.starts import legal_starts

TEXTS_LEAVE_OPEN = "the texts leave an answer open"
EACH_RIGHT = "each answer is right by itself, from a start of its own"
Again = Callable[[Stimulus], Observation]
"""Asks the engine once more."""


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """What a trial comes to.

    ``finding`` is what is wrong; without one, ``excuse`` says why a contradiction accuses nobody,
    and ``compared`` whether answers with rows were compared, on which ``ground``. ``unsupported``
    is why the engine was not asked for some variant, ``not_judged`` which limit the kit's own
    evaluation went beyond.
    """

    finding: Finding | None = None
    compared: bool = False
    excuse: str = ""
    unsupported: str | None = None
    not_judged: str = ""
    ground: str = ""


def judge_trial(
    relation: MetamorphicRelation,
    trial: Trial,
    observations: Sequence[Observation],
    subject: EngineUnderTest,
    again: Again,
) -> TrialOutcome:
    """What the OBSERVATIONS on TRIAL, one a variant, say.

    Raises KitDisagreement where the specification contradicts itself on the trial.
    """
    name = relation.property_name
    for observation in observations:
        failed = finding_of(name, subject.asked(observation.stimulus), observation, None)
        if failed is not None:
            return TrialOutcome(failed, compared=True)
    for observation in observations:
        if observation.unsupported is not None:
            return TrialOutcome(unsupported=observation.unsupported)
    compared = any_rows(observations)
    try:
        with limited():
            incomparable = relation.incomparable(observations)
            if incomparable is not None:
                return TrialOutcome(excuse=incomparable)
            ended = partial(TrialOutcome, ground=relation.ground(observations))
            found = relation.contradiction(trial, observations)
            if found is None:
                return ended(compared=compared)
            guard(relation, trial, observations)
            verdicts = [_verdict(observation) for observation in observations]
    except LimitExceeded as error:
        return TrialOutcome(not_judged=error.what)
    excuse = excused(observations, verdicts, found)
    if excuse:
        # Answers that are right by themselves have been compared, if not with each other.
        right = None not in verdicts
        return ended(compared=compared and right, excuse=excuse)
    for observation in observations:
        second = again(observation.stimulus)
        whole = second.failure is None and second.unsupported is None
        numbers = observation.dials.numbers
        if whole and same_answers(observation.observed, second.observed, numbers):
            continue
        if whole and observation.dials.t0 != "any":
            asked = subject.asked(observation.stimulus)
            differing = unstable(described(name, asked, observation), second)
            return ended(differing, compared=True)
        return ended(excuse="the engine does not repeat itself")
    cases = _follow_up_cases(trial, observations, verdicts)
    violation = RelationViolation(relation.statement, relation.source, cases, found)
    stderr = last_lines(*(one.stderr for one in observations))
    finding = described(name, subject, observations[0])
    finding = replace(finding, violation=violation, stderr=stderr)
    return ended(finding, compared=True)


def _follow_up_cases(
    trial: Trial, observations: Sequence[Observation], verdicts: Sequence[Verdict | None]
) -> tuple[FollowUpCase, ...]:
    return tuple(
        FollowUpCase(
            label=variant.label,
            case=variant.case,
            query_text=observation.query_text,
            pacing=variant.stimulus.pacing,
            observed=observation.observed,
            verdict=verdict,
            unit=variant.stimulus.unit,
            second=variant.stimulus.second,
            follows=variant.follows,
            scale=variant.scale,
        )
        for variant, observation, verdict in zip(
            trial.variants, observations, verdicts, strict=True
        )
    )


def guard(relation: MetamorphicRelation, trial: Trial, observations: Sequence[Observation]) -> None:
    """Raise KitDisagreement where the specification's own answers contradict RELATION."""
    settings = {observation.stimulus: observation.dials for observation in observations}
    try:
        for answers in specified(trial, settings):
            said = relation.contradiction(trial, answers)
            if said is not None:
                raise KitDisagreement(
                    f"the specification contradicts the {relation.family} {relation.name}: "
                    f"{said.says}",
                    answers[0],
                )
    except (Unsupported, ValueError):
        return


def excused(
    observations: Sequence[Observation], verdicts: Sequence[Verdict | None], found: Contradiction
) -> str:
    """Why a contradiction accuses nobody; empty where it does."""
    if all(verdict is not None and verdict.correct for verdict in verdicts):
        return EACH_RIGHT
    if any(verdict is not None and not verdict.correct for verdict in verdicts):
        return ""
    points = filter(None, map(left_open, observations))
    if point := next(points, ""):
        return f"{TEXTS_LEAVE_OPEN}: {point}"
    if any(_starts(observation) > 1 for observation in observations):
        return "the profile leaves several starts open, and the specification does not judge"
    last = min(observation.stimulus.case.until for observation in observations)
    if observations[0].dials.advances == "elements" and (found.t is None or found.t >= last):
        return "what the elements after the end set off is nobody's fault"
    return ""


def _verdict(observation: Observation) -> Verdict | None:
    try:
        return verdict_on(observation)
    except ValueError:
        return None


def _starts(observation: Observation) -> int:
    case, dials = observation.stimulus.case, observation.dials
    windows = case.query.sliding_windows(dials.unit)
    return prod(len(legal_starts(window, case, dials)) for window in windows)
