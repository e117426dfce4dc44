"""What a run knows already: the engine's answers, and the specification's verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rsp_conformance.judge.engine_under_test import Observation, Stimulus
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.metamorphic.judging import TrialOutcome
from rsp_conformance.metamorphic.relation import Trial
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.suite.asking import Asking
from rsp_conformance.suite.events import CaseJudged, Result
from rsp_conformance.suite.tally import Ledger


@dataclass(slots=True)
class Judged:
    """An observation with the specification's verdict (None: not to be judged).

    ``again`` is a second observation on the same stimulus, where a property asked for one.
    """

    observation: Observation
    verdict: Verdict | None
    again: Observation | None = None


class Memory:
    """Everything asked and judged in a run, by its stimulus; nothing is asked or judged twice.

    SUBMIT gets the cases of a property that were judged, to have them confirmed. ``trials`` are the
    judgements of relations between answers, by property and trial.
    """

    def __init__(
        self,
        asking: Asking,
        submit: Callable[[str, list[Judged]], None],
        ledger: Ledger,
    ) -> None:
        self.trials: dict[tuple[str, Trial], TrialOutcome] = {}
        self._asking = asking
        self._submit = submit
        self._ledger = ledger
        self._known: dict[Stimulus, Judged] = {}
        self._observations: dict[Stimulus, Observation] = {}
        self._unasked: set[Stimulus] = set()

    def known(self, stimulus: Stimulus) -> Judged | None:
        """What is known of STIMULUS, or None; without a verdict where nobody was to judge it."""
        known = self._known.get(stimulus)
        if known is None and stimulus in self._observations:
            return Judged(self._observations[stimulus], None)
        return known

    def prime(
        self,
        property_name: str,
        stimuli: Iterable[Stimulus],
        *,
        twice: bool = False,
        judging: bool = True,
        until: float | None = None,
    ) -> None:
        """Ask the engine for all STIMULI at once, and judge and submit its answers if JUDGING.

        TWICE asks a second time for each. What is not asked now, for want of time (``Asking.batch``
        until UNTIL) or patience, is not asked later.
        """
        stimuli = list(dict.fromkeys(stimuli))
        fresh = [stimulus for stimulus in stimuli if not self._has(stimulus, judging)]
        again = [s for s in stimuli if twice and not (s in self._known and self._known[s].again)]
        judged = []
        for observation in self._asking.batch(property_name, [*fresh, *again], until):
            self._observations[observation.stimulus] = observation
            if not judging:
                continue
            first = self._known.get(observation.stimulus)
            if first is None:
                judged.append(self._judge(property_name, observation))
            elif twice and first.again is None:
                first.again = observation
        self._unasked.update(stimulus for stimulus in stimuli if not self._has(stimulus, judging))
        self._submit(property_name, judged)
        self._asking.learn(property_name)

    def judged(
        self, property_name: str, stimulus: Stimulus, *, alone: bool = False
    ) -> Judged | None:
        """The observation on STIMULUS with its verdict, asked for now where it is not known.

        None where it was left out for want of time or patience, or where that is the case now.
        ALONE says that the case should have been known: it is submitted as well.
        """
        known = self._known.get(stimulus)
        if known is not None:
            return known
        observation = self._now(property_name, stimulus)
        if observation is None:
            return None
        judged = self._judge(property_name, observation)
        if alone:
            self._ledger.tallies[property_name].missed += 1
            self._submit(property_name, [judged])
        return judged

    def asked(
        self, property_name: str, stimulus: Stimulus, *, alone: bool = False
    ) -> Observation | None:
        """The observation on STIMULUS, which nobody judges by itself; otherwise as ``judged``."""
        known = self._observations.get(stimulus)
        if known is not None:
            return known
        observation = self._now(property_name, stimulus)
        if observation is not None:
            self._ledger.tallies[property_name].missed += alone
            self._observations[stimulus] = observation
        return observation

    def second_run(self, property_name: str, judged: Judged) -> Observation | None:
        """Another observation on the same stimulus, made once; None once patience is at its end."""
        if judged.again is None:
            judged.again = self._now(property_name, judged.observation.stimulus)
        return judged.again

    def count(self, property_name: str, stimuli: Iterable[Stimulus], tells: set[Stimulus]) -> None:
        """Enter into the tally what became of STIMULI, of which those in TELLS tell something."""
        tally = self._ledger.tallies[property_name]
        for stimulus in dict.fromkeys(stimuli):
            judged = self._known.get(stimulus)
            if judged is None:
                tally.unasked += 1
                continue
            told = judged.verdict is not None and stimulus in tells
            tally.enter(
                unsupported=judged.observation.unsupported,
                compared=told or judged.observation.failure is not None,
            )

    def count_trials(self, property_name: str, trials: Iterable[Trial]) -> None:
        """Enter into the tally what became of TRIALS, none of which is asked for it."""
        tally = self._ledger.tallies[property_name]
        for trial in dict.fromkeys(trials):
            found = self.trials.get((property_name, trial))
            if found is None:
                tally.unasked += 1
                continue
            tally.enter(unsupported=found.unsupported, compared=found.compared)
            if found.excuse:
                tally.untold[found.excuse] += 1

    def _has(self, stimulus: Stimulus, judging: bool) -> bool:
        return stimulus in (self._known if judging else self._observations)

    def _now(self, property_name: str, stimulus: Stimulus) -> Observation | None:
        """Ask STIMULUS, unless it was left out before or nothing more is to be asked."""
        if stimulus in self._unasked or self._asking.stops_shrinking(property_name):
            return None
        return self._asking.again(stimulus, self._ledger.tallies[property_name])

    def _judge(self, property_name: str, observation: Observation) -> Judged:
        with self._ledger.timed("comparison"):
            judged = Judged(observation, verdict_on(observation))
        self._known[observation.stimulus] = judged
        result, kind = _outcome(judged)
        elements = len(observation.stimulus.case.elements)
        self._ledger.emit(CaseJudged(property_name, result, kind, elements))
        return judged


def _outcome(judged: Judged) -> tuple[Result, str]:
    """What became of a case, and the kind of failure."""
    observation, verdict = judged.observation, judged.verdict
    if observation.unsupported is not None:
        return "unsupported", ""
    if observation.failure is not None:
        return "failed", observation.failure.kind
    if verdict is None:
        return "vacuous", ""
    if verdict.correct:
        return "compared", ""
    return "failed", verdict.divergence.kind.value if verdict.divergence else "wrong answer"
