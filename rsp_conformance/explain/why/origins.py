"""Where a row comes from, and where those elements lie relative to the windows."""

from __future__ import annotations

import re

from rsp_conformance.explain.evidence import Evidence
from rsp_conformance.explain.layout import listed
from rsp_conformance.explain.membership import where
from rsp_conformance.explain.notation import Notation
from rsp_conformance.explain.provenance import (
    Derivation,
    Provenance,
    background_instants,
    frozen_background,
    monotone,
)
from rsp_conformance.explain.why.phrases import sentence
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.terms import IRI, BlankNode, Term, Triple


def extra_origin(evidence: Evidence, provenance: Provenance, row: str) -> list[str]:
    """Which elements would give a row that is not due, and why the windows do not hold them."""
    if provenance.yields(provenance.held):
        return []
    found = provenance.derive()
    if found is None:
        return _underivable(evidence, provenance, row)
    notation = evidence.notation
    added = sorted({index for _, index in found.added})
    clauses = _clauses(evidence, provenance, [*found.added, *found.dropped])
    if found.added and not found.dropped and monotone(evidence.case.query):
        source = notation.elements(added) + (" only" if found.only else "")
        if found.used:
            used = notation.elements(sorted({index for _, index in found.used}))
            source = f"{source}, with {used}," if found.only else f"{source} with {used}"
        # Without the elements named there is no such row; else others may give it as well.
        verb = "comes" if found.only else "would come"
        return [f"{row} {verb} from {source}{'' if source.endswith(',') else ','} and {clauses}."]
    return [f"{row} would come out if {_wish(evidence, found)}; but {clauses}."]


def _wish(evidence: Evidence, found: Derivation) -> str:
    """``the window of :w held (…, 7)``, ``… did not hold (…, 8)``."""
    parts = []
    for items, verb in ((found.added, "held"), (found.dropped, "did not hold")):
        too = " too" if verb == "held" else ""
        for position in sorted({p for p, _ in items}):
            name = evidence.notation.iri(evidence.windows[position].name)
            elements = evidence.notation.elements([i for p, i in items if p == position])
            parts.append(f"the window of {name} {verb} {elements}{too}")
    return listed(parts)


def _clauses(
    evidence: Evidence, provenance: Provenance, items: list[tuple[int, int]], limit: int = 3
) -> str:
    found = [
        where(evidence, index, position, provenance.moment, provenance.contents[position])
        for position, index in items
    ]
    return listed(_gathered(found), limit=limit)


_PLACED = re.compile(r"(-?\d+) (lies inside|is before|is after) (.*)")
_PLURAL = {"lies inside": "lie inside", "is before": "are before", "is after": "are after"}


def _gathered(clauses: list[str]) -> list[str]:
    """CLAUSES, those that say the same of several instants as one: ``5 and 7 lie inside (4,8]``."""
    groups: dict[tuple[str, str], list[str]] = {}
    for clause in clauses:
        placed = _PLACED.fullmatch(clause)
        key = (placed[2], placed[3]) if placed else (clause, "")
        instants = groups.setdefault(key, [])
        if placed and placed[1] not in instants:
            instants.append(placed[1])
    return [
        verb
        if not instants
        else f"{listed(instants, limit=8)} {verb if len(instants) == 1 else _PLURAL[verb]} {rest}"
        for (verb, rest), instants in groups.items()
    ]


def _underivable(evidence: Evidence, provenance: Provenance, row: str) -> list[str]:
    t = provenance.moment.t
    if evidence.case.background.time_varying:
        for instant in background_instants(evidence, t):
            frozen = frozen_background(evidence, instant)
            if provenance.yields(provenance.held, frozen):
                return [
                    f"{row} would come out with the background data of {instant}; "
                    f"but at {t} {_background_at(evidence, t)}."
                ]
    unknown = [
        evidence.notation.term(term)
        for term in provenance.part.row
        if isinstance(term, IRI) and term not in _terms(evidence)
    ]
    if unknown:
        verb = "occurs" if len(unknown) == 1 else "occur"
        return [f"{listed(unknown)} {verb} nowhere in the streams and the background data."]
    if provenance.exhausted:
        return [f"No small change of what the windows hold was found that gives {row}."]
    return [f"No choice of elements was found that gives {row} at {t}."]


def _terms(evidence: Evidence) -> set[Term]:
    found: set[Term] = set(evidence.case.background.graph_names())
    found |= {window.name for window in evidence.windows}
    triples = [t for e in evidence.case.elements for t in e.graph]
    triples += [t for entry in evidence.case.background for t in entry.triples]
    found |= {e.name for e in evidence.case.elements if e.name is not None}
    while triples:
        for part in triples.pop():
            if isinstance(part, Triple):
                triples.append(part)
            found.add(part)
    return found


def _background_at(evidence: Evidence, t: int) -> str:
    holding = [entry for entry in evidence.case.background if entry.holds(t)]
    if not holding:
        return "no background data holds"
    shown = [background_entry(evidence.notation, entry) for entry in holding]
    return f"the background data is {listed(shown, limit=3)}"


def background_entry(notation: Notation, entry: BackgroundEntry) -> str:
    """``:alice :owns :a``, with its graph and the instants on which it holds."""
    graph = notation.graph(entry.triples) if entry.triples else "{}"
    if isinstance(entry.graph, (IRI, BlankNode)):
        graph = f"{graph} in {notation.term(entry.graph)}"
    if entry.since is None and entry.until is None:
        return graph
    since = "" if entry.since is None else str(entry.since)
    until = "" if entry.until is None else str(entry.until)
    return f"{graph} on [{since},{until}]"


def missing_origin(evidence: Evidence, provenance: Provenance, row: str) -> list[str]:
    """From which elements a row comes that is due, all of which the windows hold."""
    held = provenance.held
    if not provenance.yields(held):
        return []
    least = provenance.minimal(held)
    sources = []
    clauses = ""
    if least:
        sources.append(evidence.notation.elements(sorted({index for _, index in least})))
        clauses = _clauses(evidence, provenance, sorted(least))
    if evidence.case.background:
        entries = provenance.background_entries(least)
        if entries:
            shown = [background_entry(evidence.notation, entry) for entry in entries]
            sources.append(f"the background data {listed(shown, limit=3)}")
    if not sources:
        return [sentence(f"{row} needs no element and no background data")]
    tail = f", and {clauses}" if clauses else ""
    return [sentence(f"{row} comes from {listed(sources)}{tail}")]
