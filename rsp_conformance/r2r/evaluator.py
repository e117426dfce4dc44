"""What evaluates the patterns of queries, as a value that both semantics are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rsp_conformance.model.query import Query
from rsp_conformance.r2r.evaluate import refuse, solutions
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation


@dataclass(frozen=True, slots=True)
class Evaluator:
    """A way from a query and a dataset to the query's solutions.

    ``refuse`` raises ``Unsupported``, with the name of what is not evaluated, before there are
    any data; ``solutions`` is evaluation, before the streaming operator and the query form.
    """

    refuse: Callable[[Query], None]
    solutions: Callable[[Query, Dataset], Relation]


DEFINITIONS = Evaluator(refuse, solutions)
"""The definitions' own evaluator."""
