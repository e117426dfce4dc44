"""What a property does with one case, and with a failure before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from rsp_conformance.causes.known import KnownCause
from rsp_conformance.judge.failures import ConformanceFailure, failure_of
from rsp_conformance.judge.verdict import described, finding_of, unstable, verdict_on
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.metamorphic.judging import TrialOutcome, judge_trial
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding, RelationViolation, last_lines
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus, Trial
from rsp_conformance.protocol import EngineBroken
from rsp_conformance.sparql.compare.contents import same_answers
from rsp_conformance.spec.starts import has_one_query
from rsp_conformance.suite.asking import HUNG, LOST, has_hung
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.events import Working
from rsp_conformance.suite.memory import JudgedObservation
from rsp_conformance.suite.passes import Example
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.reference_opinion import reading_of

REPEATS = 3
"""A failure is run again so often before it is reported."""
BEFORE_SPARK = "the specification and `reference` (Spark was not there yet)"
"""Who has judged a failure that Spark confirms at the end of the run."""


def stimuli_for(property: Property, case: Example) -> tuple[Stimulus, ...]:
    """What the engine is asked for CASE: one stimulus, or one a variant of a trial."""
    return case.stimuli if isinstance(case, Trial) else (stimulus_for(property, case),)


def stimulus_for(property: Property, case: Case) -> Stimulus:
    """How the engine is asked for CASE."""
    return Stimulus(case, "settled" if property.check == "settled" else "burst")


def find(
    property: Property, case: Example, context: SuiteContext, *, alone: bool = False
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
    if property.check == "repeat":
        finding = _repeated(property, judged, finding, context)
    return finding


def explained(
    property: Property,
    case: Example,
    finding: Finding,
    context: SuiteContext,
    *,
    briefly: bool = False,
) -> tuple[KnownCause, ...]:
    """The known causes that explain FINDING, on CASE: without them every answer is right.

    Empty where it accuses the engine of something else. BRIEFLY is as for ``KnownCauses.explain``.
    """
    known = context.known
    if not known.causes:
        return ()
    if finding.failure is not None and finding.kind != "unstable":
        return known.covering(finding)
    observations = []
    for stimulus in stimuli_for(property, case):
        judged = context.memory.known(stimulus)
        assert judged is not None
        observations.append(judged.observation)
        if property.check == "repeat" and judged.again is not None:
            observations.append(judged.again)
        elif finding.again and stimulus.case == finding.case:
            observations.append(replace(judged.observation, observed=finding.again))
            # What is said briefly is kept by the observation: one made anew would be asked anew.
            briefly = False
    return known.explain_all(observations, briefly=briefly) or known.covering(finding)


def showing(
    property: Property, case: Example, finding: Finding, context: SuiteContext
) -> tuple[KnownCause, ...]:
    """The known causes that show in CASE beside FINDING, which they do not explain.

    None beside a failure without an answer to judge, which is not argued from answers.
    """
    if finding.failure is not None or not context.known.causes:
        return ()
    judged = map(context.memory.known, stimuli_for(property, case))
    return context.known.showing(own.observation for own in judged if own is not None)


def _repeated(
    property: Property, judged: JudgedObservation, finding: Finding | None, context: SuiteContext
) -> Finding | None:
    """What a second run of a judged case shows, beside FINDING, which is what the first one does.

    Where several t0 are legal an engine may choose another one, so then the second answer is judged
    like the first; under one t0 the two must be the same, wrong or right.
    """
    observation = judged.observation
    again = None if judged.verdict is None else context.memory.second_run(property.name, judged)
    if again is None or again.unsupported is not None:
        return finding
    if again.failure is not None:
        return finding or finding_of(property.name, context.subject, again, None)
    if not differs(observation, again):
        return finding
    try:
        wrong = finding_of(property.name, context.subject, again, verdict_on(again))
    except LimitExceeded:
        return finding
    one_start = has_one_query(observation.stimulus.case, observation.dials)
    if not one_start and (finding is None) is (wrong is None):
        return finding
    if finding is None and wrong is not None:
        return unstable(wrong, observation)
    return unstable(finding or described(property.name, context.subject, observation), again)


def _judged_trial(
    property: Property, trial: Trial, context: SuiteContext, *, alone: bool
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


# --- before a shrunk failure is shown -----------------------------------------------------------


def confirm(failures: Sequence[ConformanceFailure], context: SuiteContext, judged_by: str) -> None:
    """Confirm FAILURES of a property, or make them failures of kind ``unstable``.

    A wrong answer stays one where another run is right; that the case is unstable is said beside
    it. JUDGED_BY is said to have confirmed them. Raises KitDisagreement where the kit's own
    implementations differ on a case.
    """
    doubtful = [failure for failure in failures if failure.finding.kind != "unstable"]
    if context.opinions.is_starting:
        judged_by = BEFORE_SPARK
    for failure in failures:
        if failure.finding.kind == "unstable":
            _wrong_beside(failure, _runs(failure.finding), context, judged_by)
    for failure in doubtful:
        name = failure.finding.property_name
        if (own := context.memory.known(_stimulus(failure.finding))) is not None:
            context.opinions.once(name, own)
    for failure in doubtful:
        failure.finding = replace(failure.finding, reading=reading_of(failure.finding))
        violation = failure.finding.violation
        if violation is not None:
            # Before it was raised, the engine was asked each of the cases twice.
            context.opinions.ask(failure.finding.property_name, _judged(violation, context))
            told = any(asked.verdict is not None for asked in violation.cases)
            failure.confirmed = _confirmation(judged_by if told else "", 1, same=True)
            continue
        judged = context.memory.known(_stimulus(failure.finding))
        if judged is not None and context.asking.broken is None:
            _run_again(failure, judged, context, judged_by)


def _run_again(
    failure: ConformanceFailure, judged: JudgedObservation, context: SuiteContext, judged_by: str
) -> None:
    finding = failure.finding
    context.emit(Working(finding.property_name, "confirming"))
    hung = context.asking.hung
    if hung is not None and has_hung(judged.observation) and judged.observation is not hung:
        # While it was shrunk a case had only a part of the time limit.
        again = context.asking.again(_stimulus(finding))
        if has_hung(again):
            failure.finding = replace(finding, failure=again.failure, stderr=again.stderr)
            failure.confirmed = _confirmation("", 1, same=True)
            return
        shown = finding_of(finding.property_name, context.subject, hung, None)
        assert shown is not None
        failure.finding = finding = replace(shown, number=finding.number, known=finding.known)
        judged = JudgedObservation(hung)
    # A case that costs the driver its life, or a whole time limit, is run again only once.
    repeats = REPEATS
    if finding.kind in LOST:
        repeats = 0 if context.asking.budget.is_spent else 1
    # It had the whole limit once, and takes many times as long as any case that was answered.
    patience = context.asking.patience if finding.kind == HUNG else 1.0
    same = True
    for _ in range(repeats):
        again = context.asking.again(_stimulus(finding), patience=patience)
        differ = differs(judged.observation, again)
        # Where several t0 are legal an engine may start elsewhere each time, and be wrong so.
        if differ and (broken := _driver_fault(finding, again, context)) is not None:
            failure.finding = broken
            failure.confirmed = "It came in one run of several."
            return
        if not _fails(again) or (differ and has_one_query(finding.case, finding.dials)):
            message = f"one run of this case ended in {finding.kind!r}, {_said(again)}"
            unsteady = unstable(replace(finding, reading=None), again, message)
            if finding.verdict is None:
                failure.finding = unsteady
                _wrong_beside(failure, [again], context, judged_by)
            else:
                failure.confirmed = f"Judged by {judged_by}; it came in one run of several."
                failure.beside = (failure_of(unsteady),)
            return
        same = same and not differ
        # Run alone, what the driver writes is surely of this case.
        written = last_lines(finding.stderr, again.stderr)
        failure.finding = finding = replace(finding, stderr=written)
    by = judged_by if finding.verdict is not None else ""
    failure.confirmed = _confirmation(by, repeats, same=same)


def _runs(finding: Finding) -> list[Observation]:
    """The two runs behind a FINDING of kind ``unstable``, both with a whole answer."""
    stimulus = _stimulus(finding)
    return [
        Observation(stimulus, finding.dials, finding.query_text, observed)
        for observed in (finding.observed, finding.again)
    ]


def _wrong_beside(
    failure: ConformanceFailure, runs: Sequence[Observation], context: SuiteContext, judged_by: str
) -> None:
    """Say beside an unstable FAILURE that the answer of one of its RUNS is wrong, if it is."""
    name = failure.finding.property_name
    for observation in runs:
        with suppress(LimitExceeded, ValueError):
            verdict = verdict_on(observation)
            wrong = finding_of(name, context.subject, observation, verdict)
            if wrong is None or verdict is None:
                continue
            context.opinions.ask(name, [JudgedObservation(observation, verdict)])
            wrong = replace(wrong, reading=reading_of(wrong))
            said = f"Judged by {judged_by}; it came in one run of several."
            failure.beside = (failure_of(wrong, said),)
            return


def _driver_fault(finding: Finding, again: Observation, context: SuiteContext) -> Finding | None:
    """What accuses the driver, where one of two runs that differ broke the protocol.

    A driver may notice by the second run that it has misled the kit in the first.
    """
    if finding.kind == "protocol-error":
        return finding
    if again.failure is not None and again.failure.kind == "protocol-error":
        return finding_of(finding.property_name, context.subject, again, None)
    return None


def _confirmation(judged_by: str, repeats: int, *, same: bool) -> str:
    """Who confirmed a failure, if anybody judged it, and how often it came again."""
    if not repeats:
        return "Not run again: this run has lost too much time to such cases."
    times = "once" if repeats == 1 else f"{repeats} times"
    said = f"reproduced {times}" if same else f"wrong again {times}, in different ways"
    return f"Judged by {judged_by}; {said}." if judged_by else f"{said.capitalize()}."


def _stimulus(finding: Finding) -> Stimulus:
    return Stimulus(finding.case, finding.pacing)


def _judged(violation: RelationViolation, context: SuiteContext) -> list[JudgedObservation]:
    """The cases of a contradiction on which the specification has a verdict."""
    judged = []
    for asked in violation.cases:
        if asked.verdict is not None:
            stimulus = Stimulus(asked.case, asked.pacing, asked.unit, asked.second)
            dials = context.subject.dials_of(stimulus)
            observed = Observation(stimulus, dials, asked.query_text, asked.observed)
            judged.append(JudgedObservation(observed, asked.verdict))
    return judged


def _fails(observation: Observation) -> bool:
    if observation.failure is not None:
        return True
    verdict = verdict_on(observation)
    return verdict is not None and not verdict.correct


def _said(again: Observation) -> str:
    if again.unsupported is not None:
        return "another in 'unsupported'"
    if again.failure is not None:
        return f"another in {again.failure.kind!r}"
    return "another was right" if not _fails(again) else "another gave a different answer"
