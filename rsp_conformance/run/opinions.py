"""The other judges of a run, who must agree before an engine is called wrong.

**What is sought.** The agreement of all implementations on every verdict, without a run that waits
for the slowest.

**How.** Spark judges all records, in batches in the background (`judge.spark_judge`); `reference`
judges only the cases that are shown. Verdicts of Spark that have come are checked whenever a
property ends (`Opinions.heed`). A case that is shown waits for its verdict (`Opinions.confirm`),
unless Spark is still starting; then `reference` confirms it alone. At the end of the run all
verdicts are waited for (`Opinions.differing`).

**What it guarantees.** If Spark is on, every verdict of the reference model on a generated case has
been compared with Spark's when the run ends, unless it is interrupted. A property on which the
judges differ is taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import TypeAlias

from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.spark_judge import SparkJudge, Verdicts, must_agree
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.observation import Observation

Opinion: TypeAlias = Callable[[Observation], None]
"""Another implementation's check of an answer; it raises `KitDisagreement`."""
Judged: TypeAlias = tuple[Observation, bool | None]
"""An answer with the verdict of the reference model; None if it is not judged."""
_Waiting: TypeAlias = tuple[list[Judged], "Future[Verdicts]"]


class Opinions:
    """The other judges of a run.

    Args:
        spark: judges whole blocks; None if it is off.
        opinion: judges single cases; None for none.
        waiting: is called with a property's name before Spark is waited for.
    """

    def __init__(
        self,
        spark: SparkJudge | None = None,
        opinion: Opinion | None = None,
        waiting: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.spark = spark
        self.opinion = opinion
        self._told = waiting
        self._confirmed: set[str] = set()
        self._waiting: defaultdict[str, list[_Waiting]] = defaultdict(list)

    @property
    def is_starting(self) -> bool:
        """Whether Spark is still starting, so that only `reference` can give an opinion."""
        return self.spark is not None and self.opinion is not None and self.spark.is_starting

    def submit(self, name: str, judged: Sequence[Judged]) -> None:
        """Let Spark judge answers of a property in the background."""
        if self.spark is not None and judged:
            future = self.spark.submit([own for own, _ in judged])
            self._waiting[name].append(([*judged], future))

    def confirm(self, name: str, judged: Sequence[Judged]) -> None:
        """Have verdicts on a property confirmed by all other judges that are there, once each.

        Raises:
            KitDisagreement: an implementation differs.
        """
        fresh = [(own, correct) for own, correct in judged if own.digest not in self._confirmed]
        self.submit(name, fresh)
        if not self.is_starting:
            self.settle(name)
        for own, _ in fresh if self.opinion is not None else ():
            assert self.opinion is not None
            self.opinion(own)
        self._confirmed.update(own.digest for own, _ in fresh)

    def settle(self, name: str) -> None:
        """Wait for Spark's verdicts on a property's answers.

        Raises:
            KitDisagreement: a verdict differs.
            KitError: Spark can't be asked.
        """
        for judged, future in self._waiting.pop(name, []):
            if not future.done():
                self._told(name)
                assert self.spark is not None
                self.spark.hurry()
            _agree(judged, future.result())

    def heed(self, name: str) -> None:
        """Check the verdicts of Spark on a property that have come; wait for no others.

        Raises:
            KitDisagreement: a verdict differs.
        """
        if self.is_starting:
            return
        waiting = self._waiting.pop(name, [])
        there = [own for own in waiting if own[1].done() and own[1].exception() is None]
        if len(there) < len(waiting):
            self._waiting[name] = [own for own in waiting if own not in there]
        for judged, future in there:
            _agree(judged, future.result())

    def differing(self) -> Iterator[tuple[str, KitDisagreement | KitError]]:
        """Wait for all verdicts; yield each property with a verdict that differs or is missing."""
        for name in [*self._waiting]:
            try:
                self.settle(name)
            except (KitDisagreement, KitError) as error:
                self._waiting.pop(name, None)
                yield name, error


def _agree(judged: Sequence[Judged], by_spark: Verdicts) -> None:
    for (own, correct), verdict in zip(judged, by_spark, strict=True):
        if correct is not None:
            must_agree(own, correct, verdict)


def judged_answers(
    observations: Iterable[Observation], correct: Iterable[bool | None]
) -> list[Judged]:
    """Return the answers that have a verdict, which others can judge too, with the verdict."""
    return [(o, c) for o, c in zip(observations, correct, strict=True) if c is not None]
