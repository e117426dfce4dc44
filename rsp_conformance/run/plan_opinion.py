"""The opinion of Spark's plan, in this process: for sources that keep Spark busy themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rsp_conformance import limits
from rsp_conformance.judge.spark_judge import must_agree
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.run.reference_opinion import confirm_by_reference
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import InternalError, judge_share

JUDGED_BY: Final = "the reference model, Spark's plan and the third opinion"
"""The judges of an answer that `confirm_by_both` confirms."""


def confirm_by_both(observation: Observation) -> None:
    """Check an answer by Spark's plan and by `reference`.

    Raises:
        KitDisagreement: one of them differs.
    """
    verdict = verdict_on(observation)
    if verdict is not None:
        (other,) = by_plan([observation], limits.seconds())
        must_agree(observation, verdict.correct, other)
    confirm_by_reference(observation)


def by_plan(
    observations: Sequence[Observation], seconds: float
) -> list[Verdict | InternalError | LimitExceeded | None]:
    """The verdicts of Spark's plan, computed in this process.

    Args:
        observations: the observations to judge.
        seconds: the processor time that a case may take.

    Returns:
        A verdict, or its substitute (`SparkJudge.submit`), for each observation.
    """
    shipment = Shipment()
    tasks = (
        Task(str(n), own.stimulus.case, own.dials, own.observed)
        for n, own in enumerate(observations)
    )
    results = judge_share([shipment.case(task, judged=True) for task in tasks], seconds)
    kept = (Verdict, InternalError, LimitExceeded)
    return [one.found if isinstance(one.found, kept) else None for one in results]
