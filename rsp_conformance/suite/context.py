"""What the properties of one run share: the engine, the judges, and what is known already."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass

from rsp_conformance.judge.engine_under_test import Exchange, Sample, Subject
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
    """An exchange with the specification's verdict (None: not to be judged).

    ``again`` is a second exchange on the same sample, where a property asked for one; ``dispute``
    says how SPARQL engines differ on what the answer should be, where that is why there is no
    verdict.
    """

    exchange: Exchange
    verdict: Verdict | None
    again: Exchange | None = None
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
        subject: Subject,
        *,
        seed: int | str,
        spark: SparkJudge | None = None,
        opinion: Callable[[Exchange], None] | None = None,
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
        self._known: dict[Sample, Judged] = {}
        self._exchanges: dict[Sample, Exchange] = {}
        self._unasked: set[Sample] = set()
        self._confirmed: set[Sample] = set()
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

    def known(self, sample: Sample) -> Judged | None:
        """What is known of SAMPLE, or None; without a verdict where nobody was to judge it."""
        known = self._known.get(sample)
        if known is None and sample in self._exchanges:
            return Judged(self._exchanges[sample], None)
        return known

    # --- asking ----------------------------------------------------------------------------

    def prime(
        self,
        property_name: str,
        samples: Iterable[Sample],
        *,
        twice: bool = False,
        judging: bool = True,
        until: float | None = None,
    ) -> None:
        """Ask the engine for all SAMPLES at once, and have Spark judge them if JUDGING.

        TWICE asks a second time for each. Nothing is sent after UNTIL (``time.monotonic()``), or
        once patience with the engine is at its end; what was not asked then is not asked later.
        """
        tally = self.tally(property_name)
        samples = list(dict.fromkeys(samples))
        fresh = [sample for sample in samples if not self._has(sample, judging)]
        again = [s for s in samples if twice and not (s in self._known and self._known[s].again)]
        sent = 0

        def patiently() -> Iterator[Sample]:
            nonlocal sent
            for sample in (*fresh, *again):
                tally.cut = tally.cut or self.patience.ends(tally, until)
                if tally.cut:
                    return
                sent += 1
                if sent % 10 == 1:
                    total = len(fresh) + len(again)
                    self.progress(f"{property_name}: asking {sent} of {total}")
                yield sample

        judged = []
        for exchange in self._ask(patiently(), tally):
            self._exchanges[exchange.sample] = exchange
            if not judging:
                continue
            first = self._known.get(exchange.sample)
            if first is None:
                judged.append(self._judge(exchange))
            elif twice and first.again is None:
                first.again = exchange
        self._unasked.update(sample for sample in samples if not self._has(sample, judging))
        self._submit(property_name, judged)
        try:
            self.patience.learn(property_name, tally)
        except EngineBroken as error:
            self.broken = error
            raise

    def judged(self, property_name: str, sample: Sample, *, alone: bool = False) -> Judged | None:
        """The exchange on SAMPLE with its verdict, from memory where it is there.

        None where it was left out for want of time or patience, or where that is the case now.
        ALONE says that the case should have been known: Spark is asked for it as well.
        """
        known = self._known.get(sample)
        if known is not None:
            return known
        tally = self.tally(property_name)
        if sample in self._unasked or self._stops_shrinking(property_name):
            return None
        judged = self._judge(self.again(sample, tally))
        if alone:
            tally.missed += 1
            self._submit(property_name, [judged])
        return judged

    def asked(self, property_name: str, sample: Sample, *, alone: bool = False) -> Exchange | None:
        """The exchange on SAMPLE, which nobody judges by itself; otherwise as ``judged``."""
        known = self._exchanges.get(sample)
        if known is not None:
            return known
        tally = self.tally(property_name)
        if sample in self._unasked or self._stops_shrinking(property_name):
            return None
        tally.missed += alone
        exchange = self._exchanges[sample] = self.again(sample, tally)
        return exchange

    def _has(self, sample: Sample, judging: bool) -> bool:
        return sample in (self._known if judging else self._exchanges)

    def second_run(self, property_name: str, judged: Judged) -> Exchange | None:
        """Another exchange on the same sample, made once; None where patience is at its end."""
        if judged.again is None:
            if self._stops_shrinking(property_name):
                return None
            judged.again = self.again(judged.exchange.sample, self.tally(property_name))
        return judged.again

    def _stops_shrinking(self, property_name: str) -> bool:
        # A failure that was found is shown even if the engine is gone since.
        broken = self.broken is not None and self.patience.has_failed(property_name)
        return broken or self.patience.shrunk_enough(property_name)

    def again(self, sample: Sample, tally: Tally | None = None) -> Exchange:
        """Run SAMPLE now, whatever is known of it."""
        (exchange,) = self._ask([sample], tally or Tally())
        return exchange

    def _ask(self, samples: Iterable[Sample], tally: Tally) -> Iterator[Exchange]:
        """Put SAMPLES to the engine; what is lost is counted at once."""
        if self.broken is not None:
            raise self.broken
        started = time.perf_counter()
        try:
            for exchange in self.subject.ask_many(samples):
                took = time.perf_counter() - started
                self.seconds["engine"] += took
                if exchange.failure is not None and exchange.failure.kind in LOST:
                    tally.lost += 1
                    tally.lost_seconds += took
                else:
                    tally.answered += 1
                yield exchange
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
                    must_agree(own.exchange, own.verdict, verdict)

    def unconfirmed(self) -> tuple[str, ...]:
        """The properties of which ``confirm`` has not been asked yet."""
        return tuple(self._waiting)

    def confirmed(self, property_name: str) -> bool:
        """Whether Spark's verdicts on a property's cases are there, and need no waiting."""
        return all(future.done() for _, future in self._waiting.get(property_name, []))

    def second_opinions(self, samples: Iterable[Sample]) -> None:
        """Have verdicts confirmed by all other judges; KitDisagreement where they differ.

        A sample is asked about once a run.
        """
        found = [self._known[s] for s in samples if s in self._known and s not in self._confirmed]
        self.opinions_on([judged for judged in found if judged.verdict is not None])
        self._confirmed.update(judged.exchange.sample for judged in found)

    def opinions_on(self, fresh: list[Judged]) -> None:
        """Have the verdicts of FRESH confirmed; KitDisagreement where the judges differ."""
        if self.spark is not None and fresh:
            future = self.spark.submit([judged.exchange for judged in fresh])
            self.spark.hurry()
            with self.timed("waiting for Spark"):
                verdicts = future.result()
            for judged, verdict in zip(fresh, verdicts, strict=True):
                must_agree(judged.exchange, judged.verdict, verdict)
        for judged in fresh:
            if self.opinion is not None:
                self.opinion(judged.exchange)

    def finding(self, property_name: str, judged: Judged) -> Finding | None:
        """What is wrong with the exchange, or None."""
        return finding_of(property_name, self.subject, judged.exchange, judged.verdict)

    def count(self, property_name: str, samples: Iterable[Sample], tells: set[Sample]) -> None:
        """Enter into the tally what became of SAMPLES, of which those in TELLS tell something."""
        tally = self.tally(property_name)
        for sample in dict.fromkeys(samples):
            judged = self._known.get(sample)
            if judged is None:
                tally.unasked += 1
            elif judged.exchange.unsupported is not None:
                tally.unsupported += 1
                tally.reasons[judged.exchange.unsupported] += 1
            elif judged.dispute is not None:
                tally.disputed += 1
                tally.disputes.append(told(judged.exchange.query_text, judged.dispute))
            elif judged.exchange.failure is None and (
                judged.verdict is None or sample not in tells
            ):
                tally.vacuous += 1
            else:
                tally.compared += 1

    def close(self) -> None:
        """End the engine and Spark."""
        self.subject.engine.close()
        if self.spark is not None:
            self.spark.close()

    def _judge(self, exchange: Exchange) -> Judged:
        with self.timed("comparison"):
            ruling = ruling_on(exchange)
            judged = Judged(exchange, ruling.verdict, dispute=ruling.dispute)
        self._known[exchange.sample] = judged
        return judged

    def _submit(self, property_name: str, judged: list[Judged]) -> None:
        if self.spark is not None and judged:
            future = self.spark.submit([own.exchange for own in judged])
            self._waiting[property_name].append((judged, future))
