"""The query that is being drawn: its variables, their values, and the triples that match it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice, product, zip_longest
from typing import TypeAlias, TypeVar

from hypothesis import strategies as st

from rsp_conformance.model.algebra import PatternTerm, TriplePattern, Values
from rsp_conformance.model.expressions import Exists, Variable
from rsp_conformance.model.quoted_triples import quotes
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.model.walk import mentioned, within
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import Limits
from rsp_conformance.strategies.plan import Plan

K = TypeVar("K")
T = TypeVar("T")

Place: TypeAlias = "IRI | None"
"""Where a pattern is matched: a window, a named graph, or None for the default graph."""

Places: TypeAlias = tuple[Place, ...]
"""Places, in each of which a pattern may match."""

Pools: TypeAlias = tuple[tuple[tuple[K, Triple], ...], tuple[tuple[K, Triple], ...]]
"""Triples that are asked for, and triples that are not, each with the key of its places."""

RESOURCE, NUMBER, TEXT, TRUTH, NAME = "resource", "number", "text", "truth", "name"
THING, QUOTED, UNCERTAIN, LINK = "thing", "quoted", "uncertain", "link"
"""Kinds of variables.

A NAME is the name of a window or graph, a THING is a resource or a number, and a LINK is the
predicate of a quoted triple.
"""

# The names of variables of each kind.
_NAMES = {
    RESOURCE: ("x", "y", "z", "u", "v", "r", "s"),
    NUMBER: ("n", "m", "k", "i", "j", "q"),
    TEXT: ("l", "t"),
    TRUTH: ("yes",),
    NAME: ("name",),
    THING: ("o", "h"),
    QUOTED: ("triple",),
    UNCERTAIN: ("f",),
    LINK: ("p",),
}
# The predicates whose objects are of each kind.
_PREDICATES = {
    RESOURCE: vocabulary.LINKS,
    NUMBER: vocabulary.VALUES,
    TEXT: vocabulary.LABELS,
    THING: vocabulary.TOPICS,
    QUOTED: vocabulary.SAYINGS,
    UNCERTAIN: vocabulary.READINGS,
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A triple pattern, with the places in which it is matched.

    Attributes:
        places: windows, named graphs, or None for the default graph.
        pattern: the triple pattern.
        triples: the data for it; None for the pattern's own instances. A property path has none.
    """

    places: Places
    pattern: TriplePattern
    triples: tuple[Triple, ...] | None = None


@dataclass(slots=True)
class QueryBuilder:
    """The state of a query that is being drawn.

    Attributes:
        draw: Hypothesis' draw function.
        plan: the plan of the query.
        limits: what the query may contain.
        kinds: the variables in scope, with their kinds.
        known: all variables of the query, also those that MINUS, EXISTS or a subquery hides.
        unbound: the variables that some solution may leave unbound.
        slots: the triple patterns so far.
        numbers: the numbers of the case, once drawn.
        texts: the texts of the case, once drawn.
        turn: where rotated names begin, once drawn (``turned``).
        filtered: whether the query has its FILTER.
        values: the VALUES at the end of the query, if any.
        computed: how many expressions SELECT computes.
        tests: draws an EXISTS that an expression may contain, if any may.
    """

    draw: st.DrawFn
    plan: Plan
    limits: Limits
    kinds: dict[Variable, str] = field(default_factory=dict)
    known: dict[Variable, str] = field(default_factory=dict)
    unbound: set[Variable] = field(default_factory=set)
    slots: list[Slot] = field(default_factory=list)
    numbers: tuple[Literal, ...] | None = None
    texts: tuple[Literal, ...] | None = None
    turn: int | None = None
    filtered: bool = False
    values: Values | None = None
    computed: int = 0
    tests: Callable[[], Exists] | None = None

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of ``options``, the simplest of which comes first."""
        return pick(self.draw, options)

    def of_kind(self, *kinds: str) -> list[Variable]:
        """Return the variables in scope of these kinds, oldest first."""
        return [variable for variable, kind in self.kinds.items() if kind in kinds]

    def bound(self, *kinds: str) -> list[Variable]:
        """Return the variables of these kinds that are bound in every solution."""
        return [variable for variable in self.of_kind(*kinds) if variable not in self.unbound]

    def fresh(self, kind: str, local: str = "") -> Variable:
        """Return a new variable of a kind, named ``local`` or by its kind."""
        names = _NAMES[kind]
        if self.plan.has("keyword-names"):
            names = self.turned(vocabulary.KEYWORDS)
        numbered = (f"{names[-1]}{number}" for number in count(2))
        unused = (name for name in chain(names, numbered) if Variable(name) not in self.known)
        variable = Variable(local or next(unused))
        self.kinds[variable] = self.known[variable] = kind
        return variable

    def hide(self, *variables: Variable) -> None:
        """Take variables out of scope."""
        for variable in variables:
            self.kinds.pop(variable, None)

    def show(self, variable: Variable) -> None:
        """Put a hidden variable in scope again."""
        self.kinds[variable] = self.known[variable]

    def show_all(self, pattern: TriplePattern) -> None:
        """Put all variables of a repeated pattern in scope."""
        for name in mentioned(pattern):
            self.show(Variable(name))

    def since(self, before: Iterable[Variable]) -> list[Variable]:
        """Return the variables in scope that are not among ``before``."""
        old = set(before)
        return [variable for variable in self.kinds if variable not in old]

    def predicate(self, kind: str) -> IRI:
        """Return the first predicate of a kind that no slot has."""
        patterns = (pattern for slot in self.slots for pattern in quotes(slot.pattern))
        taken = {own for pattern in patterns for own in path_predicates(pattern.predicate)}
        known = self.links if kind == RESOURCE else _PREDICATES[kind]
        return next((p for p in known if p not in taken), known[-1])

    @property
    def links(self) -> tuple[IRI, ...]:
        """The predicates whose objects are resources."""
        if self.plan.has("odd-names"):
            return self.turned(vocabulary.ODD_LINKS)
        return vocabulary.LINKS

    def turned(self, names: tuple[T, ...]) -> tuple[T, ...]:
        """Return names rotated to a drawn start, so that cases use different ones of them."""
        if self.turn is None:
            self.turn = self.pick((0, 1, 12, 9, 12, 4, 12, 6))
        first = self.turn % len(names)
        return names[first:] + names[:first]

    def triple(self, places: Places, subject: PatternTerm, kind: str) -> TriplePattern:
        """Add a pattern whose object is a new variable.

        Args:
            places: the windows and graphs in which the pattern is matched.
            subject: the subject of the pattern.
            kind: the kind of the new variable, such as `RESOURCE`.
        """
        predicate = self.predicate(kind)
        return self.add(places, TriplePattern(subject, predicate, self.fresh(kind)))

    def add(
        self, places: Places, pattern: TriplePattern, triples: tuple[Triple, ...] | None = None
    ) -> TriplePattern:
        """Add a pattern, and return it.

        Args:
            places: the windows and graphs in which the pattern is matched.
            pattern: the pattern.
            triples: the data for it; None for the pattern's own instances.
        """
        self.slots.append(Slot(places, pattern, triples))
        return pattern

    def domain(self, variable: Variable) -> tuple[Term, ...]:
        """Return the terms that are a variable's values in the data, the simplest first.

        Resource variables start at different resources, so the first instance of ``?x :p ?y`` is
        ``:a :p :b``. If several patterns have to match together, a variable has two values at most.
        """
        kind = self.known[variable]
        if kind == NUMBER:
            met = sum(variable == slot.pattern.object for slot in self.slots)
            return self.number_domain()[: 2 if met > 1 else None]
        if kind == TEXT:
            return self.text_domain()
        if kind in (NAME, TRUTH):
            return self.graphs if kind == NAME else vocabulary.TRUTHS
        if kind == QUOTED:
            return vocabulary.QUOTED
        if kind == UNCERTAIN:
            return vocabulary.DISTRIBUTIONS
        if kind == LINK:
            return vocabulary.LINKS[: 1 if len(self.slots) > 1 else 2]
        if kind == THING:
            blank = vocabulary.BLANK_NODES[:1] if self.plan.has("blank-nodes") else ()
            return (*vocabulary.THINGS, *blank)
        resources: tuple[IRI | BlankNode, ...] = vocabulary.RESOURCES[:3]
        if self.plan.has("blank-nodes"):
            resources = (*vocabulary.BLANK_NODES, vocabulary.RESOURCES[0])
        known = [other for other, kind in self.known.items() if kind == RESOURCE]
        start = known.index(variable) % len(resources)
        size = 2 if len(self.slots) > 1 else len(resources)
        return (*resources[start:], *resources[:start])[:size]

    def number_domain(self) -> tuple[Literal, ...]:
        """Return the numbers of the case; the first call draws them.

        Some numbers are kept from some queries. If numbers compare as terms, results that are
        computed from decimals, doubles or divisions have no settled lexical form. LIMIT needs a
        total order. Aggregates over a text are errors, which are a clause of their own.
        """
        if self.numbers is None:
            options: list[tuple[Literal, ...]] = [vocabulary.INTEGERS]
            plan, grouped = self.plan, self.plan.head in ("aggregate", "having")
            ordered = plan.ordered
            if plan.has("lexical") and plan.head not in ("limit", "modified"):
                exact = (grouped or plan.has("bind")) and self.limits.exact
                odd = vocabulary.UNEQUAL_INTEGERS if exact else vocabulary.UNEQUAL_NUMBERS
                options += [odd] * 5
            computes = ("filter", "bind", "function-filter", "function-bind")
            if plan.has(*computes) and not grouped and not ordered:
                options += [vocabulary.MIXED] * 2 * len(options)
            if plan.has("errors") and not ordered:
                options += [vocabulary.MIXED] * 5
            self.numbers = self.pick(options)
        return self.numbers

    def text_domain(self) -> tuple[Literal, ...]:
        """Return the texts of the case; the first call draws them, and sometimes one is odd.

        There is no odd text if functions take texts or rows are ordered: an odd text makes no IRI,
        and the order of texts beyond ASCII is open.
        """
        if self.texts is None:
            options: list[tuple[Literal, ...]]
            options = [vocabulary.TAGGED if self.plan.has("tags") else vocabulary.TEXTS]
            computes = self.plan.has("function-filter", "function-bind")
            ordered = self.plan.ordered
            if self.plan.has("odd-strings") and not computes and not ordered:
                odd = vocabulary.ODD_TEXTS
                options += [(odd[n], odd[n - 1], vocabulary.TEXTS[0]) for n in range(len(odd))]
            self.texts = self.pick(options)
        return self.texts

    @property
    def graphs(self) -> tuple[IRI, ...]:
        """The named graphs of the case's background data."""
        keywords = self.plan.has("keyword-names")
        return vocabulary.KEYWORD_GRAPHS if keywords else vocabulary.GRAPHS


def instances(builder: QueryBuilder, pattern: TriplePattern) -> Iterator[Triple]:
    """Yield triples that a pattern matches, those with the first terms of each domain first."""
    variables = tuple(dict.fromkeys(map(Variable, mentioned(pattern))))
    choices = product(*(enumerate(builder.domain(variable)) for variable in variables))
    for choice in sorted(choices, key=lambda choice: sum(place for place, _ in choice)):
        yield _filled(pattern, dict(zip(variables, (term for _, term in choice), strict=True)))


def _filled(pattern: TriplePattern, terms: Mapping[Variable, Term]) -> Triple:
    """The pattern with terms in place of its variables."""

    def term(part: PatternTerm) -> Term:
        if isinstance(part, Variable):
            return terms[part]
        return _filled(part, terms) if isinstance(part, TriplePattern) else part

    subject, verb = term(pattern.subject), pattern.predicate
    predicate = terms[verb] if isinstance(verb, Variable) else verb
    assert isinstance(subject, (IRI, BlankNode, Triple)) and isinstance(predicate, IRI)
    return Triple(subject, predicate, term(pattern.object))


def path_predicates(path: object) -> Iterator[IRI]:
    """The predicates in a path, in order, with repetitions; none if it is a variable."""
    return (part for part in within(path) if isinstance(part, IRI))


def _data(builder: QueryBuilder, slot: Slot) -> Iterator[Triple]:
    return instances(builder, slot.pattern) if slot.triples is None else iter(slot.triples)


def _pool(
    builder: QueryBuilder, places: Sequence[Place]
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """Triples for some places: up to ``spread`` matches of each slot there, and two strays at most.

    The first triples of every slot come first. A stray belongs to another slot, so an engine that
    looks in the wrong place finds it, or it differs from a constant of the query.
    """
    here = {s.pattern: s for s in builder.slots if not set(places).isdisjoint(s.places)}
    elsewhere = [s for s in builder.slots if set(places).isdisjoint(s.places)]
    # The data of a path are a graph, which is worth little in pieces.
    spread = builder.plan.spread
    columns = [
        list(islice(_data(builder, slot), spread if slot.triples is None else 2 * spread))
        for slot in here.values()
    ]
    matching = [t for t in chain.from_iterable(zip_longest(*columns)) if t is not None]
    others = [next(_data(builder, slot)) for slot in elsewhere[:1]]
    others += [miss for pattern in here for miss in _misses(pattern)][:1]
    return tuple(dict.fromkeys(matching)), tuple(t for t in others if t not in matching)


def _misses(pattern: TriplePattern) -> Iterator[Triple]:
    a, b, c = vocabulary.RESOURCES[:3]
    if not isinstance(pattern.predicate, IRI):
        return
    if isinstance(pattern.object, IRI):
        yield Triple(a, pattern.predicate, c if pattern.object == b else b)
    elif isinstance(pattern.subject, IRI):
        yield Triple(b, pattern.predicate, c)


def pools(
    builder: QueryBuilder, places: Mapping[K, Sequence[Place]], bystander: K | None = None
) -> Pools[K]:
    """Return the triples that may be put at each key's places.

    Args:
        builder: the builder of the query.
        places: the places by key; a key is a stream or a graph.
        bystander: a key that no query reads; its triples match the first of ``places``.

    Returns:
        The triples that the query asks for, and the strays that it does not ask for.
    """
    matching: dict[K, Sequence[Triple]] = {}
    strays: dict[K, Sequence[Triple]] = {}
    for key, names in places.items():
        matching[key], strays[key] = _pool(builder, names)
    if bystander is not None:
        strays[bystander] = next(iter(matching.values()))[:2]
    return _interleave(matching), _interleave(strays)


def _interleave(pools: Mapping[K, Sequence[Triple]]) -> tuple[tuple[K, Triple], ...]:
    """All triples with their keys, the first triple of each key before any second one."""
    longest = max(map(len, pools.values()), default=0)
    return tuple(
        (key, pool[number])
        for number in range(longest)
        for key, pool in pools.items()
        if number < len(pool)
    )
