"""Solution modifiers: ORDER BY, projection, DISTINCT, REDUCED, slices (SPARQL 1.1, 15 and 18.2.5).

They apply in that order to a sequence of solutions. Solutions that ORDER BY does not distinguish
may come in any order, so each row here carries the number of its group of tied rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from rsp_conformance.model.query import OrderKey, Query
from rsp_conformance.sparql import open_points
from rsp_conformance.sparql.order import Ranking, arbitrary_key, ranking
from rsp_conformance.sparql.readings import leave_open
from rsp_conformance.sparql.relation import Relation, Row
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.solutions import Multiset, Solution

TiedRow: TypeAlias = tuple[Row, int]
"""A row with the number of its group of tied rows; without an order, all rows are one group."""


def modified(
    query: Query, variables: tuple[str, ...], solutions: Multiset, expressions: Expressions
) -> Relation:
    """Apply the modifiers of a query to solutions; the result has rows of `variables` (18.2.5).

    Args:
        query: the query, of which only the modifiers are read.
        variables: the names of the columns.
        solutions: the solutions with the projected expressions already bound.
        expressions: evaluates the keys of ORDER BY.
    """
    groups = order_by(query.order_by, solutions, expressions)
    ordered = groups is not None
    rows = project([solutions] if groups is None else groups, variables)
    if query.distinct:
        rows, ordered = distinct(rows, ordered)
    elif query.reduced and _has_duplicates(rows):
        leave_open(open_points.REDUCED)
    cut = query.limit is not None or bool(query.offset)
    if ordered or cut:
        rows.sort(key=_place)
    if cut:
        rows = sliced(rows, query.offset or 0, query.limit)
    ties = tuple([number for _, number in rows]) if ordered else None
    return Relation(variables, [row for row, _ in rows], ties)


def order_by(
    keys: Sequence[OrderKey], solutions: Multiset, expressions: Expressions
) -> list[Multiset] | None:
    """OrderBy(Ψ, keys): the groups of tied solutions in ascending order (15.1).

    Args:
        keys: the keys of ORDER BY, the first decides first.
        solutions: the solutions Ψ.
        expressions: evaluates the keys.

    Returns:
        The groups; None if there is no order, because there are no keys or the values of a key have
        no order (`sparql.order.ranking`).
    """
    columns: list[tuple[OrderKey, Ranking]] = []
    for key in keys:
        values = dict.fromkeys([expressions.value(key.expression, mu) for mu in solutions])
        if expressions.listener is not None and len(solutions) > 1:
            expressions.listener.ordered(key, values)
        order = ranking(values)
        if order is None:
            return None
        columns.append((key, order))
    if not columns:
        return None

    def place(mu: Solution) -> tuple[int, ...]:
        ranks: list[int] = []
        for key, order in columns:
            rank = order.ranks[expressions.value(key.expression, mu)]
            ranks.append(-rank if key.descending else rank)
            if rank in order.mixed:  # different terms, which 15.1 leaves tied
                break
        return tuple(ranks)

    groups: dict[tuple[int, ...], Multiset] = {}
    for mu, count in solutions.items():
        groups.setdefault(place(mu), Counter())[mu] = count
    return [groups[key] for key in sorted(groups)]


def project(groups: Sequence[Multiset], variables: tuple[str, ...]) -> list[TiedRow]:
    """Project(Ψ, variables): each solution as a row with the number of its group (18.5)."""
    rows = Counter(
        (tuple([mu.get(variable) for variable in variables]), number)
        for number, group in enumerate(groups)
        for mu in group.elements()
    )
    # Equal rows come one after the other, because reports show the first rows of an answer.
    return list(rows.elements())


def distinct(rows: list[TiedRow], ordered: bool) -> tuple[list[TiedRow], bool]:
    """Distinct(Ψ): each row once (18.5), and whether the rows are still ordered.

    If duplicates are not tied, SPARQL does not say which of them stays, and the order is lost.
    """
    once = list(dict.fromkeys(rows))
    if _has_duplicates(once):
        return [(row, 0) for row in dict.fromkeys(row for row, _ in once)], False
    return once, ordered


def _has_duplicates(rows: list[TiedRow]) -> bool:
    return len({row for row, _ in rows}) < len(rows)


def sliced(rows: list[TiedRow], start: int, length: int | None) -> list[TiedRow]:
    """Slice(Ψ, start, length) (18.5), left open if it cuts a group of different tied rows.

    Args:
        rows: the rows in their order, each with the number of its group of ties.
        start: OFFSET, the number of rows that are skipped.
        length: LIMIT, the greatest number of rows; None for no limit.
    """
    end = len(rows) if length is None else min(start + length, len(rows))
    for edge in (start, end):
        if 0 < edge < len(rows):
            (_, before), (_, after) = rows[edge - 1 : edge + 1]
            if before == after and len({row for row, number in rows if number == after}) > 1:
                leave_open(open_points.CUT)
    return rows[start:end]


def _place(tied: TiedRow) -> tuple[Any, ...]:
    """A sort key under which tied rows always come in the same order."""
    row, number = tied
    return number, [arbitrary_key(term) for term in row]
