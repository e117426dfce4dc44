"""Leaving out what no pattern can use, before windows are filled.

Most triples of a real stream match no pattern of a query, and of those that do most join with
nothing or fail a FILTER. What is left out here reaches no window; whether elements came, which is
what a report asks, their instants tell, and these all stay.

A triple stays if, for some demand of the query (``demands``), it may take part in a solution over
everything that the demand could ever see at once: all elements, the timestamp triples of named
ones, and all background data. Candidates are narrowed pattern by pattern, by the terms that the
shared variables can still take, until nothing changes: a semi-join reduction (Bernstein and Chiu,
*Using Semi-Joins to Solve Relational Queries*, 1981). What a window holds is a part of that
everything, so a solution over it loses no triple.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeAlias

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.spark.worker.demands import Condition, Demand, demands
from rsp_conformance.spark.worker.expressions import Frame, Test, compile_test
from rsp_conformance.spark.worker.registered import Arrival, Registration

FEWEST = 200
"""Of fewer triples all are kept: the search for what matters would cost more than it saves."""

MOST_PAIRS = 20_000
"""A condition on two variables is tried on so many pairs of terms at most."""

Slot: TypeAlias = "Variable | BlankNode"
"""What a solution binds; a blank node of a pattern is a variable that no solution shows."""


class Prefilter:
    """Cuts elements down to what a query can use; queries of one stream come after each other."""

    def __init__(self) -> None:
        self._laid_out: tuple[tuple[object, ...], _LaidOut] | None = None
        self._demands: dict[int, tuple[Query, tuple[Demand, ...] | None]] = {}

    def cut(self, arrivals: Sequence[Arrival], registration: Registration) -> Sequence[Arrival]:
        """ARRIVALS, each with those of its triples that the query of REGISTRATION can use."""
        if sum([len(arrival.graph) for arrival in arrivals]) < FEWEST:
            return arrivals
        query = registration.query
        # By identity, for to hash a query costs too much; what is kept keeps its identity.
        if id(query) not in self._demands:
            self._demands[id(query)] = query, demands(query)
        asked = self._demands[id(query)][1]
        if asked is None:
            return arrivals
        background, stamp, unit = (
            registration.background,
            registration.stamp,
            registration.dials.unit,
        )
        laid_out = self._laid_out
        if laid_out is None or laid_out[0] != (arrivals, background, stamp, unit):
            stamps = [stamp.triple(a.name, a.t, unit) for a in arrivals if a.name is not None]
            beside = [triple for entry in background for triple in entry.triples] + stamps
            laid_out = (arrivals, background, stamp, unit), _LaidOut(arrivals, beside)
            self._laid_out = laid_out
        return laid_out[1].cut(set().union(*[needed(one, laid_out[1].store) for one in asked]))


class _LaidOut:
    """The triples of ARRIVALS in one store, one element after the other, and those BESIDE them."""

    def __init__(self, arrivals: Sequence[Arrival], beside: Iterable[Triple]) -> None:
        self._arrivals = arrivals
        self._ends = [*accumulate([len(arrival.graph) for arrival in arrivals], initial=0)]
        triples = [triple for arrival in arrivals for triple in arrival.graph]
        self.store = Store([*triples, *beside])

    def cut(self, places: Collection[int]) -> list[Arrival]:
        """The elements, with the triples alone that stand at PLACES of the store."""
        kept = iter(sorted(places))
        place = next(kept, -1)
        cut = []
        for arrival, (start, end) in zip(self._arrivals, pairwise(self._ends), strict=True):
            graph = []
            while start <= place < end:
                graph.append(arrival.graph[place - start])
                place = next(kept, -1)
            cut.append(arrival._replace(graph=tuple(graph)))
        return cut


class Store:
    """Triples in order, found by their predicate; terms are numbered, for they are compared a lot.

    Terms that are equal share a number: literals whose language tags differ in case, for one.
    """

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._triples = list(triples)
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, triple in enumerate(self._triples):
            # By the text: a string keeps its hash, and the interpreter compares it itself.
            self._places[triple.predicate.value].append(place)
        self._numbers: dict[Term, int] = {}
        self.terms: list[Term] = []
        self._columns: dict[str, Columns] = {}

    def columns(self, predicate: IRI | Variable) -> Columns:
        """The triples with PREDICATE; all of them where it is a variable."""
        text = predicate.value if isinstance(predicate, IRI) else ""
        if text not in self._columns:
            places = self._places.get(text, []) if text else range(len(self._triples))
            triples = [self._triples[place] for place in places]
            self._columns[text] = Columns(
                places,
                (
                    [self._number(triple.subject) for triple in triples],
                    [] if text else [self._number(triple.predicate) for triple in triples],
                    [self._number(triple.object) for triple in triples],
                ),
            )
        return self._columns[text]

    def number_of(self, term: object) -> int | None:
        """The number of TERM where it stands in a triple that was looked at."""
        return self._numbers.get(term)  # type: ignore[call-overload, no-any-return]

    def _number(self, term: Term) -> int:
        number = self._numbers.setdefault(term, len(self.terms))
        if number == len(self.terms):
            self.terms.append(term)
        return number


@dataclass(frozen=True, slots=True)
class Columns:
    """Triples: their places in the store, and the numbers of their terms by position."""

    places: Sequence[int]
    terms: tuple[list[int], list[int], list[int]]


def needed(demand: Demand, store: Store) -> set[int]:
    """The places of the triples of STORE that may take part in a solution of DEMAND."""
    candidates = [_Candidates(triple, store) for triple in demand.triples]
    domains = _Domains(candidates, store.terms)
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
    return {c.columns.places[row] for c in candidates for row in c.rows}


def _compiled(condition: Condition, base: str | None) -> tuple[tuple[Variable, ...], Test]:
    """The variables of CONDITION, and whether it holds of a row of their terms."""
    slots = {name: place for place, name in enumerate(condition.variables)}
    return (
        tuple([Variable(name) for name in condition.variables]),
        compile_test(condition.expression, Frame(slots, base)),
    )


class _Candidates:
    """The triples that may still match one triple pattern: ``rows`` of ``columns``."""

    def __init__(self, pattern: TriplePattern, store: Store) -> None:
        predicate = pattern.predicate
        assert isinstance(predicate, (IRI, Variable))
        self.columns = store.columns(predicate)
        self.slots: dict[Slot, list[int]] = {}
        """The column of every slot."""
        rows: Sequence[int] = range(len(self.columns.places))
        parts = zip((pattern.subject, predicate, pattern.object), self.columns.terms, strict=True)
        for part, column in parts:
            if isinstance(part, (Variable, BlankNode)):
                first = self.slots.setdefault(part, column)
                if first is not column:
                    rows = [row for row in rows if first[row] == column[row]]
            elif isinstance(part, TriplePattern):
                # What is inside is left to the evaluation.
                rows = [row for row in rows if isinstance(store.terms[column[row]], Triple)]
            elif part is not predicate:
                wanted = store.number_of(part)
                rows = [row for row in rows if column[row] == wanted]
        self.rows = rows

    def fit(self, terms: Mapping[Slot, set[int]]) -> None:
        """Drop the rows that have other than TERMS, where these are known."""
        rows = self.rows
        for slot, column in self.slots.items():
            known = terms.get(slot)
            if known is not None:
                rows = [row for row in rows if column[row] in known]
        self.rows = rows

    def terms(self, slot: Slot) -> set[int]:
        """The terms that SLOT has in the rows."""
        column = self.slots[slot]
        return {column[row] for row in self.rows}


class _Domains:
    """The terms that the slots of a basic graph pattern may still take; they only get fewer."""

    def __init__(self, candidates: Sequence[_Candidates], terms: Sequence[Term]) -> None:
        self._candidates = candidates
        self._all = terms
        self._terms: dict[Slot, set[int]] = {}
        self._fitted: dict[int, list[int]] = {}

    def narrow(self) -> None:
        """Drop candidates that no longer fit, and terms without one, until nothing changes."""
        while pending := [c for c in self._candidates if self._fitted.get(id(c)) != self._sizes(c)]:
            # What has the fewest terms or candidates narrows the others most.
            candidate = min(pending, key=lambda c: min([len(c.rows), *self._sizes(c)]))
            candidate.fit(self._terms)
            for slot in candidate.slots:
                self._terms[slot] = candidate.terms(slot)
            self._fitted[id(candidate)] = self._sizes(candidate)

    def _sizes(self, candidate: _Candidates) -> list[int]:
        """How many terms each slot of CANDIDATE has left, where that is known."""
        return [len(self._terms[slot]) for slot in candidate.slots if slot in self._terms]

    def test(self, slot: Slot, holds: Test) -> None:
        """Keep the terms of SLOT of which HOLDS may be true."""
        self._terms[slot] = {n for n in self._of(slot) if self._may(holds, n)}

    def test_pair(self, slots: Sequence[Slot], holds: Test) -> bool:
        """Keep the terms of both SLOTS that have a partner with which HOLDS may be true.

        Whether any term went. Nothing is tried where there are more than MOST_PAIRS pairs.
        """
        left, right = (self._of(slot) for slot in slots)
        if len(left) * len(right) > MOST_PAIRS:
            return False
        kept = {a for a in left if any(self._may(holds, a, b) for b in right)}
        partners = {b for b in right if any(self._may(holds, a, b) for a in kept)}
        self._terms[slots[0]], self._terms[slots[1]] = kept, partners
        return len(kept) < len(left) or len(partners) < len(right)

    def _may(self, holds: Test, *numbers: int) -> bool:
        """Whether HOLDS is true of terms that have NUMBERS, as far as a number tells.

        A language tag may be written otherwise in another triple, and a condition may see that.
        """
        row = tuple([self._all[number] for number in numbers])
        return any(_has_spellings(term) for term in row) or holds(row) is True

    def _of(self, slot: Slot) -> set[int]:
        """The terms of SLOT; those of the pattern with the fewest candidates before any is fit."""
        if slot not in self._terms:
            some = min((c for c in self._candidates if slot in c.slots), key=lambda c: len(c.rows))
            self._terms[slot] = some.terms(slot)
        return self._terms[slot]


def _has_spellings(term: Term) -> bool:
    """Whether equal terms may be written differently."""
    return isinstance(term, Triple) or (isinstance(term, Literal) and term.language is not None)
