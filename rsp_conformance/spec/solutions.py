"""Solution mappings and the algebra of their multisets (SPARQL 1.1, 18.1.8, 18.3 and 18.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeAlias

from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.terms import BlankNode, Term

Key: TypeAlias = "str | BlankNode | Aggregate"
"""A variable by its name. Blank nodes stand for terms within a basic graph pattern (18.3.1), and
aggregates within a group's solution (the agg_i of 18.2.4.1); no other solution has them."""


class Solution(dict[Key, Term]):
    """A solution mapping μ: a partial function from variables to terms (18.1.8).

    Immutable by contract, so that a multiset can count it.
    """

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __or__(self, other: Solution) -> Solution:  # type: ignore[override]
        """Merge(μ1, μ2), of compatible mappings (18.3)."""
        return Solution({**self, **other})

    def binding(self, key: Key, term: Term) -> Solution:
        """The mapping that takes KEY to TERM too."""
        return Solution({**self, key: term})

    def variables(self) -> Solution:
        """The mapping without blank nodes and aggregates."""
        return Solution({key: term for key, term in self.items() if isinstance(key, str)})


Multiset: TypeAlias = "Counter[Solution]"
"""Ω: how often each solution mapping comes, card[Ω](μ), of those that come."""
Condition: TypeAlias = Callable[[Solution], bool]

EMPTY_SOLUTION = Solution()
"""μ0, the mapping of no variable."""


def compatible(one: Solution, other: Solution) -> bool:
    """Whether both have the same term for every variable that both bind (18.3)."""
    return all(other.get(key, term) == term for key, term in one.items())


def always_bound(solutions: Multiset) -> frozenset[Key]:
    """The variables that every one of SOLUTIONS binds."""
    return frozenset.intersection(*map(frozenset, solutions))


def partners(left: Multiset, right: Multiset) -> Callable[[Solution], Iterator[Solution]]:
    """For a mapping of LEFT, the mappings of RIGHT that are compatible with it.

    An index finds those that have the same terms for the variables that all mappings of both sides
    bind; with 18.5's definitions it has nothing to do.
    """
    if not left or not right:
        return lambda solution: iter(())
    shared = sorted(always_bound(left) & always_bound(right), key=repr)
    index: dict[tuple[Term, ...], list[Solution]] = {}
    for other in right:
        index.setdefault(tuple([other[key] for key in shared]), []).append(other)

    def find(solution: Solution) -> Iterator[Solution]:
        candidates = index.get(tuple([solution[key] for key in shared]), ())
        return (other for other in candidates if compatible(solution, other))

    return find


def union(left: Multiset, right: Multiset) -> Multiset:
    """Union(Ω1, Ω2): card[Union](μ) = card[Ω1](μ) + card[Ω2](μ) (18.5)."""
    return left + right


def join(left: Multiset, right: Multiset) -> Multiset:
    """Join(Ω1, Ω2) = { merge(μ1, μ2) | compatible }, their cardinalities multiplied (18.5)."""
    find = partners(left, right)
    out: Multiset = Counter()
    for solution, count in left.items():
        for other in find(solution):
            out[solution | other] += count * right[other]
    return out


def filtered(condition: Condition, solutions: Multiset) -> Multiset:
    """Filter(expr, Ω) = { μ | expr(μ) is true }, with their cardinalities (18.5)."""
    return Counter({solution: n for solution, n in solutions.items() if condition(solution)})


def left_join(left: Multiset, right: Multiset, condition: Condition) -> Multiset:
    """LeftJoin(Ω1, Ω2, expr) = Filter(expr, Join(Ω1, Ω2)) ∪ Diff(Ω1, Ω2, expr) (18.5).

    Diff keeps the mappings that no compatible one makes the condition true with.
    """
    find = partners(left, right)
    out: Multiset = Counter()
    for solution, count in left.items():
        found = [other for other in find(solution) if condition(solution | other)]
        for other in found:
            out[solution | other] += count * right[other]
        if not found:
            out[solution] += count
    return out


def minus(left: Multiset, right: Multiset) -> Multiset:
    """Minus(Ω1, Ω2): no mapping of Ω2 is compatible and shares a variable (18.5).

    What stays keeps its cardinality, however often the other side has what removes it.
    """
    find = partners(left, right)
    return Counter(
        {
            solution: count
            for solution, count in left.items()
            if all(solution.keys().isdisjoint(other) for other in find(solution))
        }
    )


def projected(solutions: Multiset, change: Callable[[Solution], Solution]) -> Multiset:
    """Every mapping as CHANGE makes it; the cardinalities of those that become one add up."""
    out: Multiset = Counter()
    for solution, count in solutions.items():
        out[change(solution)] += count
    return out
