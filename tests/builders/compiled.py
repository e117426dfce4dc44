"""Spark's compiled evaluator in the words of the specification's: a query over a dataset."""

from __future__ import annotations

from rsp_conformance.model.query import Query
from rsp_conformance.spark.worker.plan import QueryPlan
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation

_last: list[tuple[Query, QueryPlan]] = []
"""The last query, compiled: mostly one is asked over many datasets."""


def solutions(query: Query, dataset: Dataset) -> Relation:
    if not _last or _last[0][0] is not query:
        _last[:] = [(query, QueryPlan(query))]
    return _last[0][1].solutions(dataset)
