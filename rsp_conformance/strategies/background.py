"""Background data: in the default graph and in named graphs, static or changing in time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.features import check_features
from rsp_conformance.model.terms import GraphName, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick, rows
from rsp_conformance.strategies.terms import subjects
from rsp_conformance.strategies.written import WrittenBackground

ALL = frozenset({"static-data", "named-graphs", "time-varying-data", "blank-nodes"})
"""The features that decide what background data there is."""

_LEAST = (0, 3, 4, 5)
_STEPS = 10


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
    # The bounds of the draws do not depend on the stream, so that it can shrink by itself.
    stride = max(1, (end - start) // _STEPS)
    entries = []
    for which, since, length in draw(
        rows(len(pool), _STEPS + 1, _STEPS + 1, least=least, most=most)
    ):
        graph, triple = pool[which]
        # 0 leaves an end open: the simplest entry holds throughout.
        first = start + since * stride if since else None
        last = first - 1 if first is not None else start
        until = last + length * stride if length else None
        entries.append(BackgroundEntry((triple,), graph, first, until))
    return tuple(dict.fromkeys(entries))


def backgrounds(
    features: Iterable[str] = ALL,
    *,
    start: int = 0,
    end: int = 10,
    max_entries: int = 6,
) -> st.SearchStrategy[Background]:
    """Background data that FEATURES allow: default graph, named graphs, bounded intervals.

    Intervals lie within START and END. Shrinks to nothing, then to one triple that always holds.
    """
    known = check_features(features)
    graphs: list[GraphName | None] = [None] if "static-data" in known else []
    if "named-graphs" in known:
        graphs += vocabulary.GRAPHS
    data = [
        Triple(subject, vocabulary.LINKS[2], obj)
        for subject in subjects(known)[:3]
        for obj in subjects(known)[:3]
    ]
    pool = [(graph, triple) for triple in data for graph in graphs]
    return _backgrounds(pool, "time-varying-data" in known, (start, end), max_entries)


@st.composite
def _backgrounds(
    draw: st.DrawFn,
    pool: Sequence[tuple[GraphName | None, Triple]],
    varying: bool,
    within: tuple[int, int],
    most: int,
) -> Background:
    varying = varying and pick(draw, (False, True))
    start, end = within
    return WrittenBackground(
        draw_entries(draw, pool, varying=varying, start=start, end=end, most=most)
    )
