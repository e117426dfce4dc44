"""Judges a trial: from the answers to its variants to a finding that reports no correct engine.

1. The relation finds a contradiction between the engine's own answers.
2. The reference model must not contradict itself on the same trial, for any z. If it does, the
   relation is wrong and not the engine (``KitDisagreement``).
3. If the profile leaves t0 open, an engine may start at another instant in each run. So there is no
   finding if every answer is correct by itself, for some z and under some reading of what the texts
   leave open, or if the texts leave an answer open altogether. If the reference model does not
   judge a trial for another reason, the trial can only show a bug if |Z| is 1.
4. The engine is asked the same cases again. If it answers differently, its first answers contradict
   nothing: it is ``unstable`` if a single t0 is legal, and otherwise there is no finding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.verdict import described, finding_of, left_open, unstable, verdict_on
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.finding import (
    Contradiction,
    Finding,
    FollowUpCase,
    RelationViolation,
    last_lines,
)
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import Stimulus, Trial
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.relations.comparison import any_rows
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.relations.specified import specified
from rsp_conformance.sparql.compare.contents import same_answers
from rsp_conformance.spec.starts import number_of_queries

# Excuses for a contradiction.
TEXTS_LEAVE_OPEN = "the texts leave an answer open"
EACH_RIGHT = "each answer is right by itself, from a start of its own"
Again = Callable[[Stimulus], Observation]
"""Asks the engine the same case a second time."""


@dataclass(frozen=True, slots=True)
class TrialVerdict:
    """What the relation between the answers to a trial comes to.

    Attributes:
        outcome: the outcome of the trial.
        reason: why it has this outcome, for outcomes that need a reason.
        ground: why the answers had to agree.
        finding: what is wrong, if anything is.
    """

    outcome: Outcome
    reason: str = ""
    ground: str = ""
    finding: Finding | None = None

    @classmethod
    def of(cls, finding: Finding, ground: str = "") -> TrialVerdict:
        """Return the verdict of a trial with a finding."""
        return cls(finding.outcome, ground=ground, finding=finding)


def judge_trial(
    relation: MetamorphicRelation,
    trial: Trial,
    observations: Sequence[Observation],
    subject: EngineUnderTest,
    again: Again,
) -> TrialVerdict:
    """Judge the observations on a trial, one per variant.

    Args:
        relation: the relation that the trial is about.
        trial: the variants.
        observations: what the engine answered to each of them.
        subject: the engine.
        again: asks the engine a second time.

    Raises:
        KitDisagreement: the reference model contradicts itself on the trial.
    """
    name = relation.property_name
    for observation in observations:
        failed = finding_of(name, subject.asked(observation.stimulus), observation, None)
        if failed is not None:
            return TrialVerdict.of(failed)
    for observation in observations:
        if observation.unsupported is not None:
            return TrialVerdict(Outcome.UNSUPPORTED, observation.unsupported)
        if observation.failure is not None:
            return TrialVerdict(Outcome.EXCUSED, TEXTS_LEAVE_OPEN)
    compared = any_rows(observations)
    try:
        with limited():
            incomparable = relation.incomparable(observations)
            if incomparable is not None:
                return TrialVerdict(Outcome.EXCUSED, incomparable)
            ground = relation.ground(observations)
            found = relation.contradiction(trial, observations)
            if found is None:
                return TrialVerdict(Outcome.RIGHT if compared else Outcome.VACUOUS, "", ground)
            guard(relation, trial, observations)
            verdicts = [_verdict(observation) for observation in observations]
    except LimitExceeded as error:
        return TrialVerdict(Outcome.NOT_JUDGED, error.what)
    excuse = excused(observations, verdicts, found)
    if excuse:
        # Answers that are correct by themselves have been compared, though not with each other.
        is_right = compared and None not in verdicts
        return TrialVerdict(Outcome.RIGHT if is_right else Outcome.EXCUSED, excuse, ground)
    for observation in observations:
        second = again(observation.stimulus)
        numbers = observation.dials.numbers
        if second.is_answered and same_answers(observation.observed, second.observed, numbers):
            continue
        if second.is_answered and not observation.dials.leaves_starts_open:
            asked = subject.asked(observation.stimulus)
            differing = unstable(described(name, asked, observation), second)
            return TrialVerdict.of(differing, ground)
        return TrialVerdict(Outcome.EXCUSED, "the engine does not repeat itself", ground)
    cases = _follow_up_cases(trial, observations, verdicts)
    violation = RelationViolation(relation.statement, relation.source, cases, found)
    stderr = last_lines(*(one.stderr for one in observations))
    finding = described(name, subject, observations[0])
    finding = replace(finding, violation=violation, stderr=stderr)
    return TrialVerdict.of(finding, ground)


def _follow_up_cases(
    trial: Trial, observations: Sequence[Observation], verdicts: Sequence[Verdict | None]
) -> tuple[FollowUpCase, ...]:
    return tuple(
        FollowUpCase(variant, observation.query_text, observation.observed, verdict)
        for variant, observation, verdict in zip(
            trial.variants, observations, verdicts, strict=True
        )
    )


def guard(relation: MetamorphicRelation, trial: Trial, observations: Sequence[Observation]) -> None:
    """Check that the reference model satisfies the relation on this trial.

    If it does not evaluate the trial, nothing is checked.

    Args:
        relation: the relation.
        trial: the variants that were asked.
        observations: the engine's answers to them; only their stimuli and dials are read.

    Raises:
        KitDisagreement: the reference model's own answers contradict the relation.
    """
    settings = {observation.stimulus: observation.dials for observation in observations}
    try:
        for answers in specified(trial, settings):
            said = relation.contradiction(trial, answers)
            if said is not None:
                raise KitDisagreement(
                    f"the reference model contradicts the {relation.family} {relation.name}: "
                    f"{said.says}",
                    answers[0],
                )
    except (Unsupported, ValueError):
        return


def excused(
    observations: Sequence[Observation], verdicts: Sequence[Verdict | None], found: Contradiction
) -> str:
    """Return why a contradiction is no finding; an empty text if it is one.

    Args:
        observations: the answers to each variant.
        verdicts: the verdict on each; None for a variant that was not judged.
        found: the contradiction among the answers.
    """
    if all(verdict is not None and verdict.correct for verdict in verdicts):
        return EACH_RIGHT
    if any(verdict is not None and not verdict.correct for verdict in verdicts):
        return ""
    points = filter(None, map(left_open, observations))
    if point := next(points, ""):
        return f"{TEXTS_LEAVE_OPEN}: {point}"
    if any(number_of_queries(own.stimulus.case, own.dials) > 1 for own in observations):
        return "the profile leaves several starts open, and the reference model does not judge"
    last = min(observation.stimulus.case.until for observation in observations)
    if observations[0].dials.advances == "elements" and (found.t is None or found.t >= last):
        return "what the elements after the end set off is nobody's fault"
    return ""


def _verdict(observation: Observation) -> Verdict | None:
    try:
        return verdict_on(observation)
    except ValueError:
        return None
