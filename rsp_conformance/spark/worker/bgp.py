"""Basic graph patterns: matching triples one pattern after the other, by the graph's indexes.

Rows have one slot for every variable of the query. Blank nodes of the pattern have slots of their
own, which no other part of the query sees. A property path is one such pattern, or several.

The pattern with the most known parts comes next (`order`), so that each step finds few triples by
an index. A step is compiled once for each set of variables that are known before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import Any, TypeAlias, cast

from rsp_conformance.model.algebra import BGP, PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import InversePath, Path, PathElement, SequencePath
from rsp_conformance.model.terms import IRI, BlankNode, Term, Triple
from rsp_conformance.spark.worker.active_dataset import ActiveDataset
from rsp_conformance.spark.worker.index import TermPlaces, lookup
from rsp_conformance.spark.worker.paths import CompiledPath, Ends
from rsp_conformance.sparql.readings import leave_open
from rsp_conformance.sparql.relation import Row
from rsp_conformance.sparql.substitution import node_variables

Step: TypeAlias = Callable[[ActiveDataset, list[Row]], list[Row]]
"""One triple pattern over the active graph of a dataset: extends each row by the terms that it
binds."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted triple pattern with variables, its parts resolved."""

    parts: tuple[Part, Part, Part]


Part: TypeAlias = "Term | int | Quoted"
"""A term, a slot, or a quoted pattern."""
Parts: TypeAlias = "tuple[Part, Part | CompiledPath, Part]"


class CompiledBGP:
    """A basic graph pattern as steps from rows to rows (18.3.1).

    Calling it matches the active graph of a dataset; the rows extend the given row, if there is
    one.

    Args:
        pattern: the pattern.
        slot: gives a variable's place.
        hidden: gives a new place for a blank node.
        width: the length of rows, which is known only when the whole query is compiled.
        counted: whether the number of solutions matters.
    """

    def __init__(
        self,
        pattern: BGP,
        slot: Callable[[str], int],
        hidden: Callable[[], int],
        width: Callable[[], int],
        *,
        counted: bool = True,
    ) -> None:
        self._slot, self._hidden, self._width, self._counted = slot, hidden, width, counted
        self._labels: dict[str, int] = {}
        self.triples: list[Parts] = [p for t in pattern.triples for p in self._triple(t)]
        self.used = sorted(set().union(*map(slots_of, self.triples)))
        names = {name for triple in pattern.triples for name in node_variables(triple)}
        predicates = {
            t.predicate.name for t in pattern.triples if isinstance(t.predicate, Variable)
        }
        self._nodes = sorted(map(slot, names - predicates))
        self._steps: dict[frozenset[int], list[Step]] = {}

    def __call__(self, dataset: ActiveDataset) -> list[Row]:
        """The rows that match the active graph of a dataset."""
        given = dataset.given
        if given is None:
            return self._extended([(None,) * self._width()], frozenset(), dataset)
        known = frozenset([slot for slot in self.used if given[slot] is not None])
        loose = [slot for slot in self._nodes if isinstance(given[slot], BlankNode)]
        if not dataset.loose or not loose:
            return self._extended([given], known, dataset)
        start = tuple([None if slot in loose else term for slot, term in enumerate(given)])
        return _restored(self._extended([start], known.difference(loose), dataset), loose, given)

    def _extended(
        self, rows: list[Row], known: frozenset[int], dataset: ActiveDataset
    ) -> list[Row]:
        steps = self._steps.get(known)
        if steps is None:
            ordered = order(self.triples, known)
            steps = self._steps[known] = [compile_step(p, bound, known) for p, bound in ordered]
        for step in steps:
            rows = step(dataset, rows)
            if not rows:
                return rows
        return rows

    def _triple(self, triple: TriplePattern) -> Iterator[Parts]:
        yield from self._route(
            self._part(triple.subject), triple.predicate, self._part(triple.object)
        )

    def _route(self, start: Part, predicate: PathElement | Variable, end: Part) -> Iterator[Parts]:
        """A triple pattern; its path becomes triple patterns as far as it can (18.2.2.4)."""
        match predicate:
            case InversePath(inner):
                yield from self._route(end, inner, start)
            case SequencePath(left, right):
                middle = self._hidden()
                yield from self._route(start, left, middle)
                yield from self._route(middle, right, end)
            case Variable(name):
                yield start, self._slot(name), end
            case _ if isinstance(predicate, Path):
                yield start, CompiledPath(predicate, counted=self._counted), end
            case _:
                yield start, predicate, end

    def _part(self, part: PatternTerm) -> Part:
        match part:
            case Variable(name):
                return self._slot(name)
            case BlankNode(label=label):
                if label not in self._labels:
                    self._labels[label] = self._hidden()
                return self._labels[label]
            case TriplePattern(subject, predicate, object_):
                # The predicate of a quoted triple is no path.
                parts = tuple(
                    self._part(cast("PatternTerm", p)) for p in (subject, predicate, object_)
                )
                if any(isinstance(p, (int, Quoted)) for p in parts):
                    return Quoted(parts)  # type: ignore[arg-type]
                return Triple(*parts)  # type: ignore[arg-type]
            case _:
                return part


def _restored(rows: list[Row], loose: Sequence[int], given: Row) -> list[Row]:
    """The rows with the given blank nodes at their slots, each of which is one node throughout."""
    same = [(a, b) for a in loose for b in loose if a < b and given[a] == given[b]]
    out: list[Row] = []
    for row in rows:
        if all(row[a] == row[b] for a, b in same):
            terms = list(row)
            for slot in loose:
                terms[slot] = given[slot]
            out.append(tuple(terms))
    return out


def slots_of(parts: Sequence[Part | CompiledPath]) -> set[int]:
    """The slots that some parts bind."""
    found: set[int] = set()
    for part in parts:
        if isinstance(part, int):
            found.add(part)
        elif isinstance(part, Quoted):
            found |= slots_of(part.parts)
    return found


def order(
    triples: Sequence[Parts], known_slots: frozenset[int]
) -> Iterator[tuple[Parts, frozenset[int]]]:
    """Yield the triple patterns, each time the one with most known parts next; the first of equals.

    Args:
        triples: the triple patterns.
        known_slots: the slots that are bound at the beginning.

    Yields:
        A triple pattern, and the slots that are bound before it.
    """
    left = list(triples)
    bound = set(known_slots)

    def known(parts: Parts) -> tuple[int, int]:
        fixed = sum(
            not isinstance(p, (Quoted, CompiledPath)) and (not isinstance(p, int) or p in bound)
            for p in parts
        )
        return fixed, len(slots_of(parts) & bound)

    while left:
        best = max(left, key=known)
        left.remove(best)
        yield best, frozenset(bound)
        bound |= slots_of(best)


def compile_step(parts: Parts, bound: frozenset[int], known: frozenset[int]) -> Step:
    """Compile one triple pattern to a function from rows to rows that bind its slots too.

    Args:
        parts: the pattern.
        bound: the slots that the rows bind.
        known: the slots whose terms are in place of the pattern's variables.
    """
    start, predicate, end = parts
    if isinstance(predicate, CompiledPath):
        return _path_step(start, predicate, end, bound, known)
    return _triple_step((start, predicate, end), bound)


def _triple_step(parts: tuple[Part, Part, Part], bound: frozenset[int]) -> Step:
    predicate = parts[1] if isinstance(parts[1], IRI) else None
    positions = tuple(
        p
        for p, part in enumerate(parts)
        if not isinstance(part, Quoted)
        and (not isinstance(part, int) or part in bound)
        and not (p == 1 and predicate is not None)
    )
    quoted = [(p, part) for p, part in enumerate(parts) if isinstance(part, Quoted)]
    assigned, repeated = _assignments(parts, bound)
    whole = picked([position for _, position in sorted(assigned)])
    within = [found for p, part in quoted for found in _known_within(part, (p,), bound)]
    places: TermPlaces = (*positions, *[path for path, _ in within])
    key = _key([*[parts[p] for p in positions], *[part for _, part in within]])

    def plain(dataset: ActiveDataset, rows: list[Row]) -> list[Row]:
        find = lookup(dataset.graph, places, predicate, rows)
        if len(rows) == 1 and len(assigned) == len(rows[0]):
            return [r for m in find(key(rows[0])) for r in repeat(whole(m), m[3])]
        out: list[Row] = []
        for row in rows:
            for match in find(key(row)):
                new = list(row)
                for slot, position in assigned:
                    new[slot] = match[position]
                if match[3] == 1:
                    out.append(tuple(new))
                else:
                    out.extend([tuple(new)] * match[3])
        return out

    def check(dataset: ActiveDataset, rows: list[Row]) -> list[Row]:
        find = lookup(dataset.graph, places, predicate, rows)
        return [row for row in rows for match in find(key(row)) for _ in range(match[3])]

    def general(dataset: ActiveDataset, rows: list[Row]) -> list[Row]:
        find = lookup(dataset.graph, places, predicate, rows)
        out: list[Row] = []
        for row in rows:
            for match in find(key(row)):
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


def picked(places: Sequence[int]) -> Callable[[Sequence[Any]], Row]:
    """A function that picks the terms at some places of a row, as a row."""
    if len(places) == 1:
        only = places[0]
        return lambda row: (row[only],)
    return itemgetter(*places) if places else lambda row: ()


def _assignments(
    parts: Sequence[Part], bound: frozenset[int]
) -> tuple[tuple[tuple[int, int], ...], list[tuple[int, int]]]:
    """Each slot that is not bound with its first position, and positions that must be equal."""
    first: dict[int, int] = {}
    repeated: list[tuple[int, int]] = []
    for position, part in enumerate(parts):
        if isinstance(part, int) and part not in bound:
            if part in first:
                repeated.append((first[part], position))
            else:
                first[part] = position
    return tuple(first.items()), repeated


def _path_step(
    start: Part, path: CompiledPath, end: Part, bound: frozenset[int], known: frozenset[int]
) -> Step:
    start_kind, end_kind = _kind(start, bound, known), _kind(end, bound, known)
    starts_at_term = start_kind == "term"
    back = start_kind == "free" or (end_kind == "term" and not starts_at_term)
    here, there = (end, start) if back else (start, end)
    is_term = "term" in (start_kind, end_kind)
    value, other = _value(here), None if "free" in (start_kind, end_kind) else _value(there)

    def between_terms(dataset: ActiveDataset, rows: list[Row]) -> list[Row]:
        assert other is not None
        out: list[Row] = []
        for row in rows:
            count = path.between_terms(dataset.graph, value(row), other(row), leave_open)
            out.extend([row] * count)
        return out

    def from_node(dataset: ActiveDataset, rows: list[Row]) -> list[Row]:
        graph, note = dataset.graph, leave_open
        known_ends: dict[Term, Ends] = {}
        out: list[Row] = []
        for row in rows:
            node = value(row)
            ends = known_ends.get(node)
            if ends is None:
                ends = path.ends(graph, node, note, back=back, is_term=is_term)
                known_ends[node] = ends
            if other is not None:
                out.extend([row] * ends.get(other(row), 0))
                continue
            for term, count in ends.items():
                new = list(row)
                if _unify(there, term, new):
                    out.extend([tuple(new)] * count)
        return out

    def anywhere(dataset: ActiveDataset, rows: list[Row]) -> list[Row]:
        out: list[Row] = []
        pairs = list(path.pairs(dataset.graph, leave_open))
        for row in rows:
            for one, another, count in pairs:
                new = list(row)
                if _unify(start, one, new) and _unify(end, another, new):
                    out.extend([tuple(new)] * count)
        return out

    if start_kind == end_kind == "free":
        return anywhere
    return between_terms if start_kind == end_kind == "term" else from_node


def _kind(part: Part, bound: frozenset[int], known: frozenset[int]) -> str:
    """An end of a path: a ``term`` of the query, the value of a ``bound`` variable, or ``free``."""
    slots = slots_of((part,))
    return "term" if slots <= known else "bound" if slots <= bound else "free"


def _value(part: Part) -> Callable[[Row], Term]:
    """The term that a part stands for in a row that binds its slots."""
    match part:
        case int(slot):
            return lambda row: cast("Term", row[slot])
        case Quoted(parts):
            inner = [_value(p) for p in parts]
            return lambda row: Triple(*[value(row) for value in inner])  # type: ignore[arg-type]
        case _:
            return lambda row: part


def _known_within(
    quoted: Quoted, path: tuple[int, ...], bound: frozenset[int]
) -> Iterator[tuple[tuple[int, ...], Part]]:
    """The known parts within a quoted pattern, each with its path."""
    for position, part in enumerate(quoted.parts):
        if isinstance(part, Quoted):
            yield from _known_within(part, (*path, position), bound)
        elif not isinstance(part, int) or part in bound:
            yield (*path, position), part


def _key(parts: Sequence[Part]) -> Callable[[Row], Any]:
    """A function that makes the key for the index from a row."""
    if not any(isinstance(part, int) for part in parts):
        constant = parts[0] if len(parts) == 1 else tuple(parts)
        return lambda row: constant
    if all(isinstance(part, int) for part in parts):
        return itemgetter(*parts)
    return lambda row: tuple([row[p] if isinstance(p, int) else p for p in parts])


def _unify(part: Part, term: Term, row: list[Term | None]) -> bool:
    """Whether a part matches a term; slots of the row are bound on the way."""
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
