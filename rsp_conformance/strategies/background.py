"""Background data: in the default graph and in named graphs, static or changing in time."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.terms import GraphName, Triple
from rsp_conformance.strategies.draws import pick, rows

_LEAST = (0, 2, 3, 4)


def draw_entries(
    draw: st.DrawFn,
    pool: Sequence[tuple[GraphName | None, Triple]],
    *,
    varying: bool = False,
    start: int = 0,
    end: int = 10,
    most: int = 6,
) -> tuple[BackgroundEntry, ...]:
    """Up to MOST entries of one triple each, out of POOL, neighbours of one graph merged.

    With VARYING an entry may begin after START and may end, both before END.
    """
    if not pool:
        return ()
    least = pick(draw, _LEAST)
    if not varying:
        drawn = draw(rows(len(pool), least=least, most=most))
        graphs: dict[GraphName | None, dict[Triple, None]] = {}
        for (which,) in drawn:
            graph, triple = pool[which]
            graphs.setdefault(graph, {})[triple] = None
        return tuple(BackgroundEntry(tuple(triples), graph) for graph, triples in graphs.items())
    span = max(2, end - start)
    entries = []
    for which, since, length in draw(rows(len(pool), span, span, least=least, most=most)):
        graph, triple = pool[which]
        # 0 leaves an end open: the simplest entry holds throughout.
        first = start + since if since else None
        last = (first or start) + length - 1 if length else None
        entries.append(BackgroundEntry((triple,), graph, first, last))
    return tuple(dict.fromkeys(entries))


def background(entries: Sequence[BackgroundEntry]) -> Background:
    """ENTRIES as background data."""
    return Background(tuple(entries))
