"""Solution mappings and the algebra of their multisets (SPARQL 1.1, 18.1.8, 18.3 and 18.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeAlias

from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.terms import BlankNode, Term

Key: TypeAlias = "str | BlankNode | Aggregate"
"""A key of a solution: a variable, by its name. Blank nodes are keys only within a basic graph
pattern (18.3.1), and aggregates only in the solution of a group (the agg_i of 18.2.4.1)."""


class Solution(dict[Key, Term]):
    """A solution mapping μ: a partial function from variables to terms (18.1.8).

    Immutable by contract, so that a multiset can count it.
    """

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __or__(self, other: Solution) -> Solution:  # type: ignore[override]
        """Merge(μ1, μ2) of compatible mappings (18.3)."""
        return Solution({**self, **other})

    def binding(self, key: Key, term: Term | None) -> Solution:
        """The mapping with `key` bound to `term` as well; None, an error, changes nothing."""
        return self if term is None else Solution({**self, key: term})

    def without(self, keys: Callable[[Key], bool]) -> Solution:
        """The mapping without the keys for which `keys` is true."""
        return Solution({key: term for key, term in self.items() if not keys(key)})


Multiset: TypeAlias = "Counter[Solution]"
"""Ω: the cardinality card[Ω](μ) of each solution mapping that occurs. ``+`` is Union."""
Condition: TypeAlias = Callable[[Solution], bool]
"""Whether a solution satisfies a FILTER."""

EMPTY_SOLUTION = Solution()
"""μ0, the mapping of no variable."""


def one(solution: Solution) -> Multiset:
    """The multiset of one solution, once."""
    return Counter({solution: 1})


def compatible(left: Solution, right: Solution) -> bool:
    """Whether both have the same term for every variable that both bind (18.3)."""
    return all(right.get(key, term) == term for key, term in left.items())


def partners(left: Multiset, right: Multiset) -> Callable[[Solution], Iterator[Solution]]:
    """A function from a mapping of `left` to the mappings of `right` that are compatible with it.

    An index over the variables that all mappings of both sides bind makes this fast; the
    definitions of 18.5 do without one.
    """
    keys = [frozenset(mu) for side in (left, right) for mu in side]
    shared = tuple(frozenset.intersection(*keys)) if keys else ()
    index: dict[tuple[Term, ...], list[Solution]] = {}
    for other in right:
        index.setdefault(tuple([other[key] for key in shared]), []).append(other)

    def find(mu: Solution) -> Iterator[Solution]:
        candidates = index.get(tuple([mu[key] for key in shared]), ())
        return (other for other in candidates if compatible(mu, other))

    return find


def join(left: Multiset, right: Multiset) -> Multiset:
    """Join(Ω1, Ω2) = { merge(μ1, μ2) | compatible }, with the product of cardinalities (18.5)."""
    find = partners(left, right)
    out: Multiset = Counter()
    for mu, count in left.items():
        for other in find(mu):
            out[mu | other] += count * right[other]
    return out


def filtered(condition: Condition, solutions: Multiset) -> Multiset:
    """Filter(expr, Ω) = { μ | expr(μ) is true }, with unchanged cardinalities (18.5)."""
    return Counter({mu: count for mu, count in solutions.items() if condition(mu)})


def left_join(left: Multiset, right: Multiset, condition: Condition) -> Multiset:
    """LeftJoin(Ω1, Ω2, expr) = Filter(expr, Join(Ω1, Ω2)) ∪ Diff(Ω1, Ω2, expr) (18.5).

    Diff keeps a mapping of Ω1 if it has no compatible mapping with which the condition is true.

    Args:
        left: Ω1, the solutions of the pattern before OPTIONAL.
        right: Ω2, the solutions of the pattern within OPTIONAL.
        condition: the filters within OPTIONAL, tested on merged solutions.
    """
    find = partners(left, right)
    out: Multiset = Counter()
    for mu, count in left.items():
        found = [other for other in find(mu) if condition(mu | other)]
        for other in found:
            out[mu | other] += count * right[other]
        if not found:
            out[mu] += count
    return out


def minus(left: Multiset, right: Multiset) -> Multiset:
    """Minus(Ω1, Ω2): the mappings of Ω1 without those that Ω2 removes (18.5).

    A mapping of Ω2 removes those that are compatible with it and share a variable with it. All
    others keep their cardinality.
    """
    find = partners(left, right)
    return filtered(lambda mu: all(mu.keys().isdisjoint(other) for other in find(mu)), left)


def projected(solutions: Multiset, keys: Callable[[Key], bool]) -> Multiset:
    """Remove from every mapping the keys for which `keys` is true.

    The cardinalities of mappings that become equal add up.
    """
    out: Multiset = Counter()
    for mu, count in solutions.items():
        out[mu.without(keys)] += count
    return out
