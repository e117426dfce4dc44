"""What the properties of one run share: the engine, the judges, and what is known already."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field

from rsp_conformance.adapters.protocol.failures import EngineBroken
from rsp_conformance.judgement.judge import finding_of, verdict_on
from rsp_conformance.judgement.spark_judge import SparkJudge, must_agree
from rsp_conformance.judgement.subject import Exchange, Sample, Subject
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.verdict import Verdict

PATIENCE = 3
"""After so many cases that end in a time limit or a dead driver a property asks no more."""


@dataclass(slots=True)
class Judged:
    """An exchange with the specification's verdict (None: not to be judged)."""

    exchange: Exchange
    verdict: Verdict | None


@dataclass(slots=True)
class Tally:
    """What became of the cases of one property."""

    cases: int = 0
    judged: int = 0
    unsupported: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    losses: int = 0
    gave_up: bool = False


class Context:
    """One run of the suite against one engine.

    ``spark`` None confirms by ``opinion`` alone, a second implementation that is asked for single
    cases: it raises KitDisagreement where it contradicts the specification.
    """

    def __init__(
        self,
        subject: Subject,
        *,
        seed: int | str,
        spark: SparkJudge | None = None,
        opinion: Callable[[Exchange, Verdict], None] | None = None,
    ) -> None:
        self.subject = subject
        self.seed = seed
        self.spark = spark
        self.opinion = opinion
        self.broken: EngineBroken | None = None
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.tallies: dict[str, Tally] = {}
        self._known: dict[Sample, Judged] = {}
        self._waiting: dict[str, tuple[list[Judged], Future[list[Verdict | None]]]] = {}

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
        return self.tallies.setdefault(property_name, Tally())

    def prime(self, property_name: str, samples: Iterable[Sample]) -> None:
        """Ask the engine for all SAMPLES at once, and let Spark judge them in one job."""
        tally = self.tally(property_name)
        samples = list(samples)
        wanted = [s for s in dict.fromkeys(samples) if s not in self._known]

        def patiently() -> Iterator[Sample]:
            for sample in wanted:
                if tally.losses >= PATIENCE:
                    tally.gave_up = True
                    return
                yield sample

        fresh: list[Judged] = []
        for exchange in self._ask(patiently(), tally):
            fresh.append(self._judge(exchange))
        for sample in dict.fromkeys(samples):
            self._count(tally, self._known.get(sample))
        if self.spark is not None and fresh:
            future = self.spark.submit([judged.exchange for judged in fresh])
            self._waiting[property_name] = (fresh, future)

    def confirm(self, property_name: str) -> None:
        """Wait for Spark's verdicts on a property's cases; KitDisagreement where they differ."""
        fresh, future = self._waiting.pop(property_name, ([], None))
        if future is None:
            return
        with self.timed("waiting for Spark"):
            verdicts = future.result()
        for judged, verdict in zip(fresh, verdicts, strict=True):
            must_agree(judged.exchange, judged.verdict, verdict)

    def judged(self, property_name: str, sample: Sample) -> Judged | None:
        """The exchange on SAMPLE with its verdict, from memory where it is there.

        None where the property has lost patience with the engine and does not ask any more.
        """
        known = self._known.get(sample)
        if known is not None:
            return known
        tally = self.tally(property_name)
        if tally.losses >= 2 * PATIENCE:
            tally.gave_up = True
            return None
        (exchange,) = self._ask([sample], tally)
        return self._judge(exchange)

    def again(self, sample: Sample) -> Exchange:
        """Run SAMPLE once more, whatever is known of it."""
        (exchange,) = self._ask([sample], Tally())
        return exchange

    def finding(self, property_name: str, judged: Judged) -> Finding | None:
        """What is wrong with the exchange, or None."""
        return finding_of(property_name, self.subject, judged.exchange, judged.verdict)

    def second_opinion(self, judged: Judged) -> None:
        """Have one verdict confirmed; KitDisagreement where the implementations differ."""
        if judged.verdict is None:
            return
        if self.spark is not None:
            with self.timed("waiting for Spark"):
                (verdict,) = self.spark.submit([judged.exchange]).result()
            must_agree(judged.exchange, judged.verdict, verdict)
        elif self.opinion is not None:
            self.opinion(judged.exchange, judged.verdict)

    def close(self) -> None:
        """End the engine and Spark."""
        self.subject.engine.close()
        if self.spark is not None:
            self.spark.close()

    def _ask(self, samples: Iterable[Sample], tally: Tally) -> list[Exchange]:
        """Put SAMPLES to the engine; what is lost to time limits and deaths is counted at once."""
        if self.broken is not None:
            raise self.broken
        found: list[Exchange] = []
        try:
            with self.timed("engine"):
                for exchange in self.subject.ask_many(samples):
                    found.append(exchange)
                    failure = exchange.failure
                    if failure is not None and failure.kind in {"timeout", "died"}:
                        tally.losses += 1
        except EngineBroken as error:
            self.broken = error
            raise
        return found

    @staticmethod
    def _count(tally: Tally, judged: Judged | None) -> None:
        tally.cases += 1
        if judged is None:
            return
        if judged.exchange.unsupported is not None:
            tally.unsupported += 1
            tally.reasons[judged.exchange.unsupported] += 1
        elif judged.exchange.failure is not None or judged.verdict is not None:
            tally.judged += 1

    def _judge(self, exchange: Exchange) -> Judged:
        with self.timed("comparison"):
            judged = Judged(exchange, verdict_on(exchange))
        self._known[exchange.sample] = judged
        return judged
