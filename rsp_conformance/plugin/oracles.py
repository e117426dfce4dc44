"""Who confirms the specification's verdicts: Spark, and the reference engine."""

from __future__ import annotations

from pathlib import Path

from rsp_conformance.judge.spark_judge import PATIENCE, SparkJudge
from rsp_conformance.model.errors import BadInput
from rsp_conformance.spark.session import (
    SessionStarter,
    SparkHandle,
    SparkUnavailable,
    check_java,
    is_remote,
)

OFF = "off"


class Oracles:
    """The other judges of a session; see ``judge.spark_judge`` and ``suite.reference_opinion``.

    ``patience`` is how many seconds ``close`` waits for a job under way.
    """

    def __init__(self, master: str) -> None:
        self._master = master
        self.spark: SparkJudge | None = None
        self._starter: SessionStarter | None = None
        self.patience = PATIENCE

    def check(self) -> None:
        """BadInput where Spark cannot run here; starts nothing."""
        if self._master == OFF or is_remote(self._master):
            return
        try:
            check_java()
        except SparkUnavailable as error:
            raise BadInput(str(error)) from None

    def summary(self) -> str:
        """In a few words, for headers and reports."""
        if self._master == OFF:
            return "the specification and `reference` (Spark is off)"
        return f"the specification and Spark ({self._master})"

    def start(self, at_least: int = 1, folder: Path | None = None) -> None:
        """Begin to start Spark in the background; its jobs hold AT_LEAST cases if they can.

        FOLDER is for its files, the system's for temporary ones if None.
        """
        if self._master != OFF and self.spark is None:
            self._starter = SessionStarter(self._master, folder).start()
            self.spark = SparkJudge(self._starter, at_least)

    def session(self) -> SparkHandle | None:
        """The session that ``start`` began to start; None where Spark is off.

        Raises SparkUnavailable where it did not start.
        """
        return None if self._starter is None else self._starter.result()

    def close(self) -> None:
        """Stop Spark, if it was started."""
        if self.spark is not None:
            self.spark.close(self.patience)
            self.spark = self._starter = None
