"""A long stream that nobody has to store: any stretch of it is made anew from the seed.

Time is cut into blocks. Each has as many elements as instants and a random generator of its own,
so element n belongs to block ``n // block`` and so does instant n: a stretch is found without
making what comes before it. Within a block the elements leave room for silences and crowd
elsewhere, which is where drift, bursts and pauses come from.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import pi, sin
from random import Random
from typing import Final

from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD_INTEGER, Literal, Triple

NAMESPACE: Final = "http://ex.org/"
NEARBY: Final = IRI(f"{NAMESPACE}isNearby")
READS: Final = IRI(f"{NAMESPACE}reads")
PEOPLE: Final = tuple(IRI(f"{NAMESPACE}p{n}") for n in range(200))
PLACES: Final = tuple(IRI(f"{NAMESPACE}a{n}") for n in range(20))
NUMBERS: Final = tuple(Literal(str(n), XSD_INTEGER) for n in range(-20, 41))

SPANS: Final = 100
"""A block lasts so many times what a window spans."""

LEAST_SPAN, MOST_SPAN = 100, 3_600
"""Windows below and above are treated as ones of this width; beyond, no pause outlasts them."""

_PAUSES = 6
_HOUR = 36
"""A silent hour lasts so many spans: 3,600 instants where windows span 100."""
_HOURS = 0.2
"""The share of blocks with a silent hour, besides the first."""
_BURSTS = 12
_SWING, _PERIOD = 0.6, 3.7
"""The rate drifts by this share around its mean, in waves of so many blocks."""
_READINGS, _REPEATS = 0.25, 0.05
_KEPT = 2


@dataclass(frozen=True)
class Source:
    """``size`` elements over ``streams``, on average one per instant, from instant 0 on.

    ``width`` is the greatest width of the query's windows in instants: pauses are longer than it,
    up to fourfold. ``numbers`` False leaves out the readings, for engines that do not declare
    ``typed-literals``. Equal arguments give equal elements in every process.

    Elements say ``:pN :isNearby :aM`` (three of four; 200 people, 20 places) or
    ``:aM :reads N``, an xsd:integer from -20 to 40; one in twenty repeats the one before it.
    """

    seed: int | str
    size: int
    streams: tuple[IRI, ...]
    width: int = LEAST_SPAN
    numbers: bool = True

    def __post_init__(self) -> None:
        if self.size < 1 or not self.streams:
            raise ValueError("a long stream has at least one element, and a stream")

    @property
    def span(self) -> int:
        """What a window spans at most, in instants, as the silences see it."""
        return min(max(self.width, LEAST_SPAN), MOST_SPAN)

    @property
    def block(self) -> int:
        """The instants of a block, and its elements."""
        return SPANS * self.span

    def elements(self, start: int, stop: int) -> tuple[StreamElement, ...]:
        """Return the elements from one number up to another, that one excluded."""
        found: list[StreamElement] = []
        stop = min(stop, self.size)
        for number in range(start // self.block, -(-stop // self.block)):
            first = number * self.block
            found += self._block(number)[max(0, start - first) : stop - first]
        return tuple(found)

    def between(self, since: int, until: int) -> tuple[StreamElement, ...]:
        """Return the elements at the instants from one to another, both included."""
        return tuple(element for piece in self.pieces(since, until) for element in piece)

    def pieces(self, since: int, until: int) -> Iterator[tuple[StreamElement, ...]]:
        """Yield the elements at the instants from one to another, block by block."""
        last = min(until, self.size)  # an element's block is its instant's
        for number in range(max(0, since) // self.block, last // self.block + 1):
            own = self.elements(number * self.block, (number + 1) * self.block)
            yield tuple(element for element in own if since <= element.t <= until)

    def count(self, since: int, until: int) -> int:
        """Return how many elements there are at the instants from one to another, both included."""
        return sum(len(piece) for piece in self.pieces(since, until))

    def chunks(self, size: int, start: int = 0) -> Iterator[tuple[StreamElement, ...]]:
        """Yield all elements.

        Args:
            start: the number of the first one.
            size: how many come at once.
        """
        for first in range(start, self.size, size):
            yield self.elements(first, first + size)

    @cached_property
    def last(self) -> int:
        """The instant of the last element."""
        return self.elements(self.size - 1, self.size)[0].t

    @cached_property
    def first(self) -> dict[IRI, int]:
        """The first instant of each stream that has an element."""
        return self.first_of(self.chunks(self.block))

    def first_of(self, pieces: Iterable[tuple[StreamElement, ...]]) -> dict[IRI, int]:
        """Return the first instant of each stream that has an element in the pieces."""
        found: dict[IRI, int] = {}
        for piece in pieces:
            for element in piece:
                found.setdefault(element.stream, element.t)
            if len(found) == len(self.streams):
                break
        return found

    @cached_property
    def _made(self) -> OrderedDict[int, tuple[StreamElement, ...]]:
        return OrderedDict()

    def _block(self, number: int) -> tuple[StreamElement, ...]:
        """A block, of which the last few are kept."""
        if number not in self._made:
            random = Random(f"{self.seed}:{number}")
            self._made[number] = tuple(self._elements(random, self._instants(random, number)))
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return self._made[number]

    def _instants(self, random: Random, number: int) -> list[int]:
        """When the block's elements come, ascending."""
        active = self._active(random, number)
        bursts = {random.choice(active): random.randint(10, 60) for _ in range(_BURSTS)}
        left = self.block - sum(bursts.values())
        period = _PERIOD * self.block
        weights = accumulate(1 + _SWING * sin(2 * pi * t / period) for t in active)
        instants = random.choices(active, cum_weights=list(weights), k=left)
        instants += [t for t, count in bursts.items() for _ in range(count)]
        return sorted(instants)

    def _active(self, random: Random, number: int) -> Sequence[int]:
        """The block's instants but for its silences."""
        silences = [random.randint(self.span + 1, 4 * self.span) for _ in range(_PAUSES)]
        if number == 0:
            silences.append(_HOUR * self.span)  # the last, so that short streams have pauses
        elif random.random() < _HOURS:
            silences.insert(random.randint(0, _PAUSES), _HOUR * self.span)
        busy = self.block - sum(silences)
        part = busy // (len(silences) + 1)
        active: list[int] = []
        at = number * self.block
        for silence in silences:
            stretch = random.randint(part // 2, part)
            active += range(at, at + stretch)
            at += stretch + silence
        active += range(at, (number + 1) * self.block)
        return active

    def _elements(self, random: Random, instants: Sequence[int]) -> Iterator[StreamElement]:
        triple = None
        for t in instants:
            if triple is None or random.random() >= _REPEATS:
                triple = self._triple(random)
            yield StreamElement(random.choice(self.streams), t, (triple,))

    def _triple(self, random: Random) -> Triple:
        if self.numbers and random.random() < _READINGS:
            return Triple(random.choice(PLACES), READS, random.choice(NUMBERS))
        return Triple(random.choice(PEOPLE), NEARBY, random.choice(PLACES))
