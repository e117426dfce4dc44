"""Leaving out what no pattern can use, before it is encoded and sent to the workers.

Most triples of a real stream match no pattern of a query, and of those that do most join with
nothing or fail a FILTER. What is left out here reaches no window; whether elements came, which is
what a report asks, their instants tell, and these all stay.

A triple stays if, for some demand of the query (``demands``), it may take part in a solution over
everything that the demand could ever see at once: all elements of the streams of its windows, the
timestamp triples of named ones, and all background data. Candidates are narrowed pattern by
pattern, by the terms that the shared variables can still take, until nothing changes: a semi-join
reduction (Bernstein and Chiu, *Using Semi-Joins to Solve Relational Queries*, 1981). What a window
holds is a part of that everything, so a solution over it loses no triple.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, BlankNode, Term, Triple
from rsp_conformance.r2r.expressions import Frame, Test, compile_test
from rsp_conformance.spark.demands import Condition, Demand

MOST_PAIRS = 20_000
"""A condition on two variables is tried on so many pairs of terms at most."""

Row: TypeAlias = tuple[Any, ...]
"""Subject, predicate, object, and the place of the triple in its store."""

Slot: TypeAlias = "Variable | BlankNode"
"""What a solution binds; a blank node of a pattern is a variable that no solution shows."""


class Store:
    """Triples by predicate. ``add`` puts more into it; places count from 0."""

    def __init__(self, triples: Iterable[Triple] = ()) -> None:
        self.size = 0
        self._by_predicate: defaultdict[str, list[Row]] = defaultdict(list)
        self.add(triples)

    def add(self, triples: Iterable[Triple]) -> None:
        """Put TRIPLES after those that are there."""
        by_predicate, place = self._by_predicate, self.size - 1
        for place, triple in enumerate(triples, self.size):
            predicate = triple.predicate
            # By its text: a string keeps its hash, and the interpreter compares it itself.
            by_predicate[predicate.value].append((triple.subject, predicate, triple.object, place))
        self.size = place + 1

    def rows(self, predicate: Term | Slot) -> list[Row]:
        """The triples with PREDICATE; all of them where it is a variable."""
        if isinstance(predicate, IRI):
            return self._by_predicate.get(predicate.value, [])
        return [row for rows in self._by_predicate.values() for row in rows]


def needed(demand: Demand, store: Store) -> set[int]:
    """The places of the triples of STORE that may take part in a solution of DEMAND."""
    candidates = [_Candidates(triple, store) for triple in demand.triples]
    domains = _Domains(candidates)
    pairs = []
    for condition in demand.conditions:
        slots, holds = _compiled(condition, demand.base)
        if len(slots) == 1:
            domains.test(slots[0], holds)
        else:
            pairs.append((slots, holds))
    domains.narrow()
    while sum(domains.test_pair(slots, holds) for slots, holds in pairs):
        domains.narrow()
    if not all(candidate.rows for candidate in candidates):
        return set()
    return {row[3] for candidate in candidates for row in candidate.rows}


def _compiled(condition: Condition, base: str | None) -> tuple[tuple[Variable, ...], Test]:
    """The variables of CONDITION, and whether it holds of a row of their terms."""
    slots = {name: place for place, name in enumerate(condition.variables)}
    return (
        tuple([Variable(name) for name in condition.variables]),
        compile_test(condition.expression, Frame(slots, base)),
    )


class _Candidates:
    """The triples that may still match one triple pattern."""

    def __init__(self, pattern: TriplePattern, store: Store) -> None:
        predicate = pattern.predicate
        assert isinstance(predicate, (IRI, Variable))
        rows = store.rows(predicate)
        self.slots: dict[Slot, int] = {}
        for position, part in enumerate((pattern.subject, predicate, pattern.object)):
            if isinstance(part, (Variable, BlankNode)):
                first = self.slots.setdefault(part, position)
                if first != position:
                    rows = [row for row in rows if row[first] == row[position]]
            elif isinstance(part, TriplePattern):
                # What is inside is left to the evaluation.
                rows = [row for row in rows if isinstance(row[position], Triple)]
            elif position != 1:
                rows = [row for row in rows if row[position] == part]
        self.rows = rows


class _Domains:
    """The terms that the slots of a basic graph pattern may still take; they only get fewer."""

    def __init__(self, candidates: Sequence[_Candidates]) -> None:
        self._candidates = candidates
        self._terms: dict[Slot, set[Term]] = {}
        self._fitted: dict[int, list[int]] = {}

    def narrow(self) -> None:
        """Drop candidates that no longer fit, and terms without one, until nothing changes."""
        while pending := [c for c in self._candidates if self._fitted.get(id(c)) != self._sizes(c)]:
            # What has the fewest terms or candidates narrows the others most.
            candidate = min(pending, key=lambda c: min([len(c.rows), *self._sizes(c)]))
            self._fit(candidate)

    def _fit(self, candidate: _Candidates) -> None:
        rows = candidate.rows
        for slot, position in candidate.slots.items():
            terms = self._terms.get(slot)
            if terms is not None:
                rows = [row for row in rows if row[position] in terms]
        candidate.rows = rows
        for slot, position in candidate.slots.items():
            self._terms[slot] = {row[position] for row in rows}
        self._fitted[id(candidate)] = self._sizes(candidate)

    def _sizes(self, candidate: _Candidates) -> list[int]:
        """How many terms each slot of CANDIDATE has left, where that is known."""
        return [len(self._terms[slot]) for slot in candidate.slots if slot in self._terms]

    def test(self, slot: Slot, holds: Test) -> None:
        """Keep the terms of SLOT of which HOLDS is true."""
        self._terms[slot] = {term for term in self._of(slot) if holds((term,)) is True}

    def test_pair(self, slots: Sequence[Slot], holds: Test) -> bool:
        """Keep the terms of both SLOTS that have a partner with which HOLDS is true.

        Whether any term went. Nothing is tried where there are more than MOST_PAIRS pairs.
        """
        left, right = (self._of(slot) for slot in slots)
        if len(left) * len(right) > MOST_PAIRS:
            return False
        kept = {a for a in left if any(holds((a, b)) is True for b in right)}
        partners = {b for b in right if any(holds((a, b)) is True for a in kept)}
        self._terms[slots[0]], self._terms[slots[1]] = kept, partners
        return len(kept) < len(left) or len(partners) < len(right)

    def _of(self, slot: Slot) -> set[Term]:
        """The terms of SLOT; those of the pattern with the fewest candidates before any is fit."""
        if slot not in self._terms:
            some = min((c for c in self._candidates if slot in c.slots), key=lambda c: len(c.rows))
            position = some.slots[slot]
            self._terms[slot] = {row[position] for row in some.rows}
        return self._terms[slot]
