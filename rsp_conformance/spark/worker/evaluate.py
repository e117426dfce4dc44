"""The solutions of a query over a dataset: pattern and solution modifiers."""

from __future__ import annotations

from collections import OrderedDict

from rsp_conformance.model.query import Query
from rsp_conformance.spark.worker.plan import Plan
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation

MOST_PLANS = 256
"""So many compiled queries are kept, those that were asked last."""

_plans: OrderedDict[int, Plan] = OrderedDict()
"""Plans by the identity of their queries, for to hash a query costs too much.

A plan keeps its query, so that no other query can have its identity meanwhile.
"""


def refuse(query: Query) -> None:
    """Raise ``Unsupported`` with the name of the first thing in QUERY that is not evaluated."""
    _plan(query)


def solutions(query: Query, dataset: Dataset) -> Relation:
    """QUERY over DATASET, before the streaming operator and the query form.

    The dataset is taken as it is: FROM and FROM NAMED, window contents and time-varying data are
    resolved by the caller. ``Unsupported`` says by name what is not evaluated.
    """
    return _plan(query).solutions(dataset)


def _plan(query: Query) -> Plan:
    plan = _plans.get(id(query))
    if plan is None:
        plan = _plans[id(query)] = Plan(query)
        if len(_plans) > MOST_PLANS:
            _plans.popitem(last=False)
    return plan
