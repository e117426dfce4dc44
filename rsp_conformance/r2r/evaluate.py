"""The solutions of a query over a dataset: pattern and solution modifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rsp_conformance.model.query import Query
    from rsp_conformance.r2r.dataset import Dataset
    from rsp_conformance.r2r.relation import Relation


def solutions(query: Query, dataset: Dataset) -> Relation:
    """Evaluate QUERY over DATASET; ``Unsupported`` for what is not covered."""
    raise NotImplementedError
