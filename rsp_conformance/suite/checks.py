"""What a property does with one case."""

from __future__ import annotations

from rsp_conformance.compare.contents import same_answers
from rsp_conformance.judge.engine_under_test import Observation, Stimulus
from rsp_conformance.judge.verdict import described, finding_of, unstable, verdict_on
from rsp_conformance.metamorphic.judging import TrialOutcome, judge_trial
from rsp_conformance.metamorphic.relation import Trial
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite.context import Context
from rsp_conformance.suite.memory import JudgedObservation
from rsp_conformance.suite.passes import Example
from rsp_conformance.suite.properties import Property


def stimuli_for(property: Property, case: Example) -> tuple[Stimulus, ...]:
    """What the engine is asked for CASE: one stimulus, or one a variant of a trial."""
    return case.stimuli if isinstance(case, Trial) else (stimulus_for(property, case),)


def stimulus_for(property: Property, case: Case) -> Stimulus:
    """How the engine is asked for CASE."""
    return Stimulus(case, "settled" if property.check == "settled" else "burst")


def find(
    property: Property, case: Example, context: Context, *, alone: bool = False
) -> Finding | None:
    """What is wrong with the engine's answer to CASE; None as well where it was not asked.

    ALONE says that the case should have been asked ahead (``Memory.judged``).
    """
    if isinstance(case, Trial):
        found = _judged_trial(property, case, context, alone=alone)
        return None if found is None else found.finding
    judged = context.memory.judged(property.name, stimulus_for(property, case), alone=alone)
    if judged is None:
        return None
    finding = finding_of(property.name, context.subject, judged.observation, judged.verdict)
    if finding is None and property.check == "repeat":
        finding = _repeated(property, judged, context)
    return finding


def _repeated(property: Property, judged: JudgedObservation, context: Context) -> Finding | None:
    """What a second run of a judged case shows.

    Where every t0 is legal an engine may choose another one, so then the second answer is judged
    like the first; under one t0 the two must be the same.
    """
    observation = judged.observation
    again = None if judged.verdict is None else context.memory.second_run(property.name, judged)
    if again is None or again.unsupported is not None:
        return None
    if again.failure is not None:
        return finding_of(property.name, context.subject, again, None)
    if not differs(observation, again):
        return None
    wrong = finding_of(property.name, context.subject, again, verdict_on(again))
    if wrong is not None:
        return unstable(wrong, observation)
    if observation.dials.t0 == "any":
        return None
    return unstable(described(property.name, context.subject, observation), again)


def _judged_trial(
    property: Property, trial: Trial, context: Context, *, alone: bool
) -> TrialOutcome | None:
    """What TRIAL comes to, from memory where it was judged before; None where it was not asked."""
    assert property.relation is not None
    memory = context.memory
    if (property.name, trial) in memory.trials:
        return memory.trials[property.name, trial]
    observations: list[Observation] = []
    for stimulus in trial.stimuli:
        asked = memory.asked(property.name, stimulus, alone=alone)
        if asked is None:
            return None
        observations.append(asked.observation)

    def again(stimulus: Stimulus) -> Observation:
        return context.asking.again(stimulus, context.tallies[property.name])

    with context.ledger.timed("comparison"):
        try:
            found = judge_trial(property.relation, trial, observations, context.subject, again)
        except EngineBroken:
            return None
    memory.trials[property.name, trial] = found
    return found


def differs(one: Observation, other: Observation) -> bool:
    """Whether two observations on one stimulus gave different answers."""
    if one.failure or other.failure or one.unsupported or other.unsupported:
        kinds = [(e.failure.kind if e.failure else None, bool(e.unsupported)) for e in (one, other)]
        return kinds[0] != kinds[1]
    return not same_answers(one.observed, other.observed, one.dials.numbers)
