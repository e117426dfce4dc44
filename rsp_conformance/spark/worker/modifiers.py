"""Solution modifiers: ORDER BY, projection, DISTINCT, REDUCED, OFFSET and LIMIT (SPARQL 1.1, 15).

They apply in that order. Rows that stay tied are put in an order that depends on their terms
alone, so that one relation always comes out the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from rsp_conformance.model.query import Query
from rsp_conformance.spark.worker.active_dataset import ActiveDataset
from rsp_conformance.spark.worker.exists import LateEvaluator
from rsp_conformance.spark.worker.expressions import Evaluator
from rsp_conformance.sparql import open_points
from rsp_conformance.sparql.order import Ranking, arbitrary_key, ranking
from rsp_conformance.sparql.readings import leave_open
from rsp_conformance.sparql.relation import Relation, Row

Sorter: TypeAlias = Callable[[list[Row], ActiveDataset], "list[tuple[int, ...]] | None"]


def compile_order(columns: Sequence[tuple[LateEvaluator, bool]]) -> Sorter:
    """Compile ORDER BY to a function from rows to their sort keys; None if there is no order.

    Rows with equal keys are tied.

    Args:
        columns: the expression of each comparator, and whether it descends.
    """

    def sort_keys(rows: list[Row], dataset: ActiveDataset) -> list[tuple[int, ...]] | None:
        ranked: list[tuple[Evaluator, Ranking, int]] = []
        for evaluator, descending in columns:
            evaluate = evaluator(dataset)
            order = ranking(evaluate(row) for row in rows)
            if order is None:
                return None
            ranked.append((evaluate, order, -1 if descending else 1))
        return [_sort_key(row, ranked) for row in rows]

    return sort_keys


def _sort_key(row: Row, columns: Sequence[tuple[Evaluator, Ranking, int]]) -> tuple[int, ...]:
    """The ranks of a row; behind a rank that several terms share, no further column counts."""
    key: list[int] = []
    for evaluate, order, sign in columns:
        rank = order.ranks[evaluate(row)]
        key.append(sign * rank)
        if rank in order.mixed:
            break
    return tuple(key) + (0,) * (len(columns) - len(key))


def row_key(row: Row) -> tuple[Any, ...]:
    """A total order on rows, for choices that SPARQL leaves open."""
    return tuple([arbitrary_key(term) for term in row])


def order_rows(
    rows: list[Row], keys: list[tuple[int, ...]] | None, project: Callable[[Row], Row]
) -> tuple[list[Row], list[int] | None]:
    """Sort and project rows.

    Args:
        rows: the rows.
        keys: their sort keys; None if there is no order.
        project: projects a row.

    Returns:
        The rows, and the number of each row's group of ties.
    """
    if keys is None:
        return [project(row) for row in rows], None
    projected = [(key, project(row)) for key, row in zip(keys, rows, strict=True)]
    if len(set(keys)) < len(keys):
        projected.sort(key=lambda pair: (pair[0], row_key(pair[1])))
    else:
        projected.sort(key=lambda pair: pair[0])
    numbers = {key: number for number, key in enumerate(dict.fromkeys(k for k, _ in projected))}
    return [row for _, row in projected], [numbers[key] for key, _ in projected]


def distinct(rows: list[Row], ties: list[int] | None) -> tuple[list[Row], list[int] | None]:
    """The rows without duplicates, and their groups of ties.

    If duplicates are in different groups, SPARQL does not say which of them stays, and the order
    is lost: None.
    """
    if ties is None:
        return list(dict.fromkeys(rows)), None
    groups: dict[Row, int] = {}
    for row, group in zip(rows, ties, strict=True):
        if groups.setdefault(row, group) != group:
            return list(dict.fromkeys(rows)), None
    return list(groups), list(groups.values())


def cut(
    rows: list[Row], ties: list[int] | None, offset: int, limit: int | None
) -> tuple[list[Row], list[int] | None]:
    """The rows that OFFSET and LIMIT leave; left open if another choice would be as right.

    Args:
        rows: the rows.
        ties: their groups of ties; None if there is no order.
        offset: how many rows are left out.
        limit: how many rows stay; None for all.
    """
    end = len(rows) if limit is None else min(offset + limit, len(rows))
    if ties is None and (0 < offset < len(rows) or end < len(rows)):
        rows = sorted(rows, key=row_key)
    for edge in (offset, end):
        if 0 < edge < len(rows) and _splits(rows, ties, edge):
            leave_open(open_points.CUT)
            break
    return rows[offset:end], None if ties is None else ties[offset:end]


def _splits(rows: list[Row], ties: list[int] | None, edge: int) -> bool:
    """Whether the rows before and after an edge are tied, and other rows could change places."""
    if ties is None:
        return len(set(rows)) > 1
    group = ties[edge]
    return (
        ties[edge - 1] == group
        and len({r for r, g in zip(rows, ties, strict=True) if g == group}) > 1
    )


def modified(
    query: Query,
    variables: tuple[str, ...],
    rows: list[Row],
    keys: list[tuple[int, ...]] | None,
    *,
    project: Callable[[Row], Row],
) -> Relation:
    """Sort, project and modify the rows of a query.

    Args:
        query: the query.
        variables: its columns.
        rows: the rows.
        keys: their sort keys; None if there is no order.
        project: projects a row.
    """
    rows, ties = order_rows(rows, keys, project)
    if query.distinct:
        rows, ties = distinct(rows, ties)
    elif query.reduced and len(set(rows)) < len(rows):
        leave_open(open_points.REDUCED)
    if query.limit is not None or query.offset:
        rows, ties = cut(rows, ties, query.offset or 0, query.limit)
    return Relation(variables, rows, None if ties is None else tuple(ties))
