"""Which operators a query uses at all, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rsp_conformance.cells.functions import MEMBERSHIP, PAIRED
from rsp_conformance.cells.labels import PATHS, everything
from rsp_conformance.model import algebra
from rsp_conformance.model.expressions import Aggregate, Exists, Operation
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.sparql.coverage import AGGREGATES

_PATTERNS: Final = (
    *(algebra.BGP, algebra.Join, algebra.LeftJoin, algebra.Union, algebra.Minus, algebra.Filter),
    *(algebra.Extend, algebra.Graph, algebra.Window, algebra.Values, algebra.SubSelect, Exists),
)
_NODES: Final = {kind: kind.__name__ for kind in (*_PATTERNS, *PATHS)}
_NAMED: Final = ("||", "&&", "!", *PAIRED, *MEMBERSHIP, "UNARY+", "UNARY-", *sorted(AGGREGATES))

OPERATORS: Final = (*_NODES.values(), *_NAMED, *(operator.value for operator in StreamOperator))
"""The operators of patterns, paths and expressions, aggregates, and streaming operators."""


def operators_used(query: Query) -> Iterator[str]:
    """Those of OPERATORS that QUERY uses, with repetitions."""
    if query.operator is not None:
        yield query.operator.value
    for part in everything(query):
        if type(part) in _NODES:
            yield _NODES[type(part)]
        elif isinstance(part, Operation | Aggregate) and part.name in _NAMED:
            yield part.name
