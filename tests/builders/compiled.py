"""Spark's compiled evaluator and judge in the words of the specification's, without Spark."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.limits import seconds
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import judge_share
from rsp_conformance.spark.worker.plan import QueryPlan
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation

_last: list[tuple[Query, QueryPlan]] = []
"""The last query, compiled: mostly one is asked over many datasets."""


def solutions(query: Query, dataset: Dataset) -> Relation:
    if not _last or _last[0][0] is not query:
        _last[:] = [(query, QueryPlan(query))]
    return _last[0][1].solutions(dataset)


def verdict(case: Case, dials: Dials, observed: Sequence[Observed]) -> Verdict:
    """What the compiled judge says of OBSERVED, without Spark."""
    shipped = Shipment().case(Task("case", case, dials, tuple(observed)), judged=True)
    ((found, *_),) = judge_share([shipped], seconds())
    if isinstance(found, Exception):
        raise found
    assert isinstance(found, Verdict)
    return found
