"""Streams: elements at small instants, with bursts, silences and repetitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from hypothesis import strategies as st

from rsp_conformance.model.features import check_features
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick, rows
from rsp_conformance.strategies.focus import RHYTHMS, SILENCE
from rsp_conformance.strategies.terms import literals, subjects
from rsp_conformance.strategies.written import WrittenStream

DATA = frozenset({"typed-literals", "language-tags", "blank-nodes", "multi-triple-elements"})
"""The features that decide what elements there are."""

LAST = 60
"""After this instant elements come one instant apart, however long their gap was drawn."""

Arrival: TypeAlias = tuple[IRI, Triple]


def draw_elements(
    draw: st.DrawFn,
    arrivals: Sequence[Arrival],
    *,
    start: int = 0,
    rhythm: Sequence[int] = (1,),
    silence: int = 10,
    least: int = 0,
    most: int = 12,
    several: bool = False,
    named: bool = False,
) -> tuple[StreamElement, ...]:
    """Elements that enter after one another, LEAST to MOST of them.

    Each is one of ARRIVALS, a stream and a triple, the simplest first. It comes after its
    predecessor (the first after START) by a gap out of RHYTHM, so that shrinking may delete any
    element and the later ones move up; SILENCE in RHYTHM stands for ``silence`` instants. With
    SEVERAL an element may hold a second triple, with NAMED each is a named graph.
    """
    if not arrivals:
        return ()
    extra = (len(arrivals) + 1,) if several else ()
    drawn = draw(rows(len(rhythm), len(arrivals), *extra, least=min(least, most), most=most))
    elements: list[StreamElement] = []
    t = start
    for number, (gap, which, *second) in enumerate(drawn):
        step = rhythm[gap] if rhythm[gap] != SILENCE else silence
        t += step if t < LAST else min(step, 1)
        stream, triple = arrivals[which]
        graph = [triple]
        if second and second[0]:
            graph.append(arrivals[second[0] - 1][1])
        name = vocabulary.name(f"e{number + 1}") if named else None
        elements.append(StreamElement(stream, t, tuple(graph), name))
    return tuple(elements)


def interleave(pools: Mapping[IRI, Sequence[Triple]]) -> tuple[Arrival, ...]:
    """Arrivals of all POOLS, the first triple of each stream before any second one."""
    longest = max((len(pool) for pool in pools.values()), default=0)
    return tuple(
        (stream, pool[number])
        for number in range(longest)
        for stream, pool in pools.items()
        if number < len(pool)
    )


def streams(
    features: Iterable[str] = DATA,
    *,
    count: int = 1,
    start: int = 0,
    max_elements: int = 12,
) -> st.SearchStrategy[tuple[StreamElement, ...]]:
    """The elements of COUNT streams ``:s1``, ``:s2`` … together, in order of arrival.

    Elements repeat and are contemporaneous at times, there are bursts and silences, and few
    resources are spoken of, so that joins happen. With the feature ``multi-triple-elements`` some
    elements hold two triples. Shrinks to no element, then to ``(:a :p :b) @1``.
    """
    known = check_features(features)
    a, b, *others = subjects(known)
    data = [Triple(a, vocabulary.LINKS[0], b), Triple(b, vocabulary.LINKS[0], a)]
    data += [
        Triple(subject, link, obj)
        for subject in (a, b)
        for link in vocabulary.LINKS[:2]
        for obj in others[-2:]
    ]
    for literal in literals(known):
        text = literal.language is not None or literal in vocabulary.TEXTS
        predicate = (vocabulary.LABELS if text else vocabulary.VALUES)[0]
        data.append(Triple(a, predicate, literal))
    arrivals = interleave({vocabulary.stream(number + 1): data for number in range(count)})
    return _streams(arrivals, start, max_elements, "multi-triple-elements" in known)


@st.composite
def _streams(
    draw: st.DrawFn, arrivals: Sequence[Arrival], start: int, most: int, several: bool
) -> tuple[StreamElement, ...]:
    rhythm = pick(draw, RHYTHMS)
    several = several and pick(draw, (False, False, True))
    return WrittenStream(
        draw_elements(draw, arrivals, start=start, rhythm=rhythm, most=most, several=several)
    )
