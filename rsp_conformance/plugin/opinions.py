"""Who confirms the specification's verdicts: Spark, or the reference engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rsp_conformance.judgement.subject import Exchange
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.plugin.arguments import Arguments, BadInput

if TYPE_CHECKING:
    from rsp_conformance.judgement.spark_judge import SparkJudge

LOOKAHEAD = 3
"""So many properties may be asked ahead once Spark runs; while it starts, all of them."""


class Opinions:
    """The second opinion of a session; see ``judgement.spark_judge`` and ``reference_opinion``."""

    def __init__(self, given: Arguments) -> None:
        self._master = given.spark
        self.spark: SparkJudge | None = None

    @property
    def enabled(self) -> bool:
        """Whether Spark judges in this session."""
        return self._master != "off"

    def check(self) -> None:
        """BadInput where Spark cannot run here; starts nothing."""
        if self.enabled:
            from rsp_conformance.spark.session import SparkUnavailable, check_java, is_remote

            try:
                if not is_remote(self._master):
                    check_java()
            except SparkUnavailable as error:
                raise BadInput(str(error)) from None

    def summary(self) -> str:
        """In a few words, for headers and reports."""
        if self.enabled:
            return f"the specification and Spark ({self._master})"
        return "the specification, confirmed by `reference` (Spark is off)"

    def start(self, config: pytest.Config) -> None:
        """Begin to start Spark in the background, in a process that runs properties."""
        if not self.enabled or self.spark is not None:
            return
        from rsp_conformance.judgement.spark_judge import SparkJudge
        from rsp_conformance.spark.session import SessionStarter

        self.spark = SparkJudge(SessionStarter(self._master).start())

    def idle(self, primed_ahead: int) -> bool:
        """Whether to ask another property ahead: Spark is still starting, or soon has no work."""
        if self.spark is None:
            return False
        return not self.spark.ready or primed_ahead < LOOKAHEAD

    @property
    def by_reference(self) -> Callable[[Exchange, Verdict], None] | None:
        """The reference engine's opinion, where Spark gives none."""
        if self.enabled:
            return None
        from rsp_conformance.suite.reference_opinion import confirm_by_reference

        return confirm_by_reference

    def close(self) -> None:
        """Stop Spark, if it was started."""
        if self.spark is not None:
            self.spark.close()
            self.spark = None
