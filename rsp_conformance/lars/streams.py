"""Streams S = (T, υ), and the part of a stream that a window function selects (LARS)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from rsp_conformance.lars.program import GREATEST, Atom, Signature, TimeWindow, WindowFunction
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.instants import shown_number


@dataclass(frozen=True)
class Stream:
    """S = (T, υ): a timeline and ground atoms on it.

    Attributes:
        first: the first instant of the timeline.
        last: its last instant, included.
        atoms: the atoms, each with its instant.

    Raises:
        BadInput: an atom is outside the timeline or has a variable, or an instant is greater than
            clingo can count.
    """

    first: int
    last: int
    atoms: frozenset[tuple[int, Atom]] = frozenset()

    def __post_init__(self) -> None:
        shown = f"the timeline {shown_number(self.first)} to {shown_number(self.last)}"
        if self.first > self.last:
            raise BadInput(f"{shown} ends before it begins")
        if self.first < -GREATEST or self.last > GREATEST:
            raise BadInput(
                f"{shown}: LARS here knows the instants up to {GREATEST} (where files have dates "
                "or milliseconds a greater dial unit makes fewer of them)"
            )
        for t, atom in self.atoms:
            if not self.first <= t <= self.last:
                raise BadInput(f"the atom {atom.predicate} at {t} lies outside the timeline")
            if not atom.is_ground():
                raise BadInput(f"the atom {atom.predicate} at {t} has a variable")

    @cached_property
    def signatures(self) -> frozenset[Signature]:
        """The predicates of its atoms."""
        return frozenset(atom.signature for _, atom in self.atoms)

    @cached_property
    def _held(self) -> dict[int, set[Atom]]:
        held: defaultdict[int, set[Atom]] = defaultdict(set)
        for t, atom in self.atoms:
            held[t].add(atom)
        return dict(sorted(held.items()))

    @cached_property
    def _instants(self) -> Sequence[int]:
        return list(self._held)

    def at(self, t: int) -> Set[Atom]:
        """Return υ(t), the atoms at an instant."""
        return self._held.get(t, frozenset())

    def instants(self, first: int, last: int) -> Sequence[int]:
        """Return the instants with atoms from `first` to `last`, ascending."""
        found = self._instants
        return found[bisect_left(found, first) : bisect_right(found, last)]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A window: the substream that a window function selects, on its own timeline.

    On a timeline without instants no atom holds, not even one with □.
    """

    timeline: range
    atoms: Sequence[tuple[int, Atom]]


def snapshot(stream: Stream, window: WindowFunction | None, t: int) -> Snapshot:
    """Return the part of a stream, the input, that a window selects at `t`; all without a window.

    If a window by count keeps only some of the tuples of its first instant, those last in the order
    of their text are kept: LARS requires a choice and leaves it open.

    Args:
        stream: the stream.
        window: the window function; None for no window.
        t: the instant.
    """
    if window is None:
        return _between(stream, stream.first, stream.last)
    if isinstance(window, TimeWindow):
        last = t - t % window.slide
        first = stream.first if window.length is None else last - window.length
        return _between(stream, max(first, stream.first), min(last, stream.last))
    left = window.count
    for u in reversed(stream.instants(stream.first, t)):
        counted = [a for a in stream.at(u) if window.predicate in (None, a.predicate)]
        if len(counted) >= left:
            dropped = set(sorted(counted, key=repr)[: len(counted) - left])
            held = _between(stream, u, t)
            kept = [(v, a) for v, a in held.atoms if v > u or a not in dropped]
            return Snapshot(held.timeline, kept)
        left -= len(counted)
    return _between(stream, stream.first, t)


def _between(stream: Stream, first: int, last: int) -> Snapshot:
    held = [(t, atom) for t in stream.instants(first, last) for atom in stream.at(t)]
    return Snapshot(range(first, last + 1), held)
