"""Leaves out the triples that no pattern can use, before windows are filled.

**What is sought.** Most triples of a real stream match no pattern of a query, and of those that do
most join with nothing or fail a FILTER. Without them windows are small. The elements stay: whether
one has come, which is all that a report policy asks, their instants tell.

**How.** A triple stays if, for some demand of the query (``demands``), it may take part in a
solution over everything that the demand could ever see at once: all elements, the timestamp triples
of named ones, and all background data. Candidates are narrowed pattern by pattern, by the terms
that the shared variables can still take, until nothing changes: a semi-join reduction (Bernstein
and Chiu, *Using Semi-Joins to Solve Relational Queries*, 1981).

**What it guarantees.** No answer changes: the content of a window is a part of that everything, so
a solution over it loses no triple. A condition that might hold, for an open point or another
spelling of a language tag, keeps its triples.

**What it costs.** A few passes over the candidates, and at most `MOST_PAIRS` tests a condition of
two variables. Of fewer than `FEWEST` triples all are kept, since the search costs more than it
saves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.spark.wire import ArrivedElement, PackedElement, Unpacker
from rsp_conformance.spark.worker.demands import Demand, DemandedCondition, demands
from rsp_conformance.spark.worker.expressions import Frame, Test, compile_test
from rsp_conformance.spark.worker.index import index
from rsp_conformance.spark.worker.registered import Registration
from rsp_conformance.sparql.dataset import GraphBag
from rsp_conformance.sparql.readings import PLAIN, Ledger, under

FEWEST = 200
"""With fewer triples all are kept: the search for those that matter would cost more than it saves.
"""

MOST_PAIRS = 20_000
"""The most pairs of terms on which a condition of two variables is tried."""

Slot: TypeAlias = "Variable | BlankNode"
"""A variable, or a blank node of a pattern, which is a variable that no solution shows."""


class Prefilter:
    """Unpacks the parts of elements that queries of a stream can use, query by query."""

    def __init__(self, unpacker: Unpacker) -> None:
        self._unpacker = unpacker
        self._everything: tuple[object, GraphBag] = (None, GraphBag())
        self._demands: dict[int, tuple[Query, tuple[Demand, ...] | None]] = {}

    def arrivals(
        self, elements: Sequence[PackedElement], registration: Registration
    ) -> Sequence[ArrivedElement]:
        """The elements, each with those of its triples that a query can use."""
        if sum([len(graph) for _, _, graph, _ in elements]) < FEWEST:
            return self._unpacker.arrivals(elements)
        query = registration.query
        # By identity, for to hash a query costs too much; what is kept keeps its identity.
        if id(query) not in self._demands:
            self._demands[id(query)] = query, demands(query)
        asked = self._demands[id(query)][1]
        if asked is None:
            return self._unpacker.arrivals(elements)
        predicates = {triple.predicate for demand in asked for triple in demand.triples}
        texts = frozenset([p.value for p in predicates if isinstance(p, IRI)])
        arrivals = self._unpacker.arrivals(
            elements, texts if len(texts) == len(predicates) else None
        )
        setting = arrivals, registration.background, registration.stamp, registration.dials.unit
        if self._everything[0] != setting:
            self._everything = setting, GraphBag(dict.fromkeys(_triples(arrivals, registration), 1))
        kept = set[Triple]().union(*[needed(demand, self._everything[1]) for demand in asked])
        return [a._replace(graph=tuple([t for t in a.graph if t in kept])) for a in arrivals]


def _triples(arrivals: Sequence[ArrivedElement], registration: Registration) -> Iterable[Triple]:
    """All triples that a pattern may find at any time."""
    for arrival in arrivals:
        yield from arrival.graph
        if arrival.name is not None:
            unit = registration.dials.unit
            yield registration.stamp.triple(arrival.name, arrival.t, unit)
    for entry in registration.background:
        yield from entry.triples


def needed(demand: Demand, graph: GraphBag) -> set[Triple]:
    """The triples of a graph that may take part in a solution of a demand."""
    with under(PLAIN) as ledger:
        return _needed(demand, graph, ledger)


def _needed(demand: Demand, graph: GraphBag, ledger: Ledger) -> set[Triple]:
    candidates = [_Candidates(triple, graph) for triple in demand.triples]
    domains = _Domains(candidates, ledger)
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
    return {Triple(*row[:3]) for candidate in candidates for row in candidate.rows}


def _compiled(condition: DemandedCondition, base: str | None) -> tuple[tuple[Variable, ...], Test]:
    """The variables of a condition, and whether it holds of a row of their terms."""
    slots = {name: place for place, name in enumerate(condition.variables)}
    return (
        tuple([Variable(name) for name in condition.variables]),
        compile_test(condition.expression, Frame(slots, base)),
    )


class _Candidates:
    """The triples that may still match one triple pattern, as ``rows``."""

    def __init__(self, pattern: TriplePattern, graph: GraphBag) -> None:
        parts = (pattern.subject, pattern.predicate, pattern.object)
        self.slots: dict[Slot, int] = {}
        """The position of every slot."""
        repeated = []
        for position, part in enumerate(parts):
            if (
                isinstance(part, (Variable, BlankNode))
                and self.slots.setdefault(part, position) != position
            ):
                repeated.append((self.slots[part], position))
        predicate = pattern.predicate if isinstance(pattern.predicate, IRI) else None
        known = [p for p in (0, 2) if isinstance(parts[p], (IRI, Literal, Triple))]
        key: Any = [parts[p] for p in known]
        key = key[0] if len(key) == 1 else tuple(key)
        rows = index(graph, tuple(known), predicate).get(key, [])
        # What is inside a quoted pattern is left to the evaluation.
        quoted = [p for p in (0, 2) if isinstance(parts[p], TriplePattern)]
        if repeated or quoted:
            rows = [
                row
                for row in rows
                if all(row[a] == row[b] for a, b in repeated)
                and all(isinstance(row[p], Triple) for p in quoted)
            ]
        self.rows = rows

    def fit(self, terms: Mapping[Slot, set[Term]]) -> None:
        """Drop the rows that have other terms than those that are known of their slots."""
        for slot, position in self.slots.items():
            known = terms.get(slot)
            if known is not None:
                self.rows = [row for row in self.rows if row[position] in known]

    def terms(self, slot: Slot) -> set[Term]:
        """The terms of a slot in the rows."""
        position = self.slots[slot]
        return {row[position] for row in self.rows}


class _Domains:
    """The terms that the slots of a basic graph pattern may still take; they only get fewer."""

    def __init__(self, candidates: Sequence[_Candidates], ledger: Ledger) -> None:
        self._candidates = candidates
        self._ledger = ledger
        self._terms: dict[Slot, set[Term]] = {}
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
        """How many terms each slot of a candidate has left, as far as that is known."""
        return [len(self._terms[slot]) for slot in candidate.slots if slot in self._terms]

    def test(self, slot: Slot, holds: Test) -> None:
        """Keep the terms of a slot for which a condition may hold."""
        self._terms[slot] = {term for term in self._of(slot) if self._may(holds, term)}

    def test_pair(self, slots: Sequence[Slot], holds: Test) -> bool:
        """Keep the terms of two slots that have a partner with which a condition may hold.

        Nothing is tried if there are more than `MOST_PAIRS` pairs.

        Returns:
            Whether any term was dropped.
        """
        left, right = (self._of(slot) for slot in slots)
        if len(left) * len(right) > MOST_PAIRS:
            return False
        kept = {a for a in left if any(self._may(holds, a, b) for b in right)}
        partners = {b for b in right if any(self._may(holds, a, b) for a in kept)}
        self._terms[slots[0]], self._terms[slots[1]] = kept, partners
        return len(kept) < len(left) or len(partners) < len(right)

    def _of(self, slot: Slot) -> set[Term]:
        """The terms of a slot; at first those of the pattern with the fewest candidates."""
        if slot not in self._terms:
            some = min((c for c in self._candidates if slot in c.slots), key=lambda c: len(c.rows))
            self._terms[slot] = some.terms(slot)
        return self._terms[slot]

    def _may(self, holds: Test, *terms: Term) -> bool:
        """Whether a condition may hold of some terms.

        It may if the texts leave it open whether it does, and for a literal with a language tag:
        another triple may write the tag in another way, which a condition may see.
        """
        ledger = self._ledger
        ledger.met.clear()
        ledger.left_open.clear()
        if holds(terms) is True or ledger.met or ledger.left_open:
            return True
        return any(
            isinstance(term, Triple) or (isinstance(term, Literal) and term.language is not None)
            for term in terms
        )
