"""The solutions of a query over a dataset: pattern and solution modifiers."""

from __future__ import annotations

from rsp_conformance.model.query import Query
from rsp_conformance.spark.worker.identity_cache import Remembered
from rsp_conformance.spark.worker.plan import Plan
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation

_plans = Remembered(Plan)


def refuse(query: Query) -> None:
    """Raise ``Unsupported`` with the name of the first thing in QUERY that is not evaluated."""
    _plans.of(query)


def solutions(query: Query, dataset: Dataset) -> Relation:
    """QUERY over DATASET, before the streaming operator and the query form.

    The dataset is taken as it is: FROM and FROM NAMED, window contents and time-varying data are
    resolved by the caller. ``Unsupported`` says by name what is not evaluated.
    """
    return _plans.of(query).solutions(dataset)
