"""Streams: elements at small instants, with bursts, silences and repetitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from hypothesis import strategies as st

from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import rows
from rsp_conformance.strategies.focus import SILENCE

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
