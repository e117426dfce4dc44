"""What a relation does with one trial, and how its trials are counted."""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.judge.engine_under_test import Observation, Stimulus
from rsp_conformance.metamorphic.judging import TrialOutcome, judge_trial
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.finding import Finding
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite.context import Context
from rsp_conformance.suite.properties import Property


def find_contradiction(
    property: Property, trial: Trial, context: Context, *, alone: bool = False
) -> Finding | None:
    """How the engine's answers to TRIAL contradict each other; None as well where not asked."""
    judgement = judged(property, trial, context, alone=alone)
    return None if judgement is None else judgement.finding


def judged(
    property: Property, trial: Trial, context: Context, *, alone: bool = False
) -> TrialOutcome | None:
    """What TRIAL comes to, from memory where it was judged before; None where it was not asked."""
    assert property.relation is not None
    known = context.memory.trials.get((property.name, trial))
    if known is not None:
        return known
    observations: list[Observation] = []
    for stimulus in trial.stimuli:
        observation = context.memory.asked(property.name, stimulus, alone=alone)
        if observation is None:
            return None
        observations.append(observation)

    def again(stimulus: Stimulus) -> Observation:
        return context.asking.again(stimulus, context.tallies[property.name])

    with context.clock.timed("comparison"):
        try:
            found = judge_trial(property.relation, trial, observations, context.subject, again)
        except EngineBroken:
            return None
    context.memory.trials[property.name, trial] = found
    return found


def count(property: Property, trials: Iterable[Trial], context: Context) -> None:
    """Enter into the tally what became of TRIALS, none of which is asked for it."""
    tally = context.tallies[property.name]
    for trial in dict.fromkeys(trials):
        known = context.memory.trials.get((property.name, trial))
        if known is None:
            tally.unasked += 1
        elif known.unsupported is not None:
            tally.unsupported += 1
            tally.reasons[known.unsupported] += 1
        elif known.compared:
            tally.compared += 1
        else:
            tally.vacuous += 1
        if known is not None and known.excuse:
            tally.untold[known.excuse] += 1
