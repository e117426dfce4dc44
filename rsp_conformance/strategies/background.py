"""Background data: in the default graph and in named graphs, static or changing in time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from hypothesis import strategies as st

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.features import with_implied
from rsp_conformance.model.terms import GraphName, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import CHOICES, choose, pick, rows
from rsp_conformance.strategies.terms import subjects
from rsp_conformance.strategies.written import WrittenBackground

ALL = frozenset({"static-data", "named-graphs", "time-varying-data", "blank-nodes"})
"""The features that decide which background data are drawn."""

Entry: TypeAlias = "tuple[GraphName | None, Triple]"
"""A triple of a named graph, or of the default graph."""

_MOST = 6
"""The greatest number of entries. It keeps the data of a case readable in a report."""
_NUMBERS = ((0, _MOST), *((3, _MOST), (4, _MOST), (5, _MOST)) * 2, (0, 0))
"""The least and the greatest number of entries.

Patterns seldom match few entries, so most cases have several. One case in eight has no data: an
engine may handle empty background data differently.
"""

_STEPS = 10
"""The number of strides by which an interval may begin late, and that it may last."""


def entry_rows(
    draw: st.DrawFn, *, varying: bool, most: int = _MOST, choices: int = CHOICES
) -> list[tuple[int, ...]]:
    """Draw the choices from which ``entries_from`` makes entries.

    Each row is a choice of a triple and, if ``varying``, the start and the length of an interval.

    Args:
        draw: Hypothesis' draw function.
        varying: whether entries may hold for a while only.
        most: the greatest number of entries.
        choices: how many choices of a triple a row has.
    """
    lengths = (choices, _STEPS + 1, _STEPS + 1) if varying else (choices,)
    fewest, largest = pick(draw, _NUMBERS)
    return rows(draw, *lengths, least=min(fewest, most), most=min(largest, most))


def entries_from(
    drawn: Sequence[tuple[int, ...]],
    matching: Sequence[Entry],
    strays: Sequence[Entry] = (),
    *,
    start: int = 0,
    end: int = 10,
    choices: int = CHOICES,
) -> tuple[BackgroundEntry, ...]:
    """Make the background entries that a list of choices describes, of one triple each.

    An interval begins at most ten strides after ``start`` and lasts at most ten strides; either end
    may be open. A stride is a tenth of the time from ``start`` to ``end``, and at least one
    instant. Triples that always hold are put together into one entry per graph.

    Args:
        drawn: the rows, from ``entry_rows``.
        matching: graphs and triples that the query asks for.
        strays: graphs and triples that it does not ask for.
        start: the first instant of the case.
        end: the last instant of the case.
        choices: how many choices of a triple a row has.
    """
    if not matching:
        return ()
    stride = max(1, (end - start) // _STEPS)
    always: dict[GraphName | None, dict[Triple, None]] = {}
    bounded: dict[BackgroundEntry, None] = {}
    for which, *interval in drawn:
        graph, triple = choose(which, matching, strays, choices)
        since, length = interval or (0, 0)
        # 0 leaves an end open: the simplest entry always holds.
        if not (since or length):
            always.setdefault(graph, {})[triple] = None
            continue
        first = start + since * stride if since else None
        before = start if first is None else first - 1
        until = before + length * stride if length else None
        bounded[BackgroundEntry((triple,), graph, first, until)] = None
    return (
        *(BackgroundEntry(tuple(triples), graph) for graph, triples in always.items()),
        *bounded,
    )


def backgrounds(
    features: Iterable[str] = ALL, *, start: int = 0, end: int = 10, max_entries: int = 6
) -> st.SearchStrategy[Background]:
    """Draw background data that ``features`` allow: default graph, named graphs, bounded intervals.

    Shrinks to nothing, then to one triple that always holds.

    Args:
        features: the features that the data may need (see ``ALL``).
        start: the first instant over which intervals are spread.
        end: the last instant over which they are spread; some intervals end later.
        max_entries: the greatest number of entries.
    """
    known = with_implied(features)
    graphs: list[GraphName | None] = [None] if "static-data" in known else []
    if "named-graphs" in known:
        graphs += vocabulary.GRAPHS
    data = [
        Triple(subject, vocabulary.LINKS[2], obj)
        for subject in subjects(known)[:3]
        for obj in subjects(known)[:3]
    ]
    pool: list[Entry] = [(graph, triple) for triple in data for graph in graphs]
    return _backgrounds(pool, "time-varying-data" in known, (start, end), max_entries)


@st.composite
def _backgrounds(
    draw: st.DrawFn, pool: Sequence[Entry], varying: bool, within: tuple[int, int], most: int
) -> Background:
    if not pool:
        return WrittenBackground()
    varying = varying and pick(draw, (False, True))
    drawn = entry_rows(draw, varying=varying, most=most, choices=len(pool))
    start, end = within
    return WrittenBackground(entries_from(drawn, pool, start=start, end=end, choices=len(pool)))
