"""The solutions of a query over a dataset: pattern and solution modifiers."""

from __future__ import annotations

from collections import OrderedDict

from rsp_conformance.model.query import Query
from rsp_conformance.r2r.dataset import Dataset
from rsp_conformance.r2r.plan import Plan
from rsp_conformance.r2r.relation import Relation

_KEPT = 256
_plans: OrderedDict[int, Plan] = OrderedDict()


def solutions(query: Query, dataset: Dataset) -> Relation:
    """QUERY over DATASET, before the streaming operator and the query form.

    The dataset is taken as it is: FROM and FROM NAMED, window contents and time-varying data are
    resolved by the caller. ``Unsupported`` says by name what is not evaluated.
    """
    return plan_of(query).solutions(dataset)


def plan_of(query: Query) -> Plan:
    """The compiled QUERY, kept for the queries compiled last.

    Kept by identity, because hashing a query costs as much as evaluating it; the plan holds its
    query, so that no other query can have the same identity meanwhile.
    """
    plan = _plans.get(id(query))
    if plan is None:
        plan = _plans[id(query)] = Plan(query)
        if len(_plans) > _KEPT:
            _plans.popitem(last=False)
    return plan
