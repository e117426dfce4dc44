"""What the properties of one run share: asking, remembering, and having it confirmed."""

from __future__ import annotations

from collections.abc import Callable

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation
from rsp_conformance.judge.spark_judge import SparkJudge
from rsp_conformance.suite.asking import Asking
from rsp_conformance.suite.events import Listener, nobody
from rsp_conformance.suite.memory import Memory
from rsp_conformance.suite.opinions import Opinions
from rsp_conformance.suite.tally import Ledger


class Context:
    """One run of the suite against one engine; what happens is told to EMIT.

    ``asking`` asks the engine, ``memory`` knows what was asked and judged, ``opinions`` are the
    other judges: SPARK for whole batches and single cases, OPINION for single ones.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        *,
        seed: int | str,
        spark: SparkJudge | None = None,
        opinion: Callable[[Observation], None] | None = None,
        emit: Listener = nobody,
    ) -> None:
        self.subject = subject
        self.seed = seed
        self.emit = emit
        self.ledger = Ledger(emit)
        self.tallies = self.ledger.tallies
        self.asking = Asking(subject, self.ledger)
        self.opinions = Opinions(spark, opinion, self.ledger)
        self.memory = Memory(self.asking, self.opinions.submit, self.ledger)
