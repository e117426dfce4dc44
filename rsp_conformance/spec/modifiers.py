"""Solution modifiers: ORDER BY, projection, DISTINCT, REDUCED, slices (SPARQL 1.1, 15 and 18.2.5).

They apply in that order, to a sequence of solutions. SPARQL leaves solutions that ORDER BY does not
tell apart in any order, so a sequence here is one of groups of tied rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rsp_conformance.model.query import OrderKey, Query
from rsp_conformance.sparql import undetermined
from rsp_conformance.sparql.order import Ranking, arbitrary_key, ranking
from rsp_conformance.sparql.relation import Relation, Row
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.solutions import Multiset, Solution

Rows: TypeAlias = "Counter[Row]"


@dataclass(frozen=True, slots=True)
class Sequenced:
    """Groups of tied rows in ascending order; one group where nothing is ORDERED."""

    groups: Sequence[Rows]
    ordered: bool

    def relation(self, variables: tuple[str, ...]) -> Relation:
        """The rows of VARIABLES one after the other."""
        if not self.ordered:
            return Relation(variables, [row for group in self.groups for row in group.elements()])
        numbered = self.numbered()
        return Relation(
            variables, [row for row, _ in numbered], tuple([number for _, number in numbered])
        )

    def numbered(self) -> list[tuple[Row, int]]:
        """Every row with the number of its group; tied rows always come in the same order."""
        return [
            (row, number)
            for number, group in enumerate(self.groups)
            for row in sorted(group.elements(), key=_arbitrary_order)
        ]


def modified(
    query: Query, variables: tuple[str, ...], solutions: Multiset, expressions: Expressions
) -> Relation:
    """SOLUTIONS under the modifiers of QUERY, as rows of VARIABLES (18.2.5)."""
    tied = order_by(query.order_by, solutions, expressions)
    groups = [solutions] if tied is None else tied
    found = Sequenced([project(group, variables) for group in groups], tied is not None)
    if query.distinct:
        found = distinct(found)
    elif query.reduced and _has_duplicates(found):
        expressions.note(undetermined.REDUCED)
    if query.limit is not None or query.offset:
        found = sliced(found, query.offset or 0, query.limit, expressions.note)
    return found.relation(variables)


def order_by(
    keys: Sequence[OrderKey], solutions: Multiset, expressions: Expressions
) -> list[Multiset] | None:
    """OrderBy(Ψ, keys): the groups of tied SOLUTIONS in ascending order (15.1).

    None where there is no order: without keys, and where one has values that ``<`` does not order.
    """
    columns: list[tuple[OrderKey, Ranking]] = []
    for key in keys:
        order = ranking(expressions.value(key.expression, mu) for mu in solutions)
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


def project(solutions: Multiset, variables: tuple[str, ...]) -> Rows:
    """Project(Ψ, variables), each solution as a row (18.5)."""
    rows: Rows = Counter()
    for mu, count in solutions.items():
        rows[tuple([mu.get(variable) for variable in variables])] += count
    return rows


def distinct(found: Sequenced) -> Sequenced:
    """Distinct(Ψ): each row once (18.5).

    Where duplicates are not tied SPARQL does not say which of them stays, and the order is lost.
    """
    once = Sequenced([Counter(group.keys()) for group in found.groups], found.ordered)
    if _has_duplicates(once):
        return Sequenced([Counter({row for group in once.groups for row in group})], False)
    return once


def _has_duplicates(found: Sequenced) -> bool:
    rows = [row for group in found.groups for row in group.elements()]
    return len(set(rows)) < len(rows)


def sliced(
    found: Sequenced, start: int, length: int | None, note: Callable[[str], None]
) -> Sequenced:
    """Slice(Ψ, start, length) (18.5); one that cuts through a group of ties has a choice."""
    rows = found.numbered()
    end = len(rows) if length is None else min(start + length, len(rows))
    for edge in (start, end):
        if 0 < edge < len(rows):
            (_, before), (_, after) = rows[edge - 1 : edge + 1]
            if before == after and len(found.groups[after]) > 1:
                note(undetermined.CUT)
    kept: list[Rows] = [Counter() for _ in found.groups]
    for row, number in rows[start:end]:
        kept[number][row] += 1
    return Sequenced(kept, found.ordered)


def _arbitrary_order(row: Row) -> tuple[Any, ...]:
    return tuple([arbitrary_key(term) for term in row])
