"""Compares multisets of rows, up to one bijection of blank nodes (SEMANTICS 5; decision 25).

Two multisets agree if all rows can be paired, and all blank nodes too, so that paired rows agree.
Trying all pairings would take far too long, so the cheap tests come first:

* Rows are distinguished by their *shape*, which is the same for rows that agree.
* Blank nodes are distinguished by their *colour*: where a node occurs, and next to which colours.
  Nodes that a bijection pairs have the same colour. Colours are refined in rounds, until a round
  distinguishes no more nodes.
* A node is *settled* if no other node of its side has its colour. Rows that share unsettled nodes
  must be paired together; apart from that, rows are independent. So both sides are divided into
  parts, and each part needs a partner on the other side.
* If a part has unsettled nodes, one of them gets a colour of its own, together with each candidate
  on the other side in turn, and colours are refined again.

The result is exact, because every candidate is tried. Without colours, an answer could be called
wrong only after every order of its rows had been tried.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from rsp_conformance.model.dials import Numbers
from rsp_conformance.model.terms import BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.compare.matching import has_perfect_matching
from rsp_conformance.sparql.compare.numbers import agree, exact, literal_classes, sort_key

Cell: TypeAlias = Term | int | str | None
"""A term, None for unbound, or something else that distinguishes rows: the number of a group of
ties, or the name of a column."""
ComparedRow: TypeAlias = tuple[Cell, ...]


def same_rows(
    expected: Sequence[ComparedRow], observed: Sequence[ComparedRow], numbers: Numbers
) -> bool:
    """Whether two multisets of rows agree, for some pairing of rows and one bijection of nodes.

    Args:
        expected: the expected rows.
        observed: the rows of the engine, with the same columns in the same order.
        numbers: the dial ``numbers``: when two numbers agree.
    """
    if len(expected) != len(observed):
        return False
    if expected == observed or Counter(expected) == Counter(observed):
        return True
    classes: Mapping[Literal, Hashable] = {}
    if numbers != "term":
        if Counter(map(_exact, expected)) == Counter(map(_exact, observed)):
            return True
        literals = {part for row in (*expected, *observed) for part in _literals(row)}
        classes = literal_classes(literals, numbers)
    left, right = ([_shaped(row, classes) for row in rows] for rows in (expected, observed))
    if Counter([row.shape for row in left]) != Counter([row.shape for row in right]):
        return False
    colours = _refined(left, right, (_uncoloured(left), _uncoloured(right)))
    return _isomorphic(left, right, colours, numbers)


def rows_among(part: Sequence[ComparedRow], whole: Sequence[ComparedRow], numbers: Numbers) -> bool:
    """Whether each row of one multiset agrees with a row of its own in another.

    A blank node agrees with any other: the bijection of nodes is that of a whole answer.

    Args:
        part: the rows of which each needs a partner.
        whole: the rows among which the partners are, with the same columns in the same order.
        numbers: the dial ``numbers``: when two numbers agree.
    """
    if len(part) > len(whole):
        return False
    classes: Mapping[Literal, Hashable] = {}
    if numbers != "term":
        literals = {literal for row in (*part, *whole) for literal in _literals(row)}
        classes = literal_classes(literals, numbers)
    alike: dict[Hashable, tuple[list[ComparedRow], list[ComparedRow]]]
    alike = defaultdict(lambda: ([], []))
    for side, rows in enumerate((part, whole)):
        for row in rows:
            alike[_shaped(row, classes).shape][side].append(row)
    return all(
        len(mine) <= len(theirs) and _agree(mine, theirs, numbers)
        for mine, theirs in alike.values()
    )


def _exact(row: ComparedRow) -> ComparedRow:
    """A row with its numbers replaced by their values."""
    return tuple([exact(cell) if isinstance(cell, Literal) else cell for cell in row])


# Shapes


class _ShapedRow(NamedTuple):
    """A row, its shape (the same for all rows that agree with it), and its blank nodes in order."""

    cells: ComparedRow
    shape: Hashable
    nodes: tuple[BlankNode, ...]


def _shaped(row: ComparedRow, classes: Mapping[Literal, Hashable]) -> _ShapedRow:
    nodes: list[BlankNode] = []
    shape = tuple([_shape(cell, classes, nodes) for cell in row])
    return _ShapedRow(row, shape, tuple(nodes))


def _shape(cell: Cell, classes: Mapping[Literal, Hashable], nodes: list[BlankNode]) -> Hashable:
    """The shape of a cell, the same for all that agree with it; adds its blank nodes to a list."""
    if isinstance(cell, BlankNode):
        nodes.append(cell)
        return BlankNode
    if isinstance(cell, Triple):
        return tuple([_shape(part, classes, nodes) for part in cell])
    return classes.get(cell, cell) if isinstance(cell, Literal) else cell


def _literals(cells: Iterable[Cell]) -> Iterator[Literal]:
    for cell in cells:
        if isinstance(cell, Literal):
            yield cell
        elif isinstance(cell, Triple):
            yield from _literals(cell)


# Colours

_Colours: TypeAlias = dict[BlankNode, int]
_BothColours: TypeAlias = tuple[_Colours, _Colours]
_OWN = -1
"""The colour of a node that is singled out to go on; all other colours are 0 or more."""


def _uncoloured(rows: Iterable[_ShapedRow]) -> _Colours:
    return {node: 0 for row in rows for node in row.nodes}


def _refined(
    left: Sequence[_ShapedRow], right: Sequence[_ShapedRow], colours: _BothColours
) -> _BothColours:
    """The coarsest stable refinement of the colours, with the same numbers on both sides."""
    ours, theirs = colours
    count = len({*ours.values(), *theirs.values()})
    while True:
        names: dict[Hashable, int] = {}
        ours, theirs = _next_round(left, ours, names), _next_round(right, theirs, names)
        if len(names) <= count:
            return ours, theirs
        count = len(names)


def _next_round(
    rows: Sequence[_ShapedRow], colours: _Colours, names: dict[Hashable, int]
) -> _Colours:
    """One round of refinement; ``names`` gives colours the same numbers on both sides."""
    seen: dict[BlankNode, Counter[Hashable]] = defaultdict(Counter)
    for row in rows:
        if row.nodes:
            beside = _key(row, colours)
            for place, node in enumerate(row.nodes):
                seen[node][beside, place] += 1
    return {
        node: names.setdefault((colours[node], frozenset(places.items())), len(names))
        for node, places in seen.items()
    }


def _key(row: _ShapedRow, colours: _Colours) -> Hashable:
    return row.shape, tuple([colours[node] for node in row.nodes])


def _signature(rows: Iterable[_ShapedRow], colours: _Colours) -> Hashable:
    """A value that is the same for all lists of rows that are isomorphic to these."""
    return frozenset(Counter([_key(row, colours) for row in rows]).items())


# Pairing

_Part: TypeAlias = list[_ShapedRow]


def _isomorphic(
    left: Sequence[_ShapedRow], right: Sequence[_ShapedRow], colours: _BothColours, numbers: Numbers
) -> bool:
    """Whether all rows agree under one bijection, which only pairs nodes of the same colour."""
    parts: dict[Hashable, tuple[list[_Part], list[_Part]]] = defaultdict(lambda: ([], []))
    settled_rows: dict[Hashable, tuple[list[ComparedRow], list[ComparedRow]]] = defaultdict(
        lambda: ([], [])
    )
    for side, (rows, own) in enumerate(zip((left, right), colours, strict=True)):
        shared = Counter({node: own[node] for row in rows for node in row.nodes}.values())
        tied = []
        for row in rows:
            if any(shared[own[node]] > 1 for node in row.nodes):
                tied.append(row)
            else:
                settled_rows[_key(row, own)][side].append(row.cells)
        open_nodes = {node for row in tied for node in row.nodes if shared[own[node]] > 1}
        for part in _parts(tied, open_nodes):
            parts[_signature(part, own)][side].append(part)
    return (
        all(len(mine) == len(theirs) for mine, theirs in settled_rows.values())
        and all(len(mine) == len(theirs) for mine, theirs in parts.values())
        and all(_agree(mine, theirs, numbers) for mine, theirs in settled_rows.values())
        and all(_all_fit(mine, theirs, colours, numbers) for mine, theirs in parts.values())
    )


def _parts(rows: Sequence[_ShapedRow], open_nodes: set[BlankNode]) -> list[_Part]:
    """Divide rows into parts, so that rows with an open node in common are in the same part."""
    having: dict[BlankNode, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        for node in open_nodes.intersection(row.nodes):
            having[node].append(index)
    found = []
    seen: set[int] = set()
    for first in range(len(rows)):
        if first in seen:
            continue
        seen.add(first)
        waiting, part = [first], []
        while waiting:
            row = rows[waiting.pop()]
            part.append(row)
            for node in row.nodes:
                near = [index for index in having.pop(node, ()) if index not in seen]
                seen.update(near)
                waiting += near
        found.append(part)
    return found


def _all_fit(
    mine: list[_Part], theirs: list[_Part], colours: _BothColours, numbers: Numbers
) -> bool:
    """Whether each of several parts with one signature can have a partner of its own."""
    if numbers != "term":
        mine.sort(key=lambda part: _place(part[0].cells))
        theirs.sort(key=lambda part: _place(part[0].cells))
    return has_perfect_matching(len(mine), lambda i, j: _fit(mine[i], theirs[j], colours, numbers))


def _fit(mine: _Part, theirs: _Part, colours: _BothColours, numbers: Numbers) -> bool:
    """Whether two parts with the same signature are isomorphic."""
    ours = _within(mine, colours[0])
    others = _within(theirs, colours[1])
    shared = [(count, colour) for colour, count in Counter(ours.values()).items() if count > 1]
    if not shared:
        return _isomorphic(mine, theirs, (ours, others), numbers)
    _, colour = min(shared)
    chosen = next(node for node, own in ours.items() if own == colour)
    for candidate in [node for node, own in others.items() if own == colour]:
        finer = _refined(mine, theirs, ({**ours, chosen: _OWN}, {**others, candidate: _OWN}))
        if _signature(mine, finer[0]) != _signature(theirs, finer[1]):
            continue
        if _isomorphic(mine, theirs, finer, numbers):
            return True
    return False


def _within(rows: Iterable[_ShapedRow], colours: _Colours) -> _Colours:
    return {node: colours[node] for row in rows for node in row.nodes}


def _agree(mine: list[ComparedRow], theirs: list[ComparedRow], numbers: Numbers) -> bool:
    """Whether each of `mine` can have a partner among `theirs`, which are at least as many.

    All rows have one shape, and their blank nodes are settled or agree with any.
    """
    if numbers == "term":
        return True
    if len(theirs) > 1:
        mine.sort(key=_place)
        theirs.sort(key=_place)

    def same_cells(i: int, j: int) -> bool:
        if i >= len(mine):
            return True  # A row that nothing needs.
        for one, other in zip(mine[i], theirs[j], strict=True):
            if not _same_literals(one, other, numbers):
                return False
        return True

    return has_perfect_matching(len(theirs), same_cells)


def _place(row: ComparedRow) -> tuple[Fraction | float, ...]:
    """A key for sorting rows of one shape: rows that agree mostly get the same position."""
    return tuple([sort_key(cell) if isinstance(cell, Literal) else 0 for cell in row])


def _same_literals(one: Cell, other: Cell, numbers: Numbers) -> bool:
    if isinstance(one, Literal) and isinstance(other, Literal):
        return agree(one, other, numbers)
    if isinstance(one, Triple) and isinstance(other, Triple):
        return all(_same_literals(a, b, numbers) for a, b in zip(one, other, strict=True))
    return True
