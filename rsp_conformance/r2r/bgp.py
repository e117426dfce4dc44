"""Basic graph patterns: matching triples one pattern after the other, by the graph's indexes.

Rows have one slot for every variable of the query; blank nodes of the pattern have slots of their
own, which no other part of the query sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

from rsp_conformance.model.algebra import BGP, PatternTerm, TriplePattern
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.dataset import Graph
from rsp_conformance.sparql.relation import Row

Matcher: TypeAlias = Callable[["Graph", "Row | None"], list[Row]]
"""From a graph, and a row whose terms stand for its variables or None, to rows."""
Step: TypeAlias = Callable[[Graph, list[Row]], list[Row]]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted triple pattern with variables, its parts resolved."""

    parts: tuple[Part, Part, Part]


Part: TypeAlias = "Term | int | Quoted"
"""A term, a slot, or a quoted pattern."""
Parts: TypeAlias = tuple[Part, Part, Part]


def compile_bgp(
    pattern: BGP, slot: Callable[[str], int], hidden: Callable[[], int], width: Callable[[], int]
) -> Matcher:
    """PATTERN as a function from graphs to rows, each of which extends the row given (18.3.1).

    ``slot`` gives a variable's place, ``hidden`` a new place for a blank node, and ``width`` the
    length of rows, which is known only when the whole query is compiled.
    """
    labels: dict[str, int] = {}

    def resolve(part: PatternTerm | object) -> Part:
        if isinstance(part, Variable):
            return slot(part.name)
        if isinstance(part, BlankNode):
            if part.label not in labels:
                labels[part.label] = hidden()
            return labels[part.label]
        if isinstance(part, TriplePattern):
            parts = _resolve_all(part)
            if any(isinstance(p, (int, Quoted)) for p in parts):
                return Quoted(parts)
            subject, predicate, object_ = parts
            return Triple(subject, predicate, object_)  # type: ignore[arg-type]
        if isinstance(part, (IRI, Literal, Triple)):
            return part
        raise Unsupported("property paths")

    def _resolve_all(triple: TriplePattern) -> Parts:
        return resolve(triple.subject), resolve(triple.predicate), resolve(triple.object)

    triples = [_resolve_all(triple) for triple in pattern.triples]
    used = sorted(set().union(*map(_slots, triples)))
    uncorrelated = _steps(triples, frozenset())
    correlated: dict[frozenset[int], list[Step]] = {}

    def match(graph: Graph, given: Row | None) -> list[Row]:
        rows: list[Row]
        if given is None:
            steps = uncorrelated
            rows = [(None,) * width()]
        else:
            known = frozenset([slot for slot in used if given[slot] is not None])
            if known not in correlated:
                correlated[known] = _steps(triples, known)
            steps = correlated[known]
            rows = [given]
        for step in steps:
            rows = step(graph, rows)
            if not rows:
                return rows
        return rows

    return match


def _slots(parts: Sequence[Part]) -> set[int]:
    found: set[int] = set()
    for part in parts:
        if isinstance(part, int):
            found.add(part)
        elif isinstance(part, Quoted):
            found |= _slots(part.parts)
    return found


def _steps(triples: Sequence[Parts], known: frozenset[int]) -> list[Step]:
    """One step for every triple pattern, over rows that bind the slots KNOWN."""
    steps: list[Step] = []
    bound = set(known)
    for parts in _ordered(triples, known):
        steps.append(_step(parts, frozenset(bound)))
        bound |= _slots(parts)
    return steps


def _ordered(triples: Sequence[Parts], known_slots: frozenset[int]) -> list[Parts]:
    """The triple patterns, each time the one with most known parts next; the first of equals."""
    left = list(triples)
    ordered: list[Parts] = []
    bound = set(known_slots)

    def known(parts: Parts) -> tuple[int, int]:
        fixed = sum(
            not isinstance(p, Quoted) and (not isinstance(p, int) or p in bound) for p in parts
        )
        return fixed, len(_slots(parts) & bound)

    while left:
        best = max(left, key=known)
        left.remove(best)
        ordered.append(best)
        bound |= _slots(best)
    return ordered


def _step(parts: Parts, bound: frozenset[int]) -> Step:
    """One triple pattern: from rows that bind BOUND to rows that bind its slots too."""
    predicate = parts[1] if isinstance(parts[1], IRI) else None
    positions = tuple(
        p
        for p, part in enumerate(parts)
        if not isinstance(part, Quoted)
        and (not isinstance(part, int) or part in bound)
        and not (p == 1 and predicate is not None)
    )
    key = _key([parts[p] for p in positions])
    free: dict[int, int] = {}
    repeated: list[tuple[int, int]] = []
    quoted: list[tuple[int, Quoted]] = []
    for position, part in enumerate(parts):
        if isinstance(part, Quoted):
            quoted.append((position, part))
        elif isinstance(part, int) and part not in bound:
            if part in free:
                repeated.append((free[part], position))
            else:
                free[part] = position
    assigned = tuple(free.items())
    within = [found for p, part in quoted for found in _known_within(part, (p,), bound)]
    if within:
        paths = (*[(p,) for p in positions], *[path for path, _ in within])
        key = _key([*[parts[p] for p in positions], *[part for _, part in within]])

    def plain(graph: Graph, rows: list[Row]) -> list[Row]:
        lookup = graph.index(positions, predicate).get
        out: list[Row] = []
        for row in rows:
            for match in lookup(key(row), ()):
                new = list(row)
                for slot, position in assigned:
                    new[slot] = match[position]
                if match[3] == 1:
                    out.append(tuple(new))
                else:
                    out.extend([tuple(new)] * match[3])
        return out

    def check(graph: Graph, rows: list[Row]) -> list[Row]:
        lookup = graph.index(positions, predicate).get
        return [row for row in rows for match in lookup(key(row), ()) for _ in range(match[3])]

    def general(graph: Graph, rows: list[Row]) -> list[Row]:
        if within:
            lookup = graph.index_within(paths, predicate).get
        else:
            lookup = graph.index(positions, predicate).get
        out: list[Row] = []
        for row in rows:
            for match in lookup(key(row), ()):
                if any(match[a] != match[b] for a, b in repeated):
                    continue
                new = list(row)
                for slot, position in assigned:
                    new[slot] = match[position]
                if all(_unify(part, match[p], new) for p, part in quoted):
                    out.extend([tuple(new)] * match[3])
        return out

    if repeated or quoted:
        return general
    return plain if assigned else check


def _known_within(
    quoted: Quoted, path: tuple[int, ...], bound: frozenset[int]
) -> Iterator[tuple[tuple[int, ...], Part]]:
    """What is known within QUOTED, which stands at PATH, and where it stands."""
    for position, part in enumerate(quoted.parts):
        if isinstance(part, Quoted):
            yield from _known_within(part, (*path, position), bound)
        elif not isinstance(part, int) or part in bound:
            yield (*path, position), part


def _key(parts: Sequence[Part]) -> Callable[[Row], Any]:
    """What to look up in the index, from a row."""
    if not any(isinstance(part, int) for part in parts):
        constant = parts[0] if len(parts) == 1 else tuple(parts)
        return lambda row: constant
    if all(isinstance(part, int) for part in parts):
        return itemgetter(*parts)
    return lambda row: tuple([row[p] if isinstance(p, int) else p for p in parts])


def _unify(part: Part, term: Term, row: list[Term | None]) -> bool:
    """Whether PART matches TERM; binds slots of ROW on the way."""
    if isinstance(part, int):
        if row[part] is None:
            row[part] = term
            return True
        return row[part] == term
    if isinstance(part, Quoted):
        return isinstance(term, Triple) and all(
            _unify(inner, inner_term, row)
            for inner, inner_term in zip(part.parts, term, strict=True)
        )
    return part == term
