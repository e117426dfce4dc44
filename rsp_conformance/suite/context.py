"""What the properties of one run share: the engine, the judges, and what is known already."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.judge.spark_judge import SparkJudge, must_agree
from rsp_conformance.judge.verdict import finding_of, ruling_on
from rsp_conformance.metamorphic.judging import Judgement
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.errors import EnginesDisagree
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite.budget import LOST, Patience
from rsp_conformance.suite.tally import Tally, told

Progress = Callable[[str], None]
"""Is told what is going on, in a few words."""


@dataclass(slots=True)
class Judged:
    """An observation with the specification's verdict (None: not to be judged).

    ``again`` is a second observation on the same stimulus, where a property asked for one;
    ``dispute`` says how SPARQL engines differ on what the answer should be, where that is why
    there is no verdict.
    """

    observation: Observation
    verdict: Verdict | None
    again: Observation | None = None
    dispute: EnginesDisagree | None = None


def _quiet(_: str) -> None:
    """Tell nobody."""


class Context:
    """One run of the suite against one engine.

    ``spark`` confirms whole batches and single cases, ``opinion`` single cases: it is another
    implementation, which raises KitDisagreement where it contradicts the specification.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        *,
        seed: int | str,
        spark: SparkJudge | None = None,
        opinion: Callable[[Observation], None] | None = None,
        progress: Progress = _quiet,
    ) -> None:
        self.subject = subject
        self.seed = seed
        self.spark = spark
        self.opinion = opinion
        self.progress = progress
        self.broken: EngineBroken | None = None
        self.patience = Patience()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.tallies: defaultdict[str, Tally] = defaultdict(Tally)
        self.trials: dict[tuple[str, Trial], Judgement] = {}
        self._known: dict[Stimulus, Judged] = {}
        self._observations: dict[Stimulus, Observation] = {}
        self._unasked: set[Stimulus] = set()
        self._confirmed: set[Stimulus] = set()
        self._waiting: defaultdict[str, list[tuple[list[Judged], Future[list[Verdict | None]]]]]
        self._waiting = defaultdict(list)

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Add the time spent inside to PHASE."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] += time.perf_counter() - started

    def tally(self, property_name: str) -> Tally:
        """The tally of a property."""
        return self.tallies[property_name]

    def known(self, stimulus: Stimulus) -> Judged | None:
        """What is known of STIMULUS, or None; without a verdict where nobody was to judge it."""
        known = self._known.get(stimulus)
        if known is None and stimulus in self._observations:
            return Judged(self._observations[stimulus], None)
        return known

    # --- asking ----------------------------------------------------------------------------

    def prime(
        self,
        property_name: str,
        stimuli: Iterable[Stimulus],
        *,
        twice: bool = False,
        judging: bool = True,
        until: float | None = None,
    ) -> None:
        """Ask the engine for all STIMULI at once, and have Spark judge them if JUDGING.

        TWICE asks a second time for each. Nothing is sent after UNTIL (``time.monotonic()``), or
        once patience with the engine is at its end; what was not asked then is not asked later.
        """
        tally = self.tally(property_name)
        stimuli = list(dict.fromkeys(stimuli))
        fresh = [stimulus for stimulus in stimuli if not self._has(stimulus, judging)]
        again = [s for s in stimuli if twice and not (s in self._known and self._known[s].again)]
        sent = 0

        def patiently() -> Iterator[Stimulus]:
            nonlocal sent
            for stimulus in (*fresh, *again):
                tally.cut = tally.cut or self.patience.ends(tally, until)
                if tally.cut:
                    return
                sent += 1
                if sent % 10 == 1:
                    total = len(fresh) + len(again)
                    self.progress(f"{property_name}: asking {sent} of {total}")
                yield stimulus

        judged = []
        for observation in self._ask(patiently(), tally):
            self._observations[observation.stimulus] = observation
            if not judging:
                continue
            first = self._known.get(observation.stimulus)
            if first is None:
                judged.append(self._judge(observation))
            elif twice and first.again is None:
                first.again = observation
        self._unasked.update(stimulus for stimulus in stimuli if not self._has(stimulus, judging))
        self._submit(property_name, judged)
        try:
            self.patience.learn(property_name, tally)
        except EngineBroken as error:
            self.broken = error
            raise

    def judged(
        self, property_name: str, stimulus: Stimulus, *, alone: bool = False
    ) -> Judged | None:
        """The observation on STIMULUS with its verdict, from memory where it is there.

        None where it was left out for want of time or patience, or where that is the case now.
        ALONE says that the case should have been known: Spark is asked for it as well.
        """
        known = self._known.get(stimulus)
        if known is not None:
            return known
        tally = self.tally(property_name)
        if stimulus in self._unasked or self._stops_shrinking(property_name):
            return None
        judged = self._judge(self.again(stimulus, tally))
        if alone:
            tally.missed += 1
            self._submit(property_name, [judged])
        return judged

    def asked(
        self, property_name: str, stimulus: Stimulus, *, alone: bool = False
    ) -> Observation | None:
        """The observation on STIMULUS, which nobody judges by itself; otherwise as ``judged``."""
        known = self._observations.get(stimulus)
        if known is not None:
            return known
        tally = self.tally(property_name)
        if stimulus in self._unasked or self._stops_shrinking(property_name):
            return None
        tally.missed += alone
        observation = self._observations[stimulus] = self.again(stimulus, tally)
        return observation

    def _has(self, stimulus: Stimulus, judging: bool) -> bool:
        return stimulus in (self._known if judging else self._observations)

    def second_run(self, property_name: str, judged: Judged) -> Observation | None:
        """A second observation on the stimulus, made once; None where patience is at its end."""
        if judged.again is None:
            if self._stops_shrinking(property_name):
                return None
            judged.again = self.again(judged.observation.stimulus, self.tally(property_name))
        return judged.again

    def _stops_shrinking(self, property_name: str) -> bool:
        # A failure that was found is shown even if the engine is gone since.
        broken = self.broken is not None and self.patience.has_failed(property_name)
        return broken or self.patience.shrunk_enough(property_name)

    def again(self, stimulus: Stimulus, tally: Tally | None = None) -> Observation:
        """Run STIMULUS now, whatever is known of it."""
        (observation,) = self._ask([stimulus], tally or Tally())
        return observation

    def _ask(self, stimuli: Iterable[Stimulus], tally: Tally) -> Iterator[Observation]:
        """Put STIMULI to the engine; what is lost is counted at once."""
        if self.broken is not None:
            raise self.broken
        started = time.perf_counter()
        try:
            for observation in self.subject.ask_many(stimuli):
                took = time.perf_counter() - started
                self.seconds["engine"] += took
                if observation.failure is not None and observation.failure.kind in LOST:
                    tally.lost += 1
                    tally.lost_seconds += took
                else:
                    tally.answered += 1
                yield observation
                started = time.perf_counter()
        except EngineBroken as error:
            self.broken = error
            raise

    # --- judging ---------------------------------------------------------------------------

    def confirm(self, property_name: str) -> None:
        """Wait for Spark's verdicts on a property's cases; KitDisagreement where they differ."""
        for judged, future in self._waiting.pop(property_name, []):
            with self.timed("waiting for Spark"):
                if not future.done():
                    self.progress(f"{property_name}: waiting for Spark")
                    assert self.spark is not None
                    self.spark.hurry()
                verdicts = future.result()
            for own, verdict in zip(judged, verdicts, strict=True):
                if own.dispute is None:  # Spark asks one library, and no second one.
                    must_agree(own.observation, own.verdict, verdict)

    def unconfirmed(self) -> tuple[str, ...]:
        """The properties of which ``confirm`` has not been asked yet."""
        return tuple(self._waiting)

    def confirmed(self, property_name: str) -> bool:
        """Whether Spark's verdicts on a property's cases are there, and need no waiting."""
        return all(future.done() for _, future in self._waiting.get(property_name, []))

    def second_opinions(self, stimuli: Iterable[Stimulus]) -> None:
        """Have verdicts confirmed by all other judges; KitDisagreement where they differ.

        A stimulus is asked about once a run.
        """
        found = [self._known[s] for s in stimuli if s in self._known and s not in self._confirmed]
        self.opinions_on([judged for judged in found if judged.verdict is not None])
        self._confirmed.update(judged.observation.stimulus for judged in found)

    def opinions_on(self, fresh: list[Judged]) -> None:
        """Have the verdicts of FRESH confirmed; KitDisagreement where the judges differ."""
        if self.spark is not None and fresh:
            future = self.spark.submit([judged.observation for judged in fresh])
            self.spark.hurry()
            with self.timed("waiting for Spark"):
                verdicts = future.result()
            for judged, verdict in zip(fresh, verdicts, strict=True):
                must_agree(judged.observation, judged.verdict, verdict)
        for judged in fresh:
            if self.opinion is not None:
                self.opinion(judged.observation)

    def finding(self, property_name: str, judged: Judged) -> Finding | None:
        """What is wrong with the observation, or None."""
        return finding_of(property_name, self.subject, judged.observation, judged.verdict)

    def count(self, property_name: str, stimuli: Iterable[Stimulus], tests: set[Stimulus]) -> None:
        """Enter into the tally what became of STIMULI, of which those in TESTS are not vacuous."""
        tally = self.tally(property_name)
        for stimulus in dict.fromkeys(stimuli):
            judged = self._known.get(stimulus)
            if judged is None:
                tally.unasked += 1
            elif judged.observation.unsupported is not None:
                tally.unsupported += 1
                tally.reasons[judged.observation.unsupported] += 1
            elif judged.dispute is not None:
                tally.disputed += 1
                tally.disputes.append(told(judged.observation.query_text, judged.dispute))
            elif judged.observation.failure is None and (
                judged.verdict is None or stimulus not in tests
            ):
                tally.vacuous += 1
            else:
                tally.compared += 1

    def close(self) -> None:
        """End the engine and Spark."""
        self.subject.engine.close()
        if self.spark is not None:
            self.spark.close()

    def _judge(self, observation: Observation) -> Judged:
        with self.timed("comparison"):
            ruling = ruling_on(observation)
            judged = Judged(observation, ruling.verdict, dispute=ruling.dispute)
        self._known[observation.stimulus] = judged
        return judged

    def _submit(self, property_name: str, judged: list[Judged]) -> None:
        if self.spark is not None and judged:
            future = self.spark.submit([own.observation for own in judged])
            self._waiting[property_name].append((judged, future))
