"""Where a row comes from, and where those elements lie relative to the windows."""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.explain.argument import (
    Claim,
    ComesFrom,
    NoSource,
    Part,
    Placement,
    Source,
    WouldCome,
    WouldComeAt,
)
from rsp_conformance.explain.evidence.provenance import (
    Provenance,
    background_instants,
    frozen_background,
    monotone,
)
from rsp_conformance.explain.evidence.windows import placement
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.terms import IRI, Term, Triple


def extra_origin(setting: Setting, provenance: Provenance, *parts: Part) -> list[Claim]:
    """Which elements would give a row that is not due; PARTS are what is said of it.

    Nothing where the row comes out.
    """
    if provenance.yields(provenance.held):
        return []
    found = provenance.derive()
    if found is None:
        return [_underivable(setting, provenance, parts)]
    return [
        WouldCome(
            parts,
            found.added,
            found.dropped,
            _elements(found.used),
            found.only,
            monotone(setting.case.query),
            _placements(setting, provenance, [*found.added, *found.dropped]),
        )
    ]


def missing_origin(setting: Setting, provenance: Provenance, of: Source = "row") -> list[Claim]:
    """From which elements a row comes that is due, all of which the windows hold."""
    if not provenance.yields(provenance.held):
        return []
    least = provenance.minimal(provenance.held)
    entries = provenance.background_entries(least) if setting.case.background else []
    placements = _placements(setting, provenance, sorted(least))
    return [ComesFrom(of, _elements(least), tuple(entries), placements)]


def _elements(held: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(sorted({index for _, index in held}))


def _placements(
    setting: Setting, provenance: Provenance, items: Iterable[tuple[int, int]]
) -> tuple[Placement, ...]:
    return tuple(
        placement(setting, index, position, provenance.moment, provenance.contents[position])
        for position, index in items
    )


def _underivable(
    setting: Setting, provenance: Provenance, parts: tuple[Part, ...]
) -> WouldComeAt | NoSource:
    t, background = provenance.moment.t, setting.case.background
    if background.time_varying:
        for instant in background_instants(setting, t):
            if provenance.yields(provenance.held, frozen_background(setting, instant)):
                holding = tuple(entry for entry in background if entry.holds(t))
                return WouldComeAt(parts, instant, t, holding)
    known = _terms(setting)
    unknown = tuple(
        term for term in provenance.part.row if isinstance(term, IRI) and term not in known
    )
    return NoSource(parts, t, unknown, provenance.exhausted)


def _terms(setting: Setting) -> set[Term]:
    """Every term of the streams and the background data, and the names of graphs and windows."""
    found: set[Term] = set(setting.case.background.graph_names())
    found |= {window.name for window in setting.windows}
    triples = [t for e in setting.case.elements for t in e.graph]
    triples += [t for entry in setting.case.background for t in entry.triples]
    found |= {e.name for e in setting.case.elements if e.name is not None}
    while triples:
        for part in triples.pop():
            if isinstance(part, Triple):
                triples.append(part)
            found.add(part)
    return found
