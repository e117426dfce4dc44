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
"""The features that decide which elements are drawn."""

LAST = 60
"""After this drawn instant elements come at most one instant apart, whatever gap was drawn."""

GAPS = 8
"""The number of gaps in a rhythm: in a long stream the rhythm repeats."""

_HALF = 128
"""A byte from here on adds a second triple to its element."""

_SEVERAL = 248
"""A byte from here on (one in sixteen of those above) adds four triples."""

Arrival: TypeAlias = tuple[IRI, Triple]
"""A stream, and a triple that enters it."""

Row: TypeAlias = tuple[int, ...]
"""The choices of an element: a triple and a gap."""


def element_rows(draw: st.DrawFn, least: int, most: int, *, choices: int = CHOICES) -> list[Row]:
    """Draw the choices from which ``elements_from`` makes elements: a triple and a gap for each.

    Args:
        draw: Hypothesis' draw function.
        least: the least number of elements.
        most: the greatest number of elements.
        choices: how many choices of a triple a row has.
    """
    return rows(draw, choices, GAPS, least=min(least, most), most=most)


def second_triples(draw: st.DrawFn, most: int) -> bytes:
    """Draw the bytes from which ``elements_from`` makes second triples.

    There is one byte for each of at most ``most`` elements.
    """
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
    """Make the elements that a list of choices describes, in order of arrival.

    The gaps are relative: each element comes some instants after its predecessor, and the first one
    after ``start``. So shrinking may delete any element, and the later ones move up.

    Args:
        drawn: a row of (which triple, which gap) per element, from ``element_rows``.
        matching: streams and triples that the query asks for.
        strays: streams and triples that it does not ask for.
        start: the instant that the first gap is counted from, before ``clock`` is applied.
        clock: maps drawn instants to the case's own, and says how many elements replace each one.
        rhythm: the gaps that rows refer to; ``SILENCE`` stands for ``silence`` instants.
        silence: the length of a silence, in drawn instants.
        seconds: one byte per element; half of them add a second triple, and a few add four more.
            Empty if every element has a single triple.
        named: whether each element is a named graph.
        choices: how many choices of a triple a row has.
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
    """The triples that the byte ``second`` adds to an element's first triple."""
    if second < _HALF:
        return ()
    number = 4 if second >= _SEVERAL else 1
    return tuple(choose(second - _HALF + n, matching, (), choices)[1] for n in range(number))


def streams(
    features: Iterable[str] = DATA, *, count: int = 1, start: int = 0, max_elements: int = 12
) -> st.SearchStrategy[tuple[StreamElement, ...]]:
    """Draw the elements of ``count`` streams ``:s1``, ``:s2`` … together, in order of arrival.

    Some elements repeat and some are contemporaneous, there are bursts and silences, and the
    triples are about few resources, so that joins find matches. With the feature
    ``multi-triple-elements`` some elements hold two triples or more. Shrinks to no element, then to
    ``(:a :p :b, 1)``.

    Args:
        features: the features that the data may need (see ``DATA``).
        count: how many streams there are.
        start: the instant from which the first element's gap is counted.
        max_elements: the greatest number of elements, of all streams together.
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
