"""The growing query: its variables, what they stand for, and which triples would match where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice, product, zip_longest
from typing import TypeAlias, TypeVar

from hypothesis import strategies as st

from rsp_conformance.model import paths
from rsp_conformance.model.algebra import PatternTerm, TriplePattern, Values
from rsp_conformance.model.expressions import Exists, Variable
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.model.variables import triple_variables
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import Limits
from rsp_conformance.strategies.plan import Plan

K = TypeVar("K")
T = TypeVar("T")

Place: TypeAlias = "IRI | None"
"""Where a pattern is matched: a window, a named graph, or None for the default graph."""

Places: TypeAlias = tuple[Place, ...]

Pools: TypeAlias = tuple[tuple[tuple[K, Triple], ...], tuple[tuple[K, Triple], ...]]
"""What is asked for and what is not, each with the key of where it may stand."""

RESOURCE, NUMBER, TEXT, TRUTH, NAME = "resource", "number", "text", "truth", "name"
THING, QUOTED, UNCERTAIN, LINK = "thing", "quoted", "uncertain", "link"
"""Kinds of variables; a NAME is that of a window or graph, a THING is a resource or a number, and a
LINK the predicate of a quoted triple."""

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
    """A triple pattern and the places that it is matched in.

    ``triples`` are the data for it; None stands for its instances. A property path has no
    instances of its own.
    """

    places: Places
    pattern: TriplePattern
    triples: tuple[Triple, ...] | None = None


@dataclass(slots=True)
class QueryBuilder:
    """What has been drawn of a query so far.

    ``kinds`` are the variables in scope, ``known`` those that some pattern has; MINUS, EXISTS and
    subqueries hide the others. ``values`` stand at the end of the query; ``computed`` says how many
    expressions SELECT has; ``tests`` draws an EXISTS that may stand in an expression, if any.
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
        """One of OPTIONS, drawn: the simplest comes first."""
        return pick(self.draw, options)

    def of_kind(self, *kinds: str) -> list[Variable]:
        """The variables of one of KINDS, oldest first."""
        return [variable for variable, kind in self.kinds.items() if kind in kinds]

    def bound(self, *kinds: str) -> list[Variable]:
        """Those of KINDS that stand for a term in every solution."""
        return [variable for variable in self.of_kind(*kinds) if variable not in self.unbound]

    def fresh(self, kind: str, local: str = "") -> Variable:
        """A new variable of KIND, called LOCAL or as its kind's variables are."""
        names = _NAMES[kind]
        if self.plan.has("keyword-names"):
            names = self.turned(vocabulary.KEYWORDS)
        numbered = (f"{names[-1]}{number}" for number in count(2))
        unused = (name for name in chain(names, numbered) if Variable(name) not in self.known)
        variable = Variable(local or next(unused))
        self.kinds[variable] = self.known[variable] = kind
        return variable

    def hide(self, *variables: Variable) -> None:
        """Take VARIABLES out of scope."""
        for variable in variables:
            self.kinds.pop(variable, None)

    def show(self, variable: Variable) -> None:
        """Put VARIABLE, which was hidden, in scope again."""
        self.kinds[variable] = self.known[variable]

    def show_all(self, pattern: TriplePattern) -> None:
        """Put all variables of PATTERN, which is written once more, in scope."""
        for name in triple_variables(pattern):
            self.show(Variable(name))

    def since(self, before: Iterable[Variable]) -> list[Variable]:
        """The variables in scope that are not among BEFORE."""
        old = set(before)
        return [variable for variable in self.kinds if variable not in old]

    def predicate(self, kind: str) -> IRI:
        """The first predicate of KIND that no slot has."""
        taken = {predicate for slot in self.slots for predicate in _predicates(slot.pattern)}
        known = self.links if kind == RESOURCE else _PREDICATES[kind]
        return next((p for p in known if p not in taken), known[-1])

    @property
    def links(self) -> tuple[IRI, ...]:
        """The predicates whose objects are resources."""
        if self.plan.has("odd-names"):
            return self.turned(vocabulary.ODD_LINKS)
        return vocabulary.LINKS

    def turned(self, names: tuple[T, ...]) -> tuple[T, ...]:
        """NAMES, of which few are used, from one on that is drawn when first asked for."""
        if self.turn is None:
            self.turn = self.pick((0, 1, 12, 9, 12, 4, 12, 6))
        first = self.turn % len(names)
        return names[first:] + names[:first]

    def triple(self, places: Places, subject: PatternTerm, kind: str) -> TriplePattern:
        """A new pattern about SUBJECT at PLACES, its object a new variable of KIND."""
        predicate = self.predicate(kind)
        return self.add(places, TriplePattern(subject, predicate, self.fresh(kind)))

    def add(
        self, places: Places, pattern: TriplePattern, triples: tuple[Triple, ...] | None = None
    ) -> TriplePattern:
        """Take PATTERN in at PLACES, with TRIPLES as its data in place of its instances."""
        self.slots.append(Slot(places, pattern, triples))
        return pattern

    def domain(self, variable: Variable) -> tuple[Term, ...]:
        """The terms that VARIABLE may stand for, the simplest first.

        Resource variables start at different resources, so that ``?x :p ?y`` is first of all
        ``:a :p :b``. Where several patterns have to meet, each has two.
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
        """The numbers of the case, drawn when first asked for.

        Where numbers compare as terms, what is computed from decimals, doubles or divisions has
        no settled lexical form; LIMIT needs a total order; and aggregates over a text are errors,
        which is a clause of its own.
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
        """The texts of the case, drawn when first asked for: at times one is odd.

        Not where functions take them or rows are ordered: an odd text makes no IRI, and how texts
        beyond ASCII are ordered is open.
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
    """Triples that PATTERN matches, those of the first terms of each domain first."""
    variables = tuple(dict.fromkeys(map(Variable, triple_variables(pattern))))
    choices = product(*(enumerate(builder.domain(variable)) for variable in variables))
    for choice in sorted(choices, key=lambda choice: sum(place for place, _ in choice)):
        yield _filled(pattern, dict(zip(variables, (term for _, term in choice), strict=True)))


def _filled(pattern: TriplePattern, terms: Mapping[Variable, Term]) -> Triple:
    """PATTERN with TERMS in place of its variables."""

    def term(part: PatternTerm) -> Term:
        if isinstance(part, Variable):
            return terms[part]
        return _filled(part, terms) if isinstance(part, TriplePattern) else part

    subject, verb = term(pattern.subject), pattern.predicate
    predicate = terms[verb] if isinstance(verb, Variable) else verb
    assert isinstance(subject, (IRI, BlankNode, Triple)) and isinstance(predicate, IRI)
    return Triple(subject, predicate, term(pattern.object))


def _predicates(pattern: TriplePattern) -> Iterator[IRI]:
    """The predicates of PATTERN, of its path and of its quoted triples."""
    if isinstance(pattern.predicate, IRI):
        yield pattern.predicate
    elif not isinstance(pattern.predicate, Variable):
        yield from path_predicates(pattern.predicate)
    for part in (pattern.subject, pattern.object):
        if isinstance(part, TriplePattern):
            yield from _predicates(part)


def path_predicates(path: paths.PathElement) -> tuple[IRI, ...]:
    """The predicates that PATH speaks of, in order, with repetitions."""
    match path:
        case IRI():
            return (path,)
        case paths.SequencePath(left, right) | paths.AlternativePath(left, right):
            return (*path_predicates(left), *path_predicates(right))
        case paths.InversePath(inner) | paths.RepeatedPath(inner, _):
            return path_predicates(inner)
        case paths.NegatedPropertySet(forward, backward):
            return (*forward, *backward)


def _data(builder: QueryBuilder, slot: Slot) -> Iterator[Triple]:
    return instances(builder, slot.pattern) if slot.triples is None else iter(slot.triples)


def _pool(
    builder: QueryBuilder, places: Sequence[Place]
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """Triples for PLACES: as many as planned that match each slot there, and two that do not.

    The first of every slot come first. Those that do not match belong to another slot, so an
    engine that looks in the wrong place finds them, or differ from a constant of the query.
    """
    here = {s.pattern: s for s in builder.slots if not set(places).isdisjoint(s.places)}
    elsewhere = [s for s in builder.slots if set(places).isdisjoint(s.places)]
    # The data of a path are a graph of its own, which is worth little in pieces.
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
    """What may stand at PLACES, by key: what the query asks for there, and what it does not.

    BYSTANDER is a key that no query reads, with what the first of PLACES is asked for.
    """
    matching: dict[K, Sequence[Triple]] = {}
    strays: dict[K, Sequence[Triple]] = {}
    for key, names in places.items():
        matching[key], strays[key] = _pool(builder, names)
    if bystander is not None:
        strays[bystander] = next(iter(matching.values()))[:2]
    return _interleave(matching), _interleave(strays)


def _interleave(pools: Mapping[K, Sequence[Triple]]) -> tuple[tuple[K, Triple], ...]:
    """The triples of all POOLS with their keys, the first of each before any second one."""
    longest = max(map(len, pools.values()), default=0)
    return tuple(
        (key, pool[number])
        for number in range(longest)
        for key, pool in pools.items()
        if number < len(pool)
    )
