"""What the properties of one run share: asking, remembering, and having it confirmed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import TypeAlias

from rsp_conformance.causes.known import KnownCause, KnownCauses
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.shared_judge import SharedJudge
from rsp_conformance.judge.spark_judge import SparkJudge, Verdicts, must_agree
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.suite.asking import Asking, Budget
from rsp_conformance.suite.events import Listener, Working, nobody
from rsp_conformance.suite.exchange import Exchange
from rsp_conformance.suite.memory import JudgedObservation, Memory
from rsp_conformance.suite.tally import Ledger

_Waiting: TypeAlias = tuple[list[JudgedObservation], Future[Verdicts]]
"""Cases that Spark has been given, and its verdicts to come."""


class Opinions:
    """The other judges of a run, who must agree with the specification.

    ``spark`` confirms whole batches and single cases, ``opinion`` single cases: it is another
    implementation, which raises KitDisagreement where it contradicts the specification. As long as
    Spark starts nobody waits for it, if there is the other one: its verdicts come in the end.
    """

    def __init__(
        self,
        spark: SparkJudge | SharedJudge | None,
        opinion: Callable[[Observation], None] | None,
        ledger: Ledger,
    ) -> None:
        self.spark = spark
        self.opinion = opinion
        self._ledger = ledger
        self._confirmed: set[Stimulus] = set()
        self._waiting: defaultdict[str, list[_Waiting]] = defaultdict(list)

    def submit(self, property_name: str, judged: list[JudgedObservation]) -> None:
        """Have Spark judge a property's cases in the background."""
        if self.spark is not None and judged:
            future = self.spark.submit([own.observation for own in judged])
            self._waiting[property_name].append((judged, future))

    def confirm(self, property_name: str) -> None:
        """Wait for Spark's verdicts on a property's cases; KitDisagreement where they differ.

        Not as long as it starts.
        """
        if not self.is_starting:
            self.settle(property_name)

    def settle(self, property_name: str) -> None:
        """As ``confirm``, even where Spark has to start first."""
        for judged, future in self._waiting.pop(property_name, []):
            if not future.done():
                self._ledger.emit(Working(property_name, "waiting for Spark"))
            self._agree(judged, future)

    def unconfirmed(self) -> tuple[str, ...]:
        """The properties of which ``confirm`` has not been asked yet."""
        return tuple(self._waiting)

    def confirmed(self, property_name: str) -> bool:
        """Whether Spark's verdicts on a property's cases are there, and need no waiting."""
        return all(future.done() for _, future in self._waiting.get(property_name, []))

    @property
    def is_starting(self) -> bool:
        """Whether Spark is not there yet, and the other opinion is all that can be had."""
        return self.spark is not None and self.opinion is not None and self.spark.is_starting

    def once(self, property_name: str, judged: JudgedObservation) -> None:
        """Ask as ``ask`` does, about each stimulus once a run."""
        stimulus = judged.observation.stimulus
        if judged.verdict is not None and stimulus not in self._confirmed:
            self.ask(property_name, [judged])
            self._confirmed.add(stimulus)

    def ask(self, property_name: str, judged: list[JudgedObservation]) -> None:
        """Have verdicts on cases of a property confirmed by all other judges who are there.

        Raises KitDisagreement where they differ.
        """
        self.submit(property_name, judged)
        self.confirm(property_name)
        if self.opinion is not None:
            for own in judged:
                self.opinion(own.observation)

    def _agree(self, judged: list[JudgedObservation], future: Future[Verdicts]) -> None:
        assert self.spark is not None
        with self._ledger.timed("waiting for Spark"):
            if not future.done():
                self.spark.hurry()
            verdicts = future.result()
        for own, verdict in zip(judged, verdicts, strict=True):
            if not own.not_judged:
                must_agree(own.observation, own.verdict, verdict)


class SuiteContext:
    """One run of the suite against one engine; what happens is told to EMIT.

    ``asking`` asks the engine, ``memory`` knows what was asked and judged, ``opinions`` are the
    other judges: SPARK for whole batches and single cases, OPINION for single ones. ``known`` is
    what is known to be wrong with the engine. BUDGET is what may be spent on cases that are lost.
    By EXCHANGE the workers of a run tell each other what they have found.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        *,
        seed: int | str,
        spark: SparkJudge | SharedJudge | None = None,
        opinion: Callable[[Observation], None] | None = None,
        emit: Listener = nobody,
        known: Iterable[KnownCause] = (),
        budget: Budget | None = None,
        exchange: Exchange | None = None,
    ) -> None:
        self.subject = subject
        self.seed = seed
        self.emit = emit
        self.ledger = Ledger(emit)
        self.tallies = self.ledger.tallies
        self.exchange = exchange
        self.asking = Asking(subject, self.ledger, budget, exchange)
        self.opinions = Opinions(spark, opinion, self.ledger)
        self.known = KnownCauses(known)
        self.memory = Memory(self.asking, self.opinions.submit, self.ledger, self.known)
