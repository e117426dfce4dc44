"""What a SPARQL library is to the kit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rsp_conformance.model.query import Query
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation, Row

Ask: TypeAlias = Callable[[Query, Dataset], list[Row]]
"""A library: the rows of a SELECT without modifiers over a dataset, one place a column."""

Solve: TypeAlias = Callable[[Query, Dataset], Relation]
"""A query with its modifiers over a dataset."""
