"""What a run knows already: the engine's answers, and the specification's verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass

from rsp_conformance.causes.known import KnownCause, KnownCauses
from rsp_conformance.judge.verdict import finding_of, verdict_on
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.metamorphic.judging import TrialOutcome
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus, Trial
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.suite.asking import Asking
from rsp_conformance.suite.events import CaseJudged, Result
from rsp_conformance.suite.tally import Ledger


@dataclass(slots=True)
class JudgedObservation:
    """An observation with the specification's verdict (None: not judged, or not to be judged).

    ``not_judged`` is the limit that judging it went beyond, if it did. ``again`` is a second
    observation on the same stimulus, where a property asked for one. ``property_name`` is the
    property that asked first.
    """

    observation: Observation
    verdict: Verdict | None = None
    again: Observation | None = None
    is_judged: bool = False
    not_judged: str = ""
    property_name: str = ""

    @property
    def fails(self) -> bool:
        """Whether the engine failed, or was wrong as far as it was judged."""
        wrong = self.verdict is not None and not self.verdict.correct
        return wrong or self.observation.failure is not None


class Memory:
    """Everything asked and judged in a run, by its stimulus; nothing is asked or judged twice.

    SUBMIT gets the cases of a property that were judged, to have them confirmed. ``trials`` are the
    judgements of relations between answers, by property and trial. KNOWN_CAUSES are those of wrong
    answers.
    """

    def __init__(
        self,
        asking: Asking,
        submit: Callable[[str, list[JudgedObservation]], None],
        ledger: Ledger,
        known_causes: KnownCauses,
    ) -> None:
        self.trials: dict[tuple[str, Trial], TrialOutcome] = {}
        self._asking = asking
        self._submit = submit
        self._ledger = ledger
        self._known_causes = known_causes
        self._known: dict[Stimulus, JudgedObservation] = {}
        self._unasked: set[Stimulus] = set()

    def accuses(self, judged: JudgedObservation) -> bool:
        """Whether the engine failed in a way that no known cause explains."""
        return judged.fails and not self._explained(judged)

    def _explained(self, judged: JudgedObservation) -> tuple[KnownCause, ...]:
        """The known causes that explain what the engine answered, or that it gave no answer."""
        known, seen = self._known_causes, judged.observation
        if seen.failure is None or not known.causes:
            return known.explain(seen, briefly=True) or ()
        finding = finding_of(judged.property_name, self._asking.subject, seen, None)
        return known.covering(finding) if finding else ()

    def known(self, stimulus: Stimulus) -> JudgedObservation | None:
        """What is known of STIMULUS, or None."""
        return self._known.get(stimulus)

    def everything(self) -> Iterator[JudgedObservation]:
        """All that is known, in the order in which it was asked."""
        yield from self._known.values()

    def prime(
        self,
        property_name: str,
        stimuli: Iterable[Stimulus],
        *,
        twice: bool = False,
        judging: bool = True,
        vacuous: Container[Stimulus] = (),
        until: float | None = None,
    ) -> None:
        """Ask the engine for all STIMULI at once, and judge and submit its answers if JUDGING.

        TWICE asks a second time for each. Those that are VACUOUS are judged, too, but do not count
        where it is asked whether nearly all fails for what is known. What is not asked now, for
        want of time (``Asking.batch`` until UNTIL) or patience, is not asked later.
        """
        stimuli = list(dict.fromkeys(stimuli))
        fresh = [stimulus for stimulus in stimuli if stimulus not in self._known]
        again = [s for s in stimuli if twice and not (s in self._known and self._known[s].again)]
        judged = []
        for observation in self._asking.batch(property_name, [*fresh, *again], until):
            first = JudgedObservation(observation, property_name=property_name)
            known = self._known.setdefault(observation.stimulus, first)
            if known.observation is not observation:
                known.again = known.again or observation
            elif judging:
                counts = observation.stimulus not in vacuous
                judged.append(self._judge(property_name, known, counts=counts))
        self._unasked.update(stimulus for stimulus in stimuli if stimulus not in self._known)
        self._submit(property_name, judged)

    def judged(
        self, property_name: str, stimulus: Stimulus, *, alone: bool = False
    ) -> JudgedObservation | None:
        """The observation on STIMULUS with its verdict, asked for now where it is not known.

        None where it was left out for want of time or patience, or where that is the case now.
        ALONE says that the case should have been known: it is submitted as well.
        """
        known = self.asked(property_name, stimulus, alone=alone)
        if known is not None and not known.is_judged:
            self._judge(property_name, known)
            if alone:
                self._submit(property_name, [known])
        return known

    def asked(
        self, property_name: str, stimulus: Stimulus, *, alone: bool = False
    ) -> JudgedObservation | None:
        """The observation on STIMULUS, not necessarily judged; otherwise as ``judged``."""
        if stimulus not in self._known:
            observation = self._now(property_name, stimulus)
            if observation is None:
                return None
            self._ledger.tallies[property_name].missed += alone
            first = JudgedObservation(observation, property_name=property_name)
            self._known[stimulus] = first
        return self._known[stimulus]

    def second_run(self, property_name: str, judged: JudgedObservation) -> Observation | None:
        """Another observation on the same stimulus, made once; None once patience is at its end."""
        if judged.again is None:
            judged.again = self._now(property_name, judged.observation.stimulus)
        return judged.again

    def _now(self, property_name: str, stimulus: Stimulus) -> Observation | None:
        """Ask STIMULUS, unless it was left out before or nothing more is to be asked."""
        if stimulus in self._unasked or self._asking.stops_shrinking(property_name):
            return None
        return self._asking.now(property_name, stimulus)

    def _judge(
        self, property_name: str, known: JudgedObservation, *, counts: bool = False
    ) -> JudgedObservation:
        with self._ledger.timed("comparison"):
            try:
                known.verdict = verdict_on(known.observation)
            except LimitExceeded as error:
                known.not_judged = error.what
            known.is_judged = True
        if known.verdict is not None:
            self._known_causes.predictions.know(known.observation, known.verdict.correct)
        result, kind = _outcome(known)
        causes = self._explained(known) if result == "failed" else ()
        tally = self._ledger.tallies[property_name]
        tally.judged += counts and result in ("compared", "failed")
        tally.explained += counts and bool(causes)
        if causes and not any(cause.found for cause in causes):
            result = "known"
        elements = len(known.observation.stimulus.case.elements)
        self._ledger.emit(CaseJudged(property_name, result, kind, elements))
        return known


def _outcome(judged: JudgedObservation) -> tuple[Result, str]:
    """What became of a case, and the kind of failure."""
    observation, verdict = judged.observation, judged.verdict
    if observation.unsupported is not None:
        return "unsupported", ""
    if observation.failure is not None:
        return "failed", observation.failure.kind
    if judged.not_judged:
        return "not judged", ""
    if verdict is None or verdict.correct:
        return ("compared" if verdict else "vacuous"), ""
    return "failed", verdict.divergence.kind.value if verdict.divergence else "wrong answer"
