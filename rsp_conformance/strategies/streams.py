"""Streams: elements at small instants, with bursts, silences and repetitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from hypothesis import strategies as st

from rsp_conformance.model.features import with_implied
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.clause_weights import RHYTHMS, SILENCE, STEADY
from rsp_conformance.strategies.clock import PLAIN_CLOCK, Clock
from rsp_conformance.strategies.draws import CHOICES, choose, pick, rows
from rsp_conformance.strategies.terms import literals, subjects
from rsp_conformance.strategies.written import WrittenStream

DATA = frozenset({"typed-literals", "language-tags", "blank-nodes", "multi-triple-elements"})
"""The features that decide what elements there are."""

LAST = 60
"""After this instant elements come one instant apart, however long their gap was drawn."""

GAPS = 8
"""How many gaps a rhythm has."""

_HALF = 128
"""Bytes from here on stand for a second triple."""

_SEVERAL = 248
"""Bytes from here on, one in sixteen of those, stand for four more triples."""

Arrival: TypeAlias = tuple[IRI, Triple]
Row: TypeAlias = tuple[int, ...]


def element_rows(draw: st.DrawFn, least: int, most: int, *, choices: int = CHOICES) -> list[Row]:
    """What ``elements_from`` makes elements of: for each a choice and a gap."""
    return rows(draw, choices, GAPS, least=min(least, most), most=most)


def second_triples(draw: st.DrawFn, most: int) -> bytes:
    """What ``elements_from`` makes second triples of: a byte for each of at most MOST elements."""
    return draw(st.binary(min_size=most, max_size=most))


def elements_from(
    drawn: Sequence[Row],
    matching: Sequence[Arrival],
    strays: Sequence[Arrival] = (),
    *,
    start: int = 0,
    clock: Clock = PLAIN_CLOCK,
    rhythm: Sequence[int] = STEADY,
    silence: int = 10,
    seconds: bytes = b"",
    named: bool = False,
    choices: int = CHOICES,
) -> tuple[StreamElement, ...]:
    """Elements that enter after one another, as DRAWN tells.

    Each is one of MATCHING or STRAYS, a stream and a triple. It comes after its predecessor (the
    first after START) by a gap out of RHYTHM, so that shrinking may delete any element and the
    later ones move up; SILENCE in RHYTHM stands for ``silence`` instants. CLOCK says at which
    instants all that is, and how many elements come in place of each. SECONDS, a byte an element,
    give half of the elements a second triple, and a few of them five; with NAMED each is a named
    graph.
    """
    if not matching:
        return ()
    elements: list[StreamElement] = []
    t = start
    for number, (which, gap) in enumerate(drawn):
        silent = rhythm[gap] == SILENCE or (number == 2 and clock.silence > 1)
        step = silence if silent else rhythm[gap]
        t += step if t < LAST else min(step, 1)
        more = _more(seconds[number], matching, choices) if seconds else ()
        for copy in range(clock.crowd):
            stream, triple = choose((which + copy) % choices, matching, strays, choices)
            name = vocabulary.name(f"e{len(elements) + 1}") if named else None
            elements.append(StreamElement(stream, clock.at(t), (triple, *more), name))
    return tuple(elements)


def _more(second: int, matching: Sequence[Arrival], choices: int) -> tuple[Triple, ...]:
    """What an element holds besides its first triple, for the byte SECOND."""
    if second < _HALF:
        return ()
    number = 4 if second >= _SEVERAL else 1
    return tuple(choose(second - _HALF + n, matching, (), choices)[1] for n in range(number))


def streams(
    features: Iterable[str] = DATA, *, count: int = 1, start: int = 0, max_elements: int = 12
) -> st.SearchStrategy[tuple[StreamElement, ...]]:
    """The elements of COUNT streams ``:s1``, ``:s2`` … together, in order of arrival.

    Elements repeat and are contemporaneous at times, there are bursts and silences, and few
    resources are spoken of, so that joins happen. With the feature ``multi-triple-elements`` some
    elements hold two triples. Shrinks to no element, then to ``(:a :p :b, 1)``.
    """
    known = with_implied(features)
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
    arrivals = [(vocabulary.stream(n), triple) for triple in data for n in range(1, count + 1)]
    return _streams(arrivals, start, max_elements, "multi-triple-elements" in known)


@st.composite
def _streams(
    draw: st.DrawFn, arrivals: Sequence[Arrival], start: int, most: int, several: bool
) -> tuple[StreamElement, ...]:
    rhythm = pick(draw, RHYTHMS)
    some = several and pick(draw, (False, False, True))
    choices = len(arrivals)
    drawn = element_rows(draw, 0, most, choices=choices)
    seconds = second_triples(draw, most) if some else b""
    return WrittenStream(
        elements_from(drawn, arrivals, start=start, rhythm=rhythm, seconds=seconds, choices=choices)
    )
