"""The growing query: its variables, what they stand for, and which triples would match where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, product, zip_longest
from typing import TypeAlias

from hypothesis import strategies as st

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import Limits
from rsp_conformance.strategies.plan import Plan

Place: TypeAlias = "IRI | None"
"""Where a pattern is matched: a window, a named graph, or None for the default graph."""

Places: TypeAlias = tuple[Place, ...]

RESOURCE, NUMBER, TEXT, TRUTH, NAME = "resource", "number", "text", "truth", "name"
"""Kinds of variables; a NAME is that of a window or graph."""

_NAMES = {
    RESOURCE: ("x", "y", "z", "u", "v", "r", "s"),
    NUMBER: ("n", "m", "k", "i", "j", "q"),
    TEXT: ("l", "t"),
    TRUTH: ("yes",),
}
_PREDICATES = {
    RESOURCE: vocabulary.LINKS,
    NUMBER: vocabulary.VALUES,
    TEXT: vocabulary.LABELS,
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A triple pattern and the places that it is matched in."""

    places: Places
    pattern: TriplePattern


@dataclass(slots=True)
class Sketch:
    """What has been drawn of a query so far."""

    draw: st.DrawFn
    plan: Plan
    limits: Limits
    kinds: dict[Variable, str] = field(default_factory=dict)
    unbound: set[Variable] = field(default_factory=set)
    slots: list[Slot] = field(default_factory=list)
    numbers: tuple[Literal, ...] | None = None
    filtered: bool = False

    def of_kind(self, *kinds: str) -> list[Variable]:
        """The variables of one of KINDS, oldest first."""
        return [variable for variable, kind in self.kinds.items() if kind in kinds]

    def fresh(self, kind: str, local: str = "") -> Variable:
        """A new variable of KIND, called LOCAL or as its kind's variables are."""
        count = len(self.of_kind(kind))
        variable = Variable(local or _NAMES[kind][count])
        self.kinds[variable] = kind
        return variable

    def predicate(self, kind: str) -> IRI:
        """The first predicate of KIND that no slot has."""
        taken = {slot.pattern.predicate for slot in self.slots}
        return next((p for p in _PREDICATES[kind] if p not in taken), _PREDICATES[kind][-1])

    def triple(self, places: Places, subject: PatternTerm, kind: str) -> TriplePattern:
        """A new pattern about SUBJECT at PLACES, its object a new variable of KIND."""
        predicate = self.predicate(kind)
        return self.add(places, TriplePattern(subject, predicate, self.fresh(kind)))

    def add(self, places: Places, pattern: TriplePattern) -> TriplePattern:
        """Take PATTERN in at PLACES."""
        self.slots.append(Slot(places, pattern))
        return pattern

    def domain(self, variable: Variable) -> tuple[Term, ...]:
        """The terms that VARIABLE may stand for, the simplest first.

        Resource variables start at different resources, so that ``?x :p ?y`` is first of all
        ``:a :p :b``. Where several patterns have to meet, each has two.
        """
        kind = self.kinds[variable]
        if kind == NUMBER:
            met = sum(variable == slot.pattern.object for slot in self.slots)
            return self.number_domain()[: 2 if met > 1 else None]
        if kind == TEXT:
            return vocabulary.TAGGED if self.plan.has("tags") else vocabulary.TEXTS
        resources: tuple[IRI | BlankNode, ...] = vocabulary.RESOURCES[:3]
        if self.plan.has("blank-nodes"):
            resources = (*vocabulary.BLANK_NODES, vocabulary.RESOURCES[0])
        start = self.of_kind(RESOURCE).index(variable) % len(resources)
        size = 2 if len(self.slots) > 1 else len(resources)
        return (*resources[start:], *resources[:start])[:size]

    def number_domain(self) -> tuple[Literal, ...]:
        """The numbers of the case, drawn when first asked for.

        Where numbers compare as terms, what is computed from decimals, doubles or divisions has
        no settled lexical form; LIMIT needs a total order; and no aggregate is defined over a
        text.
        """
        if self.numbers is None:
            options: list[tuple[Literal, ...]] = [vocabulary.INTEGERS]
            plan, grouped = self.plan, self.plan.head in ("aggregate", "having")
            if plan.has("lexical") and plan.head != "limit":
                exact = (grouped or plan.has("bind")) and self.limits.exact
                odd = vocabulary.UNEQUAL_INTEGERS if exact else vocabulary.UNEQUAL_NUMBERS
                options += [odd] * 5
            if plan.has("filter", "bind") and not grouped and plan.head not in ("order", "limit"):
                options += [vocabulary.MIXED] * len(options)
            self.numbers = pick(self.draw, options)
        return self.numbers


def instances(sketch: Sketch, pattern: TriplePattern) -> Iterator[Triple]:
    """Triples that PATTERN matches, those of the first terms of each domain first."""

    def options(term: PatternTerm) -> Sequence[Term]:
        if isinstance(term, Variable):
            return sketch.domain(term)
        assert isinstance(term, (IRI, BlankNode, Literal))
        return (term,)

    assert isinstance(pattern.predicate, IRI)
    pairs = product(enumerate(options(pattern.subject)), enumerate(options(pattern.object)))
    for (_, subject), (_, obj) in sorted(pairs, key=lambda pair: pair[0][0] + pair[1][0]):
        assert isinstance(subject, (IRI, BlankNode))
        yield Triple(subject, pattern.predicate, obj)


def pool(
    sketch: Sketch, places: Sequence[Place], spread: int
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """Triples for PLACES: up to SPREAD that match each slot there, and two that do not.

    The first of every slot come first. Those that do not match belong to another slot, so an
    engine that looks in the wrong place finds them, or differ from a constant of the query.
    """
    here = [s.pattern for s in sketch.slots if not set(places).isdisjoint(s.places)]
    elsewhere = [s.pattern for s in sketch.slots if set(places).isdisjoint(s.places)]
    columns = [list(instances(sketch, pattern))[:spread] for pattern in dict.fromkeys(here)]
    matching = [t for t in chain.from_iterable(zip_longest(*columns)) if t is not None]
    others = [next(instances(sketch, pattern)) for pattern in elsewhere[:1]]
    others += [miss for pattern in here for miss in _misses(pattern)][:1]
    return tuple(matching), tuple(t for t in others if t not in matching)


def _misses(pattern: TriplePattern) -> Iterator[Triple]:
    a, b, c = vocabulary.RESOURCES[:3]
    assert isinstance(pattern.predicate, IRI)
    if isinstance(pattern.object, IRI):
        yield Triple(a, pattern.predicate, c if pattern.object == b else b)
    elif isinstance(pattern.subject, IRI):
        yield Triple(b, pattern.predicate, c)
