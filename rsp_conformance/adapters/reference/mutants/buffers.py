"""The mutant of engines that join triple patterns, each with a buffer of its own, not windows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import reduce
from typing import Any

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.adapters.reference.mutant import MutatedRun, mutant
from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm, from_model
from rsp_conformance.adapters.reference.window import Arrival, Instance, WindowState
from rsp_conformance.model.algebra import BGP, Graph, Join, Pattern, TriplePattern, Window
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal
from rsp_conformance.model.walk import rewritten, rewritten_pattern, within
from rsp_conformance.model.windows import WindowDeclaration


@mutant(
    seams.WINDOWS,
    "CQELS 1: an arrival cleans the buffers that it enters, not those that it is joined with",
    where="a join, and an element that expires",
)
def stale_join(windows: Sequence[WindowState], run: MutatedRun) -> Sequence[WindowState]:
    """What expires stays joined with a triple pattern until an element comes that matches it."""
    run.evaluated, patterns = one_window_a_pattern(run.query)
    states = {w.name: state for w, state in zip(run.query.windows, windows, strict=True)}
    buffers: list[_Buffer] = []
    for name, pattern in patterns:
        buffers.append(_Buffer(states[name], pattern, buffers))
    return [*windows, *buffers]


class _Buffer(WindowState):
    """Return the elements that a triple pattern sees of its window, with the query's others."""

    def __init__(
        self, window: WindowState, pattern: TriplePattern, together: Sequence[_Buffer]
    ) -> None:
        vars(self).update(deepcopy(vars(window)))
        self.keeps_expired = True
        self._source = window
        self._together = together
        self._matches = Matching(pattern)
        self._cleaned: Instance | None = None
        self._entered: int | None = None

    def start(self, t0: int) -> None:
        super().start(t0 if self._source.t0 is None else self._source.t0)

    def add(self, arrival: Arrival) -> None:
        triples = (*arrival.triples, *arrival.graph)
        places = (at for at, triple in enumerate(triples) if self._matches(triple))
        self._entered = next(places, None)
        super().add(arrival)

    def settle(self) -> None:
        super().settle()
        if self._entered is not None:
            self._cleaned, self._entered = self.instance, None

    @property
    def content(self) -> tuple[Arrival, ...]:
        # An element enters buffer by buffer, and is joined each time. So the last one that it
        # enters is cleaned after the others have been joined with it.
        entered = [buffer for buffer in self._together if buffer._entered is not None]
        last = max(reversed(entered), key=lambda buffer: buffer._entered or 0, default=None)
        late = self._entered is None or self is last
        since = self._cleaned if late else self.instance
        found = super().content
        return tuple(a for a in found if since is None or self._after_opening(a.t, since[0]))


class Matching:
    """Whether a triple has the terms of a triple pattern."""

    def __init__(self, pattern: TriplePattern) -> None:
        self._pattern = [
            from_model(part) if isinstance(part, (IRI, Literal)) else None
            for part in (pattern.subject, pattern.predicate, pattern.object)
        ]

    def __call__(self, triple: Iterable[StoredTerm]) -> bool:
        """Return whether the pattern matches, wherever it repeats a variable."""
        return all(own in (None, term) for own, term in zip(self._pattern, triple, strict=True))


def one_window_a_pattern(query: Query) -> tuple[Query, list[tuple[IRI, TriplePattern]]]:
    """Return `query` with a window for each triple pattern in a window, with the pattern of each.

    Queries stay as they are in which it matters how windows are called, or blank nodes are.
    """
    found: list[tuple[IRI, TriplePattern]] = []
    declared: list[WindowDeclaration] = []

    def split(pattern: Pattern) -> Pattern:
        if not isinstance(pattern, Window) or not isinstance(pattern.name, IRI):
            return pattern
        window = query.window(pattern.name)

        def alone(triple: TriplePattern) -> Pattern:
            assert window is not None
            declared.append(replace(window, name=IRI(f"{window.name.value}#{len(found)}")))
            found.append((window.name, triple))
            return Window(declared[-1].name, BGP((triple,)))

        def leaf(part: Any) -> Any:
            whole = not isinstance(part, BGP) or not part.triples
            return part if whole else reduce(Join, map(alone, part.triples))

        return pattern if window is None else rewritten(pattern.pattern, leaf)

    if any(
        isinstance(part, (Graph, BlankNode))
        or (isinstance(part, Window) and not isinstance(part.name, IRI))
        for part in within(query.pattern)
    ):
        return query, []
    pattern = rewritten_pattern(query.pattern, split)
    if len(found) < 2:
        return query, []
    return replace(query, pattern=pattern, windows=(*query.windows, *declared)), found
