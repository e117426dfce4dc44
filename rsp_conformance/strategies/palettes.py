"""Palettes: terms that replace the plain terms of a case, in data and query (``palettes.toml``).

A case over ``1 2 3`` may as well be a case over ``0.1 "0.1"^^xsd:float 0.1e0``. The terms of a
palette differ from each other as the terms that they replace do, so the same triples match and
join. So a palette is drawn first. Then the case is drawn as usual, and rewritten by the palette.
About half of the cases keep their plain numbers, about half their texts, and three in four their
resources. A few kinds of terms in each case, and others in the next case, find more bugs than many
kinds in every case: Groce and others, *Swarm Testing*, ISSTA 2012.

A blank node replaces, in the data only, a resource that the query does not mention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from hypothesis import strategies as st

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.expressions import Operation
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.terms import (
    IRI,
    XSD_DATETIME,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.model.walk import substituted, within
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.calls import allowed, parsed_terms
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import Limits

Substitution = Mapping[Term, Term]

LONG = "long " * 2_000
"""A text of 10^4 characters; few cases have one, because it costs as much as a case."""

FAR = vocabulary.NAMESPACE + "far/" * 250
"""An IRI of more than 1,000 characters."""

_NODE = BlankNode("n")


_RESOURCES = vocabulary.RESOURCES
_PLAIN_NUMBERS = vocabulary.INTEGERS
_TAGS = tuple(literal for literal in vocabulary.TAGGED if literal.language is not None)


@dataclass(frozen=True, slots=True)
class Palette:
    """The terms that replace the numbers, texts and resources of a case; none by default.

    Attributes:
        numbers: terms for the vocabulary's numbers, in its order.
        texts: terms for its texts.
        resources: terms for its resources.
        node: whether a blank node replaces a resource.
    """

    numbers: tuple[Term, ...] = ()
    texts: tuple[Term, ...] = ()
    resources: tuple[Term, ...] = ()
    node: bool = False

    def terms(self) -> Substitution:
        """Return the new term for each replaced one."""
        found: dict[Term, Term] = dict(zip(_PLAIN_NUMBERS, self.numbers, strict=False))
        found.update(zip(vocabulary.TEXTS, self.texts, strict=False))
        found.update(zip(_RESOURCES, self.resources, strict=False))
        for tagged in _TAGS:
            plain = found.get(Literal(tagged.lexical))
            if isinstance(plain, Literal) and plain.datatype == XSD_STRING:
                found[tagged] = Literal(plain.lexical, language=tagged.language)
        return found


def _lines(section: str, *names: str) -> tuple[tuple[Term, ...], ...]:
    texts = [line for name in names for line in _TABLE[section][name].strip().splitlines()]
    return tuple(parsed_terms(line) for line in texts)


_TABLE: Mapping[str, Mapping[str, str]] = read_table(__name__, "palettes.toml")


@dataclass(frozen=True, slots=True)
class Palettes:
    """The palettes that limits allow, by what they replace: the empty one first, and most often."""

    numbers: tuple[tuple[Term, ...], ...]
    texts: tuple[tuple[Term, ...], ...]
    resources: tuple[tuple[Term, ...], ...]
    nodes: tuple[bool, ...]

    def draw(self, draw: st.DrawFn) -> Palette:
        """Draw a palette, always by as many draws: shrinking takes fewer draws for simpler."""
        return Palette(
            pick(draw, self.numbers),
            pick(draw, self.texts),
            pick(draw, self.resources),
            pick(draw, self.nodes),
        )


@lru_cache(maxsize=64)
def palettes(limits: Limits) -> Palettes:
    """Return the palettes that limits allow."""

    def mostly_none(
        lines: Iterable[tuple[Term, ...]], share: float
    ) -> tuple[tuple[Term, ...], ...]:
        taken = [line for line in lines if all(allowed(term, limits) for term in line)]
        return (*((),) * max(1, round(len(taken) * share)), *taken)

    far = (IRI(FAR), *_RESOURCES[:3])
    long = (Literal(LONG), *vocabulary.TEXTS[:2])
    return Palettes(
        numbers=mostly_none(_lines("numbers", "integers", "numbers", "anything"), 0.8),
        texts=mostly_none((*_lines("texts", "plain", "tagged", "mixed"), long, long), 1),
        resources=mostly_none((*_lines("resources", "names"), far), 3),
        nodes=(*(False,) * 12, *(limits.allow("separate-blank-nodes"),) * 4),
    )


# Painting a case


_ARITHMETIC = frozenset("+-*/")


def _suits(terms: Iterable[Term], query: Query) -> bool:
    """Whether terms leave the answers to a query settled, in most cases."""
    literals = [term for term in terms if isinstance(term, Literal)]
    names = {part.name for part in within(query) if isinstance(part, Operation)}
    if any(t.datatype == XSD_DATETIME for t in literals) and not names.isdisjoint(_ARITHMETIC):
        return False
    beyond = any(not t.lexical.isascii() for t in literals)
    odd = any(not t.lexical.isalnum() for t in literals if t.datatype == XSD_STRING)
    return not ((beyond and query.order_by) or (odd and "IRI" in names))


def painted(
    palette: Palette,
    limits: Limits,
    query: Query,
    elements: tuple[StreamElement, ...],
    entries: tuple[BackgroundEntry, ...],
) -> tuple[Query, tuple[StreamElement, ...], tuple[BackgroundEntry, ...]]:
    """Return the parts of a case with a palette, if its terms suit what the query computes.

    Args:
        palette: the terms that replace those of the vocabulary.
        limits: what engine and profile permit.
        query: the query.
        elements: the elements of its streams.
        entries: its background data.
    """
    if palette == Palette():
        return query, elements, entries
    if not _suits(palette.numbers, query):
        palette = replace(palette, numbers=())
    if not _suits(palette.texts, query):
        palette = replace(palette, texts=())
    terms = palette.terms()
    in_streams = dict(terms)
    if palette.node and (resource := _unmentioned(query)) is not None:
        in_streams[resource] = _NODE
    in_background = in_streams if limits.allow("shared-blank-nodes") else terms
    streamed, held = _change(in_streams), _change(in_background)
    return (
        _rewritten(query, terms),
        tuple(replace(e, graph=tuple(map(streamed, e.graph))) for e in elements),
        tuple(replace(e, triples=tuple(map(held, e.triples))) for e in entries),
    )


def _rewritten(query: Query, terms: Substitution) -> Query:
    """The query over other terms; the numbers with which HAVING compares stay."""
    if not terms:
        return query
    return replace(substituted(replace(query, having=()), terms), having=query.having)


def _unmentioned(query: Query) -> Term | None:
    """A resource that the query does not mention; None if it has quoted triples."""
    parts = [*within(query)]
    triples = [part for part in parts if isinstance(part, TriplePattern)]
    if any(isinstance(end, TriplePattern) for t in triples for end in (t.subject, t.object)):
        return None
    a, *others = _RESOURCES
    return next((r for r in (*others, a) if r not in parts), None)


def _change(terms: Substitution) -> Callable[[Triple], Triple]:
    """A function that replaces the terms of a triple, and makes each new triple once."""
    made: dict[Triple, Triple] = {}

    def term(part: Term) -> Term:
        if isinstance(part, Triple):
            return triple(part)
        return terms.get(part, part)

    def triple(old: Triple) -> Triple:
        if old not in made:
            made[old] = Triple(*map(term, old))  # type: ignore[arg-type]
        return made[old]

    return triple
